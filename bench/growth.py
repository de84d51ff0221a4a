"""Databases with growing numbers of users, each served by its own node, measured in alternation."""
import random
import time

import users
from node import Measured, Node, api, bearer, page, public, radar
from statements import OWN, UNKNOWN_SYMBOLS, WARM_UP, Statements

# Single requests after a change; rounds, and users per round, of the other measurements; users while statements are counted.
COLD, ROUNDS, ROUND, COUNTED = 25, 8, 100, 100


class Growth:
    def __init__(self, binary, folder, postgres, sizes):
        self.folder, self.postgres, self.sizes = folder, postgres, sizes
        self.nodes = {size: Node(binary, folder / f"users-{size}", postgres, f"users_{size}") for size in sizes}
        self.people, self.asking, self.measured = {}, {}, {}

    def run(self):
        try:
            for size in self.sizes:
                self.people[size] = create_users(self.nodes[size], size)
            for node in self.nodes.values():
                node.serve()
            self.warm_up()
            self.measure()
            self.print_table()
            Statements(self.nodes, self.postgres, self.people, self.asking, self.bump_version).count()
        finally:
            for node in self.nodes.values():
                node.stop()

    def warm_up(self):
        """Loads the stocks into memory and prepares the connections' statements."""
        for size, node in self.nodes.items():
            for number, token in self.people[size][:WARM_UP]:
                for request in [api("income", token), api("holdings", token), api("upcoming", token), page("/", number), *public(token)]:
                    node.ask(*request)
            self.people[size] = self.people[size][WARM_UP:]

    def measure(self):
        asking = self.asking
        for size, people in self.people.items():
            self.people[size], asking[size] = people[:COUNTED], people[COUNTED:]
        kinds = [
            ("`/income`, first request of a user", lambda size, at: [api("income", token) for _, token in asking[size][at:at + ROUND]]),
            ("`/income`, unchanged (304)", self.unchanged(asking)),
            ("`/income`, in memory (200)", lambda size, at: [api("income", random.choice(asking[size])[1]) for _ in range(ROUND)]),
            ("`/holdings`, first", lambda size, at: [api("holdings", token) for _, token in asking[size][at:at + ROUND]]),
            ("`/upcoming`, first", lambda size, at: [api("upcoming", token) for _, token in asking[size][at:at + ROUND]]),
            ("page `/`", lambda size, at: [page("/", number) for number, _ in asking[size][at:at + ROUND]]),
            ("`/radar/add`, a write", lambda size, at: [radar(number) for number, _ in asking[size][at:at + ROUND]]),
            ("`/income`, after the write", lambda size, at: [api("income", token) for _, token in asking[size][at:at + ROUND]])]
        for kind, requests in kinds:
            for at in range(0, ROUNDS * ROUND, ROUND):
                for size, node in self.nodes.items():
                    chosen = requests(size, at)
                    self.measured.setdefault((kind, size), Measured()).add(*node.measure(chosen))
        kinds = {f"`{request[0]}`, after any user's change": ("tracking", request[0]) for request in public("")}
        kinds["`/income`, after a batch of prices"] = ("market", "/api/v1/income")
        for kind, (changed, path) in kinds.items():
            for _ in range(COLD):
                for size, node in self.nodes.items():
                    self.bump_version(size, changed)
                    figures = node.measure([(path, bearer(random.choice(asking[size])[1]))])
                    self.measured.setdefault((kind, size), Measured()).add(*figures)

    def unchanged(self, asking):
        def requests(size, at):
            chosen = [token for _, token in asking[size][at:at + ROUND]]
            tags = [self.nodes[size].ask(*api("income", token))[0] for token in chosen]
            return [(*api("income", token, tag), "GET", None, 304) for token, tag in zip(chosen, tags)]
        return requests

    def bump_version(self, size, what="tracking"):
        self.postgres.sql(f"UPDATE versions SET value = value + 1 WHERE name = '{what}'", f"users_{size}")
        time.sleep(0.02)

    def print_table(self):
        print(f"20 entries, 10 positions and 5 watchlist stocks per user; CPU µs per request, node + PostgreSQL; median of {ROUNDS} rounds of {ROUND} "
              f"random users, or of {COLD} requests after a change\n")
        print("| | " + " | ".join(f"{size:,} users" for size in self.sizes) + " | last ÷ first | p50 / p99 µs, last |")
        print("|---|" + "---:|" * (len(self.sizes) + 2))
        for kind in dict.fromkeys(kind for kind, _ in self.measured):
            figures = [self.measured[kind, size].figures() for size in self.sizes]
            cells = [f"{node:,.0f} + {database:,.0f}" for node, database, _, _ in figures]
            ratios = f"×{figures[-1][0] / figures[0][0]:.2f} + ×{figures[-1][1] / figures[0][1]:.2f}"
            print(f"| {kind} | " + " | ".join(cells) + f" | {ratios} | {figures[-1][2]:,.0f} / {figures[-1][3]:,.0f} |")
        print()


def create_users(node, size):
    """Creates the users and returns some of them, with a token each."""
    node.command("market", "load", node.folder.parent / "market")
    users.seed(node, size)
    node.postgres.sql(UNKNOWN_SYMBOLS, f"users_{size}")
    return [(number, users.token(number)) for number in random.Random(size).sample(range(OWN + 1, size), WARM_UP + COUNTED + ROUNDS * ROUND)]
