-- Remove a closed table if its head is still the one that was read.
-- KEYS: table, log, due, listed, here, faults
-- ARGV: head, table id
if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[5])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('HDEL', KEYS[6], ARGV[2])
return 1
