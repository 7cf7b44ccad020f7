-- The operations, each a line or two over an algorithm's functions; Evaluation.java explains them.
--
-- What follows from a state is left to whoever reads the answer: it has the same functions. So an answer is the wait, and what
-- the state comes to. Two things are asked here that only a store over several machines needs: 'refused', a hit that was
-- refused elsewhere already; and p.opened, to undo a charge that found its place p.absent as if it had not been.
local function asks(operation)
  return operation == 'HIT' or operation == 'PEEK'
end

local function describe(p, changed)
  local algorithm, state = p.algorithm, p.state
  p.changed = changed or state.moved
  p.resetAt = algorithm:resetAt(state, p.now)
  if algorithm.keepsLog then
    local used = algorithm:used(state, p.now)
    local remaining = math.max(0, algorithm.limit - used)
    p.number = used
    p.previous = used == 0 and -1 or algorithm:waitFor(state, p.now, remaining + 1)
  else
    p.number = state[algorithm.number]
    p.previous = state.previous
  end
end

local function answer(operation, p, all)
  local charge = operation == 'HIT' and ((all and p.wait == 0) or p.algorithm.countsDenied)
  if charge then
    p.algorithm:add(p.state, p.now, p.amount)
  end
  describe(p, charge)
end

local function undo(p)
  local algorithm, state = p.algorithm, p.state
  algorithm:undo(state, p.now, p.amount, p.stamp, p.fraction)
  if p.opened and state.present and not state.log and algorithm.number == 'count' and state.count + state.previous == 0 then
    clear(state)
  end
end

local function tell(operation, p)
  local algorithm, state = p.algorithm, p.state
  if operation == 'INC' then
    algorithm:add(state, p.now, p.amount)
  elseif operation == 'REFUND' then
    algorithm:add(state, p.now, -p.amount)
  elseif operation == 'UNDO' then
    undo(p)
  elseif operation == 'SET' then
    clear(state)
    algorithm:add(state, p.now, p.amount)
  elseif operation == 'RESET' then
    clear(state)
  end
end

local function run(operation, parts, refused)
  local all = not refused
  for _, p in ipairs(parts) do
    p.wait = 0
    p.algorithm:advance(p.state, p.now)
    p.absent = not p.state.present
    if asks(operation) then
      p.wait = p.algorithm:waitFor(p.state, p.now, p.amount)
      all = all and (p.shadow or p.wait == 0)
    end
  end
  for _, p in ipairs(parts) do
    if asks(operation) then
      answer(operation, p, all)
    else
      tell(operation, p)
      describe(p, operation ~= 'GET')
    end
  end
end
