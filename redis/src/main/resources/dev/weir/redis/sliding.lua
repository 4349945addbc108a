-- The previous window's count, weighed by how much of that window lies within the last period, plus the present one's. State: "start previous
-- current". The fraction is never formed: previous x (W - e) / W <= room is W - e <= floor(room x W / previous).
local SLIDING = INTEGER .. ' ' .. INTEGER .. ' ' .. INTEGER
local MAX_SLIDING = 2097151
kinds.sliding = {
  limit = function()
    local count, window = number(), number()
    return {count = count, window = window, start = now - fmod(now, window), debt = min(2 * count, MAX_SLIDING)}
  end,
  read = function(line, key)
    local limit = line.limit
    line.start = limit.start
    line.previous, line.current = 0, 0
    local state = redis.call('GET', key)
    local start, previous, current
    if state then
      start, previous, current = string.match(state, '^(%d+) (%d+) (%d+)$')
    end
    if start then
      start, previous, current = tonumber(start), tonumber(previous), tonumber(current)
      if start > line.start then
        line.start, line.previous, line.current = line.start + limit.window, previous, current
      elseif start == line.start then
        line.previous, line.current = previous, current
      elseif start == line.start - limit.window then
        line.previous = current
      end
    end
  end,
  passes = function(line)
    local room = line.limit.count - line.current - line.cost
    if room < 0 or room >= line.previous then
      return room >= 0
    end
    local share = room * div(line.limit.window, line.previous) + div(room * fmod(line.limit.window, line.previous), line.previous)
    return line.limit.window - (now - line.start) <= share
  end,
  take = function(line)
    line.current = line.current + min(line.cost, max(0, line.limit.debt - line.current))
  end,
  giveBack = function(line, units, start)
    if line.start == start then
      line.current = max(0, line.current - units)
    elseif line.start == start + line.limit.window then
      line.previous = max(0, line.previous - units)
    else
      return false
    end
  end,
  absorb = function(line, units, age)
    local start = line.limit.start
    if now - age >= start then
      line.current = line.current + min(units, max(0, line.limit.debt - line.current))
    elseif now - age >= start - line.limit.window then
      line.previous = line.previous + min(units, max(0, line.limit.debt - line.previous))
    else
      return false
    end
  end,
  write = function(line, key)
    local state = string.format(SLIDING, line.start, line.previous, line.current)
    redis.call('SET', key, state, 'PX', life(line.start + 2 * line.limit.window - now))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.start, line.previous, line.current, 0
  end
}

