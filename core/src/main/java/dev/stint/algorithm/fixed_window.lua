-- Windows that follow one another; FixedWindow.java explains them.
local FixedWindow
do
  local function start(self, now)
    return self.aligned and now - now % self.window or math.min(now, LAST_MOMENT - self.window)
  end

  local function endOf(self, state)
    return math.min(state.time + self.window, LAST_MOMENT)
  end

  local function advance(self, state, now)
    if not state.present then
      return
    end
    if now >= state.time + self.window then
      clear(state)
    elseif state.time > now + self.window then
      state.time = start(self, now)
      state.moved = true
    end
  end

  local function waitFor(self, state, now, cost)
    if cost > self.limit then
      return NEVER
    end
    return state.count + cost <= self.limit and 0 or endOf(self, state) - now
  end

  local function add(self, state, now, amount)
    if not state.present then
      if amount < 0 then
        return
      end
      state.present = true
      state.time = start(self, now)
    end
    state.count = math.max(0, math.min(state.count + amount, MAX_COUNT))
  end

  local function headroom(self, state, now)
    return MAX_COUNT - state.count
  end

  local function empty(self, state)
    if self.aligned then
      state.count = 0
    else
      clear(state)
    end
  end

  local function resetAt(self, state, now)
    return state.present and endOf(self, state) or now
  end

  local function undo(self, state, now, amount, stamp, fraction)
    if state.present and state.time == stamp then
      add(self, state, now, -amount)
    end
  end

  function FixedWindow(limit, window, aligned)
    return {
      limit = limit, window = window, aligned = aligned == 1, number = 'count',
      advance = advance, waitFor = waitFor, add = add, headroom = headroom, empty = empty, resetAt = resetAt, undo = undo,
    }
  end
end
