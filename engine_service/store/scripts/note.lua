-- Write a table anew under the head that it has: what is noted is no event. Nothing is written when the head moved on.
-- KEYS: table
-- ARGV: head, the table's new value (it begins with the same head), backstop ms
if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
