"""Requests that end at one place for a proxy and at another for a node. Whatever becomes of them, everybody else gets the answer to
what they asked: each request has a word of its own, which its page says again."""

import random
import re
import threading

from check import check, check_none, test
from raw import answer, connected, received
from world import HOST

WORD = re.compile(rb'name="q" type="search" value="(w[0-9a-f]{16})" maxlength="100"')
THREADS = 6
# Of attacks.
KINDS = 8
QUIET_SECONDS = 0.25
# Ways to write what one of two readers may pass over.
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
# Of the first chunk's line, for 5 bytes.
CHUNKS = [
    "5", "05", "5 ", " 5", "5\t", "0x5", "+5", "5;", "5;a=b", "5;a=\"b\"", "5;a=\"b;c\"", "5 ; a=b", "5;\n", "5;a\nb", "5;a\rb",
    "5;" + "a" * 2_000, "5\n", "5_", "-5", "5,5", "00000000000000000005", "fffffffffffffff5", "5;\x00", "5;a=\"\r\n0\r\n\r\n\""]
LINES = ["GET /search?q={} HTTP/1.1", "POST /sign-in?q={} HTTP/1.1", "GET /assets/app.css?q={} HTTP/1.1", "POST /api/v1/me?q={} HTTP/1.1",
         "HEAD /search?q={} HTTP/1.1", "GET http://" + HOST + "/search?q={} HTTP/1.1", "GET /search?q={} HTTP/1.0", "PUT /mcp?q={} HTTP/1.1"]


def hidden(chance, word):
    """A request inside of another, whole or so that it would swallow the beginning of the next."""
    whole = f"GET /search?q={word} HTTP/1.1\r\nHost: {HOST}\r\n"
    return chance.choice([whole + "\r\n", whole + "X: ", whole + "Content-Length: 40\r\n\r\n", f"GET /search?q={word} HTTP/1.1\r\nX: "])


def attacks(chance, word, inner):
    """One of each kind: its name, and its bytes."""
    line, coding, length = chance.choice(LINES).format(word), chance.choice(CODINGS), chance.choice(LENGTHS)
    inner = hidden(chance, inner)
    request = lambda fields, body: f"{line}\r\nHost: {HOST}\r\n" + "".join(f"{field}\r\n" for field in fields) + "\r\n" + body
    said = lambda count: length.format(*[count] * length.count("{"))
    turned = lambda fields: fields if chance.random() < 0.5 else fields[::-1]
    after = "0\r\n\r\n" + inner
    chunk = f"{len(inner):x}\r\n{inner}\r\n0\r\n\r\n"
    yield "CL.TE", request(turned([said(len(after)), coding]), after)
    yield "TE.CL", request(turned([said(len(f"{len(inner):x}") + 2), coding]), chunk)
    yield "TE.TE", request(turned([coding, chance.choice(CODINGS)]), chance.choice([after, chunk]))
    yield "CL.0", request([said(len(inner))], inner)
    yield "0.CL", request([said(0)], inner)
    yield "CL.CL", request(turned([said(len(inner)), "Content-Length: 0"]), inner)
    yield "chunks", request(["Transfer-Encoding: chunked"], f"{chance.choice(CHUNKS)}\r\nabcde\r\n0\r\n\r\n{inner}")
    yield "ends", request(["Transfer-Encoding: chunked"], chance.choice(["0\r\n", "0\r\nX: y\r\n", "0;x\r\n", "0\n\n", "00\r\n\r\n", "0\r\nContent-Length: 9\r\n\r\n"]) + inner)


class Front:
    """Through which door, and what became of it."""

    def __init__(self, name, port, authority):
        self.name, self.port, self.authority = name, port, authority
        self.lock, self.problems, self.tried, self.refused = threading.Lock(), [], 0, 0

    def source(self):
        """Another one each time: what one address may ask for is limited."""
        return f"127.{random.randrange(1, 255)}.{random.randrange(256)}.{random.randrange(1, 255)}"

    def attack(self, kind, request):
        """An attacker may get its own answers, of both of its requests, in their order."""
        try:
            with connected(self.port, self.authority, source=self.source()) as there:
                there.settimeout(QUIET_SECONDS)
                there.sendall(request.encode("latin-1"))
                got = received(there)
        except OSError:
            return b""
        self.refused += b" 400 " in got[:16]
        return got

    def bystander(self, words):
        """Several requests on one connection: a proxy sends the first on one of its own, the others on any that is free."""
        with connected(self.port, self.authority, source=self.source()) as there:
            for word in words:
                there.sendall(f"GET /search?q={word} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                got = answer(there)
                if not got.startswith(b"HTTP/1.1 200 ") or WORD.findall(got) != [word.encode()]:
                    return f"asked for {word} and got {got[:60]!r} with {WORD.findall(got)}"
        return None

    def work(self, chance, turns):
        word = lambda: f"w{chance.getrandbits(64):016x}"
        for _ in range(turns):
            first, inner = word(), word()
            for kind, request in attacks(chance, first, inner):
                got = WORD.findall(self.attack(kind, request))
                if got not in ([], [first.encode()], [inner.encode()], [first.encode(), inner.encode()]):
                    self.wrong(kind, request, f"the attacker got {got}")
                try:
                    told = self.bystander([word() for _ in range(3)])
                except OSError as error:
                    told = f"no answer: {error!r}"
                if told:
                    self.wrong(kind, request, told)
                with self.lock:
                    self.tried += 1

    def wrong(self, kind, request, told):
        self.problems.append(f"{self.name}, {kind}: {told} after {request[:300]!r}")


@test("requests that end in two places desynchronise nobody, behind HAProxy, behind nginx, over TLS and without")
def smuggled(world):
    attempts = world.length(192, 10_000)
    with world.service(DRIPLINE_TRUSTED_PROXIES="127.0.0.1") as service, world.encrypted() as encrypted, \
            world.proxy("haproxy", service) as haproxy, world.proxy("nginx", service) as nginx:
        proxied = [Front("HAProxy", haproxy.port, world.authority), Front("nginx", nginx.port, world.authority)]
        bare = [Front("no proxy", service.port, None), Front("no proxy, TLS", encrypted.port, world.authority)]
        begun = [beset(world, front, attempts if front in proxied else attempts // 4) for front in proxied + bare]
        for thread in [thread for threads in begun for thread in threads]:
            thread.join()
        check(service.lives() and encrypted.lives(), "the service has ended")
    fronts = proxied + bare
    check_none([problem for front in fronts for problem in front.problems], "a wrong answer")
    for front in fronts:
        check(front.tried >= attempts // 4, f"{front.name}: only {front.tried} attacks were made")
    return "; ".join(f"{front.name}: {front.tried} attacks, {front.refused} refused, 0 desynchronised" for front in fronts)


def beset(world, front, attempts):
    """Threads that attack, begun."""
    turns = -(-attempts // (THREADS * KINDS))
    chances = [random.Random(f"{world.seed} {front.name} {at}") for at in range(THREADS)]
    threads = [threading.Thread(target=front.work, args=(chance, turns)) for chance in chances]
    for thread in threads:
        thread.start()
    return threads
