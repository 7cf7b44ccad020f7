-- Arithmetic whose products may leave 2^53 although its results do not. Exact.java does the same in 64 bits.
local Exact = {}

local MOST = 9007199254740991

-- One step of the long division of a sum: (quotient, rest) + (whole, part), where part < m.
-- Compares before it adds, so that no intermediate number leaves 2^53.
local function plus(quotient, rest, whole, part, m)
  if rest >= m - part then
    return quotient + whole + 1, rest - (m - part)
  end
  return quotient + whole, rest + part
end

-- Long division of a product, bit by bit: rare enough to be the plain one.
local function wide(a, b, c, m)
  local whole, part = math.floor(a / m), a % m
  local quotient, rest = 0, 0
  local bit = 4503599627370496
  while bit >= 1 do
    quotient, rest = plus(quotient, rest, quotient, rest, m)
    if b >= bit then
      b = b - bit
      quotient, rest = plus(quotient, rest, whole, part, m)
    end
    bit = bit / 2
  end
  return plus(quotient, rest, math.floor(c / m), c % m, m)
end

function Exact.divide(a, b, c, m)
  local product = a * b
  if product + c <= MOST then
    return math.floor((product + c) / m)
  end
  local quotient = wide(a, b, c, m)
  return quotient
end

function Exact.remainder(a, b, m)
  local product = a * b
  if product <= MOST then
    return product % m
  end
  local _, rest = wide(a, b, 0, m)
  return rest
end

function Exact.divideUp(a, b, c, m)
  return Exact.divide(a, b, c + (m - 1), m)
end
