-- A round gets onto its board and onto the score stream, if the board is still as it was read: so it does so once. And
-- only if its entry is there: what a failover lost was not played, and the round may end differently.
-- KEYS board, pointer to the table's latest game, round stream, score stream
-- ARGV group, entry, whether to acknowledge it (1/0), rounds on the board when it was read, number of the game,
--      seconds to keep the board, channel to wake, partition, RoundScored, then field and value of each change
-- Returns scored, changed or gone.
if #redis.call('XRANGE', KEYS[3], ARGV[2], ARGV[2]) == 0 then
  return 'gone'
end
if (redis.call('HGET', KEYS[1], 'rounds') or '0') ~= ARGV[4] then
  return 'changed'
end
for i = 10, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
if tonumber(redis.call('GET', KEYS[2]) or '0') <= tonumber(ARGV[5]) then
  redis.call('SET', KEYS[2], ARGV[5], 'EX', ARGV[6])
end
redis.call('XADD', KEYS[4], '*', 'm', ARGV[9])
redis.call('PUBLISH', ARGV[7], ARGV[8])
if ARGV[3] == '1' then
  redis.call('XACK', KEYS[3], ARGV[1], ARGV[2])
  redis.call('XDEL', KEYS[3], ARGV[2])
end
return 'scored'
