-- Every account's list, one account after the other; after the last one, the first one's again.
--   LOAD_ACCOUNTS  as for load.lua

local requests = require("requests")
local accounts, place = {}, 0

function init()
  for line in io.lines(os.getenv("LOAD_ACCOUNTS")) do
    accounts[#accounts + 1] = requests.list(line:match("%S+"))
  end
end

function request()
  place = place + 1
  return accounts[place] or accounts[1]
end

done = requests.report
