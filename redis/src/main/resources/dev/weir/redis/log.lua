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
    entries[2 * i] = whole(stamp) .. string.format('-%09d', sequence + i - 1)
  end
  redis.call('ZADD', key, unpack(entries))
end
kinds.log = {
  limit = function()
    local count, window = number(), number()
    return {count = count, window = window}
  end,
  read = function(line, key)
    line.key = key
    line.after = '(' .. whole(now - line.limit.window)
    line.found = redis.call('ZCOUNT', key, line.after, '+inf')
    line.used, line.entered, line.stamp = line.found, 0, now
    if line.found > 0 then
      local newest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
      line.stamp = max(now, tonumber(newest[2]))
    end
  end,
  passes = function(line)
    return line.cost <= line.limit.count - line.used
  end,
  take = function(line)
    local units = min(line.cost, max(0, 2 * line.limit.count - line.used))
    line.used, line.entered = line.used + units, line.entered + units
  end,
  giveBack = function(line, units, stamp)
    local entries = redis.call('ZRANGEBYSCORE', line.key, whole(stamp), whole(stamp), 'LIMIT', 0, units)
    if #entries > 0 then
      redis.call('ZREM', line.key, unpack(entries))
    end
  end,
  absorb = function(line, units, age)
    units = min(units, max(0, 2 * line.limit.count - line.used))
    if age < line.limit.window and units > 0 then
      redis.call('ZREMRANGEBYSCORE', line.key, '-inf', whole(now - line.limit.window))
      enter(line.key, now - age, units)
      line.used = line.used + units
    end
  end,
  write = function(line, key)
    if line.entered > 0 then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(now - line.limit.window))
      enter(key, line.stamp, line.entered)
    end
    redis.call('PEXPIRE', key, life(line.stamp + line.limit.window - now))
  end,
  -- How many are in use; where the next unit comes from; where the wait for the cost comes from; the stamp that a charge enters. Asked for
  -- after the calls were decided and before they are written: an index past the entries is one of theirs.
  told = function(line, out, at)
    local over = line.used + line.cost - line.limit.count
    local due = (over > 0 and line.cost <= line.limit.count) and stampAt(line, line.key, over - 1) or 0
    out[at], out[at + 1] = line.found, stampAt(line, line.key, max(0, line.found - line.limit.count))
    out[at + 2], out[at + 3] = due, line.stamp
  end
}

