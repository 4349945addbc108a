-- What the fleet was told at run time. KEYS[1] is a hash of "until value" by name, until in microseconds since the epoch or 0; its nameless
-- field is the version. ARGV: time, channel, "put" name until value most, or "remove" name, or "look" version. Every change is published. Lives
-- for a year after the last change or look, and instances look all the time. Answers the version, or 0 when there are too many; a look that finds
-- another version answers the version, the time, and all names and values that hold.
local channel, what, name = word(), word(), word()
local key = KEYS[1]
local YEAR = '31622400000'
local function holds(value)
  local ends = tonumber(string.match(value, '^(%d+) '))
  return ends == 0 or ends > now
end
if what == 'look' then
  local version = redis.call('HGET', key, '') or '0'
  redis.call('PEXPIRE', key, YEAR)
  if version == name then
    return {version}
  end
  local out = {version, whole(now)}
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    if fields[i] ~= '' and holds(fields[i + 1]) then
      out[#out + 1] = fields[i]
      out[#out + 1] = fields[i + 1]
    end
  end
  return out
end
if what == 'put' then
  local ends, value, most = word(), word(), number()
  if redis.call('HLEN', key) > most and redis.call('HEXISTS', key, name) == 0 then
    local fields = redis.call('HGETALL', key)
    for i = 1, #fields, 2 do
      if fields[i] ~= '' and not holds(fields[i + 1]) then
        redis.call('HDEL', key, fields[i])
      end
    end
    if redis.call('HLEN', key) > most then
      return {'0'}
    end
  end
  redis.call('HSET', key, name, ends .. ' ' .. value)
else
  redis.call('HDEL', key, name)
end
local version = whole(redis.call('HINCRBY', key, '', 1))
redis.call('PEXPIRE', key, YEAR)
redis.call('PUBLISH', channel, version)
return {version}
