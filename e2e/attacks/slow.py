"""Slow clients: each of them is disconnected within ten seconds, and no other client has to wait."""

import contextlib
import re
import selectors
import signal
import socket
import subprocess
import time

from check import check, test
from others import others_watched
from programs import end, find
from raw import exchange

CLOSED_SECONDS_MAX = 10
# Connections opened per second.
RATE = 500
# Options of slowhttptest, and the path or the type of asset to request, chosen to cost the service little.
KINDS = {
    "headers": (["-H", "-i", "1"], "/api/v1/me"),
    "body": (["-B", "-i", "1", "-s", "8192"], "/oauth/token"),
    "ranges": (["-R"], "svg"),
    "read": (["-X", "-n", "1", "-w", "256", "-y", "512", "-z", "16", "-k", "3"], "css"),
}
# The kind whose requests are answered at once.
SHORT = "ranges"
# Higher than the number of connections opened, so that the time limits are what is tested.
SETTINGS = {"DRIPLINE_CONNECTIONS_PER_CLIENT": "2000"}


@test("clients with slow headers, slow bodies, countless ranges or slow reads are disconnected within ten seconds, and nobody else notices")
def slow_clients(world):
    count = world.length(250, 1_000)
    if not world.soak:
        return attack(world, list(KINDS), count)
    return "\n   ".join(attack(world, [kind], count) for kind in KINDS)


def attack(world, kinds, count):
    with world.service(**SETTINGS) as service, others_watched(world, service) as others, contextlib.ExitStack() as stack:
        time.sleep(0.3)
        before = service.sockets()
        for kind in kinds:
            stack.enter_context(Slow(world, service, kind, count, RATE // len(kinds)))
        seconds, most = closing_time(service, before, len(kinds) * count / RATE)
        expected = count * len(set(kinds) - {SHORT})
        check(most >= 0.8 * expected, f"the attack never had more than {most} connections")
        check(seconds <= CLOSED_SECONDS_MAX, f"{kinds}: after {seconds:.1f} s {service.sockets() - before} of {most} are still open")
        figures = others.check()
    return f"{', '.join(kinds)}: {most} connections at once, the last closed after {seconds:.1f} s; {figures}"


def closing_time(service, before, opening_seconds):
    """The seconds from the last connection's scheduled start until all were closed, and the peak number of connections."""
    began, most = time.monotonic(), 0
    while time.monotonic() - began < opening_seconds + CLOSED_SECONDS_MAX + 5:
        now = service.sockets() - before
        most = max(most, now)
        # The other clients' connections come and go.
        if now <= 2 and time.monotonic() - began > opening_seconds + 1:
            break
        time.sleep(0.05)
    return time.monotonic() - began - opening_seconds, most


def asset(service, ending):
    page = exchange(service.port, b"GET /sign-in HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
    return re.search(rf"/assets/[0-9a-f]+\.{ending}", page.decode()).group()


class Slow:
    """Context manager: slowhttptest."""

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


@test("idle connections and unfinished handshakes are closed within ten seconds, and nobody else notices")
def idle_connections(world):
    count = world.length(250, 1_000)
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    with world.service(**SETTINGS) as plain, world.encrypted(**SETTINGS) as encrypted, others_watched(world, plain) as others:
        cases = [(plain, b""), (plain, b"\r\n"), (encrypted, b""), (encrypted, hello), (encrypted, b"G")]
        sockets = [open_socket(service.port, first_bytes) for service, first_bytes in cases for _ in range(count // 2)]
        seconds, left = wait_until_closed(sockets)
        check(left == 0, f"{left} of {len(sockets)} are still open after {seconds:.1f} s")
        figures = others.check()
    return f"{len(sockets)} closed within {seconds:.1f} s; {figures}"


def open_socket(port, first_bytes):
    sock = socket.create_connection(("127.0.0.1", port), 5)
    sock.sendall(first_bytes)
    sock.setblocking(False)
    return sock


def wait_until_closed(sockets):
    """Waits until all are closed, at most ten seconds: how long that took, and how many are left."""
    began, left = time.monotonic(), set(sockets)
    with selectors.DefaultSelector() as selector:
        for sock in sockets:
            selector.register(sock, selectors.EVENT_READ)
        while left and time.monotonic() - began < CLOSED_SECONDS_MAX:
            for key, _ in selector.select(0.2):
                if was_closed(key.fileobj):
                    selector.unregister(key.fileobj)
                    left.discard(key.fileobj)
    for sock in sockets:
        sock.close()
    return time.monotonic() - began, len(left)


def was_closed(sock):
    try:
        return sock.recv(65_536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
