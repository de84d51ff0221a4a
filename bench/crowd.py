"""Growth in users: databases of increasing size, measured with each user's first request, cached responses and 304s."""
import statistics

import users
from load import Side, burst, run
from product import bearer
from report import micros
from world import ENGINES, log

PATH = "/api/v1/income"
KINDS = ["first", "200", "304"]
# The first users load the stocks into memory; REPEATED of the others send more requests.
WARM_UP, REPEATED = 81, 500
# First requests to one size before the next one's turn, so that a slow moment of the machine affects all sizes.
TURN = 51


def measure(world, report):
    found = {}
    for number in range(world.rounds):
        for engine in ENGINES:
            log(f"growth, round {number + 1} of {world.rounds} on {engine}")
            products = {size: restart(world.crowd(engine, size), size) for size in world.sizes}
            numbers_by_size = {size: first_users(world, size, number) for size in world.sizes}
            for size, figures in first_requests(products, numbers_by_size).items():
                found.setdefault((engine, size, "first"), []).append(figures)
            for size, product in products.items():
                for kind, figures in repeated(world, product, numbers_by_size[size][:REPEATED]).items():
                    found.setdefault((engine, size, kind), []).append(figures)
    write_report(world, report, found)


def restart(product, size):
    """Restarts the server, so that only the warm-up's users are in memory."""
    product.stop()
    product.serve()
    users.check(product, size - 1)
    burst(product.address, [(PATH, bearer(users.token(number))) for number in range(1, WARM_UP)])
    return product


def first_users(world, size, number):
    """As many users as the smallest database has, spread over all of them; different ones in each round if possible."""
    count = min(world.sizes) - WARM_UP - 1
    step = (size - WARM_UP - 1) // count
    return [WARM_UP + step * at + number % step for at in range(count)]


def first_requests(products, numbers_by_size):
    """CPU µs of the node and of PostgreSQL, by size."""
    used = {size: [0, 0] for size in products}
    for at in range(0, min(map(len, numbers_by_size.values())), TURN):
        for size, product in products.items():
            own, database = product.meters()
            burst(product.address, [(PATH, bearer(users.token(one))) for one in numbers_by_size[size][at:at + TURN]])
            used[size][0] += own.used() / len(numbers_by_size[size])
            used[size][1] += database.used() / len(numbers_by_size[size]) if database else 0
    return used


def repeated(world, product, numbers):
    """CPU µs of the node and of PostgreSQL, by kind, for users whose responses are in memory."""
    figures = {}
    answers = burst(product.address, [(PATH, bearer(users.token(one))) for one in numbers])
    for kind, tags in [("200", False), ("304", True)]:
        lines = world.folder / "repeated.txt"
        lines.write_text("".join(f"Authorization: Bearer {users.token(one)}" + (f"\tIf-None-Match: {headers['etag']}" if tags else "") + "\n"
                                 for one, (headers, _) in zip(numbers, answers)))
        done = run(Side(product.engine, product.address, product.meters, PATH, {}, 304 if tags else 200, lines=lines, uneven=not tags), world.seconds)
        figures[kind] = done.own, done.database or 0
    return figures


def write_report(world, report, found):
    figures = {key: [statistics.median(column) for column in zip(*runs)] for key, runs in found.items()}
    names = {"first": "first request of a user", "200": "200 from memory", "304": "304"}
    report.title("Growth in users", "Users with 20 entries and 10 positions each. First requests use 16 connections, 51 to one size and 51 to the next; the others use "
                 "64 connections of wrk. CPU µs per request, node + PostgreSQL, median of the rounds; the stocks are in memory.")
    report.table(["`/income`", "", *(f"{size:,} users" for size in world.sizes), "last ÷ first"], [
        [names[kind], engine, *(format_cpu(figures[engine, size, kind]) for size in world.sizes), f"×{growth(world, found, engine, kind):.2f}"]
        for kind in KINDS for engine in ENGINES], words=2)
    report.figure("users", growth(world, found, "SQLite", "304"))
    report.figure("users cold", growth(world, found, "SQLite", "first"))
    for engine in ENGINES:
        for kind in KINDS:
            report.curve("users", f"{names[kind]}, {engine}", {size: sum(figures[engine, size, kind]) for size in world.sizes})


def growth(world, found, engine, kind):
    """The median of the rounds' ratios, node and PostgreSQL together."""
    smallest, largest = found[engine, world.sizes[0], kind], found[engine, world.sizes[-1], kind]
    return statistics.median(sum(last) / sum(first) for first, last in zip(smallest, largest))


def format_cpu(figures):
    own, database = figures
    return micros(own) + (f" + {micros(database)}" if database else "")
