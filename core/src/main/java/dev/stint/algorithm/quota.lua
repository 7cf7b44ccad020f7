-- An amount that is spent once; Quota.java explains it.
local Quota = { number = 'count', countsDenied = false }
Quota.__index = Quota

function Quota.of(argument)
  return setmetatable({ limit = argument() }, Quota)
end

function Quota:advance(state, now) end

function Quota:waitFor(state, now, cost)
  return state.count + cost <= self.limit and 0 or NEVER
end

function Quota:add(state, now, amount)
  state.count = math.max(0, math.min(state.count + amount, MAX_COUNT))
  state.present = state.count > 0
end

function Quota:resetAt(state, now)
  return state.present and NEVER or now
end

function Quota:undo(state, now, amount, stamp, fraction)
  self:add(state, now, -amount)
end
