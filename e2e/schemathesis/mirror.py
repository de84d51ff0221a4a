"""A proxy in front of two servers: it sends every request to both, byte for byte, and both must respond alike."""

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

# Parts of header values that depend on the time and are not compared.
TIME_DEPENDENT = {"date": r".*", "retry-after": r".*", "ratelimit": r";t=\d+"}


class Message(NamedTuple):
    head: bytes
    body: bytes

    def first_line(self):
        return self.head.split(b"\r\n", 1)[0].decode("latin-1")

    def fields(self):
        """The header fields by name, in lower case, without time-dependent values. Only equal names have an order that means anything."""
        lines = self.head.decode("latin-1").split("\r\n")[1:-2]
        pairs = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        pairs.sort(key=lambda pair: pair[0])
        return [(name, re.sub(TIME_DEPENDENT[name], "", value) if name in TIME_DEPENDENT else value) for name, value in pairs]

    def field(self, target):
        return next((value for name, value in self.fields() if name == target), None)


class Mirror:
    """Context manager. It listens before it knows the servers, so that its address can be configured as their base URL."""

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

    def set_servers(self, *urls):
        self.servers = [(urlsplit(url).hostname, urlsplit(url).port) for url in urls]

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        connections = [ServerConnection(address) for address in self.servers]
        try:
            incoming = client.makefile("rb")
            while request := read(incoming):
                answers = [server.ask(request) for server in connections]
                self.compare(request, answers)
                client.sendall(answers[0].head + answers[0].body)
                if (answers[0].field("connection") or "").lower() == "close":
                    return
        except OSError as error:
            self.add_difference(f"a response is missing: {error}")
        finally:
            client.close()
            for server in connections:
                server.close()

    def compare(self, request, answers):
        """Compares API responses only: pages contain random tokens and are not part of the description."""
        first, second = answers
        if not request.first_line().split(" ")[1].startswith(COMPARED):
            return
        with self.lock:
            self.requests += 1
            self.statuses[first.first_line().split(" ")[1]] += 1
        differences = [f"{name}: {one!r} and {other!r}" for name, one, other in [
            ("status", first.first_line(), second.first_line()), ("fields", first.fields(), second.fields()),
            ("body", first.body[:500], second.body[:500])] if one != other]
        if differences or first.body != second.body:
            self.add_difference(f"{request.first_line()}: {'; '.join(differences) or 'the bodies, after their beginning'}")

    def add_difference(self, text):
        with self.lock:
            self.different += 1
            self.differences = [*self.differences, text[:DIFFERENCE_CHARS_MAX]][:DIFFERENCES_KEPT]


class ServerConnection:
    """A connection to one of the servers, reopened when it has ended."""

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
                raise OSError(f"no response from {self.address} to {request.first_line()}")

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


def read(incoming, method=None):
    """The next request or, given its method, the response to it; None at the end of a connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = incoming.readline(1 << 20)
        if not line:
            return None
        head += line
    message = Message(head, b"")
    status = message.first_line().split(" ")[1] if method else ""
    if method == "HEAD" or status in ("204", "304"):
        return message
    if message.field("transfer-encoding"):
        raise OSError(f"unexpected chunked body: {message.first_line()}")
    return Message(head, incoming.read(int(message.field("content-length") or 0)))
