"""Clients that keep sending requests, each in its own thread, while a test disturbs the service."""

import itertools
import threading
import time

from client import Client

PROBLEMS_MAX = 1_000


class Load:
    """Context manager. Each client cycles through `requests`, pairs of path and token, at one of the ports. `judge` returns a
    problem with a response, or None. `answers` has all responses, bodies truncated, in no particular order."""

    def __init__(self, ports, requests, judge, clients=1, pause=0.0):
        self.judge, self.pause, self.stopped = judge, pause, threading.Event()
        self.answers, self.problems = [], []
        rotated = lambda at: requests[at % len(requests):] + requests[:at % len(requests)]
        self.threads = [
            threading.Thread(target=self.ask, args=(port, rotated(at)), daemon=True) for port in ports for at in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ask(self, port, requests):
        client = Client(port)
        for path, token in itertools.cycle(requests):
            if self.stopped.is_set():
                break
            self.record(port, client.get(path, token))
            if self.pause:
                time.sleep(self.pause)
        client.close()

    def record(self, port, answer):
        problem = self.judge(answer)
        if problem and len(self.problems) < PROBLEMS_MAX:
            self.problems.append(f"port {port}, {problem}")
        self.answers.append((port, answer._replace(body=answer.body[:200])))

    def between(self, begin, end):
        """Responses to requests that started and ended in this period."""
        return [answer for _, answer in list(self.answers) if answer.began >= begin and answer.ended <= end]

    def since(self, begin):
        return [answer for _, answer in list(self.answers) if answer.began >= begin]

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join(30)


class Expected:
    """The expected responses to a token's requests, as one node gave them before any disturbance."""

    def __init__(self, port, paths, token):
        client = Client(port)
        self.answers = {path: client.get(path, token) for path in paths}
        client.close()
        for answer in self.answers.values():
            if answer.status != 200 or not answer.etag:
                raise RuntimeError(f"no response to compare with: {answer.describe()}")

    def difference(self, answer):
        """None if the response is identical to the expected one, byte for byte."""
        expected = self.answers[answer.path]
        if answer.status != 200:
            return f"not a 200: {answer.describe()}"
        if answer.body != expected.body:
            return f"{answer.path}: body {answer.body[:200]!r}, expected {expected.body[:200]!r}"
        if answer.etag != expected.etag:
            return f"{answer.path}: ETag {answer.etag}, expected {expected.etag}"
        return None
