-- Reads the call, runs its decisions one after the other, answers in numbers.
--
-- KEYS: one for each part of each decision. ARGV[1], packed:
--   I1 whether to decide by the server's own time, I7 the time in microseconds otherwise; I2 how many limits; each limit's
--   I1 algorithm, I1 whether it counts denied hits, and 8 numbers, I7 each, of which the first are its own; then for each
--   decision its I1 operation and I2 how many parts; each part's I2 limit, I7 amount, I1 flags; and of an UNDO also I7 stamp and I7 fraction.
-- Answers, packed likewise: I7 now; then for each decision I1 0, and for each part I7 wait, I7 resetAt, I7 number, I7 previous,
-- I7 what was charged, I1 flags: 1 if it was absent, 2 if the amount fitted; or, for a decision that failed before anything was
-- written, I1 1, I2 length, and the error.
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
local function expiry(resetAt)
  if own == 1 then
    return 'PXAT', math.ceil(resetAt / 1000) + 1000
  end
  return 'PX', 3600000
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

local function foreign(p)
  error('the value of ' .. p.key .. ' is not a state of Stint')
end

local function fetch(p)
  local algorithm, state = p.algorithm, p.state
  clear(state)
  state.moved = false
  state.existed = false
  if algorithm.used then
    local word, time = expiry(now + algorithm.window)
    state.place = { key = p.key, word = word, time = time }
    state.log = Log.open(state.place)
    state.existed = state.log ~= nil
    if state.existed and not state.log:isSound() then
      foreign(p)
    end
  else
    local value = redis.call('GET', p.key)
    if value then
      state.existed = true
      if not read(algorithm, state, value) then
        foreign(p)
      end
    end
  end
  state.present = state.existed
end

local function save(p)
  local algorithm, state = p.algorithm, p.state
  if not state.present then
    if state.existed then
      redis.call('DEL', p.key)
    end
  elseif state.log then
    state.log:save()
    redis.call('PEXPIRE', p.key, own == 1 and math.ceil((p.resetAt - now) / 1000) + 1000 or 3600000)
  elseif p.resetAt == NEVER then
    redis.call('SET', p.key, text(algorithm, state))
  else
    redis.call('SET', p.key, text(algorithm, state), expiry(p.resetAt))
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

local function answer(p)
  local algorithm, state = p.algorithm, p.state
  local number, previous = state[algorithm.number], state.previous
  if algorithm.used then
    number = algorithm.used(algorithm, state, now)
    previous = number == 0 and 0
      or algorithm.waitFor(algorithm, state, now, math.max(0, algorithm.limit - number) + 1)
  end
  local flags = (state.absent and 1 or 0) + (p.fits and 2 or 0)
  return struct.pack('>I7I7I7I7I7I1', p.wait, p.resetAt, number, previous, p.charged, flags)
end

local limits = {}
for i = 1, count do
  local algorithm, countsDenied = struct.unpack('>I1I1', call, position)
  limits[i] = ALGORITHMS[algorithm](struct.unpack('>I7I7I7I7I7I7I7I7', call, position + 2))
  limits[i].countsDenied = countsDenied == 1
  position = position + 58
end

-- Most decisions have one part, so its tables serve one decision after the other.
local single = { { state = {} } }
local answers = { struct.pack('>I7', now) }
local last, key = 1, 0
while position <= #call do
  local operation, size
  operation, size, position = struct.unpack('>I1I2', call, position)
  local parts = size == 1 and single or {}
  for i = 1, size do
    local p = parts[i] or { state = {} }
    local limit
    limit, p.amount, p.flags, position = struct.unpack('>I2I7I1', call, position)
    if operation == UNDO then
      p.stamp, p.fraction, position = struct.unpack('>I7I7', call, position)
    end
    key = key + 1
    p.key = KEYS[key]
    p.algorithm = limits[limit]
    p.wait = 0
    p.fits = true
    p.charged = 0
    parts[i] = p
  end
  local done, failure = pcall(decide, operation, parts)
  last = last + 1
  if done then
    answers[last] = '\0'
    for i = 1, size do
      answers[last + i] = answer(parts[i])
    end
    last = last + size
  else
    failure = type(failure) == 'table' and failure.err or tostring(failure)
    answers[last] = struct.pack('>I1I2', 1, #failure) .. failure
  end
end

return table.concat(answers)
