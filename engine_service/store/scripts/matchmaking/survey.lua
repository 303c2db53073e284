-- The lines in which somebody waits, for an operator's figures.
-- KEYS: ages, sweep
-- ARGV: most lines
-- Returns {now, line, tickets, when the oldest entered, …}.
local found = { (clock(KEYS[2])) }
local from = '-'
for _ = 1, ARGV[1] do
  local first = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, 1)[1]
  if not first then break end
  local line, entered = string.match(first, '^([^/]+)/(%d+)/')
  found[#found + 1] = line
  found[#found + 1] = redis.call('ZLEXCOUNT', KEYS[1], '[' .. line .. '/', '(' .. line .. '/~')
  found[#found + 1] = tonumber(entered)
  from = '(' .. line .. '/~'
end
return found
