"""What is measured: accounts, crowds of users, and the servers over them, made when a part first asks for them."""
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
        # The crowd of most parts, and those that show growth.
        self.crowd_size = 10_000 if quick else 100_000
        self.sizes = [size for size in (1_000, 10_000, 100_000) if size <= self.crowd_size] + ([1_000_000] if long else [])
        self.seconds, self.rounds = (1, 2) if quick else (5, 3)
        self.made, self.running = {}, []
        folder.chmod(0o711)  # PostgreSQL and nginx run as other users
        (folder / "market").mkdir()
        account.write_market(folder / "market")

    def once(self, key, make):
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def cluster(self):
        return self.once("cluster", lambda: self.keep(Postgres(self.folder / "postgres")))

    def keep(self, program):
        """To be stopped at the end."""
        self.running.append(program)
        return program

    def product(self, engine, name):
        """A new database of this name, with the market in it."""
        cluster = self.cluster() if engine == "PostgreSQL" else None
        product = self.keep(Product(self.binary, self.folder / f"{name}-{engine}", cluster, name))
        product.command("market", "load", self.folder / "market")
        return product

    def ledger(self, shape):
        positions, entries = shape
        path = self.folder / f"{positions}x{entries}.csv"
        if not path.exists():
            account.write_ledger(path, entries, positions)
        return path

    def accounts(self, engine):
        """The served database of A and B, and their tokens."""
        def make():
            say(f"accounts A and B on {engine}")
            product = self.product(engine, "accounts")
            tokens = {name: product.add_user(f"{name}@example.com", self.ledger(shape)) for name, shape in [("a", A), ("b", B)]}
            product.settle()
            return product, tokens
        product, tokens = self.once(("accounts", engine), make)
        if not product.server:
            product.serve()
        return product, tokens

    def crowd(self, engine, size):
        """A database of so many users; not served."""
        def make():
            begun = time.monotonic()
            product = self.product(engine, f"users_{size}")
            users.seed(product, size)
            say(f"{size:,} users on {engine}: {time.monotonic() - begun:.0f} s")
            return product
        return self.once(("crowd", engine, size), make)

    def served_crowd(self, engine, size):
        product = self.crowd(engine, size)
        if not product.server:
            product.serve()
            users.check(product, size - 1)
        return product

    def copy(self, product, name):
        """The same SQLite database in a folder of its own, for what would change it."""
        other = self.keep(Product(self.binary, self.folder / name))
        product.stop()
        shutil.copytree(product.folder / "data", pathlib.Path(other.environment["DRIPLINE_DATA_DIR"]))
        return other

    def rest(self):
        """After a part: nothing but PostgreSQL goes on, so that nobody's background work counts in the next."""
        for program in self.running:
            if program is not self.made.get("cluster"):
                program.stop()

    def stop(self):
        for program in reversed(self.running):
            program.stop()


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
