-- The operations, each a line or two over an algorithm's functions; Evaluation.java explains them.
--
-- What follows from a state is left to whoever reads the answer: it has the same functions. So all that is worked out here is
-- the wait, the state, and when it may be forgotten. Two things are asked that only a store over several machines needs:
-- DENIED is a hit that was refused elsewhere already; and the flag OPENED has an UNDO leave nothing where the charge had found
-- nothing (state.absent).
local HIT, PEEK, INC, REFUND, UNDO, SET, GET, RESET, DENIED = 1, 2, 3, 4, 5, 6, 7, 8, 9
local SHADOW, OPENED = 1, 2

local function charge(p, now)
  local algorithm, state, n = p.algorithm, p.state, p.amount
  p.charged = p.fits and n or math.min(n, algorithm.headroom(algorithm, state, now))
  algorithm.add(algorithm, state, now, p.charged)
  -- Whether the call was refused in the end, only its sender may know; so this is answered for every limit that counts then.
  if algorithm.countsDenied then
    p.wait = algorithm.waitFor(algorithm, state, now, n)
  end
end

local function tell(operation, p, now)
  local algorithm, state, n = p.algorithm, p.state, p.amount
  if operation == INC then
    algorithm.add(algorithm, state, now, n)
  elseif operation == REFUND then
    algorithm.add(algorithm, state, now, -n)
  elseif operation == UNDO then
    algorithm.undo(algorithm, state, now, n, p.stamp, p.fraction)
    if p.flags == OPENED and state.present and algorithm.number == 'count' and state.count + state.previous == 0 then
      clear(state)
    end
  elseif operation == SET then
    if algorithm.empty then
      algorithm.empty(algorithm, state)
    else
      clear(state)
    end
    algorithm.add(algorithm, state, now, n)
  elseif operation == RESET then
    clear(state)
  end
end

local function run(operation, parts, size, now)
  local asks = operation == HIT or operation == PEEK or operation == DENIED
  local all = operation ~= DENIED
  for i = 1, size do
    local p = parts[i]
    local algorithm, state = p.algorithm, p.state
    algorithm.advance(algorithm, state, now)
    state.absent = not state.present
    if asks then
      p.wait = algorithm.waitFor(algorithm, state, now, p.amount)
      p.fits = p.wait == 0
      all = all and (p.fits or p.flags == SHADOW)
    end
  end
  for i = 1, size do
    local p = parts[i]
    local algorithm, state = p.algorithm, p.state
    local changed
    if asks then
      if operation ~= PEEK and ((all and p.fits) or algorithm.countsDenied) then
        charge(p, now)
        changed = p.charged > 0
      end
    else
      tell(operation, p, now)
      changed = operation ~= GET
    end
    p.changed = changed or state.moved
    p.resetAt = algorithm.resetAt(algorithm, state, now)
  end
end
