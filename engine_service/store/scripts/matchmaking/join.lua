-- A player joins a party, whose ticket gets another body; a complete one gets in line.
-- KEYS: ticket, agenda, ranks, ages, sweep, party, player
-- ARGV: id, body as it was read, new body, whether the party is complete, places, first line, ms until it is looked at,
--       backstop ms, near, old, channel
-- Returns {'joined', now, candidates…}; {'changed'}: the body is not as it was read; {'closed'}; {'waiting', other ticket, 1}.
local id = ARGV[1]
local at = redis.call('HMGET', KEYS[1], 'state', 'body', 'bots')
if at[2] == ARGV[3] then return { 'joined', (clock(KEYS[5])) } end
if at[1] ~= 'gathering' then return { 'closed' } end
if at[2] ~= ARGV[2] then return { 'changed' } end
local other = elsewhere(KEYS[7], id)
if other then return { 'waiting', other, 1 } end

local now = clock(KEYS[5])
redis.call('HSET', KEYS[1], 'body', ARGV[3])
redis.call('SET', KEYS[7], 'live/' .. id, 'PX', ARGV[8])
redis.call('PUBLISH', ARGV[11], id)
if ARGV[4] ~= '1' then return { 'joined', now } end
redis.call('DEL', KEYS[6])
redis.call('HSET', KEYS[1], 'state', 'waiting', 'entered', now, 'places', ARGV[5], 'line', ARGV[6])
redis.call('ZADD', KEYS[2], now + ARGV[7], id)
stand_in_line(KEYS[3], KEYS[4], ARGV[5], now, at[3], id)
local found = { 'joined', now }
candidates(KEYS[3], KEYS[4], ARGV[5], ARGV[9], ARGV[10], found)
return found
