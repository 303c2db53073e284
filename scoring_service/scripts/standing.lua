-- How one player stands in one game.
-- KEYS ratings, leaderboard, names, games, wins; ARGV player
-- Returns rating, name, games, wins, rank; nothing for a player without rated games.
local rating = redis.call('HGET', KEYS[1], ARGV[1])
if not rating then
  return {}
end
local shown = redis.call('ZSCORE', KEYS[2], ARGV[1])
local above = redis.call('ZCOUNT', KEYS[2], '(' .. shown, '+inf')
local name = redis.call('HGET', KEYS[3], ARGV[1]) or ''
return { rating, name, redis.call('HGET', KEYS[4], ARGV[1]), redis.call('HGET', KEYS[5], ARGV[1]), above + 1 }
