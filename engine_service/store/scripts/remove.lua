-- Remove a closed table if its head is still the one that was read.
-- KEYS: table, log, due, listed, here, faults, gone, past
-- ARGV: head, table id, code, how long to remember it in ms
if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) ~= ARGV[1] then return 0 end
-- Its id comes from the request that made it: sent again, that must not make another table of the same name.
redis.call('SET', KEYS[7], ARGV[3], 'PX', ARGV[4])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[5], KEYS[8])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('HDEL', KEYS[6], ARGV[2])
return 1
