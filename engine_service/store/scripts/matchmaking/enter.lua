-- A new ticket, in line or waiting for the rest of its party.
-- KEYS: ticket, agenda, ranks, ages, sweep, party, players…
-- ARGV: id, body, state, ttl ms, bots, places, first line, ms until it is looked at, backstop ms, near, old, whether it has
--       a party code
-- Returns {'entered', now, candidates…}; {'known'}: it was entered before; {'waiting', id, i} of another live ticket of player i;
-- {'taken'}: another party has the code.
local id, state = ARGV[1], ARGV[3]
if redis.call('EXISTS', KEYS[1]) == 1 then return { 'known' } end
for i = 7, #KEYS do
  local other = elsewhere(KEYS[i], id)
  if other then return { 'waiting', other, i - 6 } end
end
if ARGV[12] == '1' and not redis.call('SET', KEYS[6], id, 'NX', 'PX', ARGV[9]) then return { 'taken' } end

local now = clock(KEYS[5])
redis.call('HSET', KEYS[1], 'state', state, 'body', ARGV[2], 'entered', now, 'expires', now + ARGV[4], 'ttl', ARGV[4],
  'bots', ARGV[5], 'places', ARGV[6], 'line', ARGV[7])
redis.call('PEXPIRE', KEYS[1], ARGV[9])
for i = 7, #KEYS do redis.call('SET', KEYS[i], 'live/' .. id, 'PX', ARGV[9]) end
redis.call('ZADD', KEYS[2], now + ARGV[8], id)
if state ~= 'waiting' then return { 'entered', now } end
stand_in_line(KEYS[3], KEYS[4], ARGV[6], now, ARGV[5], id)
local found = { 'entered', now }
candidates(KEYS[3], KEYS[4], ARGV[6], ARGV[10], ARGV[11], found)
return found
