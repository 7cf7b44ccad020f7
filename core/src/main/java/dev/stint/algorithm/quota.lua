-- An amount that is spent once; Quota.java explains it.
local Quota
do
  local function advance(self, state, now) end

  local function waitFor(self, state, now, cost)
    return state.count + cost <= self.limit and 0 or NEVER
  end

  local function add(self, state, now, amount)
    state.count = math.max(0, math.min(state.count + amount, MAX_COUNT))
    state.present = state.count > 0
  end

  local function headroom(self, state, now)
    return math.max(0, self.limit - state.count)
  end

  local function resetAt(self, state, now)
    return state.present and NEVER or now
  end

  local function undo(self, state, now, amount, stamp, fraction)
    add(self, state, now, -amount)
  end

  function Quota(limit)
    return {
      limit = limit, number = 'count',
      advance = advance, waitFor = waitFor, add = add, headroom = headroom, resetAt = resetAt, undo = undo,
    }
  end
end
