-- How a state lies in Redis: numbers as text, 'time number previous' without trailing zeros; a log as one binary string.
-- Whether the time is the server's own; main.lua says.
local realTime

local Place = {}
Place.__index = Place

function Place:read(at, bytes)
  return redis.call('GETRANGE', self.key, at, at + bytes - 1)
end

function Place:write(at, bytes)
  redis.call('SETRANGE', self.key, at, bytes)
end

function Place:replace(bytes)
  redis.call('SET', self.key, bytes, 'PX', self.ttl)
end

-- The TTL only tidies up, the numbers decide. Under a test's clock the server's own means nothing.
local function ttl(span)
  return realTime and math.ceil(span / 1000) + 1000 or 3600000
end

local function fetch(p)
  local place = setmetatable({ key = p.key }, Place)
  local state = { time = 0, fraction = 0, count = 0, previous = 0, place = place }
  p.state = state
  if p.algorithm.keepsLog then
    place.ttl = ttl(p.algorithm.window)
    state.log = Log.open(place)
    p.existed = state.log ~= nil
  else
    local text = redis.call('GET', p.key)
    p.existed = text ~= false
    if text then
      state.time = tonumber(text)
      if not state.time then
        local time, number, previous = string.match(text, '^(%d+) (%d+) ?(%d*)$')
        state.time = tonumber(time) or error('the value of ' .. p.key .. ' is not a state of Stint')
        state[p.algorithm.number] = tonumber(number)
        state.previous = tonumber(previous) or 0
      end
    end
  end
  state.present = p.existed
end

local function text(p, state)
  if p.previous > 0 then
    return string.format('%.0f %.0f %.0f', state.time, p.number, p.previous)
  elseif p.number > 0 then
    return string.format('%.0f %.0f', state.time, p.number)
  end
  return string.format('%.0f', state.time)
end

local function save(p)
  local state = p.state
  if not p.changed then
    return
  end
  if not state.present then
    if p.existed then
      redis.call('DEL', p.key)
    end
  elseif state.log then
    state.log:save()
    redis.call('PEXPIRE', p.key, ttl(p.resetAt - p.now))
  elseif p.resetAt == NEVER then
    redis.call('SET', p.key, text(p, state))
  else
    redis.call('SET', p.key, text(p, state), 'PX', ttl(p.resetAt - p.now))
  end
end
