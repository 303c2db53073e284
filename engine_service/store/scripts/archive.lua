-- Write the record of a game and note it in the table, if the table's head is still the one that was read.
-- KEYS: table, log, due, record, the latest record, past
-- ARGV: head, the table's new value (same head), record, record's life in ms, table id, due score ('' for never),
--       oldest log entry id to keep ('' for all), backstop ms
-- Returns 1 when written, 0 when another step came first.
if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[8])
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4])
redis.call('COPY', KEYS[4], KEYS[5], 'REPLACE')
if ARGV[6] == '' then redis.call('ZREM', KEYS[3], ARGV[5]) else redis.call('ZADD', KEYS[3], ARGV[6], ARGV[5]) end
if ARGV[7] ~= '' then
  redis.call('XTRIM', KEYS[2], 'MINID', ARGV[7])
  redis.call('XTRIM', KEYS[6], 'MINID', ARGV[7])
end
return 1
