-- What the scripts of matchmaking share; it is put before each of them. Everything lies in the slot of {mm}.
--
-- A ticket is a hash: state, body (opaque), entered and expires (ms), ttl, bots (ms of waiting, '' for never), places,
-- and when they apply match, wish, outcome, and out (it waits, but stands in no line). Whoever waits has a member in two sorted sets for each place:
--   ranks  line/TAIL                  by size and rating              TAIL is size/rating/entered/bots at/most/id,
--   ages   line/size/entered/TAIL     by size and when it entered     numbers of one width
-- The agenda says when a ticket (or, as match/<id>, a match that is being seated) is next looked at.

-- The clock of matchmaking in ms: Redis time less the credit of outages, as tables have it.
local function clock(sweep)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local swept = redis.call('HMGET', sweep, 'swept_at', 'credit')
  local credit = tonumber(swept[2] or '0')
  local gap = now - tonumber(swept[1] or now)
  if gap > 3000 then credit = credit + gap end
  return now - credit, credit, now
end

local function split(text, separator)
  local parts = {}
  for part in string.gmatch(text, '[^' .. separator .. ']+') do parts[#parts + 1] = part end
  return parts
end

-- A place is "line/seats/size/rating/most". Calls visit(line, seats, size, rating, most) for each one of a ticket.
local function each_place(places, visit)
  for _, place in ipairs(split(places, '\n')) do visit(unpack(split(place, '/'))) end
end

local function members(line, size, rating, most, entered, bots, id)
  local at = string.format('%013.0f', entered)
  local bots_at = bots == '' and 0 or entered + bots
  local tail = size .. '/' .. rating .. '/' .. at .. '/' .. string.format('%013.0f', bots_at) .. '/' .. most .. '/' .. id
  return line .. '/' .. tail, line .. '/' .. size .. '/' .. at .. '/' .. tail
end

local function stand_in_line(ranks, ages, places, entered, bots, id)
  each_place(places, function(line, _, size, rating, most)
    local rank, age = members(line, size, rating, most, entered, bots, id)
    redis.call('ZADD', ranks, 0, rank)
    redis.call('ZADD', ages, 0, age)
  end)
end

local function leave_line(ranks, ages, ticket, id)
  local at = redis.call('HMGET', ticket, 'places', 'entered', 'bots')
  each_place(at[1], function(line, _, size, rating, most)
    local rank, age = members(line, size, rating, most, tonumber(at[2]), at[3], id)
    redis.call('ZREM', ranks, rank)
    redis.call('ZREM', ages, age)
  end)
end

-- Who may play with a ticket: of each size that fits beside it the `near` nearest ratings on both sides, and the `old`
-- that have waited longest. Members of ranks and ages; some may come twice, and the ticket itself may be among them.
-- Returns whether it fills a line all by itself.
local function candidates(ranks, ages, places, near, old, found)
  local alone = false
  local function add(command, from, to, key, most)
    for _, member in ipairs(redis.call(command, key, from, to, 'LIMIT', 0, most)) do found[#found + 1] = member end
  end
  each_place(places, function(line, seats, size, rating)
    local room = tonumber(seats) - tonumber(size)
    alone = alone or room == 0
    for other = 1, room do
      local sized = line .. '/' .. string.format('%02d', other) .. '/'
      local at = sized .. rating .. '/'
      add('ZRANGEBYLEX', '[' .. at, '(' .. sized .. '~', ranks, near)
      add('ZREVRANGEBYLEX', '(' .. at, '[' .. sized, ranks, near)
      add('ZRANGEBYLEX', '[' .. sized, '(' .. sized .. '~', ages, old)
    end
  end)
  return alone
end

-- The other live ticket of a player, if there is one.
local function elsewhere(player, id)
  local held = redis.call('GET', player)
  if held and string.sub(held, 1, 5) == 'live/' and held ~= 'live/' .. id then return string.sub(held, 6) end
end

-- A ticket has come to its end: it is kept for a while to be asked about, and its players may look for another game.
local function over(ticket, players, id, state, kept)
  redis.call('HSET', ticket, 'state', state)
  redis.call('PEXPIRE', ticket, kept)
  for _, player in ipairs(players) do
    if redis.call('GET', player) == 'live/' .. id then redis.call('SET', player, 'done/' .. id, 'PX', kept) end
  end
end

