-- Fresh UUIDs, written as text into a buffer. Each thread of wrk seeds its own generator with 16 bytes
-- of the system's randomness, so no two of them, and no two runs, make the same ids.

local bit = require("bit")
local ffi = require("ffi")
local band, bor, bxor = bit.band, bit.bor, bit.bxor
local lshift, rshift = bit.lshift, bit.rshift

ffi.cdef [[
typedef struct { long seconds; long nanoseconds; } bench_time;
int clock_gettime(int clock, bench_time *time);
]]

-- The two digits of every byte, as they lie in memory.
local digits = ffi.new("uint16_t[256]")
for byte = 0, 255 do
  local text = string.format("%02x", byte)
  digits[byte] = text:byte(1) + 256 * text:byte(2)
end

local x, y, z, w
do
  local file = assert(io.open("/dev/urandom", "rb"))
  local seed = ffi.new("int32_t[4]")
  ffi.copy(seed, file:read(16), 16)
  file:close()
  x, y, z, w = seed[0], seed[1], seed[2], bor(seed[3], 1)
end

-- Xorshift (Marsaglia 2003), 128 bits of state: 32 random bits.
local function random()
  local t = bxor(x, lshift(x, 11))
  x, y, z = y, z, w
  w = bxor(w, rshift(w, 19), t, rshift(t, 8))
  return w
end

local function put(at, word, first, second, third, fourth)
  ffi.cast("uint16_t *", at + first)[0] = digits[rshift(word, 24)]
  ffi.cast("uint16_t *", at + second)[0] = digits[band(rshift(word, 16), 255)]
  ffi.cast("uint16_t *", at + third)[0] = digits[band(rshift(word, 8), 255)]
  ffi.cast("uint16_t *", at + fourth)[0] = digits[band(word, 255)]
end

local function write(at, a, b, c, d)
  put(at, a, 0, 2, 4, 6)
  put(at, b, 9, 11, 14, 16)
  put(at, c, 19, 21, 24, 26)
  put(at, d, 28, 30, 32, 34)
end

local uuid = { random = random }

-- UUIDv4: 122 random bits.
function uuid.write4(at)
  write(at, random(), bor(band(random(), 0xffff0fff), 0x4000),
    bor(band(random(), 0x3fffffff), 0x80000000), random())
end

local clock = ffi.new("bench_time")
local last, counter = 0, 0

-- UUIDv7: the milliseconds of now, a counter within each, and 62 random bits.
function uuid.write7(at)
  ffi.C.clock_gettime(0, clock)
  local now = tonumber(clock.seconds) * 1000 + math.floor(tonumber(clock.nanoseconds) / 1e6)
  if now > last then
    last, counter = now, 0
  else
    counter = counter + 1
    if counter > 0xfff then last, counter = last + 1, 0 end
  end
  local high = math.floor(last / 65536)
  write(at, bit.tobit(high), bor(lshift(last % 65536, 16), 0x7000, counter),
    bor(band(random(), 0x3fffffff), 0x80000000), random())
end

return uuid
