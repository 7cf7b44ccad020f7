-- What is remembered of one key under one limit; State.java explains the fields.
--
-- A server sets up every function here anew for each call, and pays for each table. So functions are local, tables are made
-- whole where they are made, and what no operation on a server asks for is left to whoever reads the answer.
local NEVER = 9007199254740991
local LAST_MOMENT = NEVER - 1
local MAX_COUNT = 9007199254740991

local function clear(state)
  state.present = false
  state.time = 0
  state.fraction = 0
  state.count = 0
  state.previous = 0
  state.log = nil
end
