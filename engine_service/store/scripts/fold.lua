-- Put the oldest commits of a log into its past, if log and past are still as they were read.
-- KEYS: log, past
-- ARGV: ids of the first and last of these entries, commit of the last, id of the past's newest chunk ('' for none), 1 if the
--       new chunk holds what is in that one too, the new chunk's commits and the rest of it, id that none of its entries
--       reaches, backstop ms
-- Returns 1 when folded, 0 when that was done before, or a failover brought another log.
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local last = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if not (first and first[1] == ARGV[1] and last and last[2][2] == ARGV[3]) then return 0 end
if (newest and newest[1] or '') ~= ARGV[4] then return 0 end
if ARGV[5] == '1' then redis.call('XDEL', KEYS[2], ARGV[4]) end
redis.call('XADD', KEYS[2], ARGV[2], 'c', ARGV[6], 'z', ARGV[7])
redis.call('PEXPIRE', KEYS[2], ARGV[9])
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[8])
return 1
