-- Commit one step of a table if its head is still the one that was read: all of it or nothing.
-- KEYS: table, log, due, listed, rounds, scores, gone, past
-- ARGV: old head ('' for a new table), new head, the table's new value (it begins with the new head), log entry id, commit,
--       log entry, table id, due score ('' for never), listed score ('' for not listed), round payload ('' for none),
--       backstop ms, wake channel, partition, id of the entry of the score stream that the step follows from ('' for none)
-- Returns how many commits the log then holds one by one when committed, by this call or by an earlier one whose reply was
-- lost; 0 when another step came first, or a new table was there before or is barred;
-- -1 when the entry is not there: scores that a failover lost are of a round that may be played again with another end.
local width = #ARGV[2]
local head = redis.call('GETRANGE', KEYS[1], 0, width - 1)
if head == ARGV[2] then return redis.call('XLEN', KEYS[2]) end
if head ~= ARGV[1] then return 0 end
if head == '' and redis.call('EXISTS', KEYS[7]) == 1 then return 0 end
if ARGV[14] ~= '' and #redis.call('XRANGE', KEYS[6], ARGV[14], ARGV[14]) == 0 then return -1 end

redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[11])
redis.call('XADD', KEYS[2], ARGV[4], 'c', ARGV[5], 'e', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[11])
redis.call('PEXPIRE', KEYS[8], ARGV[11])
if ARGV[8] == '' then redis.call('ZREM', KEYS[3], ARGV[7]) else redis.call('ZADD', KEYS[3], ARGV[8], ARGV[7]) end
if ARGV[9] == '' then redis.call('ZREM', KEYS[4], ARGV[7]) else redis.call('ZADD', KEYS[4], ARGV[9], ARGV[7]) end
if ARGV[10] ~= '' then
  redis.call('XADD', KEYS[5], '*', 'm', ARGV[10])
  redis.call('PUBLISH', 'rounds', ARGV[13])
end
redis.call('PUBLISH', ARGV[12], ARGV[4])
return redis.call('XLEN', KEYS[2])
