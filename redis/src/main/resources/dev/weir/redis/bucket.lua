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
-- Token bucket and leaky queue. One unit costs p ticks, one microsecond drains q. State: "seen backlog p q drift": the ticks that were owed
-- at that time, and how far the bucket's own time, which never steps back, was ahead then.
kinds.bucket = {
  line = function(cost)
    -- With room for all fields at once, since it is made for every call.
    return {
      cost = cost, enforced = false, kind = false, isLog = false, pass = false, charged = false, p = 0, q = 0, burst = 0, ahead = 0, cap = 0,
      backlog = 0, drift = 0
    }
  end,
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
}

