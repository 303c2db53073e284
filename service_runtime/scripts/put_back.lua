-- An entry leaves the hands of its consumer and stands at the end of the stream, as a new one.
-- KEYS stream; ARGV group, id, payload
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
if redis.call('XDEL', KEYS[1], ARGV[2]) == 0 then return false end
return redis.call('XADD', KEYS[1], '*', 'm', ARGV[3])
