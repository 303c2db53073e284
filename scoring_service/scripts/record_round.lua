-- A round gets onto its board and onto the score stream, once.
-- KEYS board, pointer to the table's latest game, round stream, score stream
-- ARGV group, entry, whether to acknowledge it (1/0), round, rounds on the board when it was read, number of the game,
--      seconds to keep the board, channel to wake, partition, RoundScored, then field and value of each change
-- Returns scored; already: the round was on the board before; changed: the board is not as it was read.
local function acknowledge()
  if ARGV[3] == '1' then
    redis.call('XACK', KEYS[3], ARGV[1], ARGV[2])
    redis.call('XDEL', KEYS[3], ARGV[2])
  end
end

if redis.call('HEXISTS', KEYS[1], 'round:' .. ARGV[4]) == 1 then
  acknowledge()
  return 'already'
end
if (redis.call('HGET', KEYS[1], 'rounds') or '0') ~= ARGV[5] then
  return 'changed'
end
for i = 11, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', KEYS[1], ARGV[7])
if tonumber(redis.call('GET', KEYS[2]) or '0') <= tonumber(ARGV[6]) then
  redis.call('SET', KEYS[2], ARGV[6], 'EX', ARGV[7])
end
redis.call('XADD', KEYS[4], '*', 'm', ARGV[10])
redis.call('PUBLISH', ARGV[8], ARGV[9])
acknowledge()
return 'scored'
