-- Every hit of the last window; SlidingLog.java explains it.
local SlidingLog
do
  local function advance(self, state, now)
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

  local function used(self, state, now)
    return state.log and state.log:unitsFrom(state.expired) or 0
  end

  local function waitFor(self, state, now, cost)
    if cost > self.limit then
      return NEVER
    end
    local log = state.log
    local excess = used(self, state, now) + cost - self.limit
    if not log or excess <= 0 then
      return 0
    end
    return log:time(log:reaching(state.expired, excess)) + self.window - now
  end

  local function settle(state, log)
    log:dropOldest(state.expired)
    state.expired = 0
  end

  local function forgetIfEmpty(state, log)
    if log.size == 0 then
      clear(state)
    else
      state.time = log:newest()
    end
  end

  local function charge(self, state, now, amount)
    local log = state.log
    if not log then
      log = Log.new(state.place)
      state.log = log
      state.present = true
      state.time = now
      state.expired = 0
    else
      settle(state, log)
    end
    local moment = math.min(math.max(now, state.time), LAST_MOMENT - self.window)
    local beyond = log:unitsFrom(0) + amount > self.limit
    local apart = beyond and self.countsDenied and log:mayEndApart()
    local full = beyond and not apart
    if full and log.size > 0 then
      log:absorb(moment, amount)
    else
      log:append(moment, amount, self.limit, apart)
    end
    state.time = moment
  end

  local function giveBack(state, amount)
    local log = state.log
    if not log then
      return
    end
    settle(state, log)
    log:removeNewest(amount)
    forgetIfEmpty(state, log)
  end

  local function add(self, state, now, amount)
    if amount < 0 then
      giveBack(state, -amount)
    elseif amount > 0 then
      charge(self, state, now, amount)
    end
  end

  local function headroom(self, state, now)
    return MAX_COUNT - used(self, state, now)
  end

  local function resetAt(self, state, now)
    return state.log and state.time + self.window or now
  end

  local function undo(self, state, now, amount, stamp, fraction)
    local log = state.log
    if not log then
      return
    end
    settle(state, log)
    log:removeAt(stamp, fraction == 1, amount)
    forgetIfEmpty(state, log)
  end

  function SlidingLog(limit, window)
    return {
      limit = limit, window = window, used = used,
      advance = advance, waitFor = waitFor, add = add, headroom = headroom, resetAt = resetAt, undo = undo,
    }
  end
end
