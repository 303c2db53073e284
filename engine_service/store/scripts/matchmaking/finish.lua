-- A ticket is given up by its player, or expires because nobody watched it.
-- KEYS: ticket, agenda, ranks, ages, sweep, party, players…
-- ARGV: id, body as it was read (it says who the players are), cancelled or expired, kept ms, channel
-- Returns 'done'; 'over': there was nothing to be done; 'changed': the body is not as it was read. A ticket that is being
-- seated notes a player's wish.
local id, why = ARGV[1], ARGV[3]
local at = redis.call('HMGET', KEYS[1], 'state', 'expires', 'body')
local state = at[1]
if state == 'seating' and why == 'cancelled' then redis.call('HSET', KEYS[1], 'wish', 'cancelled') end
if state ~= 'waiting' and state ~= 'gathering' then return 'over' end
if why == 'expired' and tonumber(at[2]) > clock(KEYS[5]) then return 'over' end
if at[3] ~= ARGV[2] then return 'changed' end

if state == 'waiting' then leave_line(KEYS[3], KEYS[4], KEYS[1], id) else redis.call('DEL', KEYS[6]) end
redis.call('ZREM', KEYS[2], id)
local players = {}
for i = 7, #KEYS do players[#players + 1] = KEYS[i] end
over(KEYS[1], players, id, why, ARGV[4])
redis.call('PUBLISH', ARGV[5], id)
return 'done'
