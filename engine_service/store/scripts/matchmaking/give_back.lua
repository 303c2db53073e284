-- A match comes to nothing: its tickets wait again, in their old place, looked at after a pause; those whose players have
-- given up meanwhile are cancelled.
-- KEYS: agenda, matches, sweep, then for each ticket: ticket, players…
-- ARGV: match, pause ms, kept ms, channel, then for each ticket: id, players
local match = ARGV[1]
if redis.call('HDEL', KEYS[2], match) == 0 then return 0 end
redis.call('ZREM', KEYS[1], 'match/' .. match)
local now, key, ids = clock(KEYS[3]), 4, {}
for i = 5, #ARGV, 2 do
  local ticket, players = KEYS[key], {}
  for at = key + 1, key + ARGV[i + 1] do players[#players + 1] = KEYS[at] end
  key = key + 1 + ARGV[i + 1]
  local at = redis.call('HMGET', ticket, 'match', 'wish')
  if at[1] == match then
    redis.call('HDEL', ticket, 'match')
    if at[2] then
      over(ticket, players, ARGV[i], 'cancelled', ARGV[3])
    else
      redis.call('HSET', ticket, 'state', 'waiting', 'out', 1)
      redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[i])
    end
    ids[#ids + 1] = ARGV[i]
  end
end
redis.call('PUBLISH', ARGV[4], table.concat(ids, ' '))
return 1
