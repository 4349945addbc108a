-- Who lives. KEYS[1] is a sorted set of instances by when they were last heard of. ARGV: time, "here" or "gone", instance. Answers how many were
-- heard of in the last ten seconds.
local what, instance = word(), word()
if what == 'here' then
  redis.call('ZADD', KEYS[1], whole(now), instance)
else
  redis.call('ZREM', KEYS[1], instance)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', whole(now - 10000000))
redis.call('PEXPIRE', KEYS[1], life(10000000))
return redis.call('ZCARD', KEYS[1])
