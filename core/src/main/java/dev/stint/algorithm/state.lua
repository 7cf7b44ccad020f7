-- What is remembered of one key under one limit; State.java explains the fields.
local NEVER = 9007199254740991
local MAX_COUNT = 9007199254740991

local function clear(state)
  state.present = false
  state.time = 0
  state.fraction = 0
  state.count = 0
  state.previous = 0
  state.log = nil
end
