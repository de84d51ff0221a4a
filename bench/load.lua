-- Makes wrk send different requests, and print a summary at the end.
-- Argument: a file with the headers of one request per line, separated by tabs. Without it all requests are the same.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(arguments)
  if not arguments[1] then return end
  local requests, lines, next_one = {}, 0, 0
  for line in io.lines(arguments[1]) do
    lines = lines + 1
    if lines % 2 == number then
      local headers = {}
      for name, value in pairs(wrk.headers) do headers[name] = value end
      for name, value in line:gmatch("([^:\t]+): ([^\t]+)") do headers[name] = value end
      requests[#requests + 1] = wrk.format(nil, nil, headers)
    end
  end
  -- Defined only if needed: without this function wrk sends the same bytes repeatedly, which costs it less.
  function request()
    next_one = next_one % #requests + 1
    return requests[next_one]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\nDONE {"requests":%d,"bytes":%d,"seconds":%.6f,"refused":%d,"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration / 1e6, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
