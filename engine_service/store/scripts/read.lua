-- Read a table with its clock, and what happened since a head.
-- KEYS: table, log, sweep, here, faults, past
-- ARGV: table id, longest gap between sweeps in ms, the head to read on from: sequence ('' for none) and commit
-- Returns {table or false, redis ms, credit ms, seats with a stream open, faults, fate, log entries, chunks}; the fate of the
-- head is 'none' (none given), 'on' (it is on the log), 'lost' (not on it: another branch), or 'before': older than what the log
-- holds one by one. The answer then lies in all of these and in the chunks, which hold what was before.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Until the next sweep books a gap as credit, it counts here already: nobody's time runs while nobody sweeps.
local swept = redis.call('HMGET', KEYS[3], 'swept_at', 'credit')
local credit = tonumber(swept[2] or '0')
local gap = now - tonumber(swept[1] or now)
if gap > tonumber(ARGV[2]) then credit = credit + gap end

local fate, entries, chunks = 'none', {}, {}
local sequence, commit = ARGV[3], ARGV[4]
if sequence ~= '' then
  local at = redis.call('XRANGE', KEYS[2], sequence .. '-0', sequence .. '-0')
  if #at == 1 and at[1][2][2] == commit then
    fate, entries = 'on', redis.call('XRANGE', KEYS[2], '(' .. sequence .. '-0', '+')
  else
    local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
    fate = 'lost'
    if first and tonumber(sequence) < tonumber(string.match(first[1], '^%d+')) then
      fate, entries, chunks = 'before', redis.call('XRANGE', KEYS[2], '-', '+'), redis.call('XRANGE', KEYS[6], '-', '+')
    end
  end
end

return {
  redis.call('GET', KEYS[1]), now, credit,
  redis.call('ZRANGEBYSCORE', KEYS[4], now, '+inf'),
  tonumber(redis.call('HGET', KEYS[5], ARGV[1]) or '0'), fate, entries, chunks,
}
