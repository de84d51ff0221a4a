"""The databases and servers that are measured, created when a part first needs them."""
import pathlib
import shutil
import sys
import time

import account
import users
from cluster import Postgres
from product import Product

ENGINES = ["SQLite", "PostgreSQL"]
# The accounts: positions and entries.
A, B = (40, 2_000), (300, 15_000)


class World:
    def __init__(self, binary, folder, quick, long=False):
        self.binary, self.folder, self.quick = binary, folder, quick
        # The number of users in most parts, and the sizes that show growth.
        self.crowd_size = 10_000 if quick else 100_000
        self.sizes = [size for size in (1_000, 10_000, 100_000) if size <= self.crowd_size] + ([1_000_000] if long else [])
        self.seconds, self.rounds = (1, 2) if quick else (5, 3)
        self.created, self.running = {}, []
        folder.chmod(0o711)  # PostgreSQL and nginx run as other users
        (folder / "market").mkdir()
        account.write_market(folder / "market")

    def once(self, key, make):
        if key not in self.created:
            self.created[key] = make()
        return self.created[key]

    def cluster(self):
        return self.once("cluster", lambda: self.stop_at_end(Postgres(self.folder / "postgres")))

    def stop_at_end(self, program):
        """Registers a program to be stopped at the end."""
        self.running.append(program)
        return program

    def product(self, engine, name):
        """A new database of this name, with market data."""
        cluster = self.cluster() if engine == "PostgreSQL" else None
        product = self.stop_at_end(Product(self.binary, self.folder / f"{name}-{engine}", cluster, name))
        product.command("market", "load", self.folder / "market")
        return product

    def ledger(self, shape):
        positions, entries = shape
        path = self.folder / f"{positions}x{entries}.csv"
        if not path.exists():
            account.write_ledger(path, entries, positions)
        return path

    def accounts(self, engine):
        """The running product with accounts A and B, and their tokens."""
        def make():
            log(f"accounts A and B on {engine}")
            product = self.product(engine, "accounts")
            tokens = {name: product.add_user(f"{name}@example.com", self.ledger(shape)) for name, shape in [("a", A), ("b", B)]}
            product.vacuum()
            return product, tokens
        product, tokens = self.once(("accounts", engine), make)
        if not product.server:
            product.serve()
        return product, tokens

    def crowd(self, engine, size):
        """A database with this many users; its server is not started."""
        def make():
            started = time.monotonic()
            product = self.product(engine, f"users_{size}")
            users.seed(product, size)
            log(f"{size:,} users on {engine}: {time.monotonic() - started:.0f} s")
            return product
        return self.once(("crowd", engine, size), make)

    def served_crowd(self, engine, size):
        product = self.crowd(engine, size)
        if not product.server:
            product.serve()
            users.check(product, size - 1)
        return product

    def copy(self, product, name):
        """A copy of the SQLite database in another folder, for parts that change it."""
        other = self.stop_at_end(Product(self.binary, self.folder / name))
        product.stop()
        shutil.copytree(product.folder / "data", pathlib.Path(other.environment["DRIPLINE_DATA_DIR"]))
        return other

    def stop_servers(self):
        """After a part, stops everything but PostgreSQL, so that no background work counts in the next part."""
        for program in self.running:
            if program is not self.created.get("cluster"):
                program.stop()

    def stop(self):
        for program in reversed(self.running):
            program.stop()


def log(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
