-- Reads the call, runs its decisions one after the other, answers in numbers.
--
-- keys: one for each part of each decision. args, packed: first the decisions, each an I1 operation, I2 how many parts, and each
-- part's I2 limit, I7 amount, I1 flags, and of an UNDO also I7 stamp and I7 fraction; then the limits, each an I1 algorithm, I1
-- whether it counts denied hits, and 8 numbers, I7 each, of which the first are its own; last, unless the server's own time is to
-- decide, I7 the time in microseconds, which its length tells from a limit.
-- Answers, packed likewise: I7 now; then for each decision I1 0, and for each part I7 wait, I7 resetAt, I7 number, I7 previous,
-- I7 what was charged, I1 flags: 1 if it was absent, 2 if the amount fitted; or, for a decision that failed before anything was
-- written, I1 1, I2 length, and the error.
--
-- A state lies in Redis as text, 'time number previous' without trailing zeros; a log as one binary string. A window of the
-- clock is one number, which takes Redis no more room than the pointer to it: the window's own number since the epoch, the
-- count, and in two digits how long the count is.
--
-- A function's library is set up once, so what is local here is kept between its calls; a script sets all of it up for each call.
-- Nothing that is kept changes an answer.
local own, now

-- Found by the first call, since a library sees no globals while it is loaded.
local unpack, pack, format, ceil

local TIME_BYTES = 7
local MOST_KNOWN = 1000
local known, knownCount = {}, 0
local secondsText, secondsMicros

local function serverTime()
  local time = redis.call('TIME')
  if time[1] ~= secondsText then
    secondsText = time[1]
    secondsMicros = secondsText * 1000000
  end
  return secondsMicros + time[2]
end

-- The limit of these bytes.
local function limitOf(bytes)
  local limit = known[bytes]
  if not limit then
    local number, countsDenied = unpack('>I1I1', bytes)
    limit = ALGORITHMS[number](unpack('>I7I7I7I7I7I7I7I7', bytes, 3))
    limit.countsDenied = countsDenied == 1
    if knownCount == MOST_KNOWN then
      known, knownCount = {}, 0
    end
    known[bytes] = limit
    knownCount = knownCount + 1
  end
  return limit
end

-- The TTL only tidies up, the numbers decide. Under a test's clock the server's own means nothing.
local function expiry(resetAt)
  if own then
    return 'PXAT', format('%d', ceil(resetAt / 1000) + 1000)
  end
  return 'PX', '3600000'
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
      time = tonumber(time)
      previous = tonumber(previous) or 0
    end
  end
  number = tonumber(number)
  state.time = time
  state[algorithm.number] = number
  state.previous = previous or 0
  return time and time >= 0 and number
end

local function text(algorithm, state)
  local number = state[algorithm.number]
  if algorithm.aligned then
    local count = format('%d', number)
    return format('%d%s%02d', state.time / algorithm.window, count, #count)
  elseif state.previous > 0 then
    return format('%d %d %d', state.time, number, state.previous)
  elseif number > 0 then
    return format('%d %d', state.time, number)
  end
  return format('%d', state.time)
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
    redis.call('PEXPIRE', p.key, own and ceil((p.resetAt - now) / 1000) + 1000 or 3600000)
  elseif p.resetAt == NEVER then
    redis.call('SET', p.key, text(algorithm, state))
  else
    redis.call('SET', p.key, text(algorithm, state), expiry(p.resetAt))
  end
end

local function decide(operation, parts, size)
  for i = 1, size do
    fetch(parts[i])
  end
  run(operation, parts, size, now)
  for i = 1, size do
    if parts[i].changed then
      save(parts[i])
    end
  end
end

-- The zero byte of a decision that did not fail comes before its first part.
local FIRST_PART, PART = '>xI7I7I7I7I7I1', '>I7I7I7I7I7I1'

local function answer(p, layout)
  local algorithm, state = p.algorithm, p.state
  local number, previous = state[algorithm.number], state.previous
  if algorithm.used then
    number = algorithm.used(algorithm, state, now)
    previous = number == 0 and 0
      or algorithm.waitFor(algorithm, state, now, math.max(0, algorithm.limit - number) + 1)
    state.log = nil
  end
  local flags = (state.absent and 1 or 0) + (p.fits and 2 or 0)
  return pack(layout, p.wait, p.resetAt, number, previous, p.charged, flags)
end

-- Most decisions have few parts, so the tables of some serve one decision after the other.
local MOST_POOLED = 8
local pool = {}

local function answerAll(keys, args)
  if not unpack then
    unpack, pack, format, ceil = struct.unpack, struct.pack, string.format, math.ceil
  end
  local call, count = args[1], #args
  own = #args[count] ~= TIME_BYTES
  if own then
    now = serverTime()
  else
    now = unpack('>I7', args[count])
  end
  local answers = { pack('>I7', now) }
  local position, last, key = 1, 1, 0
  while position <= #call do
    local operation, size, number, amount, flags
    operation, size, number, amount, flags, position = unpack('>I1I2I2I7I1', call, position)
    local parts = size <= MOST_POOLED and pool or {}
    for i = 1, size do
      local p = parts[i]
      if not p then
        p = { state = {} }
        parts[i] = p
      end
      if i > 1 then
        number, amount, flags, position = unpack('>I2I7I1', call, position)
      end
      if operation == UNDO then
        p.stamp, p.fraction, position = unpack('>I7I7', call, position)
      end
      key = key + 1
      p.key = keys[key]
      p.algorithm = limitOf(args[1 + number])
      p.amount = amount
      p.flags = flags
      p.wait = 0
      p.fits = true
      p.charged = 0
    end
    local done, failure = pcall(decide, operation, parts, size)
    last = last + 1
    if done then
      answers[last] = answer(parts[1], FIRST_PART)
      for i = 2, size do
        last = last + 1
        answers[last] = answer(parts[i], PART)
      end
    else
      failure = type(failure) == 'table' and failure.err or tostring(failure)
      answers[last] = pack('>I1I2', 1, #failure) .. failure
    end
  end
  return last == 2 and answers[1] .. answers[2] or table.concat(answers)
end
