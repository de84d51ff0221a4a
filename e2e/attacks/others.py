"""Other clients, who ask on and on from another address while something is done to the service, and have to notice nothing."""

import contextlib
import http.client
import itertools
import threading
import time

from check import check, check_none

P99_SECONDS_MAX = 0.1
# On a machine that has much else to do everybody waits: at most so many times as long as at a service that nobody attacks.
TIMES_MAX = 3


@contextlib.contextmanager
def watched(world, service):
    """Others at a service that is attacked, beside those at one that is not."""
    with world.service() as calm, Others(calm, world.token) as unharmed, Others(service, world.token) as others:
        others.unharmed = unharmed
        yield others


class Others:
    """For the length of a `with`. One client in four takes a new connection for each request."""

    def __init__(self, service, token, clients=4, pause=0.01, paths=("/api/v1/me",), cookie=""):
        """Paths of the API are asked for with the token, pages with the cookie."""
        self.service, self.token, self.pause, self.paths, self.cookie = service, token, pause, paths, cookie
        self.over, self.seconds, self.problems = threading.Event(), [], []
        self.threads = [threading.Thread(target=self.ask, args=(at % 4 == 3,), daemon=True) for at in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ask(self, anew):
        there = None
        for path in itertools.cycle(self.paths):
            if self.over.is_set():
                return
            headers = {"Authorization": f"Bearer {self.token}"} if path.startswith("/api/") else {"Cookie": self.cookie}
            began = time.monotonic()
            try:
                if there is None:
                    there = http.client.HTTPConnection(
                        "127.0.0.1", self.service.port, timeout=10, source_address=("127.0.0.2", 0))
                there.request("GET", path, headers=headers)
                answer = there.getresponse()
                answer.read()
                if answer.status != 200:
                    self.problems.append(f"{path}: {answer.status} after {time.monotonic() - began:.2f} s")
            except (OSError, http.client.HTTPException) as error:
                self.problems.append(f"{path}: {error!r} after {time.monotonic() - began:.2f} s")
                there = None
            self.seconds.append(time.monotonic() - began)
            if anew and there is not None:
                there.close()
                there = None
            time.sleep(self.pause)

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(15)

    def p99(self):
        return sorted(self.seconds)[int(len(self.seconds) * 0.99)]

    def check(self):
        """Returns the figures."""
        check_none(self.problems, "a request of another client that failed")
        check(len(self.seconds) >= 100, f"only {len(self.seconds)} requests of other clients")
        usual = self.unharmed.p99()
        told = f"p99 {self.p99() * 1000:.1f} ms (of a service that nobody attacks {usual * 1000:.1f} ms)"
        check(self.p99() < max(P99_SECONDS_MAX, TIMES_MAX * usual), f"other clients' {told}")
        return f"others: {len(self.seconds)} requests, {told}"
