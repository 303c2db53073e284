-- Look again at tickets: which have expired, and with whom may the others play?
-- KEYS: agenda, ranks, ages, sweep, tickets…
-- ARGV: near, old, ms between looks when nothing changes any more, number of steps, ms of waiting at which chances change…,
--       ids…
-- Returns {now, {id, 'expired' or 'waiting', body, entered, candidates…}…}; nothing for a ticket whose chances are none.
local now = clock(KEYS[4])
local steps, found = tonumber(ARGV[4]), { now }

local function next_look(entered, bots)
  local waited = now - entered
  local soonest = waited + ARGV[3]
  for i = 5, 4 + steps do
    if tonumber(ARGV[i]) > waited then soonest = math.min(soonest, ARGV[i]) end
  end
  if bots ~= '' and tonumber(bots) > waited then soonest = math.min(soonest, bots) end
  return entered + soonest
end

for i = 5, #KEYS do
  local id = ARGV[steps + i]
  local at = redis.call('HMGET', KEYS[i], 'state', 'places', 'entered', 'bots', 'expires', 'body', 'out')
  local state, entered = at[1], tonumber(at[3])
  if state ~= 'waiting' and state ~= 'gathering' then
    redis.call('ZREM', KEYS[1], id)
  elseif tonumber(at[5]) <= now then
    found[#found + 1] = { id, 'expired', at[6], entered }
  elseif state == 'gathering' then
    redis.call('ZADD', KEYS[1], at[5], id)
  else
    redis.call('ZADD', KEYS[1], math.min(next_look(entered, at[4]), at[5]), id)
    if at[7] then
      stand_in_line(KEYS[2], KEYS[3], at[2], entered, at[4], id)
      redis.call('HDEL', KEYS[i], 'out')
    end
    local row = { id, 'waiting', at[6], entered }
    local alone = candidates(KEYS[2], KEYS[3], at[2], ARGV[1], ARGV[2], row)
    if alone or #row > 4 or (at[4] ~= '' and now - entered >= tonumber(at[4])) then found[#found + 1] = row end
  end
end
return found
