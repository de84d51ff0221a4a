"""A node with one connection, the CPU time that it and PostgreSQL use, and the requests."""
import hashlib
import re
import statistics
import subprocess
import time
import urllib.parse

from machine import Meter
from product import Product, bearer
from users import session


class Node(Product):
    """PostgreSQL is measured even if the node is on SQLite, so that both sides are treated alike."""

    def __init__(self, binary, folder, postgres, database=None):
        super().__init__(binary, folder, postgres if database else None, database)
        self.postgres = postgres

    def measure(self, requests):
        """The requests' latencies in µs, and average CPU µs per request of the node and of PostgreSQL."""
        time.sleep(0.01)
        node, database, latencies = Meter(self.server.pid), Meter(self.postgres.process.pid), []
        for request in requests:
            start = time.perf_counter()
            self.ask(*request)
            latencies.append((time.perf_counter() - start) * 1e6)
        time.sleep(0.01)  # a transaction ends after the response is sent
        return latencies, node.used() / len(latencies), database.used() / len(latencies)

    def load(self, headers):
        """Requests per second of `wrk` with 32 connections, and CPU µs per request of the node and of PostgreSQL."""
        options = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        node, database = Meter(self.server.pid), Meter(self.postgres.process.pid)
        done = subprocess.run(["wrk", "-t1", "-c32", "-d3s", *options, f"http://{self.address}/api/v1/income"], capture_output=True, text=True, check=True)
        requests = int(re.search(r"(\d+) requests in", done.stdout).group(1))
        return requests / 3, node.used() / requests, database.used() / requests


class Measured:
    """The measurements of one kind of request."""

    def __init__(self):
        self.latencies, self.node, self.database = [], [], []

    def add(self, latencies, node, database):
        self.latencies += latencies
        self.node.append(node)
        self.database.append(database)

    def figures(self):
        """CPU of the node, of PostgreSQL, and the client's p50 and p99."""
        times = sorted(self.latencies)
        return statistics.median(self.node), statistics.median(self.database), statistics.median(times), times[(len(times) - 1) * 99 // 100]


def api(path, token, etag=None):
    return (f"/api/v1/{path}", bearer(token, etag))


def public(token):
    """Requests whose response is the same for everybody and depends on what all users hold."""
    return [(path, bearer(token)) for path in ["/api/v1/calendar", "/api/v1/stocks?q=company", "/api/v1/stocks/S150"]]


def page(path, number):
    return (path, {"Cookie": f"__Host-s={session(number)}"})


def radar(number):
    """Adds a stock to the watchlist, through the web app's form."""
    secret, salt = session(number), "0" * 16
    digest = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part.encode() for part in ("form", salt, secret))).hexdigest()
    headers = {"Cookie": f"__Host-s={secret}", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    return ("/radar/add", headers, "POST", urllib.parse.urlencode({"_token": salt + digest, "symbol": "S299"}), 303)
