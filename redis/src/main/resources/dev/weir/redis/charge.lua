-- Some equal calls, one after the other, against one slot: of each call all enforced lines are charged or none, and a shadow line is charged
-- when the call is and it would have let it pass as well. No calls: what would be said.
--
-- KEYS[i] is the count of line i. ARGV: time, how many calls, then for each line: mode (1 enforced, 0 shadow), cost, kind and its numbers.
-- Answers the time, how many calls passed (the first ones: a refusal changes nothing, so those after it are refused alike), and four integers
-- for each line: its state before the first call. Answers the time alone when a calendar's windows do not fit it.
local calls = number()
local lines = {}
for i = 1, #KEYS do
  local line = {enforced = word() == '1', cost = number(), charged = false}
  local name = word()
  line.kind, line.isLog = kinds[name], name == 'log'
  line.kind.read(line, KEYS[i])
  lines[i] = line
end
if misfit then
  return {now}
end

local out = {now, 0}
for i = 1, #lines do
  if not lines[i].isLog then
    lines[i].kind.told(lines[i], out, 4 * i - 1)
  end
end

local function passes(line)
  return line.cost == 0 or line.kind.passes(line)
end
local passed = 0
while passed < calls do
  local refused = false
  for i = 1, #lines do
    local line = lines[i]
    line.pass = passes(line)
    refused = refused or (line.enforced and not line.pass)
  end
  if refused then
    break
  end
  for i = 1, #lines do
    local line = lines[i]
    if line.pass and line.cost > 0 then
      line.kind.take(line)
      line.charged = true
    end
  end
  passed = passed + 1
end
out[2] = passed

for i = 1, #lines do
  local line = lines[i]
  if line.isLog then
    line.kind.told(line, out, 4 * i - 1)
  end
  if line.charged then
    line.kind.write(line, KEYS[i])
  end
end
return out
