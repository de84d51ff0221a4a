module call

go 1.23

require example.org/dripline/client v0.0.0

replace example.org/dripline/client => ./client
