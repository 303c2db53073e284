-- Take all tickets of a match out of line in one step, or none of them.
-- KEYS: agenda, ranks, ages, matches, sweep, tickets…
-- ARGV: match, what it is to be, lease ms, then the tickets' ids
-- Returns {0, ids that do not wait any more…}, or {1, now, body, entered…} when the match has them all, also by an earlier run.
local match, missing = ARGV[1], {}
for i = 4, #ARGV do
  local at = redis.call('HMGET', KEYS[i + 2], 'state', 'match')
  if at[1] ~= 'waiting' and at[2] ~= match then missing[#missing + 1] = ARGV[i] end
end
if #missing > 0 then
  table.insert(missing, 1, 0)
  return missing
end

local found = { 1, (clock(KEYS[5])) }
local anew = redis.call('HGET', KEYS[6], 'match') ~= match
if anew then
  redis.call('HSET', KEYS[4], match, ARGV[2])
  redis.call('ZADD', KEYS[1], found[2] + ARGV[3], 'match/' .. match)
end
for i = 4, #ARGV do
  local ticket = KEYS[i + 2]
  if anew then
    leave_line(KEYS[2], KEYS[3], ticket, ARGV[i])
    redis.call('HSET', ticket, 'state', 'seating', 'match', match)
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
  found[#found + 1] = redis.call('HGET', ticket, 'body')
  found[#found + 1] = tonumber(redis.call('HGET', ticket, 'entered'))
end
return found
