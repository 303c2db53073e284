-- Put the oldest commits of a log into its past, as one compressed chunk, if they still stand in the log.
-- KEYS: log, past
-- ARGV: ids of the first and last of these entries, commit of the last, chunk, id that no entry of the chunk reaches, backstop ms
-- Returns 1 when folded, 0 when that was done before, or a failover brought another log.
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local last = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if not (first and first[1] == ARGV[1] and last and last[2][2] == ARGV[3]) then return 0 end
redis.call('XADD', KEYS[2], ARGV[2], 'z', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[5])
return 1
