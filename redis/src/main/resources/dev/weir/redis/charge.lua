-- Bills, one after the other, as if each came alone. A bill is some equal calls against one slot: of each call all enforced lines are charged or
-- none, and a shadow line is charged when the call is and it would have let it pass as well. No calls: what would be said.
--
-- KEYS are the counts, in the order of the lines. ARGV: time, then for each bill: how many calls, how many lines, how many words follow, and for
-- each line: mode (1 enforced, 0 shadow), cost, kind and its numbers. Answers the time, and for each bill: how many calls passed (the first
-- ones: a refusal changes nothing, so those after it are refused alike), and four integers for each line, its state before the first call. A
-- bill of which a calendar's windows do not fit the time answers -1 instead, one that met an error its text, and nothing was charged for it.
local out = {now}

local function bill(calls, count, keyAt, at)
  local lines = {}
  misfit = false
  for i = 1, count do
    local enforced, cost, name = word() == '1', number(), word()
    local kind = kinds[name]
    local line = kind.line(cost)
    line.enforced, line.kind, line.isLog = enforced, kind, name == 'log'
    kind.read(line, KEYS[keyAt + i])
    lines[i] = line
  end
  if misfit then
    for i = at + 1, at + 4 * count do
      out[i] = 0
    end
    out[at] = -1
    return
  end
  out[at] = 0
  for i = 1, count do
    local line = lines[i]
    if not line.isLog then
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
    if line.isLog then
      line.kind.told(line, out, at + 4 * i - 3)
    end
    if line.charged then
      line.kind.write(line, KEYS[keyAt + i])
    end
  end
  out[at] = passed
end

local keyAt, at, ends = 0, 2, #ARGV
while cursor < ends do
  local calls, count, words = number(), number(), number()
  local start = cursor
  local well, problem = pcall(bill, calls, count, keyAt, at)
  if not well then
    for i = at + 1, at + 4 * count do
      out[i] = 0
    end
    out[at] = type(problem) == 'table' and problem.err or tostring(problem)
  end
  cursor, keyAt, at = start + words, keyAt + count, at + 1 + 4 * count
end
return out
