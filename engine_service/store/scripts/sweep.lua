-- Sweep a partition: book a gap in sweeping as credit, and take the tables that are due, for a lease.
-- KEYS: due, sweep
-- ARGV: longest gap between sweeps in ms, lease in ms, most tables to take, tables that are not to be taken
-- Returns the ids of the tables taken. Whoever takes a table and dies gives it back when the lease is over.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local swept = redis.call('HMGET', KEYS[2], 'swept_at', 'credit')
local credit = tonumber(swept[2] or '0')
local gap = now - tonumber(swept[1] or now)
if gap > tonumber(ARGV[1]) then credit = credit + gap end
redis.call('HSET', KEYS[2], 'swept_at', now, 'credit', credit)

local clock = now - credit
local left, taken = {}, {}
for n = 4, #ARGV do left[ARGV[n]] = true end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', clock, 'LIMIT', 0, ARGV[3] + #ARGV - 3)) do
  if not left[id] and #taken < tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[1], clock + ARGV[2], id)
    table.insert(taken, id)
  end
end
return taken
