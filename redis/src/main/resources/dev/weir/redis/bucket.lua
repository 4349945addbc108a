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
local BUCKET = INTEGER .. ' ' .. INTEGER .. ' ' .. INTEGER .. ' ' .. INTEGER .. ' ' .. INTEGER
kinds.bucket = {
  limit = function()
    local pWord, qWord, burst, ahead = word(), word(), number(), number()
    local p = tonumber(pWord)
    return {pWord = pWord, qWord = qWord, p = p, q = tonumber(qWord), burst = burst, ahead = ahead, cap = burst * p}
  end,
  read = function(line, key)
    local limit = line.limit
    line.backlog, line.drift = 0, 0
    local state = redis.call('GET', key)
    local seen, backlog, p, q, drift
    if state then
      seen, backlog, p, q, drift = string.match(state, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
    end
    if seen then
      seen, backlog, drift = tonumber(seen), tonumber(backlog), tonumber(drift)
      local elapsed = max(0, now - seen)
      local drain = q == limit.qWord and limit.q or tonumber(q)
      backlog = elapsed >= ceilDiv(backlog, drain) and 0 or backlog - elapsed * drain
      if p ~= limit.pWord and backlog > 0 then
        -- Another rate: the units that were used stay used.
        p = tonumber(p)
        backlog = backlog >= 2 * limit.burst * p and 2 * limit.cap or mulDivCeil(backlog, limit.p, p)
      end
      line.backlog = min(backlog, 2 * limit.cap)
      line.drift = seen + drift + elapsed - now
    end
  end,
  passes = function(line)
    local limit = line.limit
    return line.cost <= limit.burst and line.backlog + line.cost * limit.p <= limit.cap and line.backlog <= limit.ahead
  end,
  take = function(line)
    local limit = line.limit
    local cost = line.cost > 2 * limit.burst and 2 * limit.cap or line.cost * limit.p
    line.backlog = min(line.backlog + cost, 2 * limit.cap)
  end,
  -- Refill that arrived after the bucket would have been full anyway ran over because of the others, not because of the charge.
  giveBack = function(line, units, chargedAt, backlogBefore)
    local limit = line.limit
    local charge = units > 2 * limit.burst and 2 * limit.cap or units * limit.p
    local elapsed = max(0, now + line.drift - chargedAt)
    if elapsed < ceilDiv(charge + backlogBefore, limit.q) then
      local refilled = max(0, elapsed * limit.q - backlogBefore)
      local returned = min(charge - refilled, line.backlog)
      line.backlog = line.backlog - returned
      return returned > 0
    end
    return false
  end,
  absorb = function(line, units, age)
    local limit = line.limit
    local owed = units > 2 * limit.burst and 2 * limit.cap or units * limit.p
    local before = line.backlog
    if age < ceilDiv(owed, limit.q) then
      line.backlog = min(line.backlog + owed - age * limit.q, 2 * limit.cap)
    end
    return line.backlog > before
  end,
  write = function(line, key)
    local limit = line.limit
    local state = string.format(BUCKET, now, line.backlog, limit.p, limit.q, line.drift)
    redis.call('SET', key, state, 'PX', life(ceilDiv(line.backlog, limit.q)))
  end,
  told = function(line, out, at)
    out[at], out[at + 1], out[at + 2], out[at + 3] = line.backlog, line.drift, 0, 0
  end
}

