-- See to it that a table that is not there will never be made.
-- KEYS: table, gone
-- ARGV: how long that holds in ms
-- Returns 0 when the table is there, or was.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local gone = redis.call('GET', KEYS[2])
if gone and gone ~= '' then return 0 end
redis.call('SET', KEYS[2], '', 'PX', ARGV[1])
return 1
