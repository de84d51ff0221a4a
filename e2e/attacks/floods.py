"""More load than the service can handle: the excess is refused at once with an ordinary error, and other clients are served."""

import json
import socket
import subprocess
import time

from check import check, check_none, equal, test
from others import Others, others_watched
from programs import find, until
from raw import exchange

CONNECTIONS_PER_CLIENT = 512


@test("one address cannot open more connections than its limit, and other clients are served")
def connections(world):
    with world.service() as service, others_watched(world, service) as others:
        time.sleep(0.3)
        before, sockets, refused = service.sockets(), [], 0
        for _ in range(world.length(1_500, 3_000)):
            sock = socket.create_connection(("127.0.0.1", service.port), 5)
            sockets.append(sock)
        time.sleep(1)
        most = service.sockets() - before
        for sock in sockets:
            sock.setblocking(False)
            refused += was_closed(sock)
        check(most <= CONNECTIONS_PER_CLIENT + 2, f"one address holds {most} connections")
        check(refused >= len(sockets) - CONNECTIONS_PER_CLIENT, f"only {refused} of {len(sockets)} connections were refused")
        figures = others.check()
        for sock in sockets:
            sock.close()
        time.sleep(0.5)
        equal(exchange(service.port, b"GET /healthz HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")[:12], b"HTTP/1.1 200", "after the flood")
    return f"{len(sockets)} opened, {most} held, {refused} closed at once; {figures}"


def was_closed(sock):
    try:
        return sock.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@test("a flood of requests with no token or an invalid one is refused, and other users are served")
def requests(world):
    seconds = world.length(3, 30)
    with world.service() as service, Others(service, world.token) as others:
        memory = service.memory_mib()
        floods = [flood(service, "/api/v1/calendar", None, seconds), flood(service, "/api/v1/income", "drip_pat_" + "x" * 36, seconds)]
        outputs = [process.communicate()[0] for process in floods]
        check_none(others.problems, "failed request of another client")
        check(len(others.seconds) > 20 * seconds, f"only {len(others.seconds)} requests of other clients")
        grown = service.memory_mib() - memory
        check(grown < 64, f"memory grew by {grown:.0f} MiB")
        after = exchange(service.port, b"GET /api/v1/calendar HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
        equal(after[:12], b"HTTP/1.1 429", "another request without a token")
    rates = [line.split()[1] for text in outputs for line in text.splitlines() if line.startswith("Requests/sec")]
    check(len(rates) == 2, "wrk printed", outputs)
    return f"{' and '.join(rates)} refused per second; others: {len(others.seconds)} requests, none failed; memory +{grown:.0f} MiB"


@test("requests over the concurrency limit get an immediate 503 before the token lookup, and service recovers after the flood")
def overload(world):
    seconds = world.length(3, 60)
    with world.service(DRIPLINE_REQUESTS_AT_ONCE="4") as service, Others(service, world.token, clients=2) as others:
        until(5, lambda: len(others.seconds) > 20, "a cached response")
        flooding = flood(service, "/search?q=a", None, seconds)
        counts, problems, slowest, turn = {200: 0, 503: 0}, [], 0.0, 0
        while flooding.poll() is None:
            turn += 1
            began = time.monotonic()
            # A new query each time, so that the response is not cached.
            got = ask(service, f"/api/v1/dividends?from=2020-01-01&x={turn}", world.token)
            took = time.monotonic() - began
            status = int(got[9:12] or 0)
            counts[status] = counts.get(status, 0) + 1
            if status == 503:
                slowest = max(slowest, took)
                problems += [problem] if (problem := unavailable_problem(got)) else []
            if ask(service, "/healthz", None)[:12] != b"HTTP/1.1 200":
                problems.append("/healthz did not respond with 200")
        check_none(problems, "wrong response")
        equal(sorted(counts), [200, 503], "the statuses")
        check(counts[503] > 0 and slowest < 1, f"{counts[503]} refused, the slowest after {slowest:.2f} s")
        check_none(others.problems, "cached response that was not served")
        until(2, lambda: all_served(service, world.token), "refusals to stop after the flood")
    output = flooding.stdout.read()
    return f"{counts[200]} served, {counts[503]} refused within {slowest * 1000:.0f} ms; the flood: {' '.join(output.split('Latency')[-1].split())[-160:]}"


def all_served(service, token):
    return all(ask(service, f"/api/v1/dividends?from=2020-01-01&y={at}", token)[9:12] == b"200" for at in range(10))


def ask(service, path, token):
    header = f"Authorization: Bearer {token}\r\n" if token else ""
    return exchange(service.port, f"GET {path} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n{header}\r\n".encode(), quiet=10)


def unavailable_problem(got):
    head, _, body = got.partition(b"\r\n\r\n")
    well_formed = json.loads(body)["error"]["code"] == "unavailable"
    return None if well_formed and b"\r\nretry-after: 1\r\n" in head.lower() + b"\r\n" else f"{got[:300]!r}"


def flood(service, path, token, seconds):
    header = ["-H", f"Authorization: Bearer {token}"] if token else []
    return subprocess.Popen(
        [find("wrk"), "-t", "1", "-c", "100", "-d", f"{seconds}s", *header, f"{service.url}{path}"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
