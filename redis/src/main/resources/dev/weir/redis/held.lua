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
kinds.held = {
  limit = function()
    local calls, instance, base, sequence = number(), word(), number(), number()
    return {calls = calls, instance = instance, base = base, sequence = sequence}
  end,
  read = function(line, key)
    local limit = line.limit
    line.instance, line.sequence, line.base, line.taken = limit.instance, limit.sequence, limit.base, 0
    holders(line, key)
  end,
  passes = function(line)
    return line.others + line.base + line.taken < line.limit.calls
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
}
