"""A user's first /income after a change, with nothing cached for the user; and the same response once it is cached."""
import statistics
import time

import account
from load import ConnectionPool
from product import bearer
from report import micros
from world import ENGINES, log

PATH = "/api/v1/income"
# Positions and entries.
LENGTHS = [(300, 1_500), (300, 5_000), (300, 15_000), (40, 2_000), (40, 20_000)]
POSITIONS = [(10, 3_000), (40, 3_000), (160, 3_000), (300, 3_000)]
KINDS = ["cold", "warm", "304"]
CONNECTIONS = 8
# Requests of each kind that find the response in memory.
REPEATED = 400


def measure(world, report):
    passes = 2 if world.quick else 5
    shapes = {"SQLite": LENGTHS + POSITIONS, "PostgreSQL": LENGTHS}
    found = {engine: Accounts(world, engine, shapes[engine]).measure(passes) for engine in ENGINES}
    report.title("Cold", f"One transaction is imported for 8 to 33 users of each ledger, the server starts, another user requests the same stocks, then each "
                 f"user sends one request, on {CONNECTIONS} connections (cold). Then {REPEATED} requests in total (warm), and as many with the ETag (304). "
                 f"CPU µs per request, median of {passes} passes; node + PostgreSQL.")
    report.table(["positions × transactions", "", *KINDS], [
        [f"{positions} × {entries:,}", engine, *(format_cpu(found[engine][positions, entries][kind]) for kind in KINDS)]
        for engine in ENGINES for positions, entries in shapes[engine]], words=2)
    sqlite = {shape: {kind: own for kind, (own, _) in kinds.items()} for shape, kinds in found["SQLite"].items()}
    report.figure("cold", sqlite[40, 2_000]["cold"])
    report.figure("cold long", sqlite[40, 20_000]["cold"] / sqlite[40, 2_000]["cold"])
    report.figure("warm", sqlite[300, 15_000]["warm"] / sqlite[300, 1_500]["warm"])
    small, large = ((sqlite[high, 3_000]["cold"] - sqlite[low, 3_000]["cold"]) / (high - low) for low, high in [(10, 160), (160, 300)])
    report.figure("cold linear", large / max(small, 0.01))
    report.note(f"Each additional position costs {small:.1f} µs from 10 to 160 positions, {large:.1f} µs from 160 to 300.")
    for kind in KINDS:
        report.curve("entries", kind, {entries: sqlite[300, entries][kind] for positions, entries in LENGTHS if positions == 300})


def format_cpu(figures):
    own, database = figures
    return micros(own) + (f" + {micros(database)}" if database is not None else "")


class Accounts:
    """Several users for each ledger shape, in one database."""

    def __init__(self, world, engine, shapes):
        log(f"cold: users of {len(shapes)} ledgers on {engine}")
        self.shapes, self.changes = shapes, 0
        self.product = world.product(engine, "cold")
        self.emails = {shape: [f"{shape[0]}-{shape[1]}-{number}@example.com" for number in range(user_count(world, engine, shape))] for shape in shapes}
        self.tokens = {shape: [self.product.add_user(email, world.ledger(shape)) for email in emails] for shape, emails in self.emails.items()}
        self.other = self.product.add_user("other@example.com", world.ledger((300, 300)))
        self.product.vacuum()

    def measure(self, passes):
        """CPU µs of the node and of PostgreSQL, by shape and kind."""
        runs = {(shape, kind): [] for shape in self.shapes for kind in KINDS}
        for number in range(passes):
            log(f"cold, pass {number + 1} of {passes} on {self.product.engine}")
            self.change()
            self.product.serve()
            self.pool = ConnectionPool(self.product.address, CONNECTIONS)
            # Twice per connection: loads the stocks into memory and prepares the statements.
            self.answers([(self.other, None)] * CONNECTIONS * 2)
            # In alternation, so that a short load spike does not affect one ledger only.
            for shape in self.shapes[number % len(self.shapes):] + self.shapes[:number % len(self.shapes)]:
                for kind, figures in self.measure_shape(shape).items():
                    runs[shape, kind].append(figures)
            self.pool.close()
            self.product.stop()
        median = lambda column: statistics.median(column) if column[0] is not None else None
        return {shape: {kind: tuple(median(column) for column in zip(*runs[shape, kind])) for kind in KINDS} for shape in self.shapes}

    def change(self):
        """Imports one more transaction into every ledger from another process, as an operator would."""
        self.changes += 1
        more = self.product.folder / "more.csv"
        account.write_one_more(more, self.changes)
        for email in (email for emails in self.emails.values() for email in emails):
            self.product.command("import", more, "--user", email)

    def measure_shape(self, shape):
        tokens = self.tokens[shape]
        cold, answers = self.timed([(token, None) for token in tokens])
        repeated = [tokens[number % len(tokens)] for number in range(REPEATED)]
        warm, _ = self.timed([(token, None) for token in repeated])
        tags = {token: headers["etag"] for token, (headers, _) in zip(tokens, answers)}
        unchanged, _ = self.timed([(token, tags[token]) for token in repeated], 304)
        return {"cold": cold, "warm": warm, "304": unchanged}

    def timed(self, requests, expected=200):
        time.sleep(0.02)
        own, database = self.product.meters()
        answers = self.answers(requests, expected)
        time.sleep(0.01)  # a transaction ends after the response is sent
        count = len(requests)
        return (own.used() / count, database.used() / count if database else None), answers

    def answers(self, requests, expected=200):
        return self.pool.ask([(PATH, bearer(token, etag)) for token, etag in requests], expected)


def user_count(world, engine, shape):
    """The same number for all lengths of a ledger, because what a pass costs in any case is divided by it. Fewer users for long ledgers
    and on PostgreSQL, because their imports take long."""
    longest = max(entries for positions, entries in LENGTHS + POSITIONS if positions == shape[0])
    fewest, most = (16, 64) if engine == "SQLite" else (8, 16)
    return max(fewest, min(most, 100_000 // longest)) // (2 if world.quick else 1)
