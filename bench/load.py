"""wrk against one server: 64 keep-alive connections, what they got, and the CPU time that the server took for it."""
import dataclasses
import json
import pathlib
import socket
import subprocess

from started import find

CONNECTIONS, THREADS = 64, 2
SCRIPT = pathlib.Path(__file__).with_name("load.lua")


@dataclasses.dataclass
class Side:
    """A server in a comparison: what it is asked, and what it is meant to answer."""
    name: str
    address: str
    meters: callable
    path: str
    headers: dict
    expected: int
    body: bytes = None
    # A file of headers, a request on each line.
    lines: pathlib.Path = None
    # Whether answers differ in length, so that bytes say nothing about statuses.
    uneven: bool = False
    seconds_max: int = None


@dataclasses.dataclass
class Run:
    """CPU µs a request of the server and of PostgreSQL behind it; requests a second; latencies in µs."""
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
    """Asks once by hand, then with wrk; ends the whole measurement if any answer was not the one that was meant."""
    size, seconds = check(side), min(seconds, side.seconds_max or seconds)
    options = [word for name, value in side.headers.items() for word in ("-H", f"{name}: {value}")]
    command = [find("wrk"), f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", SCRIPT, *options,
               f"http://{side.address}{side.path}", *(["--", side.lines] if side.lines else [])]
    own, database = side.meters()
    done = subprocess.run(command, capture_output=True, text=True)
    own, database = own.used(), database.used() if database else None
    if "DONE" not in done.stdout:
        raise SystemExit(f"wrk failed against {side.name}: {done.stdout[-500:]} {done.stderr[-500:]}")
    told = json.loads(done.stdout.rsplit("DONE", 1)[1])
    count = told["requests"]
    verify(side, told, size)
    check(side)
    return Run(own / count, database / count if database is not None else None, count / told["seconds"], told["p50"], told["p99"], count)


def verify(side, told, size):
    refused = told["requests"] if side.expected >= 400 else 0
    if told["refused"] != refused or told["broken"] or not told["requests"]:
        raise SystemExit(f"{side.name}, {side.path}: not all of {told['requests']} answers were {side.expected}: {told}")
    # wrk tells no single statuses below 400: their bytes give another one away. What is under way at the end is read in part.
    if not side.uneven and abs(told["bytes"] - told["requests"] * size) > CONNECTIONS * (size + 1):
        raise SystemExit(f"{side.name}, {side.path}: {told['bytes']:,} bytes for {told['requests']:,} answers of {size} bytes: some were others")


def check(side):
    """One answer, which must be the one that is meant; returns its length in bytes, head included."""
    headers = dict(side.headers)
    if side.lines:
        with open(side.lines) as file:
            headers |= dict(field.split(": ", 1) for field in file.readline().strip().split("\t"))
    with Connection(side.address) as connection:
        status, _, body, size = connection.ask(side.path, headers)
    if status != side.expected or side.body is not None and body != side.body:
        raise SystemExit(f"{side.name}, {side.path}: {status} and {len(body)} bytes where {side.expected} was meant: {body[:300]}")
    return size


class Connection:
    """HTTP/1.1 by hand: the bytes of an answer are counted, and requests are sent before earlier ones are answered."""

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
        """Status, headers in small letters, body, and the length of it all."""
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


class Lines:
    """Some connections that are kept, on each of which one request is under way at a time."""

    def __init__(self, address, count):
        self.connections = [Connection(address) for _ in range(count)]

    def ask(self, requests, expected=200):
        """Paths and headers, a turn of all connections after the other. Headers and body of each answer, in order."""
        answers, count = [], len(self.connections)
        for at in range(0, len(requests), count):
            turn = list(zip(self.connections, requests[at:at + count]))
            for connection, (path, headers) in turn:
                connection.send(path, headers)
            for connection, (path, _) in turn:
                status, headers, body, _ = connection.receive()
                if status != expected:
                    raise SystemExit(f"{path} answered {status} instead of {expected}: {body[:300]}")
                answers.append((headers, body))
        return answers

    def close(self):
        for connection in self.connections:
            connection.socket.close()


def burst(address, requests, connections=16):
    """The same on connections of the moment."""
    lines = Lines(address, min(connections, len(requests)))
    answers = lines.ask(requests)
    lines.close()
    return answers
