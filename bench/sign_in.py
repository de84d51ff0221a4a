"""Whether the time of a refused sign-in reveals that an account exists: interleaved samples, Welch's t. Standard library only."""
import argparse
import math
import pathlib
import random
import statistics
import tempfile
import time

from machine import machine
from pages import PASSWORD, Visitor
from product import Product

ACCOUNTS, ATTEMPTS = 200, 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        product = Product(pathlib.Path(arguments.binary).resolve(), pathlib.Path(folder))
        for number in range(ACCOUNTS):
            product.command("user", "add", f"known{number}@example.com", "--password-stdin", stdin=PASSWORD)
        product.serve()
        try:
            report(samples(product.address))
        finally:
            product.stop()


def samples(address):
    visitor = AnonymousVisitor(address)
    times = {"known": [], "other": []}
    # The order of the two kinds is random for each pair, so that nothing periodic affects only one of them.
    rng = random.Random(5)
    for attempt in range(ATTEMPTS):
        for number in range(ACCOUNTS):
            for kind in rng.sample(list(times), 2):
                times[kind].append(visitor.time_refusal(f"{kind}{number}@example.com", attempt * ACCOUNTS + number))
    return times


class AnonymousVisitor(Visitor):
    def __init__(self, address):
        self.attempts = 0
        super().__init__(address, "nobody@example.com")
        self.token = self.form_token()

    def time_refusal(self, email, number):
        self.attempts += 1
        start = time.perf_counter()
        status, _ = self.ask("POST", "/sign-in", {"_token": self.token, "email": email, "password": f"{PASSWORD} {number}"})
        elapsed = (time.perf_counter() - start) * 1000
        if status != 422:
            raise SystemExit(f"a wrong password got {status}")
        return elapsed

    def extra_headers(self):
        # Each attempt comes from a different address, because attempts per address are limited.
        return {"X-Forwarded-For": f"10.{self.attempts >> 16 & 255}.{self.attempts >> 8 & 255}.{self.attempts & 255}"}


def report(times):
    known, other = times["known"], times["other"]
    error = math.sqrt(statistics.variance(known) / len(known) + statistics.variance(other) / len(other))
    t = (statistics.mean(known) - statistics.mean(other)) / error
    gap = statistics.median(known) - statistics.median(other)
    print(f"{machine()}, {len(known)} refused sign-ins of each kind")
    print(f"with an account: median {statistics.median(known):.2f} ms; without: {statistics.median(other):.2f} ms; gap {gap:+.2f} ms; Welch's t {t:+.2f}")


if __name__ == "__main__":
    main()
