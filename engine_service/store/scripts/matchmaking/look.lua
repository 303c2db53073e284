-- Look again at a ticket: in line it stands (again, if a match that came to nothing gave it back), with whom may it play?
-- KEYS: ticket, agenda, ranks, ages, sweep
-- ARGV: id, when to look next, near, old
-- Returns {now, candidates…}, nothing for a ticket that does not wait.
local at = redis.call('HMGET', KEYS[1], 'state', 'places', 'entered', 'bots', 'expires')
if at[1] ~= 'waiting' then
  if at[1] == 'gathering' then redis.call('ZADD', KEYS[2], at[5], ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
  return {}
end
redis.call('ZADD', KEYS[2], math.min(ARGV[2], at[5]), ARGV[1])
stand_in_line(KEYS[3], KEYS[4], at[2], tonumber(at[3]), at[4], ARGV[1])
return candidates(KEYS[3], KEYS[4], at[2], ARGV[3], ARGV[4], { (clock(KEYS[5])) })
