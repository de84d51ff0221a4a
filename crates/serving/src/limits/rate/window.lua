-- One client's admitted requests, oldest first, each as its microsecond: by Redis' own clock, whatever those of the nodes say.
local requests_max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
-- A clock that is set back a little must not put requests out of order.
local now = math.max(time[1] * 1000000 + time[2], tonumber(redis.call('LINDEX', KEYS[1], -1) or 0))
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and now - oldest >= window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local wait = (oldest or now) + window - now
local count = redis.call('LLEN', KEYS[1])
if count >= requests_max then
  return {0, 0, wait}
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return {1, requests_max - count - 1, wait}
