-- A ticket as it is now; who watches it keeps it alive.
-- KEYS: ticket, ages, paces, sweep
-- ARGV: whether it is watched (1/0), backstop ms
-- Returns {now, credit, state, body, entered, expires, outcome, tickets before it in its first line, what is waited there};
-- nothing for no such ticket.
local at = redis.call('HMGET', KEYS[1], 'state', 'body', 'entered', 'expires', 'outcome', 'line', 'ttl', 'places')
if not at[1] then return {} end
local now, credit = clock(KEYS[4])
local live = at[1] == 'waiting' or at[1] == 'gathering' or at[1] == 'seating'
if live and ARGV[1] == '1' then
  at[4] = now + at[7]
  redis.call('HSET', KEYS[1], 'expires', at[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local before = 0
if at[1] == 'waiting' then
  for size = 1, string.match(at[8], '^[^/]+/(%d+)/') do
    local sized = at[6] .. '/' .. string.format('%02d', size) .. '/'
    before = before + redis.call('ZLEXCOUNT', KEYS[2], '[' .. sized, '(' .. sized .. string.format('%013.0f', at[3]))
  end
end
local pace = redis.call('HGET', KEYS[3], at[6])
return { now, credit, at[1], at[2], tonumber(at[3]), tonumber(at[4]), at[5], before, tonumber(pace or '-1') }
