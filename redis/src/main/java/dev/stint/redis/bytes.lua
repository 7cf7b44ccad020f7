-- How a log's bytes are read and written in Redis. A first write comes with a TTL, whatever may follow.
local function readBytes(place, at, bytes)
  return redis.call('GETRANGE', place.key, at, at + bytes - 1)
end

local function writeBytes(place, at, bytes)
  redis.call('SETRANGE', place.key, at, bytes)
end

local function replaceBytes(place, bytes)
  redis.call('SET', place.key, bytes, place.word, place.time)
end
