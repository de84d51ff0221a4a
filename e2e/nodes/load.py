"""Clients that ask on and on, each in a thread of its own, while something is done to the service."""

import itertools
import threading
import time

from client import Client

PROBLEMS_MAX = 1_000


class Load:
    """For the length of a `with`. Each client goes through `requests`, pairs of a path and a token, at one of the ports; an
    answer about which `judge` has something to say is a problem. `answers` are all of them, without their bodies, in no order."""

    def __init__(self, ports, requests, judge, clients=1, pause=0.0):
        self.judge, self.pause, self.over = judge, pause, threading.Event()
        self.answers, self.problems = [], []
        turned = lambda at: requests[at % len(requests):] + requests[:at % len(requests)]
        self.threads = [
            threading.Thread(target=self.ask, args=(port, turned(at)), daemon=True) for port in ports for at in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ask(self, port, requests):
        client = Client(port)
        for path, token in itertools.cycle(requests):
            if self.over.is_set():
                break
            self.keep(port, client.get(path, token))
            if self.pause:
                time.sleep(self.pause)
        client.close()

    def keep(self, port, answer):
        problem = self.judge(answer)
        if problem and len(self.problems) < PROBLEMS_MAX:
            self.problems.append(f"port {port}, {problem}")
        self.answers.append((port, answer._replace(body=answer.body[:200])))

    def between(self, begin, end):
        """What was both asked and answered then."""
        return [answer for _, answer in list(self.answers) if answer.began >= begin and answer.ended <= end]

    def since(self, begin):
        return [answer for _, answer in list(self.answers) if answer.began >= begin]

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(30)


class Expected:
    """The answers to a token's requests, as one node gave them before anything was done."""

    def __init__(self, port, paths, token):
        client = Client(port)
        self.answers = {path: client.get(path, token) for path in paths}
        client.close()
        for answer in self.answers.values():
            if answer.status != 200 or not answer.etag:
                raise RuntimeError(f"no answer to compare with: {answer.told()}")

    def differs(self, answer):
        """None when the answer is the one known, to the byte."""
        known = self.answers[answer.path]
        if answer.status != 200:
            return f"not the answer: {answer.told()}"
        if answer.body != known.body:
            return f"{answer.path}: another body: {answer.body[:200]!r}, expected {known.body[:200]!r}"
        if answer.etag != known.etag:
            return f"{answer.path}: the ETag {answer.etag} is not {known.etag}"
        return None
