"""More than can be served: what is too much is refused at once, in the usual shape, and others are served."""

import json
import socket
import subprocess
import time

from check import check, check_none, equal, test
from others import Others, watched
from programs import find, until
from raw import asked

CAP = 512


@test("a flood of connections from one address takes what one address may have, and others are served")
def connections(world):
    with world.service() as service, watched(world, service) as others:
        time.sleep(0.3)
        before, held, refused = service.sockets(), [], 0
        for _ in range(world.length(1_500, 3_000)):
            there = socket.create_connection(("127.0.0.1", service.port), 5)
            held.append(there)
        time.sleep(1)
        most = service.sockets() - before
        for there in held:
            there.setblocking(False)
            refused += was_closed(there)
        check(most <= CAP + 2, f"one address holds {most} connections")
        check(refused >= len(held) - CAP, f"only {refused} of {len(held)} were refused")
        figures = others.check()
        for there in held:
            there.close()
        time.sleep(0.5)
        equal(asked(service.port, b"GET /healthz HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")[:12], b"HTTP/1.1 200", "after it")
    return f"{len(held)} opened, {most} held, {refused} closed at once; {figures}"


def was_closed(there):
    try:
        return there.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@test("a flood of requests without a token, and with tokens that are none, is refused, and users get their answers")
def requests(world):
    seconds = world.length(3, 30)
    with world.service() as service, Others(service, world.token) as others:
        memory = service.memory_mib()
        floods = [flood(service, "/api/v1/calendar", None, seconds), flood(service, "/api/v1/income", "drip_pat_" + "x" * 36, seconds)]
        told = [process.communicate()[0] for process in floods]
        check_none(others.problems, "a request of another client that failed")
        check(len(others.seconds) > 20 * seconds, f"only {len(others.seconds)} requests of others")
        grown = service.memory_mib() - memory
        check(grown < 64, f"the service has grown by {grown:.0f} MiB")
        after = asked(service.port, b"GET /api/v1/calendar HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
        equal(after[:12], b"HTTP/1.1 429", "one more without a token")
    rates = [line.split()[1] for text in told for line in text.splitlines() if line.startswith("Requests/sec")]
    check(len(rates) == 2, "wrk said", told)
    return f"{' and '.join(rates)} refused a second; others: {len(others.seconds)} requests, none failed; {grown:.0f} MiB more"


@test("more requests than are taken at once get a 503 at once, before their token is looked up, and all is as before after it")
def overload(world):
    seconds = world.length(3, 60)
    with world.service(DRIPLINE_REQUESTS_AT_ONCE="4") as service, Others(service, world.token, clients=2) as others:
        until(5, lambda: len(others.seconds) > 20, "an answer that is known")
        flooding = flood(service, "/search?q=a", None, seconds)
        counts, problems, slowest, turn = {200: 0, 503: 0}, [], 0.0, 0
        while flooding.poll() is None:
            turn += 1
            began = time.monotonic()
            # Never asked before, so that it has to be worked on.
            got = ask(service, f"/api/v1/dividends?from=2020-01-01&x={turn}", world.token)
            took = time.monotonic() - began
            status = int(got[9:12] or 0)
            counts[status] = counts.get(status, 0) + 1
            if status == 503:
                slowest = max(slowest, took)
                problems += [told] if (told := unavailable(got)) else []
            if ask(service, "/healthz", None)[:12] != b"HTTP/1.1 200":
                problems.append("/healthz was not answered")
        check_none(problems, "an answer that is not as it should be")
        equal(sorted(counts), [200, 503], "the statuses")
        check(counts[503] > 0 and slowest < 1, f"{counts[503]} were refused, the slowest after {slowest:.2f} s")
        check_none(others.problems, "a known answer that did not go out")
        until(2, lambda: all_served(service, world.token), "an end of refusals after the flood")
    told = flooding.stdout.read()
    return f"{counts[200]} answered, {counts[503]} refused within {slowest * 1000:.0f} ms; the flood: {' '.join(told.split('Latency')[-1].split())[-160:]}"


def all_served(service, token):
    return all(ask(service, f"/api/v1/dividends?from=2020-01-01&y={at}", token)[9:12] == b"200" for at in range(10))


def ask(service, path, token):
    header = f"Authorization: Bearer {token}\r\n" if token else ""
    return asked(service.port, f"GET {path} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n{header}\r\n".encode(), quiet=10)


def unavailable(got):
    head, _, body = got.partition(b"\r\n\r\n")
    shaped = json.loads(body)["error"]["code"] == "unavailable"
    return None if shaped and b"\r\nretry-after: 1\r\n" in head.lower() + b"\r\n" else f"{got[:300]!r}"


def flood(service, path, token, seconds):
    header = ["-H", f"Authorization: Bearer {token}"] if token else []
    return subprocess.Popen(
        [find("wrk"), "-t", "1", "-c", "100", "-d", f"{seconds}s", *header, f"{service.url}{path}"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
