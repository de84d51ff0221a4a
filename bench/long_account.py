"""One account with many entries, on both databases in alternation."""
import shutil
import statistics
import time

import account
from node import Measured, Node, bearer

COLD, WARM = 25, 2000
PATHS = ["income", "holdings", "upcoming", "dividends", "portfolios"]


class LongAccount:
    def __init__(self, binary, folder, postgres, entries):
        self.folder, self.entries = folder, entries
        self.nodes = {"SQLite": Node(binary, folder / "long-sqlite", postgres),
                      "PostgreSQL": Node(binary, folder / "long-postgres", postgres, "long")}
        self.measured, self.loaded = {}, {}

    def run(self):
        account.write_ledger(self.folder / "long.csv", self.entries)
        tokens = {}
        try:
            for side, node in self.nodes.items():
                node.command("market", "load", self.folder / "market")
                tokens[side] = node.add_user("long@example.com", self.folder / "long.csv")
                node.serve()
            self.measure_cold(tokens)
            self.measure_warm(tokens)
            self.measure_loaded(tokens)
        finally:
            for node in self.nodes.values():
                node.stop()
        self.print_table()

    def add(self, kind, path, side, figures):
        self.measured.setdefault((kind, path, side), Measured()).add(*figures)

    def measure_cold(self, tokens):
        """Measures the first requests after another process changed the account, as an operator would."""
        extra = self.folder / "more.csv"
        for number in range(COLD + 1):
            for side, node in self.nodes.items():
                account.write_one_more(extra, number)
                node.command("import", extra, "--user", "long@example.com")
                time.sleep(0.02)
                for path in PATHS[number % len(PATHS):] + PATHS[:number % len(PATHS)]:
                    figures = node.measure([(f"/api/v1/{path}", bearer(tokens[side]))])
                    if number:  # the first one also loads the stocks
                        self.add("cold", path, side, figures)

    def measure_warm(self, tokens):
        for _ in range(8):
            for path in PATHS:
                for side, node in self.nodes.items():
                    etag, _ = node.ask(f"/api/v1/{path}", bearer(tokens[side]))
                    self.add("warm", path, side, node.measure([(f"/api/v1/{path}", bearer(tokens[side]))] * (WARM // 8)))
                    unchanged = (f"/api/v1/{path}", bearer(tokens[side], etag), "GET", None, 304)
                    self.add("304", path, side, node.measure([unchanged] * (WARM // 8)))

    def measure_loaded(self, tokens):
        """Many requests at once, if `wrk` is installed: token look-ups are batched."""
        for _ in range(4 if shutil.which("wrk") else 0):
            for side, node in self.nodes.items():
                etag, _ = node.ask("/api/v1/income", bearer(tokens[side]))
                for kind, headers in [("in memory (200)", bearer(tokens[side])), ("unchanged (304)", bearer(tokens[side], etag))]:
                    self.loaded.setdefault((kind, side), []).append(node.load(headers))

    def print_table(self):
        if self.loaded:
            print("| CPU µs per request (requests/s) | SQLite | PostgreSQL: node + database | total ÷ |\n|---|---:|---:|---:|")
        for kind in dict.fromkeys(kind for kind, _ in self.loaded):
            figures = {side: [statistics.median(column) for column in zip(*self.loaded[kind, side])] for side in self.nodes}
            print(f"| `/income`, {kind}, 32 connections | " + " | ".join(f"{node:.0f} + {database:.0f} ({speed:,.0f}/s)" for speed, node, database in figures.values())
                  + f" | ×{sum(figures['PostgreSQL'][1:]) / sum(figures['SQLite'][1:]):.2f} |")
        print(f"\n{self.entries:,} entries; cold: median of {COLD}, warm and 304: {WARM} requests each\n")
        print("| | | SQLite: CPU µs | PostgreSQL: node + database, CPU µs | node ÷ | total ÷ | SQLite p50 / p99 µs | PostgreSQL p50 / p99 µs |")
        print("|---|---|---:|---:|---:|---:|---:|---:|")
        for kind in ["cold", "warm", "304"]:
            for path in PATHS:
                file, _, file_p50, file_p99 = self.measured[kind, path, "SQLite"].figures()
                node, database, p50, p99 = self.measured[kind, path, "PostgreSQL"].figures()
                print(f"| `/{path}` | {kind} | {file:,.0f} | {node:,.0f} + {database:,.0f} | ×{node / file:.2f} | ×{(node + database) / file:.2f} "
                      f"| {file_p50:,.0f} / {file_p99:,.0f} | {p50:,.0f} / {p99:,.0f} |")
        print()
