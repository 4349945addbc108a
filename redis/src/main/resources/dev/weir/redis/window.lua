-- One count for each window. State: "start used". A state one window ahead is kept, so that the window is not counted twice; one further
-- ahead is read as the present window's.
local WINDOW = INTEGER .. ' ' .. INTEGER
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
local function window(limit, read, absorb) return {
  limit = limit,
  read = read,
  absorb = absorb,
  passes = function(line)
    return line.cost <= line.limit.count - line.used
  end,
  take = function(line)
    line.used = line.used + min(line.cost, max(0, 2 * line.limit.count - line.used))
  end,
  giveBack = function(line, units, start)
    line.used = max(0, line.used - units)
    return line.start == start
  end,
  write = function(line, key)
    redis.call('SET', key, string.format(WINDOW, line.start, line.used), 'PX', life(line.ends - now + line.kept))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.start, line.ends, line.used, 0
  end
} end

kinds.fixed = window(
  function()
    local count, length = number(), number()
    return {count = count, start = now - fmod(now, length), length = length}
  end,
  function(line, key)
    local start, length = line.limit.start, line.limit.length
    readWindow(line, key, start, start + length, start + length, start + 2 * length, 0)
  end,
  function(line, units, age)
    line.cost = units
    kinds.fixed.take(line)
    return now - age >= line.limit.start
  end)

-- A window of the calendar. The instance sends when the previous, the present and the next one start and when that ends; the server's clock
-- picks. Where none fits, misfit is set, and the instance sends others.
kinds.quota = window(
  function()
    local count, previous, present, next, ends = number(), number(), number(), number(), number()
    if now < present then
      return {count = count, start = previous, next = present, nextEnd = next, fits = now >= previous}
    end
    return {count = count, start = present, next = next, nextEnd = ends, fits = now < next}
  end,
  function(line, key)
    local limit = line.limit
    if limit.fits then
      readWindow(line, key, limit.start, limit.next, limit.next, limit.nextEnd, 3600000000)
    else
      misfit = true
    end
  end,
  function(line, units, age)
    line.cost = units
    kinds.quota.take(line)
    return now - age >= line.limit.start
  end)

