"""Cached responses compared with nginx serving the same bytes: alternating pairs of runs, and the median of their ratios."""
import dataclasses
import statistics

import peer
import users
from load import Connection, Side, burst, run
from nginx import Nginx
from product import bearer
from report import median_of, micros
from world import ENGINES, log

# Three years, so that the response for 40 positions has the 8 to 9 KB of the goals.
PATH, CALENDAR, STOCK = "/api/v1/income?years=3", "/api/v1/calendar", "/api/v1/stocks/S150"
# Node compiles hot code gradually, over some ten thousand requests.
WARM_UP_SECONDS, PEERS_WARM_UP_SECONDS = 1, 10
# Users of the large database who send requests in turn.
DRAWN = 4_000
# Clients without a token: each may send 60 requests a minute, all together a million.
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
    write_report(report, rows, alternate(world, rows))
    if servers.left_out:
        report.note(*servers.left_out)


class Servers:
    """The product on both databases, nginx with its responses, and the peers."""

    def __init__(self, world):
        self.world = world
        self.products, self.tokens = {}, {}
        for engine in ENGINES:
            self.products[engine], self.tokens[engine] = world.accounts(engine)
        self.crowds = {engine: world.served_crowd(engine, world.crowd_size) for engine in ENGINES}
        self.drawn, self.clients = write_tokens(world), write_clients(world)
        for product in self.crowds.values():  # so that their responses are in memory
            burst(product.address, [(PATH, dict([line.split(": ", 1)])) for line in self.drawn.read_text().splitlines()])
        sqlite, tokens = self.products["SQLite"], self.tokens["SQLite"]
        self.answers = {"a": get(sqlite, PATH, bearer(tokens["a"])), "b": get(sqlite, PATH, bearer(tokens["b"])),
                        "calendar": get(sqlite, CALENDAR), "stock": get(sqlite, STOCK),
                        "one": get(self.crowds["SQLite"], PATH, bearer(users.token(1)))}
        self.nginx = world.stop_at_end(Nginx(world.folder / "nginx", {f"/{name}": response for name, response in self.answers.items()}))
        self.peers, self.left_out = peer.start(world, self.products["PostgreSQL"], self.tokens["PostgreSQL"]["a"], PATH, self.body("a"))

    def rows(self):
        size = lambda name: f"{len(self.body(name)):,} bytes"
        unchanged = self.static("a", bearer(self.tokens["SQLite"]["a"], self.nginx.etag("/a")), 304)
        return [
            Row("304", f"304, {size('a')} unchanged", unchanged, self.product_sides("a", 304) + self.peer_sides(304)),
            Row("200", f"200 from memory, {size('a')}", self.static("a", bearer(self.tokens["SQLite"]["a"])), self.product_sides("a") + self.peer_sides(200)),
            Row("B", f"200 from memory, 300 positions, {size('b')}", self.static("b", bearer(self.tokens["SQLite"]["b"])), self.product_sides("b")),
            Row("crowd", f"200 from memory, {DRAWN:,} of {self.world.crowd_size:,} users, about {size('one')}",
                self.static("one", {}, lines=self.drawn),
                [product_side(product, PATH, {}, 200, lines=self.drawn, uneven=True) for product in self.crowds.values()]),
            Row("calendar", f"anonymous `/calendar`, {size('calendar')}", *self.anonymous("calendar", CALENDAR)),
            Row("stock", f"anonymous `/stocks/S150`, {size('stock')}", *self.anonymous("stock", STOCK)),
            Row("bad token", "bad token, 401 (nginx: 304)", unchanged,
                [product_side(self.products[engine], PATH, bearer(corrupted(self.tokens[engine]["a"])), 401) for engine in ENGINES])]

    def body(self, name):
        return self.answers[name][1]

    def static(self, name, headers, expected=200, **more):
        return Side("nginx", self.nginx.address, self.nginx.meters, f"/{name}", headers, expected, self.body(name) if expected == 200 else None, **more)

    def product_sides(self, name, expected=200):
        sides = []
        for engine, product in self.products.items():
            token = self.tokens[engine][name]
            etag = get(product, PATH, bearer(token))[0]["etag"] if expected == 304 else None
            sides.append(product_side(product, PATH, bearer(token, etag), expected, self.body(name) if expected == 200 else None))
        return sides

    def peer_sides(self, expected):
        token = self.tokens["PostgreSQL"]["a"]
        return [Side(one.name, one.address, one.meters, PATH, bearer(token, one.etag if expected == 304 else None), expected,
                     self.body("a") if expected == 200 else None) for one in self.peers]

    def anonymous(self, name, path):
        """nginx, and the product on SQLite. A header says how many requests are left, so responses differ in length."""
        more = {"lines": self.clients, "seconds_max": CLIENTS_SECONDS_MAX}
        return self.static(name, {}, **more), [product_side(self.products["SQLite"], path, {}, 200, self.body(name), uneven=True, **more)]


def product_side(product, path, headers, expected, body=None, **more):
    return Side(f"Dripline, {product.engine}", product.address, product.meters, path, headers, expected, body, **more)


def alternate(world, rows):
    """Runs by row and side: pairs of nginx and the side, back to back."""
    found = {}
    log("hot, warming up")
    for side in (side for row in rows for side in (row.nginx, *row.sides)):
        run(side, WARM_UP_SECONDS if side.name.startswith(("nginx", "Dripline")) else PEERS_WARM_UP_SECONDS)
    for number in range(world.rounds):
        for row in rows:
            log(f"hot, round {number + 1} of {world.rounds}: {row.key}")
            for side in row.sides:
                found.setdefault((row.key, side.name), []).append((run(row.nginx, world.seconds), run(side, world.seconds)))
    return found


def write_report(report, rows, found):
    report.title("In memory", "`/income?years=3` unless stated otherwise. 64 keep-alive connections of wrk; CPU µs per request of all processes of the server, and of "
                 "PostgreSQL if it uses one; the ratio to nginx's run right before, as a median.")
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
    report.table(["response", "server", "CPU µs", "÷ nginx", "requests/s", "p50 / p99 µs"], cells, words=2)


def speeds(runs):
    return f"{median_of(runs, 'rate'):,.0f}", f"{median_of(runs, 'p50'):,.0f} / {median_of(runs, 'p99'):,.0f}"


def get(product, path, headers={}):
    with Connection(product.address) as connection:
        status, found, body, _ = connection.ask(path, headers)
    if status != 200:
        raise SystemExit(f"{path}: {status} {body[:300]}")
    return found, body


def corrupted(token):
    return token[:-1] + ("0" if token[-1] != "0" else "1")


def write_tokens(world):
    """Tokens of users from across the database, each once before the first one repeats."""
    count = min(DRAWN, world.crowd_size - 1)
    numbers = range(1, world.crowd_size, max(1, (world.crowd_size - 1) // count))[:count]
    path = world.folder / "drawn.txt"
    path.write_text("".join(f"Authorization: Bearer {users.token(number)}\n" for number in numbers))
    return path


def write_clients(world):
    path = world.folder / "clients.txt"
    path.write_text("".join(f"X-Forwarded-For: 10.{at >> 16}.{at >> 8 & 255}.{at & 255}\n" for at in range(CLIENTS)))
    return path
