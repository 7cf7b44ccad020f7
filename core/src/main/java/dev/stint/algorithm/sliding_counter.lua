-- This window's count, and what is left of the one before; SlidingCounter.java explains it.
local SlidingCounter
do
  local function resetAt(self, state, now)
    if not state.present then
      return now
    end
    return math.max(now, state.time + (state.count > 0 and 2 * self.window or self.window))
  end

  local function isLast(self, state)
    return state.time > self.lastStart - self.window
  end

  local function advance(self, state, now)
    if not state.present then
      return
    end
    if state.time > now + self.window then
      state.time = now
      state.moved = true
    elseif now >= resetAt(self, state, now) then
      clear(state)
    elseif now >= state.time + self.window and not isLast(self, state) then
      state.previous = state.count
      state.count = 0
      state.time = state.time + self.window
    end
  end

  local function decayed(self, previous, room)
    return self.unit * (self.units + 1 - divide(room + 1, self.units, previous - 1, previous))
  end

  local function waitFor(self, state, now, cost)
    if cost > self.limit then
      return NEVER
    end
    local room = self.limit - cost - state.count
    if room < 0 then
      local following = isLast(self, state) and self.window or decayed(self, state.count, self.limit - cost)
      return state.time + self.window + following - now
    end
    if state.previous <= room then
      return 0
    end
    return math.max(0, state.time + decayed(self, state.previous, room) - now)
  end

  local function add(self, state, now, amount)
    if not state.present then
      if amount < 0 then
        return
      end
      state.present = true
      state.time = math.min(now, self.lastStart)
    end
    local count = state.count + amount
    if count < 0 then
      state.previous = math.max(0, state.previous + count)
    end
    state.count = math.max(0, math.min(count, MAX_COUNT))
  end

  local function headroom(self, state, now)
    return MAX_COUNT - state.count
  end

  local function undo(self, state, now, amount, stamp, fraction)
    if not state.present then
      return
    end
    if state.time == stamp then
      state.count = math.max(0, state.count - amount)
    elseif state.time == stamp + self.window then
      state.previous = math.max(0, state.previous - amount)
    end
  end

  function SlidingCounter(limit, window, unit, units)
    return {
      limit = limit, window = window, unit = unit, units = units, lastStart = LAST_MOMENT - 2 * window, number = 'count',
      advance = advance, waitFor = waitFor, add = add, headroom = headroom, resetAt = resetAt, undo = undo,
    }
  end
end
