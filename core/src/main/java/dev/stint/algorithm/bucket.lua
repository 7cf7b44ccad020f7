-- The bucket, whose state is the moment at which it will be empty; Bucket.java explains it.
local Bucket = { number = 'fraction', countsDenied = false }
Bucket.__index = Bucket

function Bucket.of(argument)
  return setmetatable({
    limit = argument(),
    window = argument(),
    capacity = argument(),
    k = argument(),
    whole = argument(),
    part = argument(),
    depth = argument(),
    depthFraction = argument(),
  }, Bucket)
end

function Bucket:advance(state, now)
  if not state.present then
    return
  end
  if state.fraction >= self.k then
    state.fraction = self.k - 1
  end
  if state.time < now or (state.time == now and state.fraction == 0) then
    clear(state)
  elseif self:isBeyondFull(state.time - now, state.fraction) then
    state.time = now + self.depth
    state.fraction = self.depthFraction
    state.moved = true
  end
end

function Bucket:waitFor(state, now, cost)
  if cost > self.capacity then
    return NEVER
  end
  if not state.present then
    return 0
  end
  local fraction = state.fraction + self:fractionOf(cost) - self.depthFraction
  local wait = state.time - now + self:wholeOf(cost) - self.depth
  return math.max(0, wait + (fraction > self.k and 2 or fraction > 0 and 1 or 0))
end

function Bucket:add(state, now, amount)
  if amount < 0 and state.present then
    self:giveBackUnits(state, now, -amount)
  elseif amount > 0 then
    self:charge(state, now, amount)
  end
end

function Bucket:charge(state, now, amount)
  if not state.present then
    state.present = true
    state.time = now
  end
  if amount < self.capacity + self.limit then
    local fraction = state.fraction + self:fractionOf(amount)
    state.time = state.time + self:wholeOf(amount) + (fraction >= self.k and 1 or 0)
    state.fraction = fraction >= self.k and fraction - self.k or fraction
  end
  if amount >= self.capacity + self.limit or self:isBeyondFull(state.time - now, state.fraction) then
    state.time = now + self.window + self.depth
    state.fraction = self.depthFraction
  end
end

function Bucket:giveBackUnits(state, now, amount)
  if amount >= self.capacity + self.limit then
    clear(state)
  else
    self:giveBack(state, now, self:wholeOf(amount), self:fractionOf(amount))
  end
end

function Bucket:giveBack(state, now, micros, fraction)
  local rest = state.fraction - fraction
  state.time = state.time - (micros + (rest < 0 and 1 or 0))
  state.fraction = rest < 0 and rest + self.k or rest
  if state.time < now or (state.time == now and state.fraction == 0) then
    clear(state)
  end
end

function Bucket:resetAt(state, now)
  if not state.present then
    return now
  end
  return state.fraction > 0 and state.time + 1 or state.time
end

function Bucket:undo(state, now, amount, stamp, fraction)
  local rest = stamp - now
  if not state.present or rest < 0 then
    return
  end
  if amount < self.capacity + self.limit then
    local micros = self:wholeOf(amount)
    local kths = self:fractionOf(amount)
    if rest > micros or (rest == micros and fraction >= kths) then
      self:giveBack(state, now, micros, kths)
      return
    end
  end
  self:giveBack(state, now, rest, math.min(fraction, self.k - 1))
end

function Bucket:isBeyondFull(ahead, fraction)
  local most = self.depth + self.window
  return ahead > most or (ahead == most and fraction > self.depthFraction)
end

function Bucket:wholeOf(n)
  if self.part == 0 or n == 1 then
    return n * self.whole
  end
  return n * self.whole + Exact.divide(n, self.part, 0, self.k)
end

function Bucket:fractionOf(n)
  if self.part == 0 or n == 1 then
    return self.part
  end
  return Exact.remainder(n, self.part, self.k)
end
