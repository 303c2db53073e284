-- An entry has been dealt with: it leaves the group and the stream.
-- KEYS stream, tries; ARGV group, id
local acknowledged = redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
return acknowledged
