"""Other clients that keep sending requests from another address during an attack and must not notice it."""

import contextlib
import http.client
import itertools
import threading
import time

from check import check, check_none

P99_SECONDS_MAX = 0.1
# On a busy machine everyone is slower: the limit is then this multiple of the p99 at a service that is not under attack.
TIMES_MAX = 3


@contextlib.contextmanager
def others_watched(world, service):
    """Clients of the service under attack, and others of an undisturbed one for comparison."""
    with world.service() as undisturbed, Others(undisturbed, world.token) as baseline, Others(service, world.token) as others:
        others.baseline = baseline
        yield others


class Others:
    """Context manager. One client in four opens a new connection for each request."""

    def __init__(self, service, token, clients=4, pause=0.01, paths=("/api/v1/me",), cookie="", seconds_max=10):
        """API paths are requested with the token, pages with the cookie."""
        self.service, self.token, self.pause, self.paths, self.cookie = service, token, pause, paths, cookie
        self.seconds_max = seconds_max
        self.stopped, self.seconds, self.problems = threading.Event(), [], []
        self.threads = [threading.Thread(target=self.ask, args=(at % 4 == 3,), daemon=True) for at in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ask(self, reconnect):
        connection = None
        for path in itertools.cycle(self.paths):
            if self.stopped.is_set():
                return
            headers = {"Authorization": f"Bearer {self.token}"} if path.startswith("/api/") else {"Cookie": self.cookie}
            began = time.monotonic()
            try:
                if connection is None:
                    connection = http.client.HTTPConnection(
                        "127.0.0.1", self.service.port, timeout=self.seconds_max, source_address=("127.0.0.2", 0))
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.problems.append(f"{path}: {answer.status} after {time.monotonic() - began:.2f} s")
            except (OSError, http.client.HTTPException) as error:
                self.problems.append(f"{path}: {error!r} after {time.monotonic() - began:.2f} s")
                connection = None
            self.seconds.append(time.monotonic() - began)
            if reconnect and connection is not None:
                connection.close()
                connection = None
            time.sleep(self.pause)

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join(15)

    def p99(self):
        return sorted(self.seconds)[int(len(self.seconds) * 0.99)]

    def check(self):
        """Returns the measurements as text."""
        check_none(self.problems, "failed request of another client")
        check(len(self.seconds) >= 100, f"only {len(self.seconds)} requests of other clients")
        baseline = self.baseline.p99()
        latency = f"p99 {self.p99() * 1000:.1f} ms (not under attack: {baseline * 1000:.1f} ms)"
        check(self.p99() < max(P99_SECONDS_MAX, TIMES_MAX * baseline), f"other clients' {latency}")
        return f"others: {len(self.seconds)} requests, {latency}"
