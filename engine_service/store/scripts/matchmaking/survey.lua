-- The lines in which somebody waits, for an operator's figures.
-- KEYS: ages, sweep
-- ARGV: most lines and sizes
-- Returns {now, line, tickets, when the oldest entered, …}, a row for each size of tickets in a line.
local found = { (clock(KEYS[2])) }
local from = '-'
for _ = 1, ARGV[1] do
  local first = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, 1)[1]
  if not first then break end
  local line, size, entered = string.match(first, '^([^/]+)/(%d+)/(%d+)/')
  local sized = line .. '/' .. size .. '/'
  found[#found + 1] = line
  found[#found + 1] = redis.call('ZLEXCOUNT', KEYS[1], '[' .. sized, '(' .. sized .. '~')
  found[#found + 1] = tonumber(entered)
  from = '(' .. sized .. '~'
end
return found
