-- A page of a leaderboard, best first.
-- KEYS leaderboard, names, games, wins; ARGV rows wanted, then of the last row before: its place in the list counted
-- from 0 (-1: none, begin at the top), its rating, its player
-- Returns the place of the first row, its rank, how many rows the board has, then for each row: player, rating, name, games, wins.
local size = redis.call('ZCARD', KEYS[1])
local first = 0
if ARGV[2] ~= '-1' then
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[4]) or 'nan') == tonumber(ARGV[3]) then
    first = redis.call('ZREVRANK', KEYS[1], ARGV[4]) + 1
  else
    -- The player has another rating now: go on where it was, but neither above nor below those who shared it.
    local above = redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[3], '+inf')
    local level = redis.call('ZCOUNT', KEYS[1], ARGV[3], '+inf')
    first = math.max(above, math.min(tonumber(ARGV[2]), level))
  end
end
local rows = redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[1] - 1, 'WITHSCORES')
local answer = { first, 0, size }
for i = 1, #rows, 2 do
  if i == 1 then
    answer[2] = redis.call('ZCOUNT', KEYS[1], '(' .. rows[2], '+inf') + 1
  end
  answer[#answer + 1] = rows[i]
  answer[#answer + 1] = rows[i + 1]
  answer[#answer + 1] = redis.call('HGET', KEYS[2], rows[i]) or ''
  answer[#answer + 1] = redis.call('HGET', KEYS[3], rows[i]) or '0'
  answer[#answer + 1] = redis.call('HGET', KEYS[4], rows[i]) or '0'
end
return answer
