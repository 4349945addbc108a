-- Bills, one after the other, as if each came alone. A bill is some equal calls against one slot: of each call all enforced lines are charged or
-- none, and a shadow line is charged when the call is and it would have let it pass as well. No calls: what would be said.
--
-- KEYS are the counts, in the order of the lines. ARGV: time; how many limits, and of each its kind and numbers; then for each bill how many
-- calls, how many lines, and for each line the number of its limit, below zero for a shadow, and the cost. Answers the time, and for each bill:
-- how many calls passed (the first ones: a refusal changes nothing, so those after it are refused alike), and four integers for each line, its
-- state before the first call. A bill of which a calendar's windows do not fit the time answers -1 instead, one that met an error its text, and
-- nothing was charged for it.
local limits = {}
for i = 1, number() do
  local kind = kinds[word()]
  local limit = kind.limit()
  limit.kind = kind
  limits[i] = limit
end

local out, at, keyAt, count = {now}, 2, 0, 0
-- The lines of the bill at hand, which the next bill takes over.
local lines = {}

local function bill(calls)
  misfit = false
  for i = 1, count do
    local line = lines[i]
    line.kind.read(line, KEYS[keyAt + i])
  end
  if misfit then
    return -1
  end
  for i = 1, count do
    local line = lines[i]
    if line.kind ~= kinds.log then
      line.kind.told(line, out, at + 4 * i - 3)
    end
  end

  local passed = 0
  while passed < calls do
    local refused = false
    for i = 1, count do
      local line = lines[i]
      line.pass = line.cost == 0 or line.kind.passes(line)
      refused = refused or (line.enforced and not line.pass)
    end
    if refused then
      break
    end
    for i = 1, count do
      local line = lines[i]
      if line.pass and line.cost > 0 then
        line.kind.take(line)
        line.charged = true
      end
    end
    passed = passed + 1
  end

  for i = 1, count do
    local line = lines[i]
    if line.kind == kinds.log then
      line.kind.told(line, out, at + 4 * i - 3)
    end
    if line.charged then
      line.kind.write(line, KEYS[keyAt + i])
    end
  end
  return passed
end

while cursor < #ARGV do
  local calls = number()
  count = number()
  for i = 1, count do
    local line = lines[i] or {}
    local limit = number()
    line.limit, line.enforced, line.cost, line.charged = limits[max(limit, -limit)], limit > 0, number(), false
    line.kind = line.limit.kind
    lines[i] = line
    for j = at + 4 * i - 3, at + 4 * i do
      out[j] = 0
    end
  end
  local well, told = pcall(bill, calls)
  if not well then
    told = type(told) == 'table' and told.err or tostring(told)
  end
  out[at] = told
  keyAt, at = keyAt + count, at + 1 + 4 * count
end
return out
