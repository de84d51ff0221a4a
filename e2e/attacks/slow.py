"""Clients that take their time: every one of them is closed within ten seconds, and nobody else waits for them."""

import contextlib
import re
import selectors
import signal
import socket
import subprocess
import time

from check import check, test
from others import watched
from programs import end, find
from raw import asked

CLOSED_SECONDS_MAX = 10
# Of connections that are opened in a second.
RATE = 500
# What slowhttptest does, and to which path, or to which kind of file, which costs the service little.
KINDS = {
    "headers": (["-H", "-i", "1"], "/api/v1/me"),
    "body": (["-B", "-i", "1", "-s", "8192"], "/oauth/token"),
    "ranges": (["-R"], "svg"),
    "read": (["-X", "-n", "1", "-w", "256", "-y", "512", "-z", "16", "-k", "3"], "css"),
}
# Answered at once and done.
SHORT = "ranges"
# Above what is tried, so that it is the limits on time that are tried.
ROOM = {"DRIPLINE_CONNECTIONS_PER_CLIENT": "2000"}


@test("slow heads, slow bodies, ranges without number and slow readers are closed within ten seconds, and nobody else notices")
def slow_clients(world):
    count = world.length(250, 1_000)
    if not world.soak:
        return attacked(world, list(KINDS), count)
    return "\n   ".join(attacked(world, [kind], count) for kind in KINDS)


def attacked(world, kinds, count):
    with world.service(**ROOM) as service, watched(world, service) as others, contextlib.ExitStack() as stack:
        time.sleep(0.3)
        before = service.sockets()
        for kind in kinds:
            stack.enter_context(Slow(world, service, kind, count, RATE // len(kinds)))
        seconds, most = gone(service, before, len(kinds) * count / RATE)
        meant = count * len(set(kinds) - {SHORT})
        check(most >= 0.8 * meant, f"the attack never came to more than {most} connections")
        check(seconds <= CLOSED_SECONDS_MAX, f"{kinds}: after {seconds:.1f} s there are still {service.sockets() - before} of {most}")
        figures = others.check()
    return f"{', '.join(kinds)}: {most} connections at once, the last closed after {seconds:.1f} s; {figures}"


def gone(service, before, opening):
    """How long it took from when the last were to be opened until all were closed, and how many there were at most."""
    began, most = time.monotonic(), 0
    while time.monotonic() - began < opening + CLOSED_SECONDS_MAX + 5:
        now = service.sockets() - before
        most = max(most, now)
        # The others come and go.
        if now <= 2 and time.monotonic() - began > opening + 1:
            break
        time.sleep(0.05)
    return time.monotonic() - began - opening, most


def asset(service, ending):
    page = asked(service.port, b"GET /sign-in HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
    return re.search(rf"/assets/[0-9a-f]+\.{ending}", page.decode()).group()


class Slow:
    """slowhttptest, for the length of a `with`."""

    def __init__(self, world, service, kind, count, rate):
        options, path = KINDS[kind]
        path = path if path.startswith("/") else asset(service, path)
        self.log = world.folder / f"slowhttptest-{kind}.log"
        self.command = [find("slowhttptest"), *options, "-c", str(count), "-r", str(rate), "-l", "60", "-p", "10", "-v", "1",
                        "-u", f"{service.url}{path}"]

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(self, *_):
        end(self.process, signal.SIGKILL)


@test("sockets that say nothing, and handshakes that do not end, are closed within ten seconds, and nobody else notices")
def silent(world):
    count = world.length(250, 1_000)
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    with world.service(**ROOM) as plain, world.encrypted(**ROOM) as encrypted, watched(world, plain) as others:
        cases = [(plain, b""), (plain, b"\r\n"), (encrypted, b""), (encrypted, hello), (encrypted, b"G")]
        held = [opened(service.port, begun) for service, begun in cases for _ in range(count // 2)]
        seconds, left = closed(held)
        check(left == 0, f"{left} of {len(held)} are open after {seconds:.1f} s")
        figures = others.check()
    return f"{len(held)} closed within {seconds:.1f} s; {figures}"


def opened(port, begun):
    there = socket.create_connection(("127.0.0.1", port), 5)
    there.sendall(begun)
    there.setblocking(False)
    return there


def closed(held):
    """Until all are, or ten seconds have passed: how long it took, and how many are left."""
    began, left = time.monotonic(), set(held)
    with selectors.DefaultSelector() as selector:
        for there in held:
            selector.register(there, selectors.EVENT_READ)
        while left and time.monotonic() - began < CLOSED_SECONDS_MAX:
            for key, _ in selector.select(0.2):
                if ended(key.fileobj):
                    selector.unregister(key.fileobj)
                    left.discard(key.fileobj)
    for there in held:
        there.close()
    return time.monotonic() - began, len(left)


def ended(there):
    try:
        return there.recv(65_536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
