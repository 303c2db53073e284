-- A ticket is given up by its player, or expires because nobody watched it.
-- KEYS: ticket, agenda, ranks, ages, sweep, party, players…
-- ARGV: id, cancelled or expired, kept ms, channel
-- Returns {its state after that, whether this run changed it}; a ticket that is being seated notes a player's wish.
local id, why = ARGV[1], ARGV[2]
local at = redis.call('HMGET', KEYS[1], 'state', 'expires')
local state = at[1]
if state == 'seating' and why == 'cancelled' then redis.call('HSET', KEYS[1], 'wish', 'cancelled') end
if state ~= 'waiting' and state ~= 'gathering' then return { state, 0 } end
if why == 'expired' and tonumber(at[2]) > clock(KEYS[5]) then return { state, 0 } end

if state == 'waiting' then leave_line(KEYS[3], KEYS[4], KEYS[1], id) else redis.call('DEL', KEYS[6]) end
redis.call('ZREM', KEYS[2], id)
local players = {}
for i = 7, #KEYS do players[#players + 1] = KEYS[i] end
over(KEYS[1], players, id, why, ARGV[3])
redis.call('PUBLISH', ARGV[4], id)
return { why, 1 }
