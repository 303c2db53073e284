-- A game changes the ratings of its players, once.
-- KEYS ratings, leaderboard, names, games, wins, applied games
-- ARGV game, when it ended, for how long after that it may be rated, for how long it is remembered (all milliseconds);
--      then for each player: id, name, rating as it was read, new rating, what the leaderboard sorts by, won (1/0)
-- Returns rated; already: it was rated before; late: it ended too long ago; changed: a rating is not as it was read.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('ZSCORE', KEYS[6], ARGV[1]) then
  return 'already'
end
if now - ARGV[2] > tonumber(ARGV[3]) then
  return 'late'
end
for i = 5, #ARGV, 6 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 2] then
    return 'changed'
  end
end
for i = 5, #ARGV, 6 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 3])
  redis.call('ZADD', KEYS[2], ARGV[i + 4], ARGV[i])
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
  redis.call('HINCRBY', KEYS[4], ARGV[i], 1)
  redis.call('HINCRBY', KEYS[5], ARGV[i], ARGV[i + 5])
end
redis.call('ZADD', KEYS[6], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now - ARGV[4])
return 'rated'
