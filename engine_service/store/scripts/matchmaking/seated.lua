-- A match has its table: its tickets get their outcome, and whoever watches them is told.
-- KEYS: agenda, matches, paces, then for each ticket: ticket, players…
-- ARGV: match, kept ms, channel, line, ms that its players waited, most paces, then for each ticket: id, outcome, players
local match = ARGV[1]
if redis.call('HDEL', KEYS[2], match) == 0 then return 0 end
redis.call('ZREM', KEYS[1], 'match/' .. match)
local key, ids = 4, {}
for i = 7, #ARGV, 3 do
  local ticket, players = KEYS[key], {}
  for at = key + 1, key + ARGV[i + 2] do players[#players + 1] = KEYS[at] end
  key = key + 1 + ARGV[i + 2]
  if redis.call('HGET', ticket, 'match') == match then
    redis.call('HSET', ticket, 'outcome', ARGV[i + 1])
    over(ticket, players, ARGV[i], 'matched', ARGV[2])
    ids[#ids + 1] = ARGV[i]
  end
end
-- What is waited in a line, newer matches counting more. Lines come and go: the memory of them is bounded.
if redis.call('HLEN', KEYS[3]) > tonumber(ARGV[6]) then redis.call('DEL', KEYS[3]) end
local before = redis.call('HGET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[3], ARGV[4], math.floor(before and 0.8 * before + 0.2 * ARGV[5] or ARGV[5]))
redis.call('PUBLISH', ARGV[3], table.concat(ids, ' '))
return 1
