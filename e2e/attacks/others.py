"""Other clients, who ask on and on from another address while something is done to the service, and have to notice nothing."""

import http.client
import threading
import time

from check import check, check_none

P99_SECONDS_MAX = 0.1


class Others:
    """For the length of a `with`. One client in four takes a new connection for each request."""

    def __init__(self, service, token, clients=4, pause=0.01):
        self.service, self.token, self.pause = service, token, pause
        self.over, self.seconds, self.problems = threading.Event(), [], []
        self.threads = [threading.Thread(target=self.ask, args=(at % 4 == 3,), daemon=True) for at in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ask(self, anew):
        there = None
        while not self.over.is_set():
            began = time.monotonic()
            try:
                if there is None:
                    there = http.client.HTTPConnection(
                        "127.0.0.1", self.service.port, timeout=10, source_address=("127.0.0.2", 0))
                there.request("GET", "/api/v1/me", headers={"Authorization": f"Bearer {self.token}"})
                answer = there.getresponse()
                answer.read()
                if answer.status != 200:
                    self.problems.append(f"{answer.status} after {time.monotonic() - began:.2f} s")
            except (OSError, http.client.HTTPException) as error:
                self.problems.append(f"{error!r} after {time.monotonic() - began:.2f} s")
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
        check(self.p99() < P99_SECONDS_MAX, f"other clients' p99 is {self.p99() * 1000:.0f} ms")
        return f"others: {len(self.seconds)} requests, p99 {self.p99() * 1000:.1f} ms"
