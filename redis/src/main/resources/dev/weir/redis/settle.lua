-- What became of earlier charges. KEYS are the counts, and marks that a receipt was used. ARGV: time, then entries until the end:
--   once KEY                      the entries up to the next "once" are done only if that mark is not there yet, and it is set
--   back KEY kind numbers .. units mark mark     gives units of a charge back; what a mark is, the kind knows
--   more KEY kind numbers .. units 0 0           charges what was not estimated, into debt
--   late KEY kind numbers .. units age 0         charges what was admitted that many microseconds ago without the store
-- KEY is the index in KEYS. Answers how many entries were done; when a calendar's windows do not fit the time nothing was, and the answer is the
-- time below zero.
local entries = {}
while cursor < #ARGV do
  local entry = {what = word(), key = KEYS[number()]}
  if entry.what ~= 'once' then
    entry.kind = kinds[word()]
    entry.line = {cost = 0, limit = entry.kind.limit()}
    entry.kind.read(entry.line, entry.key)
    entry.units, entry.one, entry.two = number(), number(), number()
  end
  entries[#entries + 1] = entry
end
if misfit then
  return -now
end

local done, skip = 0, false
for i = 1, #entries do
  local entry = entries[i]
  if entry.what == 'once' then
    skip = not redis.call('SET', entry.key, '1', 'NX', 'PX', 86400000)
  elseif not skip then
    local kind, line = entry.kind, entry.line
    -- Read again: an entry before it may have changed the same count.
    kind.read(line, entry.key)
    local counts = true
    if entry.what == 'back' then
      counts = kind.giveBack(line, entry.units, entry.one, entry.two)
    elseif entry.what == 'late' then
      counts = kind.absorb(line, entry.units, entry.one)
    else
      line.cost = entry.units
      kind.take(line)
    end
    if counts ~= false and (entry.what ~= 'back' or redis.call('EXISTS', entry.key) == 1) then
      kind.write(line, entry.key)
    end
    done = done + 1
  end
end
return done
