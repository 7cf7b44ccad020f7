-- Reads the call, runs its decisions one after the other, answers in numbers.
--
-- ARGV: now in microseconds, or an empty word for the server's time; how many limits, and each one's letter and numbers; then
-- for each decision its operation, how many parts it has, and each part's limit, amount and flags (1 shadow, 2 opened), and
-- of an UNDO also its stamp and fraction. KEYS: one for each part.
-- Answers: now; then for each part its wait, resetAt, number, previous, and whether it was absent; or, for a decision that
-- failed before anything was written, the error instead.
local position = 0

local function word()
  position = position + 1
  return ARGV[position]
end

local function argument()
  position = position + 1
  return tonumber(ARGV[position])
end

local now = argument()
realTime = now == nil
if realTime then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local limits = {}
for i = 1, argument() do
  limits[i] = ALGORITHMS[word()].of(argument)
end

local answers = { now }
local keys = 0

local function part(operation)
  keys = keys + 1
  local p = { key = KEYS[keys], now = now, algorithm = limits[argument()], amount = argument() }
  local flags = argument()
  p.shadow = flags % 2 == 1
  p.opened = flags >= 2
  if operation == 'UNDO' then
    p.stamp, p.fraction = argument(), argument()
  end
  return p
end

local function decide(operation, parts)
  for _, p in ipairs(parts) do
    fetch(p)
  end
  if operation == 'DENIED' then
    run('HIT', parts, true)
  else
    run(operation, parts, false)
  end
  for _, p in ipairs(parts) do
    save(p)
  end
end

local function report(p)
  local last = #answers
  answers[last + 1] = p.wait
  answers[last + 2] = p.resetAt
  answers[last + 3] = p.number
  answers[last + 4] = p.previous
  answers[last + 5] = p.absent and 1 or 0
end

while position < #ARGV do
  local operation = word()
  local parts = {}
  for i = 1, argument() do
    parts[i] = part(operation)
  end
  local done, failure = pcall(decide, operation, parts)
  if done then
    for _, p in ipairs(parts) do
      report(p)
    end
  else
    answers[#answers + 1] = type(failure) == 'table' and failure.err or tostring(failure)
  end
end

return answers
