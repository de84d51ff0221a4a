"""Signs in to accounts of growing length and measures the pages: response time, server CPU and bytes. Standard library only."""
import argparse
import http.client
import pathlib
import re
import statistics
import tempfile
import time
import urllib.parse

import account
from machine import cpu_of, machine
from product import Product

PAGES = ["/", "/upcoming", "/dividends", "/holdings", "/ledger"]
ROUNDS = 40
PASSWORD = "quiet rivers carve the patient stone"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--entries", default="1500,5000,15000")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.entries.split(",")]
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        product = Product(pathlib.Path(arguments.binary).resolve(), pathlib.Path(folder))
        print_table(sizes, measure(product, sizes))


def measure(product, sizes):
    (product.folder / "market").mkdir()
    account.write_market(product.folder / "market")
    product.command("market", "load", product.folder / "market")
    for size in sizes:
        email, ledger = f"{size}@example.com", product.folder / f"{size}.csv"
        account.write_ledger(ledger, size)
        product.add_user(email, ledger, PASSWORD)
    product.serve()
    try:
        visitors = {size: Visitor(product.address, f"{size}@example.com") for size in sizes}
        results = {}
        for page in PAGES:
            times = {size: [] for size in sizes}
            cpu = {size: [] for size in sizes}
            # In alternation, so that a short load spike does not affect one account only.
            for _ in range(ROUNDS):
                for size in sizes:
                    before, start = cpu_of(product.server.pid), time.perf_counter()
                    body = visitors[size].get(page)
                    times[size].append((time.perf_counter() - start) * 1000)
                    cpu[size].append((cpu_of(product.server.pid) - before) / 1000)
                    results[page, size, "bytes"] = len(body)
            for size in sizes:
                results[page, size, "ms"] = statistics.median(times[size])
                results[page, size, "CPU ms"] = statistics.median(cpu[size])
        return results
    finally:
        product.stop()


class Visitor:
    """A signed-in browser on one keep-alive connection."""

    def __init__(self, address, email):
        self.connection, self.cookies = http.client.HTTPConnection(address), {}
        self.ask("POST", "/sign-in", {"_token": self.form_token(), "email": email, "password": PASSWORD})

    def form_token(self):
        return re.search(rb'name="_token" value="([^"]+)"', self.get("/sign-in")).group(1).decode()

    def extra_headers(self):
        """Additional headers of a subclass."""
        return {}

    def get(self, path):
        status, body = self.ask("GET", path)
        if status != 200:
            raise SystemExit(f"{path} returned {status}")
        return body

    def ask(self, method, path, fields=None):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "Sec-Fetch-Site": "same-origin",
                   "Content-Type": "application/x-www-form-urlencoded", **self.extra_headers()}
        self.connection.request(method, path, urllib.parse.urlencode(fields) if fields else None, headers)
        response = self.connection.getresponse()
        body = response.read()
        for line in response.headers.get_all("Set-Cookie", []):
            name, value = line.split(";", 1)[0].split("=", 1)
            self.cookies[name] = value
        return response.status, body


def print_table(sizes, results):
    print(f"{machine()}, median of {ROUNDS}\n")
    print("| page | | " + " | ".join(f"{size:,} entries" for size in sizes) + " |")
    print("|---|---|" + "---:|" * len(sizes))
    for page in PAGES:
        for what, digits in [("ms", 1), ("CPU ms", 1), ("bytes", 0)]:
            first = results[page, sizes[0], what]
            cells = [f"{results[page, size, what]:,.{digits}f}" + (f" (×{results[page, size, what] / first:.2f})" if size != sizes[0] else "") for size in sizes]
            print(f"| `{page}` | {what} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
