-- A round that is on its board is dealt with altogether: its entry goes.
-- KEYS board, round stream; ARGV group, entry, whether the game turned out to be rated (1/0; empty: nothing to say)
if ARGV[3] ~= '' and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'rated', ARGV[3])
end
redis.call('XACK', KEYS[2], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[2], ARGV[2])
