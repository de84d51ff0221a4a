"""An HTTP client on one keep-alive connection, and its responses."""

import http.client
import json
import time
from typing import NamedTuple

ANSWER_SECONDS_MAX = 15


class Answer(NamedTuple):
    path: str
    began: float
    ended: float
    # 0 if there was no response; `body` then says why.
    status: int
    headers: dict
    body: bytes

    @property
    def seconds(self):
        return self.ended - self.began

    @property
    def etag(self):
        return self.headers.get("etag")

    def describe(self):
        return f"{self.path}: {self.status} after {self.seconds:.2f} s, {self.body[:200]!r}"

    def unavailable_problem(self):
        """None for a well-formed 503, otherwise what is wrong with it."""
        if self.status != 503:
            return f"not a 503: {self.describe()}"
        try:
            error = json.loads(self.body)["error"]
            well_formed = error["code"] == "unavailable" and isinstance(error["message"], str) and set(error) == {"code", "message"}
        except (ValueError, KeyError, TypeError):
            well_formed = False
        if not well_formed or self.headers.get("content-type") != "application/json":
            return f"a 503 in the wrong format: {self.headers.get('content-type')} {self.describe()}"
        if not self.headers.get("retry-after", "").isdigit():
            return f"a 503 without Retry-After: {self.describe()}"
        return None


class Client:
    def __init__(self, port, seconds_max=ANSWER_SECONDS_MAX, address=None):
        """`address` is the client's own, such as 127.0.0.3."""
        self.port, self.seconds_max, self.address, self.connection, self.asked = port, seconds_max, address, None, 0

    def get(self, path, token=None, **headers):
        return self.ask("GET", path, token, headers)

    def ask(self, method, path, token=None, headers=None, body=None):
        headers = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        began = time.monotonic()
        self.asked += 1
        try:
            if self.connection is None:
                source = (self.address, 0) if self.address else None
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.seconds_max, source_address=source)
            self.connection.request(method, path, body=body, headers=headers)
            response = self.connection.getresponse()
            got = response.read()
            fields = {name.lower(): value for name, value in response.getheaders()}
            fields["set-cookie"] = response.headers.get_all("set-cookie") or []
            return Answer(path, began, time.monotonic(), response.status, fields, got)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return Answer(path, began, time.monotonic(), 0, {}, repr(error).encode())

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None
