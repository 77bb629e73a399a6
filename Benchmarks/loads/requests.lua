-- The bytes of requests, and what wrk reports at the end. Every server gets the same.

local ffi = require("ffi")

local requests = {}

local function head(line, token, more)
  return line .. " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " .. token .. "\r\n" .. more .. "\r\n"
end

function requests.list(token) return head("GET /v1/goals", token, "") end

-- A request with so many bumps, whose ids and goals are written into it each time it is sent.
local function batch(token, edits)
  local id, type, close = '{"id":"', '","type":"bump","goal":"', '"}'
  local blank = "00000000-0000-0000-0000-000000000000"
  local edit = id .. blank .. type .. blank .. close
  local body = '{"edits":[' .. string.rep(edit .. ",", edits - 1) .. edit .. "]}"
  local fields = "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n"
  local start = head("POST /v1/edits", token, fields)
  local text = start .. body
  local bytes = ffi.new("uint8_t[?]", #text)
  ffi.copy(bytes, text, #text)
  return {
    bytes = bytes, count = #text, first = #start + #'{"edits":[', stride = #edit + 1,
    id = #id, goal = #id + #blank + #type,
  }
end

-- An account of the file: its token, then its goals.
function requests.account(line, edits)
  local token, rest = line:match("(%S+)%s*(.*)")
  local goals = {}
  for goal in rest:gmatch("%S+") do goals[#goals + 1] = goal end
  return { list = requests.list(token), batch = batch(token, edits), goals = goals }
end

local threads = {}

-- For wrk's setup(), which is called in the state that done() is called in. Each thread has a
-- server.
function requests.setup(thread)
  threads[#threads + 1] = thread
  local place = 0
  for port in os.getenv("LOAD_PORTS"):gmatch("%d+") do
    place = place + 1
    if place == #threads then thread.addr = wrk.lookup("127.0.0.1", port)[1] end
  end
  thread:set("place", #threads)
end

-- For wrk's done(): times are in microseconds.
function requests.report(summary, latency)
  local errors, sent, wrong = summary.errors, 0, 0
  for _, thread in ipairs(threads) do sent, wrong = sent + thread:get("sent"), wrong + thread:get("wrong") end
  io.write(string.format(
    'RESULT {"requests": %d, "microseconds": %d, "p50": %d, "p95": %d, "p99": %d, "max": %d, '
      .. '"refused": %d, "broken": %d, "sent": %d, "wrong": %d, "bytes": %d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95),
    latency:percentile(99), latency.max, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, sent, wrong, summary.bytes))
end

return requests
