"""Growth in users: databases of more and more of them, asked by the first request of each, from memory, and unchanged."""
import statistics

import users
from load import Side, burst, run
from product import bearer
from report import micros
from world import ENGINES, say

PATH = "/api/v1/income"
KINDS = ["first", "200", "304"]
# The first users bring what is known about the stocks into memory; so many of the others ask again.
WARM_UP, REPEATED = 81, 500
# So many first requests to one size, then to the next: a moment in which the machine is slow hits all sizes.
TURN = 51


def measure(world, report):
    found = {}
    for number in range(world.rounds):
        for engine in ENGINES:
            say(f"growth, round {number + 1} of {world.rounds} on {engine}")
            products = {size: served_anew(world.crowd(engine, size), size) for size in world.sizes}
            asked = {size: first_users(world, size, number) for size in world.sizes}
            for size, figures in first_requests(products, asked).items():
                found.setdefault((engine, size, "first"), []).append(figures)
            for size, product in products.items():
                for kind, figures in repeated(world, product, asked[size][:REPEATED]).items():
                    found.setdefault((engine, size, kind), []).append(figures)
    tell(world, report, found)


def served_anew(product, size):
    """Nothing of any user is in memory, but for those of the warm-up."""
    product.stop()
    product.serve()
    users.check(product, size - 1)
    burst(product.address, [(PATH, bearer(users.token(number))) for number in range(1, WARM_UP)])
    return product


def first_users(world, size, number):
    """As many as the smallest crowd has, spread over all; others in each round where there are others."""
    count = min(world.sizes) - WARM_UP - 1
    step = (size - WARM_UP - 1) // count
    return [WARM_UP + step * at + number % step for at in range(count)]


def first_requests(products, asked):
    """CPU µs by size, of the node and of PostgreSQL."""
    used = {size: [0, 0] for size in products}
    for at in range(0, min(map(len, asked.values())), TURN):
        for size, product in products.items():
            own, database = product.meters()
            burst(product.address, [(PATH, bearer(users.token(one))) for one in asked[size][at:at + TURN]])
            used[size][0] += own.used() / len(asked[size])
            used[size][1] += database.used() / len(asked[size]) if database else 0
    return used


def repeated(world, product, numbers):
    """CPU µs by kind, of the node and of PostgreSQL, for users whose answers are in memory."""
    figures = {}
    answers = burst(product.address, [(PATH, bearer(users.token(one))) for one in numbers])
    for kind, tags in [("200", False), ("304", True)]:
        lines = world.folder / "repeated.txt"
        lines.write_text("".join(f"Authorization: Bearer {users.token(one)}" + (f"\tIf-None-Match: {headers['etag']}" if tags else "") + "\n"
                                 for one, (headers, _) in zip(numbers, answers)))
        done = run(Side(product.engine, product.address, product.meters, PATH, {}, 304 if tags else 200, lines=lines, uneven=not tags), world.seconds)
        figures[kind] = done.own, done.database or 0
    return figures


def tell(world, report, found):
    figures = {key: [statistics.median(column) for column in zip(*runs)] for key, runs in found.items()}
    names = {"first": "first request of a user", "200": "200 from memory", "304": "304"}
    report.title("Growth in users", "Users of 20 entries and 10 positions each. First requests come on 16 connections, 51 to one size and 51 to the next, the others on "
                 "64 of wrk. CPU µs a request, node + PostgreSQL, median of the rounds; what is known about the stocks is in memory.")
    report.table(["`/income`", "", *(f"{size:,} users" for size in world.sizes), "last ÷ first"], [
        [names[kind], engine, *(told(figures[engine, size, kind]) for size in world.sizes), f"×{growth(world, found, engine, kind):.2f}"]
        for kind in KINDS for engine in ENGINES], words=2)
    report.figure("users", growth(world, found, "SQLite", "304"))
    report.figure("users cold", growth(world, found, "SQLite", "first"))
    for engine in ENGINES:
        for kind in KINDS:
            report.curve("users", f"{names[kind]}, {engine}", {size: sum(figures[engine, size, kind]) for size in world.sizes})


def growth(world, found, engine, kind):
    """The median of the rounds' own ratios, node and PostgreSQL together."""
    smallest, largest = found[engine, world.sizes[0], kind], found[engine, world.sizes[-1], kind]
    return statistics.median(sum(last) / sum(first) for first, last in zip(smallest, largest))


def told(figures):
    own, database = figures
    return micros(own) + (f" + {micros(database)}" if database else "")
