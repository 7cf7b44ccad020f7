-- Every hit of the last window; SlidingLog.java explains it.
local SlidingLog = { keepsLog = true, countsDenied = false }
SlidingLog.__index = SlidingLog

function SlidingLog.of(argument)
  return setmetatable({ limit = argument(), window = argument() }, SlidingLog)
end

function SlidingLog:advance(state, now)
  local log = state.log
  if not log then
    return
  end
  if log:newest() > now + self.window then
    log:shift(now - log:newest())
    state.moved = true
  end
  state.time = log:newest()
  state.expired = log:firstAfter(math.max(now, state.time) - self.window)
  if state.expired == log.size then
    clear(state)
  end
end

function SlidingLog:used(state, now)
  return state.log and state.log:unitsFrom(state.expired) or 0
end

function SlidingLog:waitFor(state, now, cost)
  if cost > self.limit then
    return NEVER
  end
  local log = state.log
  local excess = self:used(state, now) + cost - self.limit
  if not log or excess <= 0 then
    return 0
  end
  return log:time(log:reaching(state.expired, excess)) + self.window - now
end

function SlidingLog:add(state, now, amount)
  if amount < 0 then
    self:giveBack(state, -amount)
  elseif amount > 0 then
    self:charge(state, now, amount)
  end
end

function SlidingLog:charge(state, now, amount)
  local log = state.log
  if not log then
    log = Log.new(state.place)
    state.log = log
    state.present = true
    state.time = now
    state.expired = 0
    log:append(now, amount, self.limit)
    return
  end
  self:settle(state, log)
  local moment = math.max(now, state.time)
  local beyond = log:unitsFrom(0) + amount > self.limit
  if beyond then
    log:absorb(moment, amount)
  else
    log:append(moment, amount, self.limit)
  end
  state.time = moment
end

function SlidingLog:giveBack(state, amount)
  local log = state.log
  if not log then
    return
  end
  self:settle(state, log)
  log:removeNewest(amount)
  self:forgetIfEmpty(state, log)
end

function SlidingLog:resetAt(state, now)
  return state.log and state.time + self.window or now
end

function SlidingLog:undo(state, now, amount, stamp, fraction)
  local log = state.log
  if not log then
    return
  end
  self:settle(state, log)
  log:removeAt(stamp, amount)
  self:forgetIfEmpty(state, log)
end

function SlidingLog:settle(state, log)
  log:dropOldest(state.expired)
  state.expired = 0
end

function SlidingLog:forgetIfEmpty(state, log)
  if log.size == 0 then
    clear(state)
  else
    state.time = log:newest()
  end
end
