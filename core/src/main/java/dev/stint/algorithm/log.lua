-- The entries of one sliding log, oldest first, in a ring; Log.java explains them.
--
-- The ring lies in one string: a header, then entries of ten bytes, a time and the sum of all units before it. Reading and
-- writing touch only the bytes they need, so a hit costs the same in a log of 100 and of 10,000.
-- Here positions count from zero, as in Java. What reads and writes the string is the store's: readBytes, writeBytes, replaceBytes.
local Log = {}
Log.__index = Log

local HEADER, HEADER_BYTES = '>I4I4I1I3I7I7i8', 34
local ENTRY, ENTRY_BYTES = '>I7I3', 10
local PAGE = 32
local SUMS = 16777216
local SMALLEST = 4
local MOST_UNITS = 1000000
local MOST_ROOM = 1000001

-- The log kept in this place, or nil.
function Log.open(place)
  local header = readBytes(place, 0, HEADER_BYTES)
  if header == '' then
    return nil
  end
  local log = setmetatable({ place = place, pages = {}, written = {}, first = 0, last = -1 }, Log)
  if #header == HEADER_BYTES then
    local beyond
    log.head, log.size, beyond, log.room, log.newestStored, log.total, log.bias = struct.unpack(HEADER, header)
    log.beyond = beyond == 1
  end
  return log
end

-- Whether what was opened is a log at all: somebody else may have put something in its place.
function Log:isSound()
  return self.room and self.room <= MOST_ROOM and self.size <= self.room and self.head <= self.room
end

function Log.new(place)
  return setmetatable(
    { place = place, pages = {}, written = {}, first = 0, last = -1,
      head = 0, size = 0, beyond = false, room = 0, newestStored = 0, total = 0, bias = 0 }, Log)
end

function Log:header()
  return struct.pack(HEADER, self.head, self.size, self.beyond and 1 or 0, self.room, self.newestStored, self.total, self.bias)
end

-- Entries that lie side by side are written together: an undo amid a long log changes half of it.
function Log:save()
  local run = {}
  for slot = self.first, self.last + 1 do
    local entry = self.written[slot]
    if entry then
      run[#run + 1] = entry
    elseif #run > 0 then
      writeBytes(self.place, HEADER_BYTES + (slot - #run) * ENTRY_BYTES, table.concat(run))
      run = {}
    end
  end
  writeBytes(self.place, 0, self:header())
end

function Log:mayEndApart()
  return not self.beyond and self.total <= MOST_UNITS
end

function Log:newest()
  return self.newestStored + self.bias
end

function Log:time(i)
  return self:timeStored(i) + self.bias
end

function Log:firstAfter(moment)
  local bound = moment - self.bias
  if self.newestStored <= bound then
    return self.size
  end
  local low, step = 0, 1
  while low + step < self.size and self:timeStored(low + step - 1) <= bound do
    low = low + step
    step = step * 2
  end
  local high = math.min(low + step, self.size) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if self:timeStored(middle) <= bound then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

function Log:unitsFrom(i)
  return i == self.size and 0 or self.total - self:unitsBetween(0, i)
end

function Log:reaching(i, units)
  local low, step = i, 1
  while low + step < self.size and self:unitsBetween(i, low + step) < units do
    low = low + step
    step = step * 2
  end
  local high = math.min(low + step, self.size) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if self:unitsBetween(i, middle + 1) < units then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- Times are stored less the shifts of the log. A clock that was set back by centuries and goes on would take them out of the
-- range in which a number of Lua is exact; Java has no such bound. Comes before any put.
function Log:rebase(moment)
  if moment - self.bias > MAX_COUNT then
    for i = 0, self.size - 1 do
      self:put(i, self:timeStored(i) + self.bias, self:sumBefore(i))
    end
    self.newestStored = self.newestStored + self.bias
    self.bias = 0
  end
end

function Log:append(moment, units, limit, apart)
  self:rebase(moment)
  local stored = moment - self.bias
  local most = apart and limit + 1 or limit
  if self.size == 0 then
    self:ensureRoom(most)
    self.head = 0
    self.total = 0
    self.size = 1
    self:put(0, stored, 0)
  elseif stored > self.newestStored or apart then
    local sum = self:sumBefore(0) + self.total
    self:ensureRoom(most)
    self.size = self.size + 1
    self:put(self.size - 1, stored, sum)
  end
  self.newestStored = stored
  self.beyond = apart
  self.total = math.min(self.total + units, MAX_COUNT)
end

function Log:absorb(moment, units)
  self:rebase(moment)
  self.newestStored = moment - self.bias
  self:put(self.size - 1, self.newestStored, self:sumBefore(self.size - 1))
  self.total = math.min(self.total + units, MAX_COUNT)
end

function Log:shift(micros)
  self.bias = self.bias + micros
end

function Log:dropOldest(n)
  self.total = self.total - self:unitsBetween(0, n)
  self.head = self:slot(n)
  self.size = self.size - n
end

function Log:removeNewest(units)
  self.total = self.total - math.min(units, self.total)
  if self.total == 0 then
    self.size = 0
    self.beyond = false
  else
    local last = self:reaching(0, self.total)
    self.beyond = self.beyond and last == self.size - 1
    self.newestStored = self:timeStored(last)
    self.size = last + 1
  end
end

function Log:removeAt(moment, last, units)
  local i = last and self:firstAfter(moment) - 1 or self:firstAfter(moment - 1)
  if i < 0 or i == self.size or self:time(i) ~= moment then
    return
  end
  local held = i == self.size - 1 and self:unitsFrom(i) or self:unitsBetween(i, i + 1)
  local taken = math.min(units, held)
  local later = self.size - i <= i
  local from = later and i + 1 or 0
  local to = later and self.size or i + 1
  for j = from, to - 1 do
    self:put(j, self:timeStored(j), self:sumBefore(j) + (later and -taken or taken))
  end
  self.total = self.total - taken
  if taken == held then
    self:remove(i, later)
  end
end

function Log:remove(i, later)
  if i == self.size - 1 then
    self.newestStored = self.size > 1 and self:timeStored(self.size - 2) or self.newestStored
    self.beyond = false
  elseif later then
    for j = i + 1, self.size - 1 do
      self:put(j - 1, self:timeStored(j), self:sumBefore(j))
    end
  else
    for j = i, 1, -1 do
      self:put(j, self:timeStored(j - 1), self:sumBefore(j - 1))
    end
    self.head = self:slot(1)
  end
  self.size = self.size - 1
end

function Log:unitsBetween(from, to)
  return (self:sumBefore(to) - self:sumBefore(from)) % SUMS
end

function Log:sumBefore(i)
  local _, sum = self:entry(i)
  return sum
end

function Log:timeStored(i)
  local time = self:entry(i)
  return time
end

-- Entries are fetched by the page: who looks at one will look at its neighbours.
function Log:entry(i)
  local slot = self:slot(i)
  local written = self.written[slot]
  if written then
    return struct.unpack(ENTRY, written)
  end
  local number = math.floor(slot / PAGE)
  local page = self.pages[number]
  if not page then
    page = readBytes(self.place, HEADER_BYTES + number * PAGE * ENTRY_BYTES, PAGE * ENTRY_BYTES)
    self.pages[number] = page
  end
  return struct.unpack(ENTRY, page, 1 + (slot - number * PAGE) * ENTRY_BYTES)
end

-- Kept until the log is saved.
function Log:put(i, time, sum)
  local slot = self:slot(i)
  self.written[slot] = struct.pack(ENTRY, time, sum % SUMS)
  self.first = self.last < 0 and slot or math.min(self.first, slot)
  self.last = math.max(self.last, slot)
end

function Log:slot(i)
  local slot = self.head + i
  return slot < self.room and slot or slot - self.room
end

function Log:ensureRoom(most)
  if self.size == self.room then
    local grown = math.min(most, math.max(SMALLEST, self.size + math.floor(self.size / 2)))
    self:resize(math.max(grown, self.size + 1))
  end
end

-- Writes the whole string anew: grown in place, the server would set aside twice what is needed. What was put is saved first.
function Log:resize(room)
  if self.last >= 0 then
    self:save()
    self.written, self.first, self.last = {}, 0, -1
  end
  local ring = readBytes(self.place, HEADER_BYTES, self.room * ENTRY_BYTES)
  local cut = self.head * ENTRY_BYTES
  local pad = string.rep('\0', (room - self.room) * ENTRY_BYTES)
  replaceBytes(self.place, self:header() .. string.sub(ring, cut + 1) .. string.sub(ring, 1, cut) .. pad)
  self.pages = {}
  self.room = room
  self.head = 0
end
