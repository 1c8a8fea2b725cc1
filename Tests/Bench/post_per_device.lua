-- Posts as one device after another, so that no device has two requests at the
-- same time: Foyer would join them.
local devices, target = {}, os.getenv("BENCH_TARGET")
for line in io.lines(os.getenv("BENCH_DEVICES")) do
  devices[#devices + 1] = line
end
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
local at
function request()
  if not at then at = number * math.floor(#devices / 2) end
  at = at % #devices + 1
  return wrk.format("POST", target, {
    ["Authorization"] = "Bearer " .. os.getenv("BENCH_KEY"),
    ["X-Foyer-Device"] = devices[at],
    ["Content-Type"] = "application/x-www-form-urlencoded",
  }, "")
end
