-- What an instance holds in flight, whole counts. KEYS[i] is a key's holders. ARGV: time, instance, sequence, then a count for each key.
local instance, sequence = word(), number()
for i = 1, #KEYS do
  local line = {instance = instance, sequence = sequence}
  holders(line, KEYS[i])
  hold(line, KEYS[i], number())
end
return #KEYS
