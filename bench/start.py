"""From exec to the first answer to a user, on a database of many."""
import statistics
import subprocess
import time

import users
from load import Connection
from product import bearer
from started import end, free_port
from world import ENGINES, say

TIMES, SECONDS_MAX = 7, 30


def measure(world, report):
    products = {engine: world.crowd(engine, world.crowd_size) for engine in ENGINES}
    for product in products.values():
        product.stop()
    found = {engine: [] for engine in ENGINES}
    for number in range(TIMES):
        say(f"start, {number + 1} of {TIMES}")
        for engine, product in products.items():
            found[engine].append(first_answer(product, users.token(7 + number)))
    report.title("Start", f"ms from exec to the first `/income` of a user on a database of {world.crowd_size:,}, which reads market data, too; "
                 f"and to `/me`. In alternation, {TIMES} times.")
    report.table(["", "`/me`: median (least, most)", "`/income`: median (least, most)"], [
        [engine, *(f"{statistics.median(column):.0f} ({min(column):.0f}, {max(column):.0f})" for column in zip(*found[engine]))] for engine in ENGINES])
    report.figure("start", statistics.median(me for me, _ in found["SQLite"]))


def first_answer(product, token):
    """ms until `/me` was answered, and `/income` after it."""
    port = free_port()
    begun = time.perf_counter()
    process = subprocess.Popen([product.binary, "serve", "--listen", f"127.0.0.1:{port}"], env=product.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connection_to(f"127.0.0.1:{port}", begun) as connection:
            return [answered(connection, path, token, begun) for path in ("/api/v1/me", "/api/v1/income")]
    finally:
        end(process, 15)


def connection_to(address, begun):
    while time.perf_counter() - begun < SECONDS_MAX:
        try:
            return Connection(address)
        except OSError:
            time.sleep(0.0005)
    raise SystemExit(f"no server on {address} within {SECONDS_MAX} s")


def answered(connection, path, token, begun):
    status, _, body, _ = connection.ask(path, bearer(token))
    if status != 200:
        raise SystemExit(f"{path} answered {status}: {body[:300]}")
    return (time.perf_counter() - begun) * 1000
