-- Arithmetic whose products may leave 2^53 although its results do not. Exact.java does the same in 64 bits.
--
-- divide(a, b, c, m) answers (a * b + c) / m in whole numbers, and the rest.
local divide
do
  -- Adds (whole, part) to (quotient, rest), parts below m; compares before it adds, so that nothing leaves 2^53.
  local function plus(quotient, rest, whole, part, m)
    if rest >= m - part then
      return quotient + whole + 1, rest - (m - part)
    end
    return quotient + whole, rest + part
  end

  function divide(a, b, c, m)
    local dividend = a * b + c
    if dividend <= MAX_COUNT then
      return math.floor(dividend / m), dividend % m
    end
    -- Long division, bit by bit: rare enough to be the plain one.
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
end
