-- Reads the call, runs its decisions one after the other, answers in numbers.
--
-- KEYS: one for each part of each decision. ARGV[1], packed:
--   I1 whether to decide by the server's own time, I7 the time in microseconds otherwise; I2 how many limits; each limit's
--   I1 algorithm and 8 numbers, I7 each, of which the first are its own; then for each decision its I1 operation and I2 how many
--   parts; each part's I2 limit, I7 amount, I1 flags; and of an UNDO also I7 stamp and I7 fraction.
-- Answers: now; then for each part its wait, resetAt, number, previous, and whether it was absent; or, for a decision that
-- failed before anything was written, the error instead.
--
-- A state lies in Redis as text, 'time number previous' without trailing zeros; a log as one binary string. A window of the
-- clock is one number, which takes Redis no more room than the pointer to it: the window's own number since the epoch, the
-- count, and in two digits how long the count is.
local call = ARGV[1]
local own, now, count, position = struct.unpack('>I1I7I2', call)
if own == 1 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The TTL only tidies up, the numbers decide. Under a test's clock the server's own means nothing.
local function ttl(span)
  return own == 1 and math.ceil(span / 1000) + 1000 or 3600000
end

-- Whether the text could be read.
local function read(algorithm, state, text)
  local time, number, previous
  if algorithm.aligned then
    local digits = tonumber(string.sub(text, -2)) or 0
    time = tonumber(string.sub(text, 1, -3 - digits)) or -1
    time = time * algorithm.window
    number = string.sub(text, -2 - digits, -3)
  else
    time, number, previous = tonumber(text), 0, 0
    if not time then
      time, number, previous = string.match(text, '^(%d+) (%d+) ?(%d*)$')
    end
  end
  state.time = tonumber(time)
  state[algorithm.number] = tonumber(number)
  state.previous = tonumber(previous) or 0
  return state.time and state.time >= 0 and state[algorithm.number]
end

local function text(algorithm, state)
  local number = state[algorithm.number]
  if algorithm.aligned then
    local count = string.format('%.0f', number)
    return string.format('%.0f%s%02d', state.time / algorithm.window, count, #count)
  elseif state.previous > 0 then
    return string.format('%.0f %.0f %.0f', state.time, number, state.previous)
  elseif number > 0 then
    return string.format('%.0f %.0f', state.time, number)
  end
  return string.format('%.0f', state.time)
end

local function fetch(p)
  local state = { present = false, time = 0, fraction = 0, count = 0, previous = 0, existed = false, absent = true }
  p.state = state
  if p.algorithm.used then
    state.place = { key = p.key, ttl = ttl(p.algorithm.window) }
    state.log = Log.open(state.place)
    state.present = state.log ~= nil
  else
    local value = redis.call('GET', p.key)
    if value then
      state.present = true
      if not read(p.algorithm, state, value) then
        error('the value of ' .. p.key .. ' is not a state of Stint')
      end
    end
  end
  state.existed = state.present
end

local function save(p)
  local state = p.state
  if not state.present then
    if state.existed then
      redis.call('DEL', p.key)
    end
  elseif state.log then
    state.log:save()
    redis.call('PEXPIRE', p.key, ttl(p.resetAt - now))
  elseif p.resetAt == NEVER then
    redis.call('SET', p.key, text(p.algorithm, state))
  else
    redis.call('SET', p.key, text(p.algorithm, state), 'PX', ttl(p.resetAt - now))
  end
end

local function decide(operation, parts)
  for i = 1, #parts do
    fetch(parts[i])
  end
  run(operation, parts, now)
  for i = 1, #parts do
    if parts[i].changed then
      save(parts[i])
    end
  end
end

local limits = {}
for i = 1, count do
  limits[i] = ALGORITHMS[struct.unpack('>I1', call, position)](struct.unpack('>I7I7I7I7I7I7I7I7', call, position + 1))
  position = position + 57
end

local answers = { now }
local last, key = 1, 0
while position <= #call do
  local operation, size
  operation, size, position = struct.unpack('>I1I2', call, position)
  local parts = {}
  for i = 1, size do
    local limit, amount, flags
    limit, amount, flags, position = struct.unpack('>I2I7I1', call, position)
    key = key + 1
    local p = {
      key = KEYS[key], algorithm = limits[limit], amount = amount, flags = flags,
      state = false, wait = 0, changed = false, resetAt = 0,
    }
    if operation == UNDO then
      p.stamp, p.fraction, position = struct.unpack('>I7I7', call, position)
    end
    parts[i] = p
  end
  local done, failure = pcall(decide, operation, parts)
  if done then
    for i = 1, size do
      local p = parts[i]
      local algorithm, state = p.algorithm, p.state
      answers[last + 1] = p.wait
      answers[last + 2] = p.resetAt
      if algorithm.used then
        local used = algorithm.used(algorithm, state, now)
        answers[last + 3] = used
        answers[last + 4] = used == 0 and -1
          or algorithm.waitFor(algorithm, state, now, math.max(0, algorithm.limit - used) + 1)
      else
        answers[last + 3] = state[algorithm.number]
        answers[last + 4] = state.previous
      end
      answers[last + 5] = state.absent and 1 or 0
      last = last + 5
    end
  else
    last = last + 1
    answers[last] = type(failure) == 'table' and failure.err or tostring(failure)
  end
end

return answers
