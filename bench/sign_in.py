"""Whether the time of a refused sign-in tells if the address has an account: interleaved samples, Welch's t. Standard library only."""
import argparse
import math
import pathlib
import random
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from measure import Bench, machine
from pages import PASSWORD, Visitor

ACCOUNTS, TRIES = 200, 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        bench = Bench(pathlib.Path(arguments.binary).resolve(), pathlib.Path(folder))
        # Each try from an address of its own: tries of one address are counted.
        bench.environment["DRIPLINE_TRUSTED_PROXIES"] = "127.0.0.0/8"
        for number in range(ACCOUNTS):
            bench.command("user", "add", f"known{number}@example.com", "--password-stdin", given=PASSWORD)
        server = subprocess.Popen([bench.binary, "serve", "--listen", "127.0.0.1:0"], env=bench.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            report(samples(urllib.parse.urlsplit(server.stdout.readline().strip()).netloc))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def samples(address):
    visitor = Stranger(address)
    times = {"known": [], "other": []}
    # The order of the two kinds is drawn anew for each pair, so that nothing periodic falls on one of them.
    chance = random.Random(5)
    for one in range(TRIES):
        for number in range(ACCOUNTS):
            for kind in chance.sample(list(times), 2):
                times[kind].append(visitor.refused(f"{kind}{number}@example.com", one * ACCOUNTS + number))
    return times


class Stranger(Visitor):
    def __init__(self, address):
        self.place = 0
        super().__init__(address, "nobody@example.com")
        self.token = self.form_token()

    def refused(self, email, number):
        self.place += 1
        start = time.perf_counter()
        status, _ = self.ask("POST", "/sign-in", {"_token": self.token, "email": email, "password": f"{PASSWORD} {number}"})
        elapsed = (time.perf_counter() - start) * 1000
        if status != 422:
            raise SystemExit(f"a wrong password was answered with {status}")
        return elapsed

    def extra(self):
        return {"X-Forwarded-For": f"10.{self.place >> 16 & 255}.{self.place >> 8 & 255}.{self.place & 255}"}


def report(times):
    known, other = times["known"], times["other"]
    error = math.sqrt(statistics.variance(known) / len(known) + statistics.variance(other) / len(other))
    t = (statistics.mean(known) - statistics.mean(other)) / error
    gap = statistics.median(known) - statistics.median(other)
    print(f"{machine()}, {len(known)} refused sign-ins of each kind")
    print(f"with an account: median {statistics.median(known):.2f} ms; without: {statistics.median(other):.2f} ms; gap {gap:+.2f} ms; Welch's t {t:+.2f}")


if __name__ == "__main__":
    main()
