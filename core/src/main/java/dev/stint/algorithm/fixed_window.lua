-- Windows that follow one another; FixedWindow.java explains them.
local FixedWindow = { number = 'count' }
FixedWindow.__index = FixedWindow

function FixedWindow.of(argument)
  return setmetatable({
    limit = argument(),
    window = argument(),
    aligned = argument() == 1,
    countsDenied = argument() == 1,
  }, FixedWindow)
end

function FixedWindow:advance(state, now)
  if not state.present then
    return
  end
  if now >= state.time + self.window then
    clear(state)
  elseif state.time > now + self.window then
    state.time = self:start(now)
    state.moved = true
  end
end

function FixedWindow:waitFor(state, now, cost)
  if cost > self.limit then
    return NEVER
  end
  return state.count + cost <= self.limit and 0 or state.time + self.window - now
end

function FixedWindow:add(state, now, amount)
  if not state.present then
    if amount < 0 then
      return
    end
    state.present = true
    state.time = self:start(now)
  end
  state.count = math.max(0, math.min(state.count + amount, MAX_COUNT))
end

function FixedWindow:resetAt(state, now)
  return state.present and state.time + self.window or now
end

function FixedWindow:undo(state, now, amount, stamp, fraction)
  if state.present and state.time == stamp then
    self:add(state, now, -amount)
  end
end

function FixedWindow:start(now)
  return self.aligned and now - now % self.window or now
end
