-- An entry proved poisoned: counts the try; after the last it moves to the parked ones in the same step.
-- A run repeated after a lost reply counts once more at worst, and parks once.
-- KEYS stream, tries, parked; ARGV group, id, tries allowed, payload, error
-- Returns the tries so far, 0 when the entry is parked, -1 when somebody else has finished it.
local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if #pending == 0 then
  return -1
end
local tries = redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
if tries < tonumber(ARGV[3]) then
  return tries
end
redis.call('XADD', KEYS[3], '*', 'm', ARGV[4], 'error', ARGV[5], 'entry', ARGV[2])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
return 0
