"""One address before two servers: each request goes to both in the same bytes, and both have to answer alike."""

import re
import socket
import threading
from collections import Counter
from typing import NamedTuple
from urllib.parse import urlsplit

ANSWER_SECONDS_MAX = 20
DIFFERENCES_KEPT = 20
DIFFERENCE_CHARS_MAX = 2_000
COMPARED = "/api/"

# Of the moment rather than of the answer: the clock, and how many seconds of a minute are left. That they are there is compared.
PASSING = {"date": r".*", "retry-after": r".*", "ratelimit": r";t=\d+"}


class Message(NamedTuple):
    head: bytes
    body: bytes

    def first_line(self):
        return self.head.split(b"\r\n", 1)[0].decode("latin-1")

    def fields(self):
        """In their order, names in lower case, without what passes."""
        lines = self.head.decode("latin-1").split("\r\n")[1:-2]
        pairs = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        return [(name, re.sub(PASSING[name], "", value) if name in PASSING else value) for name, value in pairs]

    def field(self, wanted):
        return next((value for name, value in self.fields() if name == wanted), None)


class Mirror:
    """For the length of a `with`. It listens before it knows the servers, so that they can be told its address as their own."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.lock, self.servers = threading.Lock(), []
        self.requests, self.different, self.differences, self.statuses = 0, 0, [], Counter()

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def stand_before(self, *urls):
        self.servers = [(urlsplit(url).hostname, urlsplit(url).port) for url in urls]

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        behind = [Behind(address) for address in self.servers]
        try:
            incoming = client.makefile("rb")
            while request := read(incoming):
                answers = [server.ask(request) for server in behind]
                self.note(request, answers)
                client.sendall(answers[0].head + answers[0].body)
                if (answers[0].field("connection") or "").lower() == "close":
                    return
        except OSError as error:
            self.differ(f"an answer is missing: {error}")
        finally:
            client.close()
            for server in behind:
                server.close()

    def note(self, request, answers):
        """A page has a number of its own in each answer, and is no part of what is described."""
        first, second = answers
        if not request.first_line().split(" ")[1].startswith(COMPARED):
            return
        with self.lock:
            self.requests += 1
            self.statuses[first.first_line().split(" ")[1]] += 1
        told = [f"{name}: {one!r} and {other!r}" for name, one, other in [
            ("status", first.first_line(), second.first_line()), ("fields", first.fields(), second.fields()),
            ("body", first.body[:500], second.body[:500])] if one != other]
        if told or first.body != second.body:
            self.differ(f"{request.first_line()}: {'; '.join(told) or 'the bodies, behind their beginning'}")

    def differ(self, told):
        with self.lock:
            self.different += 1
            self.differences = [*self.differences, told[:DIFFERENCE_CHARS_MAX]][:DIFFERENCES_KEPT]


class Behind:
    """A connection to one of the servers, made anew when it has ended."""

    def __init__(self, address):
        self.address, self.socket = address, None

    def ask(self, request):
        method = request.first_line().split(" ", 1)[0]
        for last in (False, True):
            fresh = self.socket is None
            if fresh:
                self.socket = socket.create_connection(self.address, ANSWER_SECONDS_MAX)
                self.incoming = self.socket.makefile("rb")
            try:
                self.socket.sendall(request.head + request.body)
                answer = read(self.incoming, method)
            except (BrokenPipeError, ConnectionResetError):
                answer = None
            if answer is None or (answer.field("connection") or "").lower() == "close":
                self.close()
            if answer is not None:
                return answer
            if fresh or last:
                raise OSError(f"{request.first_line()} was not answered by {self.address}")

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


def read(incoming, asked_by=None):
    """The next request or, of a method, the answer; none at the end of a connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = incoming.readline(1 << 20)
        if not line:
            return None
        head += line
    message = Message(head, b"")
    status = message.first_line().split(" ")[1] if asked_by else ""
    if asked_by == "HEAD" or status in ("204", "304"):
        return message
    if message.field("transfer-encoding"):
        raise OSError(f"a body in chunks, which nothing here sends: {message.first_line()}")
    return Message(head, incoming.read(int(message.field("content-length") or 0)))
