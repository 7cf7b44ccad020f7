-- The bucket, whose state is the moment at which it will be empty; Bucket.java explains it.
local Bucket
do
  local function wholeOf(self, n)
    if self.part == 0 or n == 1 then
      return n * self.whole
    end
    return n * self.whole + (divide(n, self.part, 0, self.k))
  end

  local function fractionOf(self, n)
    if self.part == 0 or n == 1 then
      return self.part
    end
    local _, rest = divide(n, self.part, 0, self.k)
    return rest
  end

  local function isBeyondFull(self, ahead, fraction)
    local most = self.depth + self.window
    return ahead > most or (ahead == most and fraction > self.depthFraction)
  end

  local function advance(self, state, now)
    if not state.present then
      return
    end
    if state.fraction >= self.k then
      state.fraction = self.k - 1
    end
    if state.time < now or (state.time == now and state.fraction == 0) then
      clear(state)
    elseif isBeyondFull(self, state.time - now, state.fraction) then
      state.time = now + self.depth
      state.fraction = self.depthFraction
      state.moved = true
    end
  end

  local function waitFor(self, state, now, cost)
    if cost > self.capacity then
      return NEVER
    end
    if not state.present then
      return (now + self.depth < LAST_MOMENT or now + wholeOf(self, cost) < LAST_MOMENT) and 0 or NEVER
    end
    local ending = state.time + wholeOf(self, cost)
    local fraction = state.fraction + fractionOf(self, cost)
    if ending + (fraction >= self.k and 1 or 0) >= LAST_MOMENT then
      return NEVER
    end
    fraction = fraction - self.depthFraction
    local wait = ending - now - self.depth
    return math.max(0, wait + (fraction > self.k and 2 or fraction > 0 and 1 or 0))
  end

  local function charge(self, state, now, amount)
    if not state.present then
      state.present = true
      state.time = now
    end
    if amount < self.capacity + self.limit then
      local fraction = state.fraction + fractionOf(self, amount)
      state.time = state.time + wholeOf(self, amount) + (fraction >= self.k and 1 or 0)
      state.fraction = fraction >= self.k and fraction - self.k or fraction
    end
    if amount >= self.capacity + self.limit or isBeyondFull(self, state.time - now, state.fraction) then
      state.time = now + self.window + self.depth
      state.fraction = self.depthFraction
    end
    if state.time >= LAST_MOMENT then
      state.time = LAST_MOMENT
      state.fraction = 0
    end
  end

  local function giveBack(self, state, now, micros, fraction)
    local rest = state.fraction - fraction
    state.time = state.time - (micros + (rest < 0 and 1 or 0))
    state.fraction = rest < 0 and rest + self.k or rest
    if state.time < now or (state.time == now and state.fraction == 0) then
      clear(state)
    end
  end

  local function giveBackUnits(self, state, now, amount)
    if amount >= self.capacity + self.limit then
      clear(state)
    else
      giveBack(self, state, now, wholeOf(self, amount), fractionOf(self, amount))
    end
  end

  local function add(self, state, now, amount)
    if amount < 0 and state.present then
      giveBackUnits(self, state, now, -amount)
    elseif amount > 0 then
      charge(self, state, now, amount)
    end
  end

  local function headroom(self, state, now)
    local most = now + self.window + self.depth
    local micros = math.min(most, LAST_MOMENT) - (state.present and state.time or now)
    local fraction = (most < LAST_MOMENT and self.depthFraction or 0) - state.fraction
    if fraction < 0 then
      micros = micros - 1
      fraction = fraction + self.k
    end
    return micros < 0 and 0 or (divide(micros, self.k, fraction, self.whole * self.k + self.part))
  end

  local function resetAt(self, state, now)
    if not state.present then
      return now
    end
    return state.fraction > 0 and state.time + 1 or state.time
  end

  local function undo(self, state, now, amount, stamp, fraction)
    local rest = stamp - now
    if not state.present or rest < 0 then
      return
    end
    if amount < self.capacity + self.limit then
      local micros = wholeOf(self, amount)
      local kths = fractionOf(self, amount)
      if rest > micros or (rest == micros and fraction >= kths) then
        giveBack(self, state, now, micros, kths)
        return
      end
    end
    giveBack(self, state, now, rest, math.min(fraction, self.k - 1))
  end

  function Bucket(limit, window, capacity, k, whole, part, depth, depthFraction)
    return {
      limit = limit, window = window, capacity = capacity, k = k, whole = whole, part = part, depth = depth,
      depthFraction = depthFraction, number = 'fraction',
      advance = advance, waitFor = waitFor, add = add, headroom = headroom, resetAt = resetAt, undo = undo,
    }
  end
end
