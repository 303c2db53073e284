-- A parked entry goes back to the end of its stream, once.
-- KEYS stream, parked; ARGV id of the parked entry, channel, partition
local found = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])
if #found == 0 then
  return 0
end
local fields = found[1][2]
for i = 1, #fields, 2 do
  if fields[i] == 'm' then
    redis.call('XADD', KEYS[1], '*', 'm', fields[i + 1])
  end
end
redis.call('XDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
