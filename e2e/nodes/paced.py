"""Requests at a fixed rate, each at its scheduled time, whether or not earlier ones were answered."""

import itertools
import threading
import time

from client import Client
from load import Load

CLIENTS = 48


class Paced(Load):
    """Context manager: sends `rate` requests per second. Any free client sends the next one; `late` is the longest that a request
    had to wait for a free client."""

    def __init__(self, port, requests, judge, rate):
        super().__init__([port], requests, judge, CLIENTS)
        self.rate, self.numbers, self.late, self.lock = rate, itertools.count(), 0.0, threading.Lock()

    def __enter__(self):
        self.began = time.monotonic()
        return super().__enter__()

    def ask(self, port, requests):
        client = Client(port)
        while not self.stopped.is_set():
            with self.lock:
                number = next(self.numbers)
            wait = self.began + number / self.rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.late = max(self.late, -wait)
            self.record(port, client.get(*requests[number % len(requests)]))
        client.close()

    def __exit__(self, *_):
        # Measured before the clients finish their last requests.
        self.seconds = time.monotonic() - self.began
        super().__exit__()

    def rate_reached(self):
        """Responses per second over the whole run."""
        return len(self.answers) / self.seconds

    def figures(self):
        times = sorted(answer.seconds for _, answer in self.answers)
        slow = times[int(len(times) * 0.999)]
        return (f"{len(times)} requests in {self.seconds:.1f} s, {self.rate_reached():.0f} per second, none failed; p99.9 "
                f"{slow * 1000:.0f} ms, the slowest {times[-1] * 1000:.0f} ms")
