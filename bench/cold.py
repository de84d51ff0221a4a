"""The first /income of a user after a change, nothing of the user in memory; and the same answers once they are."""
import statistics
import time

import account
from load import Lines
from product import bearer
from report import micros
from world import ENGINES, say

PATH = "/api/v1/income"
# Positions and entries.
LENGTHS = [(300, 1_500), (300, 5_000), (300, 15_000), (40, 2_000), (40, 20_000)]
POSITIONS = [(10, 3_000), (40, 3_000), (160, 3_000), (300, 3_000)]
KINDS = ["cold", "warm", "304"]
CONNECTIONS = 8
# Requests of each kind that find the answer in memory.
REPEATED = 400


def measure(world, report):
    passes = 2 if world.quick else 5
    shapes = {"SQLite": LENGTHS + POSITIONS, "PostgreSQL": LENGTHS}
    found = {engine: Accounts(world, engine, shapes[engine]).measure(passes) for engine in ENGINES}
    report.title("Cold", f"8 to 64 users of each ledger have one entry imported, the server starts, somebody else asks about the same stocks, then each "
                 f"asks once, on {CONNECTIONS} connections: cold. Then {REPEATED} times in all (warm), and as often with the tag (304). CPU µs a request, median of "
                 f"{passes} passes; node + PostgreSQL.")
    report.table(["positions × entries", "", *KINDS], [
        [f"{positions} × {entries:,}", engine, *(told(found[engine][positions, entries][kind]) for kind in KINDS)]
        for engine in ENGINES for positions, entries in shapes[engine]], words=2)
    sqlite = {shape: {kind: own for kind, (own, _) in kinds.items()} for shape, kinds in found["SQLite"].items()}
    report.figure("cold", sqlite[40, 2_000]["cold"])
    report.figure("cold long", sqlite[40, 20_000]["cold"] / sqlite[40, 2_000]["cold"])
    report.figure("warm", sqlite[300, 15_000]["warm"] / sqlite[300, 1_500]["warm"])
    small, large = ((sqlite[high, 3_000]["cold"] - sqlite[low, 3_000]["cold"]) / (high - low) for low, high in [(10, 160), (160, 300)])
    report.figure("cold linear", large / max(small, 0.01))
    report.note(f"A position more costs {small:.1f} µs from 10 to 160 positions, {large:.1f} µs from 160 to 300.")
    for kind in KINDS:
        report.curve("entries", kind, {entries: sqlite[300, entries][kind] for positions, entries in LENGTHS if positions == 300})


def told(figures):
    own, database = figures
    return micros(own) + (f" + {micros(database)}" if database is not None else "")


class Accounts:
    """Users with ledgers of these shapes, some of each, in one database."""

    def __init__(self, world, engine, shapes):
        say(f"cold: users of {len(shapes)} ledgers on {engine}")
        self.shapes, self.changes = shapes, 0
        self.product = world.product(engine, "cold")
        self.emails = {shape: [f"{shape[0]}-{shape[1]}-{number}@example.com" for number in range(users_of(world, engine, shape))] for shape in shapes}
        self.tokens = {shape: [self.product.add_user(email, world.ledger(shape)) for email in emails] for shape, emails in self.emails.items()}
        self.other = self.product.add_user("other@example.com", world.ledger((300, 300)))
        self.product.settle()

    def measure(self, passes):
        """By shape and kind: CPU µs of the node, and of PostgreSQL."""
        runs = {(shape, kind): [] for shape in self.shapes for kind in KINDS}
        for number in range(passes):
            say(f"cold, pass {number + 1} of {passes} on {self.product.engine}")
            self.change()
            self.product.serve()
            self.lines = Lines(self.product.address, CONNECTIONS)
            # Twice on each: what is known about the stocks comes into memory, statements are prepared.
            self.answers([(self.other, None)] * CONNECTIONS * 2)
            # In alternation, so that a busy neighbour of a moment does not hit one ledger only.
            for shape in self.shapes[number % len(self.shapes):] + self.shapes[:number % len(self.shapes)]:
                for kind, figures in self.pass_of(shape).items():
                    runs[shape, kind].append(figures)
            self.lines.close()
            self.product.stop()
        median = lambda column: statistics.median(column) if column[0] is not None else None
        return {shape: {kind: tuple(median(column) for column in zip(*runs[shape, kind])) for kind in KINDS} for shape in self.shapes}

    def change(self):
        """One more entry in every ledger, imported by another process as an operator would."""
        self.changes += 1
        more = self.product.folder / "more.csv"
        account.write_one_more(more, self.changes)
        for email in (email for emails in self.emails.values() for email in emails):
            self.product.command("import", more, "--user", email)

    def pass_of(self, shape):
        tokens = self.tokens[shape]
        cold, answers = self.timed([(token, None) for token in tokens])
        repeated = [tokens[number % len(tokens)] for number in range(REPEATED)]
        warm, _ = self.timed([(token, None) for token in repeated])
        tags = {token: headers["etag"] for token, (headers, _) in zip(tokens, answers)}
        unchanged, _ = self.timed([(token, tags[token]) for token in repeated], 304)
        return {"cold": cold, "warm": warm, "304": unchanged}

    def timed(self, asked, expected=200):
        time.sleep(0.02)
        own, database = self.product.meters()
        answers = self.answers(asked, expected)
        time.sleep(0.01)  # the end of a transaction comes after the answer
        count = len(asked)
        return (own.used() / count, database.used() / count if database else None), answers

    def answers(self, asked, expected=200):
        return self.lines.ask([(PATH, bearer(token, etag)) for token, etag in asked], expected)


def users_of(world, engine, shape):
    """Fewer of a long ledger and on PostgreSQL, as that takes its time to import."""
    most = 64 if engine == "SQLite" else 16
    return max(8, min(most, 100_000 // shape[1])) // (2 if world.quick else 1)
