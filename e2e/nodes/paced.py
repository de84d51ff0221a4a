"""Requests at a rate, each at its moment, whether those before it were answered or not."""

import itertools
import threading
import time

from client import Client
from load import Load

CLIENTS = 48


class Paced(Load):
    """For the length of a `with`: so many requests a second. Each is asked by whichever client is free at its moment; `late` is how long
    one had to wait at most for want of a client."""

    def __init__(self, port, requests, judge, rate):
        super().__init__([port], requests, judge, CLIENTS)
        self.rate, self.numbers, self.late, self.lock = rate, itertools.count(), 0.0, threading.Lock()

    def __enter__(self):
        self.began = time.monotonic()
        return super().__enter__()

    def ask(self, port, requests):
        client = Client(port)
        while not self.over.is_set():
            with self.lock:
                number = next(self.numbers)
            wait = self.began + number / self.rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.late = max(self.late, -wait)
            self.keep(port, client.get(*requests[number % len(requests)]))
        client.close()

    def __exit__(self, *_):
        # What was to be asked until now.
        self.seconds = time.monotonic() - self.began
        super().__exit__()

    def reached(self):
        """Answers a second, over all of it."""
        return len(self.answers) / self.seconds

    def figures(self):
        times = sorted(answer.seconds for _, answer in self.answers)
        slow = times[int(len(times) * 0.999)]
        return (f"{len(times)} requests in {self.seconds:.1f} s, {self.reached():.0f} a second, none failed; one in a thousand took over "
                f"{slow * 1000:.0f} ms, the slowest {times[-1] * 1000:.0f} ms")
