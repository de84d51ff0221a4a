"""Answers that are in memory, beside nginx with the same bytes: pairs of runs in alternation, and the median of their ratios."""
import dataclasses
import statistics

import peer
import users
from load import Connection, Side, burst, run
from nginx import Nginx
from product import bearer
from report import median_of, micros
from world import ENGINES, say

# Of three years, so that the answer of 40 positions has the 8 to 9 KB of the goals.
PATH, CALENDAR, STOCK = "/api/v1/income?years=3", "/api/v1/calendar", "/api/v1/stocks/S150"
# Node compiles what is hot bit by bit, over some ten thousand requests.
WARM_UP_SECONDS, PEERS_WARM_UP_SECONDS = 1, 10
# So many of the crowd ask in turn.
DRAWN = 4_000
# Clients who ask without a token: each may do so 60 times a minute, all together a million times.
CLIENTS, CLIENTS_SECONDS_MAX = 131_072, 3


@dataclasses.dataclass
class Row:
    key: str
    name: str
    nginx: Side
    sides: list


def measure(world, report):
    servers = Servers(world)
    rows = servers.rows()
    tell(report, rows, alternate(world, rows))
    if servers.left_out:
        report.note(*servers.left_out)


class Servers:
    """The product on both databases, nginx with its answers, and the peers."""

    def __init__(self, world):
        self.world = world
        self.products, self.tokens = {}, {}
        for engine in ENGINES:
            self.products[engine], self.tokens[engine] = world.accounts(engine)
        self.crowds = {engine: world.served_crowd(engine, world.crowd_size) for engine in ENGINES}
        self.drawn, self.clients = write_tokens(world), write_clients(world)
        for product in self.crowds.values():  # their answers come into memory
            burst(product.address, [(PATH, dict([line.split(": ", 1)])) for line in self.drawn.read_text().splitlines()])
        sqlite, tokens = self.products["SQLite"], self.tokens["SQLite"]
        self.answers = {"a": answer(sqlite, PATH, bearer(tokens["a"])), "b": answer(sqlite, PATH, bearer(tokens["b"])),
                        "calendar": answer(sqlite, CALENDAR), "stock": answer(sqlite, STOCK),
                        "one": answer(self.crowds["SQLite"], PATH, bearer(users.token(1)))}
        self.nginx = world.keep(Nginx(world.folder / "nginx", {f"/{name}": given for name, given in self.answers.items()}))
        self.peers, self.left_out = peer.start(world, self.products["PostgreSQL"], self.tokens["PostgreSQL"]["a"], PATH, self.body("a"))

    def rows(self):
        size = lambda name: f"{len(self.body(name)):,} bytes"
        unchanged = self.static("a", bearer(self.tokens["SQLite"]["a"], self.nginx.etag("/a")), 304)
        return [
            Row("304", f"304, {size('a')} unchanged", unchanged, self.ours("a", 304) + self.theirs(304)),
            Row("200", f"200 from memory, {size('a')}", self.static("a", bearer(self.tokens["SQLite"]["a"])), self.ours("a") + self.theirs(200)),
            Row("B", f"200 from memory, 300 positions, {size('b')}", self.static("b", bearer(self.tokens["SQLite"]["b"])), self.ours("b")),
            Row("crowd", f"200 from memory, {DRAWN:,} of {self.world.crowd_size:,} users, some {size('one')}",
                self.static("one", {}, lines=self.drawn),
                [product_side(product, PATH, {}, 200, lines=self.drawn, uneven=True) for product in self.crowds.values()]),
            Row("calendar", f"anonymous `/calendar`, {size('calendar')}", *self.anonymous("calendar", CALENDAR)),
            Row("stock", f"anonymous `/stocks/S150`, {size('stock')}", *self.anonymous("stock", STOCK)),
            Row("bad token", "bad token, 401 (nginx: 304)", unchanged,
                [product_side(self.products[engine], PATH, bearer(broken(self.tokens[engine]["a"])), 401) for engine in ENGINES])]

    def body(self, name):
        return self.answers[name][1]

    def static(self, name, headers, expected=200, **more):
        return Side("nginx", self.nginx.address, self.nginx.meters, f"/{name}", headers, expected, self.body(name) if expected == 200 else None, **more)

    def ours(self, name, expected=200):
        sides = []
        for engine, product in self.products.items():
            token = self.tokens[engine][name]
            etag = answer(product, PATH, bearer(token))[0]["etag"] if expected == 304 else None
            sides.append(product_side(product, PATH, bearer(token, etag), expected, self.body(name) if expected == 200 else None))
        return sides

    def theirs(self, expected):
        token = self.tokens["PostgreSQL"]["a"]
        return [Side(one.name, one.address, one.meters, PATH, bearer(token, one.etag if expected == 304 else None), expected,
                     self.body("a") if expected == 200 else None) for one in self.peers]

    def anonymous(self, name, path):
        """nginx, and ours on SQLite. How many requests are left stands in a header, so answers differ in length."""
        more = {"lines": self.clients, "seconds_max": CLIENTS_SECONDS_MAX}
        return self.static(name, {}, **more), [product_side(self.products["SQLite"], path, {}, 200, self.body(name), uneven=True, **more)]


def product_side(product, path, headers, expected, body=None, **more):
    return Side(f"Dripline, {product.engine}", product.address, product.meters, path, headers, expected, body, **more)


def alternate(world, rows):
    """Runs by row and side: pairs of nginx and the side, one right after the other."""
    found = {}
    say("hot, warming up")
    for side in (side for row in rows for side in (row.nginx, *row.sides)):
        run(side, WARM_UP_SECONDS if side.name.startswith(("nginx", "Dripline")) else PEERS_WARM_UP_SECONDS)
    for number in range(world.rounds):
        for row in rows:
            say(f"hot, round {number + 1} of {world.rounds}: {row.key}")
            for side in row.sides:
                found.setdefault((row.key, side.name), []).append((run(row.nginx, world.seconds), run(side, world.seconds)))
    return found


def tell(report, rows, found):
    report.title("In memory", "`/income?years=3` unless another is named. 64 keep-alive connections of wrk; CPU µs a request of all processes of the server, and of "
                 "PostgreSQL where one is behind it; the ratio is the median of those to nginx's run right before.")
    cells = []
    for row in rows:
        static = [pair[0] for side in row.sides for pair in found[row.key, side.name]]
        cells.append([row.name, "nginx", micros(median_of(static, "cpu")), "", *speeds(static)])
        for side in row.sides:
            pairs = found[row.key, side.name]
            runs, ratio = [pair[1] for pair in pairs], statistics.median(pair[1].cpu / pair[0].cpu for pair in pairs)
            database = f" + {micros(median_of(runs, 'database'))}" if runs[0].database is not None else ""
            cells.append(["", side.name, micros(median_of(runs, "own")) + database, f"×{ratio:.2f}", *speeds(runs)])
            if side.name == "Dripline, SQLite":
                report.figure(row.key, ratio)
            if side.name == "Dripline, PostgreSQL":
                report.figure(f"{row.key} PostgreSQL", ratio)
                report.figure(f"{row.key} database", median_of(runs, "database"))
    report.table(["answer", "server", "CPU µs", "÷ nginx", "requests/s", "p50 / p99 µs"], cells, words=2)


def speeds(runs):
    return f"{median_of(runs, 'rate'):,.0f}", f"{median_of(runs, 'p50'):,.0f} / {median_of(runs, 'p99'):,.0f}"


def answer(product, path, headers={}):
    with Connection(product.address) as connection:
        status, found, body, _ = connection.ask(path, headers)
    if status != 200:
        raise SystemExit(f"{path}: {status} {body[:300]}")
    return found, body


def broken(token):
    return token[:-1] + ("0" if token[-1] != "0" else "1")


def write_tokens(world):
    """Users from all over the crowd, each once before the first one comes again."""
    count = min(DRAWN, world.crowd_size - 1)
    numbers = range(1, world.crowd_size, max(1, (world.crowd_size - 1) // count))[:count]
    path = world.folder / "drawn.txt"
    path.write_text("".join(f"Authorization: Bearer {users.token(number)}\n" for number in numbers))
    return path


def write_clients(world):
    path = world.folder / "clients.txt"
    path.write_text("".join(f"X-Forwarded-For: 10.{at >> 16}.{at >> 8 & 255}.{at & 255}\n" for at in range(CLIENTS)))
    return path
