"""From exec to the first response to a user, on a database of many users."""
import statistics
import subprocess
import time

import users
from environment import end, free_port
from load import Connection
from product import bearer
from world import ENGINES, log

TIMES, SECONDS_MAX = 7, 30


def measure(world, report):
    products = {engine: world.crowd(engine, world.crowd_size) for engine in ENGINES}
    for product in products.values():
        product.stop()
    found = {engine: [] for engine in ENGINES}
    for number in range(TIMES):
        log(f"start, {number + 1} of {TIMES}")
        for engine, product in products.items():
            found[engine].append(first_response(product, users.token(7 + number)))
    report.title("Start", f"ms from exec to a user's first `/income` on a database of {world.crowd_size:,} users, which also reads market data, "
                 f"and to `/me`. In alternation, {TIMES} times.")
    report.table(["", "`/me`: median (min, max)", "`/income`: median (min, max)"], [
        [engine, *(f"{statistics.median(column):.0f} ({min(column):.0f}, {max(column):.0f})" for column in zip(*found[engine]))] for engine in ENGINES])
    report.figure("start", statistics.median(me for me, _ in found["SQLite"]))


def first_response(product, token):
    """ms until the response to `/me`, and to `/income` after it."""
    port = free_port()
    started = time.perf_counter()
    process = subprocess.Popen([product.binary, "serve", "--listen", f"127.0.0.1:{port}"], env=product.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connect(f"127.0.0.1:{port}", started) as connection:
            return [time_response(connection, path, token, started) for path in ("/api/v1/me", "/api/v1/income")]
    finally:
        end(process, 15)


def connect(address, started):
    while time.perf_counter() - started < SECONDS_MAX:
        try:
            return Connection(address)
        except OSError:
            time.sleep(0.0005)
    raise SystemExit(f"no server on {address} within {SECONDS_MAX} s")


def time_response(connection, path, token, started):
    status, _, body, _ = connection.ask(path, bearer(token))
    if status != 200:
        raise SystemExit(f"{path} returned {status}: {body[:300]}")
    return (time.perf_counter() - started) * 1000
