-- Lists and bumps of accounts picked at random, by a thread for each server.
--   LOAD_PORTS     where the servers listen
--   LOAD_SHARES    how many shares the accounts are in: 1, or as many as threads, each of which has one
--   LOAD_ACCOUNTS  a file with a line for each account: its token, then its goals' ids
--   LOAD_BUMPS     how many of a hundred requests send bumps; the others ask for the list
--   LOAD_EDITS     how many bumps a request sends
--   LOAD_UUID      the version of the edits' ids: 4 or 7
--   LOAD_LOOKS     not 0: every answer has to tell of so many goals, or of as many applied edits as were sent

local ffi = require("ffi")
local requests = require("requests")
local uuid = require("uuid")

local accounts
local bumps = tonumber(os.getenv("LOAD_BUMPS"))
local edits = tonumber(os.getenv("LOAD_EDITS"))
-- How many requests with bumps were made; wrk reads it from this thread at the end.
sent = 0
local write_id = os.getenv("LOAD_UUID") == "7" and uuid.write7 or uuid.write4

function init()
  accounts = {}
  local shares, number = tonumber(os.getenv("LOAD_SHARES")), 0
  for line in io.lines(os.getenv("LOAD_ACCOUNTS")) do
    if number % shares == place % shares then accounts[#accounts + 1] = requests.account(line, edits) end
    number = number + 1
  end
end

function request()
  local account = accounts[1]
  if #accounts > 1 then account = accounts[1 + uuid.random() % #accounts] end
  if bumps < 100 and uuid.random() % 100 >= bumps then return account.list end
  sent = sent + 1
  local batch = account.batch
  for place = 0, edits - 1 do
    local at = batch.bytes + batch.first + place * batch.stride
    write_id(at + batch.id)
    ffi.copy(at + batch.goal, account.goals[1 + uuid.random() % #account.goals], 36)
  end
  return ffi.string(batch.bytes, batch.count)
end

local goals = tonumber(os.getenv("LOAD_LOOKS"))
wrong = 0

-- wrk takes each answer apart where a script has this function.
if goals > 0 then
  function response(status, _, body)
    local _, applied = body:gsub('"applied"', "")
    local _, titles = body:gsub('"title"', "")
    if status ~= 200 or (applied ~= edits and titles ~= goals) then wrong = wrong + 1 end
  end
end

setup, done = requests.setup, requests.report
