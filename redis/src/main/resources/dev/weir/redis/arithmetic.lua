-- The arithmetic of every kind of limit, in whole microseconds; put before charge.lua and settle.lua. Lua's numbers are doubles: every integer
-- here stays below 2^53, and quotients come from fmod, which is exact. Integers are written as INTEGER says, since tostring() keeps 14 digits.
--
-- ARGV[1] is the time in microseconds since the epoch, or empty: then the server's clock is read, once. Under a given time keys live an hour
-- longer than they need, because expiry runs by the server's clock all the same.
--
-- A kind has limit(), which takes a limit's numbers from ARGV. What it does with one count is done on a line, which has the limit and the cost:
-- read(line, key) takes the state from the key, and whatever the line held before is gone; passes(line); take(line) charges line.cost whether it
-- passes or not, into debt of at most one capacity; giveBack(line, units, mark ..) and absorb(line, units, age) answer false when nothing of it
-- counts any more; write(line, key); and told(line, out, at) puts four integers into the answer. A state that lies ahead of the time, after a
-- clock that stepped back, counts as the present one.

local fmod, floor, max, min = math.fmod, math.floor, math.max, math.min
local given = ARGV[1] ~= ''
local grace = given and 3600000 or 0
local now
if given then
  now = tonumber(ARGV[1])
else
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local cursor = 1
local function word()
  cursor = cursor + 1
  return ARGV[cursor]
end
local function number()
  cursor = cursor + 1
  return tonumber(ARGV[cursor])
end
-- The quicker form is exact where the server's long integers have 64 bits.
local INTEGER = string.format('%d', 4503599627370497) == '4503599627370497' and '%d' or '%.0f'
local function whole(integer)
  return string.format(INTEGER, integer)
end
local function div(dividend, divisor)
  return (dividend - fmod(dividend, divisor)) / divisor
end
local function ceilDiv(dividend, divisor)
  local rest = fmod(dividend, divisor)
  return rest == 0 and dividend / divisor or (dividend - rest) / divisor + 1
end
-- The life of a key that matters until then.
local function life(untilMicros)
  return whole(max(0, ceilDiv(max(0, untilMicros), 1000)) + 1 + grace)
end

-- What the limits of this script may be; the files of kinds come next. Making the functions of all of them would take as long as a decision.
local kinds = {}
-- Set where no window of a calendar that was sent fits the time: the instance sends others.
local misfit = false
