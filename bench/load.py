"""Runs wrk against one server: 64 keep-alive connections, their results, and the server's CPU time."""
import dataclasses
import json
import pathlib
import socket
import subprocess

from environment import find

CONNECTIONS, THREADS = 64, 2
SCRIPT = pathlib.Path(__file__).with_name("load.lua")


@dataclasses.dataclass
class Side:
    """A server in a comparison: its requests, and the expected responses."""
    name: str
    address: str
    meters: callable
    path: str
    headers: dict
    expected: int
    body: bytes = None
    # A file with the headers of one request per line.
    lines: pathlib.Path = None
    # Whether responses differ in length, so that bytes say nothing about statuses.
    uneven: bool = False
    seconds_max: int = None


@dataclasses.dataclass
class Run:
    """CPU µs per request of the server and of its PostgreSQL; requests per second; latencies in µs."""
    own: float
    database: float
    rate: float
    p50: float
    p99: float
    requests: int

    @property
    def cpu(self):
        return self.own + (self.database or 0)


def run(side, seconds):
    """Sends one request directly, then many with wrk; aborts the whole measurement if any response was unexpected."""
    size, seconds = check(side), min(seconds, side.seconds_max or seconds)
    options = [word for name, value in side.headers.items() for word in ("-H", f"{name}: {value}")]
    command = [find("wrk"), f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", SCRIPT, *options,
               f"http://{side.address}{side.path}", *(["--", side.lines] if side.lines else [])]
    own, database = side.meters()
    done = subprocess.run(command, capture_output=True, text=True)
    own, database = own.used(), database.used() if database else None
    if "DONE" not in done.stdout:
        raise SystemExit(f"wrk failed against {side.name}: {done.stdout[-500:]} {done.stderr[-500:]}")
    summary = json.loads(done.stdout.rsplit("DONE", 1)[1])
    count = summary["requests"]
    verify(side, summary, size)
    check(side)
    return Run(own / count, database / count if database is not None else None, count / summary["seconds"], summary["p50"], summary["p99"], count)


def verify(side, summary, size):
    refused = summary["requests"] if side.expected >= 400 else 0
    if summary["refused"] != refused or summary["broken"] or not summary["requests"]:
        raise SystemExit(f"{side.name}, {side.path}: not all of {summary['requests']} responses were {side.expected}: {summary}")
    # wrk does not report statuses below 400, but a different response changes the number of bytes. Requests in flight at the end are read in part.
    if not side.uneven and abs(summary["bytes"] - summary["requests"] * size) > CONNECTIONS * (size + 1):
        raise SystemExit(f"{side.name}, {side.path}: {summary['bytes']:,} bytes for {summary['requests']:,} responses of {size} bytes: some were different")


def check(side):
    """Checks one response; returns its length in bytes, including headers."""
    headers = dict(side.headers)
    if side.lines:
        with open(side.lines) as file:
            headers |= dict(field.split(": ", 1) for field in file.readline().strip().split("\t"))
    with Connection(side.address) as connection:
        status, _, body, size = connection.ask(side.path, headers)
    if status != side.expected or side.body is not None and body != side.body:
        raise SystemExit(f"{side.name}, {side.path}: {status} and {len(body)} bytes, expected {side.expected}: {body[:300]}")
    return size


class Connection:
    """A minimal HTTP/1.1 client that counts the bytes of responses and can send requests before earlier ones are answered."""

    def __init__(self, address):
        self.address = address
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, path, headers):
        self.send(path, headers)
        return self.receive()

    def send(self, path, headers):
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.address}\r\n{fields}\r\n".encode())

    def receive(self):
        """Status, headers with lower-case names, body, and the total length."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        head, body = data.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        status, headers = int(first.split()[1]), {}
        for name, value in (line.split(":", 1) for line in lines):
            headers[name.lower()] = ", ".join([*filter(None, [headers.get(name.lower())]), value.strip()])
        length = 0 if status == 304 else int(headers["content-length"])
        while len(body) < length:
            body += self.more()
        return status, headers, body, len(head) + 4 + len(body)

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise SystemExit(f"{self.address} closed the connection")
        return data


class ConnectionPool:
    """Keep-alive connections with one request in flight on each."""

    def __init__(self, address, count):
        self.connections = [Connection(address) for _ in range(count)]

    def ask(self, requests, expected=200):
        """Sends requests (path and headers) in batches, one per connection; returns headers and body of each response, in order."""
        answers, count = [], len(self.connections)
        for at in range(0, len(requests), count):
            batch = list(zip(self.connections, requests[at:at + count]))
            for connection, (path, headers) in batch:
                connection.send(path, headers)
            for connection, (path, _) in batch:
                status, headers, body, _ = connection.receive()
                if status != expected:
                    raise SystemExit(f"{path} returned {status} instead of {expected}: {body[:300]}")
                answers.append((headers, body))
        return answers

    def close(self):
        for connection in self.connections:
            connection.socket.close()


def burst(address, requests, connections=16):
    """Sends the requests on temporary connections."""
    pool = ConnectionPool(address, min(connections, len(requests)))
    answers = pool.ask(requests)
    pool.close()
    return answers
