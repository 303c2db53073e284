-- Take what is to be looked at now, for a lease; whoever takes it and dies gives it back. Books a gap in taking as credit.
-- KEYS: agenda, sweep
-- ARGV: lease ms, most
-- Returns {now, ids…}.
local now, credit, at = clock(KEYS[2])
redis.call('HSET', KEYS[2], 'swept_at', at, 'credit', credit)
local taken = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[2])
for _, id in ipairs(taken) do redis.call('ZADD', KEYS[1], now + ARGV[1], id) end
table.insert(taken, 1, now)
return taken
