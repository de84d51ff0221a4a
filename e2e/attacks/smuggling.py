"""Request smuggling: requests that end in different places for a proxy and for a node. Whatever happens to them, everyone else must
get the response to their own request. Each request searches for a unique word, which the page repeats."""

import random
import re
import threading

from check import check, check_none, test
from raw import connect, read_all, read_response
from world import HOST

WORD = re.compile(rb'name="q" type="search" value="(w[0-9a-f]{16})" maxlength="100"')
THREADS = 6
# The number of kinds that `attacks` yields.
KINDS = 8
QUIET_SECONDS = 0.25
# Spellings that one parser may honour and another may ignore.
CODINGS = [
    "Transfer-Encoding: chunked", "Transfer-Encoding : chunked", "Transfer-Encoding:chunked", "Transfer-Encoding:\tchunked",
    "Transfer-Encoding: \tchunked", "Transfer-Encoding: chunked\t", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunkedx",
    "Transfer-Encoding: identity", "Transfer-Encoding: identity, chunked", "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: \"chunked\"",
    "Transfer-Encoding: chunked;x=y", "Transfer-Encoding: CHUNKED", "tRANSFER-eNCODING: cHuNkEd", "Transfer_Encoding: chunked",
    "Transfer-Encoding: \x0bchunked", "Transfer-Encoding: chunked\x0b", "Transfer-Encoding: \x00chunked", "Transfer-Encoding:\r\n chunked",
    "Transfer-Encoding\r\n : chunked", " Transfer-Encoding: chunked", "X: y\nTransfer-Encoding: chunked", "X: y\rTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding:", "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked",
    "Connection: Content-Length", "Expect: 100-continue\r\nTransfer-Encoding: chunked", "TE: chunked", "Upgrade: h2c"]
LENGTHS = [
    "Content-Length: {}", "Content-Length : {}", "Content-Length:\t{}", "Content-Length: +{}", "Content-Length: 0{}", "Content-Length: {}, {}",
    "Content-Length: {}\r\nContent-Length: 0", "Content-Length: 0\r\nContent-Length: {}", "Content-Length: {};x", "content-length:{}",
    "Content-Length: {}\x0b", "Content_Length: {}", "X: y\nContent-Length: {}", "Content-Length:\r\n {}", "Content-Length: 0x{:x}"]
# The size line of the first chunk, which has 5 bytes.
CHUNKS = [
    "5", "05", "5 ", " 5", "5\t", "0x5", "+5", "5;", "5;a=b", "5;a=\"b\"", "5;a=\"b;c\"", "5 ; a=b", "5;\n", "5;a\nb", "5;a\rb",
    "5;" + "a" * 2_000, "5\n", "5_", "-5", "5,5", "00000000000000000005", "fffffffffffffff5", "5;\x00", "5;a=\"\r\n0\r\n\r\n\""]
LINES = ["GET /search?q={} HTTP/1.1", "POST /sign-in?q={} HTTP/1.1", "GET /assets/app.css?q={} HTTP/1.1", "POST /api/v1/me?q={} HTTP/1.1",
         "HEAD /search?q={} HTTP/1.1", "GET http://" + HOST + "/search?q={} HTTP/1.1", "GET /search?q={} HTTP/1.0", "PUT /mcp?q={} HTTP/1.1"]


def smuggled_request(rng, word):
    """A request inside another, either complete or cut so that it would swallow the start of the next one."""
    whole = f"GET /search?q={word} HTTP/1.1\r\nHost: {HOST}\r\n"
    return rng.choice([whole + "\r\n", whole + "X: ", whole + "Content-Length: 40\r\n\r\n", f"GET /search?q={word} HTTP/1.1\r\nX: "])


def attacks(rng, word, inner):
    """One attack of each kind, as (name, request)."""
    line, coding, length = rng.choice(LINES).format(word), rng.choice(CODINGS), rng.choice(LENGTHS)
    inner = smuggled_request(rng, inner)
    request = lambda fields, body: f"{line}\r\nHost: {HOST}\r\n" + "".join(f"{field}\r\n" for field in fields) + "\r\n" + body
    content_length = lambda count: length.format(*[count] * length.count("{"))
    shuffled = lambda fields: fields if rng.random() < 0.5 else fields[::-1]
    last_chunk = "0\r\n\r\n" + inner
    chunk = f"{len(inner):x}\r\n{inner}\r\n0\r\n\r\n"
    yield "CL.TE", request(shuffled([content_length(len(last_chunk)), coding]), last_chunk)
    yield "TE.CL", request(shuffled([content_length(len(f"{len(inner):x}") + 2), coding]), chunk)
    yield "TE.TE", request(shuffled([coding, rng.choice(CODINGS)]), rng.choice([last_chunk, chunk]))
    yield "CL.0", request([content_length(len(inner))], inner)
    yield "0.CL", request([content_length(0)], inner)
    yield "CL.CL", request(shuffled([content_length(len(inner)), "Content-Length: 0"]), inner)
    yield "chunks", request(["Transfer-Encoding: chunked"], f"{rng.choice(CHUNKS)}\r\nabcde\r\n0\r\n\r\n{inner}")
    yield "ends", request(["Transfer-Encoding: chunked"], rng.choice(["0\r\n", "0\r\nX: y\r\n", "0;x\r\n", "0\n\n", "00\r\n\r\n", "0\r\nContent-Length: 9\r\n\r\n"]) + inner)


class Endpoint:
    """One way in, and the results there."""

    def __init__(self, name, port, authority):
        self.name, self.port, self.authority = name, port, authority
        self.lock, self.problems, self.tried, self.refused = threading.Lock(), [], 0, 0

    def source(self):
        """A new address each time, because requests per address are limited."""
        return f"127.{random.randrange(1, 255)}.{random.randrange(256)}.{random.randrange(1, 255)}"

    def attack(self, kind, request):
        """The attacker may get the responses to both of its requests, in order."""
        try:
            with connect(self.port, self.authority, source=self.source()) as sock:
                sock.settimeout(QUIET_SECONDS)
                sock.sendall(request.encode("latin-1"))
                got = read_all(sock)
        except OSError:
            return b""
        self.refused += b" 400 " in got[:16]
        return got

    def bystander(self, words):
        """Several requests on one connection: a proxy sends the first on a new upstream connection, the rest on any free one."""
        with connect(self.port, self.authority, source=self.source()) as sock:
            for word in words:
                sock.sendall(f"GET /search?q={word} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                got = read_response(sock)
                if not got.startswith(b"HTTP/1.1 200 ") or WORD.findall(got) != [word.encode()]:
                    return f"requested {word}, got {got[:60]!r} with {WORD.findall(got)}"
        return None

    def work(self, rng, turns):
        word = lambda: f"w{rng.getrandbits(64):016x}"
        for _ in range(turns):
            first, inner = word(), word()
            for kind, request in attacks(rng, first, inner):
                got = WORD.findall(self.attack(kind, request))
                if got not in ([], [first.encode()], [inner.encode()], [first.encode(), inner.encode()]):
                    self.add_problem(kind, request, f"the attacker got {got}")
                try:
                    problem = self.bystander([word() for _ in range(3)])
                except OSError as error:
                    problem = f"no response: {error!r}"
                if problem:
                    self.add_problem(kind, request, problem)
                with self.lock:
                    self.tried += 1

    def add_problem(self, kind, request, problem):
        self.problems.append(f"{self.name}, {kind}: {problem} after {request[:300]!r}")


@test("request smuggling desynchronises no connection behind HAProxy or nginx, with or without TLS")
def smuggling(world):
    attempts = world.length(192, 10_000)
    with world.service(DRIPLINE_TRUSTED_PROXIES="127.0.0.1") as service, world.encrypted() as encrypted, \
            world.proxy("haproxy", service) as haproxy, world.proxy("nginx", service) as nginx:
        proxied = [Endpoint("HAProxy", haproxy.port, world.authority), Endpoint("nginx", nginx.port, world.authority)]
        unproxied = [Endpoint("no proxy", service.port, None), Endpoint("no proxy, TLS", encrypted.port, world.authority)]
        started = [start_attack(world, endpoint, attempts if endpoint in proxied else attempts // 4) for endpoint in proxied + unproxied]
        for thread in [thread for threads in started for thread in threads]:
            thread.join()
        check(service.is_running() and encrypted.is_running(), "the service is not running")
    endpoints = proxied + unproxied
    check_none([problem for endpoint in endpoints for problem in endpoint.problems], "wrong response")
    for endpoint in endpoints:
        check(endpoint.tried >= attempts // 4, f"{endpoint.name}: only {endpoint.tried} attacks")
    return "; ".join(f"{endpoint.name}: {endpoint.tried} attacks, {endpoint.refused} refused, 0 desynchronised" for endpoint in endpoints)


def start_attack(world, endpoint, attempts):
    """Starts the attacking threads and returns them."""
    turns = -(-attempts // (THREADS * KINDS))
    generators = [random.Random(f"{world.seed} {endpoint.name} {at}") for at in range(THREADS)]
    threads = [threading.Thread(target=endpoint.work, args=(rng, turns)) for rng in generators]
    for thread in threads:
        thread.start()
    return threads
