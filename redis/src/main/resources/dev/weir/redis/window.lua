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
  line = lineOf,
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

kinds.fixed = window(
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

-- A window of the calendar. The instance sends when the previous, the present and the next one start and when that ends; the server's clock
-- picks. Where none fits, misfit is set, and the instance sends others.
kinds.quota = window(
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

