-- The arithmetic of every kind of limit, in whole microseconds; put before charge.lua and settle.lua. Lua's numbers are doubles: every integer
-- here stays below 2^53, and quotients come from fmod, which is exact. Integers are written by whole(), since tostring() keeps 14 digits.
--
-- ARGV[1] is the time in microseconds since the epoch, or empty: then the server's clock is read, once. Under a given time keys live an hour
-- longer than they need, because expiry runs by the server's clock all the same.
--
-- A kind has read(line, key), which takes its numbers from ARGV and its state from the key; passes(line); take(line), which charges
-- line.cost whether it passes or not, into debt of at most one capacity; giveBack(line, units, mark ..) and absorb(line, units, age), which answer
-- false when nothing of it counts any more; write(line, key); and told(line, out, at), which puts four integers into the answer. A state that lies ahead of the time, after a clock
-- that stepped back, counts as the present one.

local fmod, floor, max, min = math.fmod, math.floor, math.max, math.min
local given = ARGV[1] ~= ''
local grace = given and 3600000 or 0
local now
if given then
  now = tonumber(ARGV[1])
else
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local cursor = 1
local function word()
  cursor = cursor + 1
  return ARGV[cursor]
end
local function number()
  cursor = cursor + 1
  return tonumber(ARGV[cursor])
end
local function whole(integer)
  return string.format('%.0f', integer)
end
local function div(dividend, divisor)
  return (dividend - fmod(dividend, divisor)) / divisor
end
local function ceilDiv(dividend, divisor)
  local rest = fmod(dividend, divisor)
  return rest == 0 and dividend / divisor or (dividend - rest) / divisor + 1
end
-- ceil(a * b / c) without the product, for c up to 2^51: long multiplication by the bits of b, where quotient and rest are kept apart.
local function mulDivCeil(a, b, c)
  local quotient, rest = 0, 0
  local whole_a, rest_a = div(a, c), fmod(a, c)
  local bit = 4503599627370496 -- 2^52
  while bit >= 1 do
    quotient, rest = quotient * 2, rest * 2
    if b >= bit then
      b = b - bit
      quotient, rest = quotient + whole_a, rest + rest_a
    end
    local over = div(rest, c)
    quotient, rest = quotient + over, rest - over * c
    bit = bit / 2
  end
  return rest > 0 and quotient + 1 or quotient
end
-- The life of a key that matters until then.
local function life(untilMicros)
  return whole(max(0, ceilDiv(max(0, untilMicros), 1000)) + 1 + grace)
end

-- Kinds are made when a line first asks for one: making all of them would take as long as a decision.
local makers = {}
local kinds = setmetatable({}, {__index = function(made, name)
  local kind = makers[name]()
  made[name] = kind
  return kind
end})

-- Token bucket and leaky queue. One unit costs p ticks, one microsecond drains q. State: "seen backlog p q drift": the ticks that were owed
-- at that time, and how far the bucket's own time, which never steps back, was ahead then.
makers.bucket = function() return {
  read = function(line, key)
    line.p, line.q, line.burst, line.ahead = number(), number(), number(), number()
    line.cap = line.burst * line.p
    line.backlog, line.drift = 0, 0
    local state = redis.call('GET', key)
    local seen, backlog, p, q, drift
    if state then
      seen, backlog, p, q, drift = string.match(state, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
    end
    if seen then
      seen, backlog, p, q, drift = tonumber(seen), tonumber(backlog), tonumber(p), tonumber(q), tonumber(drift)
      local elapsed = max(0, now - seen)
      backlog = elapsed >= ceilDiv(backlog, q) and 0 or backlog - elapsed * q
      if p ~= line.p and backlog > 0 then
        -- Another rate: the units that were used stay used.
        backlog = backlog >= 2 * line.burst * p and 2 * line.cap or mulDivCeil(backlog, line.p, p)
      end
      line.backlog = min(backlog, 2 * line.cap)
      line.drift = seen + drift + elapsed - now
    end
  end,
  passes = function(line)
    return line.cost <= line.burst and line.backlog + line.cost * line.p <= line.cap and line.backlog <= line.ahead
  end,
  take = function(line)
    local cost = line.cost > 2 * line.burst and 2 * line.cap or line.cost * line.p
    line.backlog = min(line.backlog + cost, 2 * line.cap)
  end,
  -- Refill that arrived after the bucket would have been full anyway ran over because of the others, not because of the charge.
  giveBack = function(line, units, chargedAt, backlogBefore)
    local charge = units > 2 * line.burst and 2 * line.cap or units * line.p
    local elapsed = max(0, now + line.drift - chargedAt)
    if elapsed < ceilDiv(charge + backlogBefore, line.q) then
      local refilled = max(0, elapsed * line.q - backlogBefore)
      local returned = min(charge - refilled, line.backlog)
      line.backlog = line.backlog - returned
      return returned > 0
    end
    return false
  end,
  absorb = function(line, units, age)
    local owed = units > 2 * line.burst and 2 * line.cap or units * line.p
    local before = line.backlog
    if age < ceilDiv(owed, line.q) then
      line.backlog = min(line.backlog + owed - age * line.q, 2 * line.cap)
    end
    return line.backlog > before
  end,
  write = function(line, key)
    local state = string.format('%.0f %.0f %.0f %.0f %.0f', now, line.backlog, line.p, line.q, line.drift)
    redis.call('SET', key, state, 'PX', life(ceilDiv(line.backlog, line.q)))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.backlog, line.drift, 0, 0
  end
} end

-- One count for each window. State: "start used". A state one window ahead is kept, so that the window is not counted twice; one further
-- ahead is read as the present window's.
local function readWindow(line, key, start, untilEnd, next, nextEnd, kept)
  line.start, line.ends, line.used, line.kept = start, untilEnd, 0, kept
  local state = redis.call('GET', key)
  local from, used
  if state then
    from, used = string.match(state, '^(%d+) (%d+)$')
  end
  if from then
    from = tonumber(from)
    if from == next then
      line.start, line.ends = next, nextEnd
    end
    line.used = from < start and 0 or tonumber(used)
  end
end
local function window(read, absorb) return {
  read = read,
  absorb = absorb,
  passes = function(line)
    return line.cost <= line.count - line.used
  end,
  take = function(line)
    line.used = line.used + min(line.cost, max(0, 2 * line.count - line.used))
  end,
  giveBack = function(line, units, start)
    line.used = max(0, line.used - units)
    return line.start == start
  end,
  write = function(line, key)
    redis.call('SET', key, string.format('%.0f %.0f', line.start, line.used), 'PX', life(line.ends - now + line.kept))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.start, line.ends, line.used, 0
  end
} end

makers.fixed = function() return window(
  function(line, key)
    line.count, line.window = number(), number()
    local start = now - fmod(now, line.window)
    readWindow(line, key, start, start + line.window, start + line.window, start + 2 * line.window, 0)
  end,
  function(line, units, age)
    line.cost = units
    kinds.fixed.take(line)
    return age <= fmod(now, line.window)
  end)
end

-- A window of the calendar. The instance sends when the previous, the present and the next one start and when that ends; the server's clock
-- picks. Where none fits, misfit is set, and the instance sends others.
local misfit = false
makers.quota = function() return window(
  function(line, key)
    line.count = number()
    local previous, present, next, ends = number(), number(), number(), number()
    if now < previous or now >= next then
      misfit = true
    elseif now < present then
      line.first = previous
      readWindow(line, key, previous, present, present, next, 3600000000)
    else
      line.first = present
      readWindow(line, key, present, next, next, ends, 3600000000)
    end
  end,
  function(line, units, age)
    line.cost = units
    kinds.quota.take(line)
    return now - age >= line.first
  end)
end

-- The previous window's count, weighed by how much of that window lies within the last period, plus the present one's. State: "start previous
-- current". The fraction is never formed: previous x (W - e) / W <= room is W - e <= floor(room x W / previous).
local MAX_SLIDING = 2097151
makers.sliding = function() return {
  read = function(line, key)
    line.count, line.window = number(), number()
    line.start = now - fmod(now, line.window)
    line.previous, line.current = 0, 0
    local state = redis.call('GET', key)
    local start, previous, current
    if state then
      start, previous, current = string.match(state, '^(%d+) (%d+) (%d+)$')
    end
    if start then
      start, previous, current = tonumber(start), tonumber(previous), tonumber(current)
      if start > line.start then
        line.start, line.previous, line.current = line.start + line.window, previous, current
      elseif start == line.start then
        line.previous, line.current = previous, current
      elseif start == line.start - line.window then
        line.previous = current
      end
    end
    line.debt = min(2 * line.count, MAX_SLIDING)
  end,
  passes = function(line)
    local room = line.count - line.current - line.cost
    if room < 0 or room >= line.previous then
      return room >= 0
    end
    local share = room * div(line.window, line.previous) + div(room * fmod(line.window, line.previous), line.previous)
    return line.window - (now - line.start) <= share
  end,
  take = function(line)
    line.current = line.current + min(line.cost, max(0, line.debt - line.current))
  end,
  giveBack = function(line, units, start)
    if line.start == start then
      line.current = max(0, line.current - units)
    elseif line.start == start + line.window then
      line.previous = max(0, line.previous - units)
    else
      return false
    end
  end,
  absorb = function(line, units, age)
    local start = now - fmod(now, line.window)
    if now - age >= start then
      line.current = line.current + min(units, max(0, line.debt - line.current))
    elseif now - age >= start - line.window then
      line.previous = line.previous + min(units, max(0, line.debt - line.previous))
    else
      return false
    end
  end,
  write = function(line, key)
    local state = string.format('%.0f %.0f %.0f', line.start, line.previous, line.current)
    redis.call('SET', key, state, 'PX', life(line.start + 2 * line.window - now))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.start, line.previous, line.current, 0
  end
} end

-- The time of every grant in the last window. State: a sorted set by time, whose members are "time-sequence".
local function stampAt(line, key, index)
  if index >= line.found then
    return line.stamp
  end
  local entry = redis.call('ZRANGEBYSCORE', key, line.after, '+inf', 'WITHSCORES', 'LIMIT', index, 1)
  return tonumber(entry[2])
end
local function enter(key, stamp, units)
  local sequence = 0
  local last = redis.call('ZREVRANGEBYSCORE', key, whole(stamp), whole(stamp), 'LIMIT', 0, 1)[1]
  if last then
    sequence = tonumber(string.match(last, '%d+$')) + 1
  end
  local entries = {}
  for i = 1, units do
    entries[2 * i - 1] = whole(stamp)
    entries[2 * i] = string.format('%.0f-%09d', stamp, sequence + i - 1)
  end
  redis.call('ZADD', key, unpack(entries))
end
makers.log = function() return {
  read = function(line, key)
    line.count, line.window = number(), number()
    line.key = key
    line.after = '(' .. whole(now - line.window)
    line.found = redis.call('ZCOUNT', key, line.after, '+inf')
    line.used, line.entered, line.stamp = line.found, 0, now
    if line.found > 0 then
      local newest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
      line.stamp = max(now, tonumber(newest[2]))
    end
  end,
  passes = function(line)
    return line.cost <= line.count - line.used
  end,
  take = function(line)
    local units = min(line.cost, max(0, 2 * line.count - line.used))
    line.used, line.entered = line.used + units, line.entered + units
  end,
  giveBack = function(line, units, stamp)
    local entries = redis.call('ZRANGEBYSCORE', line.key, whole(stamp), whole(stamp), 'LIMIT', 0, units)
    if #entries > 0 then
      redis.call('ZREM', line.key, unpack(entries))
    end
  end,
  absorb = function(line, units, age)
    units = min(units, max(0, 2 * line.count - line.used))
    if age < line.window and units > 0 then
      redis.call('ZREMRANGEBYSCORE', line.key, '-inf', whole(now - line.window))
      enter(line.key, now - age, units)
      line.used = line.used + units
    end
  end,
  write = function(line, key)
    if line.entered > 0 then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(now - line.window))
      enter(key, line.stamp, line.entered)
    end
    redis.call('PEXPIRE', key, life(line.stamp + line.window - now))
  end,
  -- How many are in use; where the next unit comes from; where the wait for the cost comes from; the stamp that a charge enters. Asked for
  -- after the calls were decided and before they are written: an index past the entries is one of theirs.
  told = function(line, out, at)
    local over = line.used + line.cost - line.count
    local due = (over > 0 and line.cost <= line.count) and stampAt(line, line.key, over - 1) or 0
    out[at], out[at + 1] = line.found, stampAt(line, line.key, max(0, line.found - line.count))
    out[at + 2], out[at + 3] = due, line.stamp
  end
} end

-- Calls in flight: what each instance says that it holds, as long as it has said so in the last ten seconds. State: a hash of "count sequence
-- seen" by instance. An instance always writes its whole count, so that a lost answer is mended by the next.
local LIFE = 10000000
local function holders(line, key)
  line.others, line.stale, line.written = 0, {}, -1
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local count, sequence, seen = string.match(fields[i + 1], '^(%d+) (%d+) (%d+)$')
    if fields[i] == line.instance then
      line.written = tonumber(sequence or -1)
    elseif count and now - tonumber(seen) < LIFE then
      line.others = line.others + tonumber(count)
    else
      line.stale[#line.stale + 1] = fields[i]
    end
  end
end
local function hold(line, key, count)
  if #line.stale > 0 then
    redis.call('HDEL', key, unpack(line.stale))
  end
  if line.sequence > line.written then
    if count == 0 then
      redis.call('HDEL', key, line.instance)
    else
      redis.call('HSET', key, line.instance, whole(count) .. ' ' .. whole(line.sequence) .. ' ' .. whole(now))
    end
  end
  redis.call('PEXPIRE', key, life(LIFE))
end
makers.held = function() return {
  read = function(line, key)
    line.calls, line.instance, line.base, line.sequence = number(), word(), number(), number()
    line.taken = 0
    holders(line, key)
  end,
  passes = function(line)
    return line.others + line.base + line.taken < line.calls
  end,
  take = function(line)
    line.taken = line.taken + 1
  end,
  write = function(line, key)
    hold(line, key, line.base + line.taken)
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.others + line.base, 0, 0, 0
  end
} end
