"""A node on PostgreSQL: one long account beside SQLite, many accounts, and an import. Standard library only."""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

import account
from measure import Bench, cpu_of, machine

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e" / "nodes"))
from programs import as_owner, database_owner, end, find, free_port, until  # noqa: E402

COLD, WARM, IMPORTS = 25, 2000, 5
PATHS = ["income", "holdings", "upcoming", "dividends", "portfolios"]
# Of the many accounts: how many ask, in rounds of so many requests, and how many ask while statements are counted.
ROUNDS, ROUND, COUNTED = 8, 100, 100
WARM_UP = 80
# Users with a symbol that nobody else names and market data does not know; they leave at the end.
OWN = 5
# Longer than PostgreSQL keeps counts to itself (10 s).
COUNTS_ARRIVE = 11
NOW = 1_794_744_000_000_000
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SETTINGS = {
    "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "fsync": "on", "synchronous_commit": "on",
    "shared_buffers": "'256MB'", "max_wal_size": "'4GB'", "max_connections": "100", "shared_preload_libraries": "'pg_stat_statements'",
    "pg_stat_statements.track": "none", "log_timezone": "'UTC'"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--users", default="1000,10000,100000")
    parser.add_argument("--entries", type=int, default=15000)
    parser.add_argument("--only", default="account,growth,imports")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.users.split(",")]
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        folder, binary = pathlib.Path(folder), pathlib.Path(arguments.binary).resolve()
        folder.chmod(0o711)
        (folder / "market").mkdir()
        account.write_market(folder / "market")
        postgres = Postgres(folder / "postgres")
        try:
            print(f"{machine()}, Linux {os.uname().release}, {postgres.sql('SHOW server_version')}, load {os.getloadavg()[0]:.1f}\n")
            if "account" in arguments.only:
                LongAccount(binary, folder, postgres, arguments.entries).run()
            if "growth" in arguments.only:
                Growth(binary, folder, postgres, sizes).run()
            if "imports" in arguments.only:
                measure_imports(binary, folder, postgres, arguments.entries)
            print(f"load at the end {os.getloadavg()[0]:.1f}")
        finally:
            postgres.stop()


class Postgres:
    """A cluster of its own, with the safety that an operator wants: fsync, and commits that wait for it."""

    def __init__(self, folder):
        self.folder, self.port, self.owner = folder, free_port(), database_owner()
        folder.mkdir(mode=0o700)
        if self.owner:
            os.chown(folder, self.owner.pw_uid, self.owner.pw_gid)
        subprocess.run([find("initdb"), "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL, **as_owner(self.owner))
        with open(folder / "data" / "postgresql.conf", "a") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in SETTINGS.items())
        with open(folder / "log", "wb") as log:
            self.process = subprocess.Popen([find("postgres"), "-D", folder / "data", "-p", str(self.port)], cwd=folder, stdout=log,
                                            stderr=log, **as_owner(self.owner))
        until(30, lambda: subprocess.run(self.psql("postgres", "SELECT 1"), capture_output=True).returncode == 0, "PostgreSQL")
        self.sql("CREATE EXTENSION pg_stat_statements")

    def psql(self, database, text):
        return [find("psql"), "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
                "-d", database, "-c", text]

    def sql(self, text, database="postgres"):
        done = subprocess.run(self.psql(database, text), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{text[:300]}: {done.stderr}")
        return done.stdout.strip()

    def rows(self, text, database="postgres"):
        return json.loads(self.sql(f"SELECT coalesce(json_agg(r), '[]') FROM ({text}) r", database))

    def new_database(self, name):
        self.sql(f"CREATE DATABASE {name}")
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}?sslmode=disable"

    def cpu(self):
        """CPU time in µs of each process: the server, its own workers, and one for each connection."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        found = {}
        for each in [pid, *map(int, children)]:
            try:
                found[each] = cpu_of(each)
            except OSError:
                continue  # it has ended meanwhile
        return found

    def cpu_of_ended(self):
        """Of processes that are gone, to the hundredth of a second."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[13]) + int(fields[14])) * 1e6 / os.sysconf("SC_CLK_TCK")

    def cpu_of_all(self):
        return sum(self.cpu().values()) + self.cpu_of_ended()

    def count_statements(self, on):
        self.sql(f"ALTER SYSTEM SET pg_stat_statements.track = {'top' if on else 'none'}")
        self.sql("SELECT pg_reload_conf()")
        time.sleep(0.2)
        self.sql("SELECT pg_stat_statements_reset()")

    def stop(self):
        end(self.process, signal.SIGINT)


class Node(Bench):
    """The service on one database, and what it and PostgreSQL use of the processor."""

    def __init__(self, binary, folder, postgres, url=None):
        folder.mkdir()
        super().__init__(binary, folder)
        self.postgres = postgres
        if url:
            self.environment["DRIPLINE_DATABASE_URL"] = url
        self.server = None

    def serve(self):
        self.server = subprocess.Popen([self.binary, "serve", "--listen", "127.0.0.1:0"], env=self.environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.server.stdout.readline().strip()
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(line[line.index("http"):]).netloc)

    def stop(self):
        if self.server:
            end(self.server, signal.SIGTERM)

    def ask(self, path, headers, method="GET", body=None, expected=200):
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status != expected:
            raise SystemExit(f"{path} answered {response.status} instead of {expected}: {text[:300]}")
        return response.headers["ETag"], text

    def measure(self, requests):
        """Latencies of these requests in µs; CPU µs of each on average: of the node, and of PostgreSQL."""
        time.sleep(0.01)
        node, database, ended, latencies = cpu_of(self.server.pid), self.postgres.cpu(), self.postgres.cpu_of_ended(), []
        for request in requests:
            start = time.perf_counter()
            self.ask(*request)
            latencies.append((time.perf_counter() - start) * 1e6)
        time.sleep(0.01)  # the end of a transaction comes after the answer
        node = cpu_of(self.server.pid) - node
        used = sum(used - database.get(pid, 0) for pid, used in self.postgres.cpu().items())
        ended = self.postgres.cpu_of_ended() - ended
        # Known to the hundredth of a second only: it counts when parallel workers have done something worth it.
        used += ended if ended >= 50_000 else 0
        return latencies, node / len(latencies), used / len(latencies)

    def load(self, headers):
        """Requests a second of `wrk` with 32 connections, and CPU µs a request of the node and of PostgreSQL."""
        options = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        node, database = cpu_of(self.server.pid), sum(self.postgres.cpu().values())
        address = f"http://{self.connection.host}:{self.connection.port}/api/v1/income"
        done = subprocess.run(["wrk", "-t1", "-c32", "-d3s", *options, address], capture_output=True, text=True, check=True)
        requests = int(re.search(r"(\d+) requests in", done.stdout).group(1))
        node, database = cpu_of(self.server.pid) - node, sum(self.postgres.cpu().values()) - database
        return requests / 3, node / requests, database / requests


def bearer(token, etag=None):
    return {"Authorization": f"Bearer {token}", **({"If-None-Match": etag} if etag else {})}


class Measured:
    """What was measured of one kind of request, in parts that alternated with others."""

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


class LongAccount:
    """One account of many entries, on both databases in alternation."""

    def __init__(self, binary, folder, postgres, entries):
        self.folder, self.entries = folder, entries
        self.nodes = {"SQLite": Node(binary, folder / "long-sqlite", postgres),
                      "PostgreSQL": Node(binary, folder / "long-postgres", postgres, postgres.new_database("long"))}
        self.measured, self.loaded = {}, {}

    def run(self):
        account.write_ledger(self.folder / "long.csv", self.entries)
        tokens = {}
        try:
            for side, node in self.nodes.items():
                node.command("market", "load", self.folder / "market")
                node.command("user", "add", "long@example.com", "--residence", "ES")
                node.command("import", self.folder / "long.csv", "--user", "long@example.com")
                tokens[side] = node.command("token", "create", "--user", "long@example.com", "--name", "bench")
                node.serve()
            self.measure_cold(tokens)
            self.measure_warm(tokens)
            self.measure_loaded(tokens)
        finally:
            for node in self.nodes.values():
                node.stop()
        self.print_table()

    def note(self, kind, path, side, figures):
        self.measured.setdefault((kind, path, side), Measured()).add(*figures)

    def measure_cold(self, tokens):
        """The first requests after a change of the account, made by another process as an operator would."""
        more = self.folder / "more.csv"
        for number in range(COLD + 1):
            for side, node in self.nodes.items():
                account.write_one_more(more, number)
                node.command("import", more, "--user", "long@example.com")
                time.sleep(0.02)
                for path in PATHS[number % len(PATHS):] + PATHS[:number % len(PATHS)]:
                    figures = node.measure([(f"/api/v1/{path}", bearer(tokens[side]))])
                    if number:  # the first one reads what is known about the stocks, too
                        self.note("cold", path, side, figures)

    def measure_warm(self, tokens):
        for _ in range(8):
            for path in PATHS:
                for side, node in self.nodes.items():
                    etag, _ = node.ask(f"/api/v1/{path}", bearer(tokens[side]))
                    self.note("warm", path, side, node.measure([(f"/api/v1/{path}", bearer(tokens[side]))] * (WARM // 8)))
                    unchanged = (f"/api/v1/{path}", bearer(tokens[side], etag), "GET", None, 304)
                    self.note("304", path, side, node.measure([unchanged] * (WARM // 8)))

    def measure_loaded(self, tokens):
        """Many at once, as far as `wrk` is there: look-ups share their way to the database."""
        for _ in range(4 if shutil.which("wrk") else 0):
            for side, node in self.nodes.items():
                etag, _ = node.ask("/api/v1/income", bearer(tokens[side]))
                for kind, headers in [("in memory (200)", bearer(tokens[side])), ("unchanged (304)", bearer(tokens[side], etag))]:
                    self.loaded.setdefault((kind, side), []).append(node.load(headers))

    def print_table(self):
        if self.loaded:
            print("| CPU µs a request (requests/s) | SQLite | PostgreSQL: node + database | together ÷ |\n|---|---:|---:|---:|")
        for kind in dict.fromkeys(kind for kind, _ in self.loaded):
            figures = {side: [statistics.median(column) for column in zip(*self.loaded[kind, side])] for side in self.nodes}
            print(f"| `/income`, {kind}, 32 connections | " + " | ".join(f"{node:.0f} + {database:.0f} ({speed:,.0f}/s)" for speed, node, database in figures.values())
                  + f" | ×{sum(figures['PostgreSQL'][1:]) / sum(figures['SQLite'][1:]):.2f} |")
        print(f"\n{self.entries:,} entries; cold: median of {COLD}, warm and 304: {WARM} requests each\n")
        print("| | | SQLite: CPU µs | PostgreSQL: node + database, CPU µs | node ÷ | together ÷ | SQLite p50 / p99 µs | PostgreSQL p50 / p99 µs |")
        print("|---|---|---:|---:|---:|---:|---:|---:|")
        for kind in ["cold", "warm", "304"]:
            for path in PATHS:
                file, _, file_p50, file_p99 = self.measured[kind, path, "SQLite"].figures()
                node, database, p50, p99 = self.measured[kind, path, "PostgreSQL"].figures()
                print(f"| `/{path}` | {kind} | {file:,.0f} | {node:,.0f} + {database:,.0f} | ×{node / file:.2f} | ×{(node + database) / file:.2f} "
                      f"| {file_p50:,.0f} / {file_p99:,.0f} | {p50:,.0f} / {p99:,.0f} |")
        print()


class Growth:
    """Databases of growing numbers of users, each served by a node of its own, in alternation."""

    def __init__(self, binary, folder, postgres, sizes):
        self.folder, self.postgres, self.sizes = folder, postgres, sizes
        self.nodes = {size: Node(binary, folder / f"users-{size}", postgres, postgres.new_database(f"users_{size}")) for size in sizes}
        self.people, self.asking, self.measured = {}, {}, {}

    def run(self):
        try:
            for size in self.sizes:
                self.people[size] = seed(self.nodes[size], size)
            for node in self.nodes.values():
                node.serve()
            self.warm_up()
            self.measure()
            self.print_table()
            self.count()
        finally:
            for node in self.nodes.values():
                node.stop()

    def warm_up(self):
        """What is known about stocks comes into memory, and connections have prepared their statements."""
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
        kinds = {f"`{request[0]}`, after anybody's change": ("tracking", request[0]) for request in public("")}
        kinds["`/income`, after a batch of prices"] = ("market", "/api/v1/income")
        for kind, (changed, path) in kinds.items():
            for _ in range(COLD):
                for size, node in self.nodes.items():
                    self.somebody_changes(size, changed)
                    figures = node.measure([(path, bearer(random.choice(asking[size])[1]))])
                    self.measured.setdefault((kind, size), Measured()).add(*figures)

    def unchanged(self, asking):
        def requests(size, at):
            chosen = [token for _, token in asking[size][at:at + ROUND]]
            tags = [self.nodes[size].ask(*api("income", token))[0] for token in chosen]
            return [(*api("income", token, tag), "GET", None, 304) for token, tag in zip(chosen, tags)]
        return requests

    def somebody_changes(self, size, what="tracking"):
        self.postgres.sql(f"UPDATE versions SET value = value + 1 WHERE name = '{what}'", f"users_{size}")
        time.sleep(0.02)

    def print_table(self):
        print(f"20 entries, 10 positions and 5 on the radar a user; CPU µs a request, node + PostgreSQL; median of {ROUNDS} rounds of {ROUND} "
              f"random users, of {COLD} requests after a change\n")
        print("| | " + " | ".join(f"{size:,} users" for size in self.sizes) + " | last ÷ first | p50 / p99 µs, last |")
        print("|---|" + "---:|" * (len(self.sizes) + 2))
        for kind in dict.fromkeys(kind for kind, _ in self.measured):
            figures = [self.measured[kind, size].figures() for size in self.sizes]
            cells = [f"{node:,.0f} + {database:,.0f}" for node, database, _, _ in figures]
            ratios = f"×{figures[-1][0] / figures[0][0]:.2f} + ×{figures[-1][1] / figures[0][1]:.2f}"
            print(f"| {kind} | " + " | ".join(cells) + f" | {ratios} | {figures[-1][2]:,.0f} / {figures[-1][3]:,.0f} |")
        print()

    def count(self):
        """What statements do, which no busy neighbour can blur: how many, and how many pages they touch."""
        kinds = {
            "`/income`, first": (None, lambda number, token: api("income", token)),
            "`/income`, in memory or unchanged": (None, lambda number, token: api("income", token)),
            "`/dividends`, first": (None, lambda number, token: api("dividends", token)),
            "`/portfolios`, first": (None, lambda number, token: api("portfolios", token)),
            "page `/`": (None, lambda number, token: page("/", number)),
            "page `/holdings`": (None, lambda number, token: page("/holdings", number)),
            "`/sign-in`": (None, lambda number, token: ("/sign-in", {})),
            "`/radar/add`": (None, lambda number, token: radar(number))}
        for path, _ in public(""):
            kinds[f"`{path}`, after anybody's change"] = ("tracking", lambda number, token, path=path: (path, bearer(token)))
        kinds["`/income`, after a batch of prices"] = ("market", lambda number, token: api("income", token))
        found, before = {}, {}
        for size, node in self.nodes.items():
            for _, token in self.asking[size][:WARM_UP]:
                node.ask(*api("income", token))
        time.sleep(COUNTS_ARRIVE)
        for size in self.sizes:
            before[size] = self.scans(size)
        for kind, (changed, request) in kinds.items():
            for size, node in self.nodes.items():
                self.postgres.count_statements(True)
                people = self.people[size][:5] if changed else self.people[size]
                for number, token in people:
                    if changed:
                        self.somebody_changes(size, changed)
                    node.ask(*request(number, token))
                time.sleep(0.02)
                found[kind, size] = self.statements(size, len(people))
        time.sleep(COUNTS_ARRIVE)
        after = {size: self.scans(size) for size in self.sizes}
        times = self.count_commands(found)
        self.postgres.count_statements(False)
        self.print_counts(found)
        self.print_commands(times)
        self.print_scans(before, after)

    def count_commands(self, found):
        """Work behind the requests: the list of all stocks that somebody has, and an account that goes with a symbol only it named."""
        commands = {"`dripline market status`": lambda number: ("market", "status"),
                    "`dripline user delete`": lambda number: ("user", "delete", f"u{number}@example.com", "--yes")}
        times = {}
        for kind, words in commands.items():
            for size, node in self.nodes.items():
                self.postgres.count_statements(True)
                for number in range(1, OWN + 1):
                    start = time.perf_counter()
                    done = subprocess.run([node.binary, *words(number)], env=node.environment, capture_output=True, text=True)
                    times.setdefault((kind, size), []).append((time.perf_counter() - start, done.stderr.strip() if done.returncode else ""))
                found[kind, size] = self.statements(size, OWN)
        return times

    def print_commands(self, times):
        for kind in dict.fromkeys(kind for kind, _ in times):
            cells = []
            for size in self.sizes:
                failed = [words for _, words in times[kind, size] if words]
                cells.append(f"{statistics.median(seconds for seconds, _ in times[kind, size]):.2f} s" + (f" ({len(failed)} of {OWN} failed: {failed[0][:150]})" if failed else ""))
            print(f"- {kind}: " + "; ".join(cells))
        print()

    def statements(self, size, requests):
        text = f"""SELECT query, calls, rows, shared_blks_hit + shared_blks_read AS pages, total_exec_time * 1000 AS time, {requests} AS requests
            FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = 'users_{size}'
            AND query NOT LIKE 'UPDATE versions SET value = value + 1 WHERE name = ''%' ORDER BY pages DESC"""
        return self.postgres.rows(text)

    def scans(self, size):
        text = "SELECT relname, seq_scan, seq_tup_read FROM pg_stat_user_tables WHERE seq_scan > 0"
        return {row["relname"]: (row["seq_scan"], row["seq_tup_read"]) for row in self.postgres.rows(text, f"users_{size}")}

    def print_counts(self, found):
        print("| a request | " + " | ".join(f"{size:,} users" for size in self.sizes) + " |\n|---|" + "---:|" * len(self.sizes))
        growing = {}
        for kind in dict.fromkeys(kind for kind, _ in found):
            cells = []
            for size in self.sizes:
                rows = found[kind, size]
                total = lambda column: sum(row[column] for row in rows) / max(rows[0]["requests"], 1) if rows else 0
                cells.append(f"{total('calls'):.1f} statements, {total('rows'):.1f} rows, {total('pages'):,.0f} pages")
                for row in rows:
                    growing.setdefault((kind, " ".join(row["query"].split())), {})[size] = row
            print(f"| {kind} | " + " | ".join(cells) + " |")
        print("\nStatements that touch more pages the more users there are (pages a run; PostgreSQL's µs a run):\n")
        for (kind, query), by_size in growing.items():
            if len(by_size) < len(self.sizes):
                continue
            pages = [by_size[size]["pages"] / by_size[size]["calls"] for size in self.sizes]
            if pages[-1] > max(2 * pages[0], pages[0] + 10):
                times = [by_size[size]["time"] / by_size[size]["calls"] for size in self.sizes]
                print(f"- {kind}: `{query[:300]}`: " + "; ".join(f"{page:,.0f} pages, {spent:,.0f} µs" for page, spent in zip(pages, times)))
        print()

    def print_scans(self, before, after):
        print("Tables read from end to end by these requests (scans, rows a scan):\n")
        for size in self.sizes:
            cells = []
            for name, (scans, rows) in sorted(after[size].items()):
                scans, rows = scans - before[size].get(name, (0, 0))[0], rows - before[size].get(name, (0, 0))[1]
                cells += [f"`{name}` {scans:,} × {rows / scans:,.0f}"] if scans else []
            print(f"- {size:,} users: " + ", ".join(cells))
        print()


def api(path, token, etag=None):
    return (f"/api/v1/{path}", bearer(token, etag))


def public(token):
    """What is the same for everybody and depends on what all users hold."""
    return [(path, bearer(token)) for path in ["/api/v1/calendar", "/api/v1/stocks?q=company", "/api/v1/stocks/S150"]]


def page(path, number):
    return (path, {"Cookie": f"__Host-s={session(number)}"})


def session(number):
    return f"session{number:036}"


def radar(number):
    """A stock onto the radar, through the form of the web app."""
    secret, salt = session(number), "0" * 16
    digest = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part.encode() for part in ("form", salt, secret))).hexdigest()
    headers = {"Cookie": f"__Host-s={secret}", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    return ("/radar/add", headers, "POST", urllib.parse.urlencode({"_token": salt + digest, "symbol": "S299"}), 303)


def seed(node, size):
    """So many users, each a copy of one that the program itself made, over other stocks. Returns some of them, with a token each."""
    node.command("market", "load", node.folder.parent / "market")
    node.command("user", "add", "u0@example.com", "--residence", "ES")
    rows = [f"2024-0{1 + number // 5}-1{number % 5},buy,S00{number},{10 + number},{30 + number}.5,,,{account.place(number)[0]}" for number in range(10)]
    rows += [f"2025-0{1 + number // 5}-1{number % 5},dividend,S00{number},,,{10 + number}.2,1.53,{account.place(number)[0]}" for number in range(10)]
    ledger = node.folder / "one.csv"
    ledger.write_text("date,type,symbol,shares,price,amount,tax,currency\n" + "\n".join(rows) + "\n")
    node.command("import", ledger, "--user", "u0@example.com")
    people = [(number, new_token(number)) for number in random.Random(size).sample(range(OWN + 1, size), WARM_UP + COUNTED + ROUNDS * ROUND)]
    hashes = ", ".join(f"({number}, '\\x{hashlib.sha256(token.encode()).hexdigest()}'::bytea)" for number, token in dict(people).items())
    copied = ", ".join(node.postgres.sql("SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'entries'::regclass AND attnum > 0 AND NOT attisdropped",
                                         f"users_{size}").split(","))
    other = {"user_id": "id_of(n, 1)", "portfolio_id": "id_of(n, 2)", "symbol": "moved(e.symbol, n)", "import_id": "NULL"}
    chosen = ", ".join(other.get(column, f"e.{column}") for column in copied.split(", "))
    script = f"""
        SET session_replication_role = replica;
        CREATE FUNCTION id_of(n BIGINT, what INT) RETURNS UUID LANGUAGE SQL IMMUTABLE AS
            $$ SELECT (lpad(to_hex(1700000000000 + n * 1000 + what), 12, '0') || '7' || substr(md5(n || '.' || what), 1, 3) || 'a' || substr(md5(n || '.' || what), 4, 15))::uuid $$;
        CREATE FUNCTION moved(symbol TEXT, n BIGINT) RETURNS TEXT LANGUAGE SQL IMMUTABLE AS
            $$ SELECT 'S' || lpad((substr(symbol, 2)::int + 7 * (n % 40))::text, 3, '0') $$;
        CREATE UNLOGGED TABLE many AS SELECT n FROM generate_series(1, {size - 1}) n;
        INSERT INTO users (id, email, email_key, preferred_currency, residence, disabled, version, created_at)
            SELECT id_of(n, 1), 'u' || n || '@example.com', 'u' || n || '@example.com', 'EUR', 'ES', FALSE, 1, {NOW} FROM many;
        INSERT INTO portfolios (user_id, id, name, name_key, is_default, position, created_at)
            SELECT id_of(n, 1), id_of(n, 2), 'Core', 'core', TRUE, 1, {NOW} FROM many;
        INSERT INTO entries ({copied}) SELECT {chosen} FROM many, entries e;
        INSERT INTO radar (user_id, symbol, added_at) SELECT id_of(n, 1), moved('S01' || i, n), {NOW} FROM many, generate_series(0, 4) i;
        INSERT INTO tracking (symbol, user_id) SELECT moved('S0' || lpad(i::text, 2, '0'), n), id_of(n, 1) FROM many, generate_series(0, 14) i;
        INSERT INTO tokens (hash, id, user_id, kind, name, created_at)
            SELECT sha256(('token' || n || '.' || i)::bytea), id_of(n, 10 + i), id_of(n, 1), 'personal', 'app', {NOW} FROM many, generate_series(1, 2) i;
        INSERT INTO tokens (hash, id, user_id, kind, name, created_at)
            SELECT hash, id_of(n, 20), id_of(n, 1), 'personal', 'bench', {NOW} FROM (VALUES {hashes}) v (n, hash);
        INSERT INTO sessions (hash, id, user_id, state, created_at, seen_at, confirmed_at, agent, address)
            SELECT sha256(('session' || lpad(n::text, 36, '0'))::bytea), id_of(n, 30), id_of(n, 1), 'open', {NOW}, {NOW}, {NOW}, 'bench', '127.0.0.1' FROM many;
        INSERT INTO audit (user_id, position, at, event, detail, hash)
            SELECT id_of(n, 1), i, {NOW}, 'account_made', '', sha256(('audit' || n)::bytea) FROM many, generate_series(1, 5) i;
        INSERT INTO dividends (symbol, ex_date, currency, kind, amount)
            SELECT symbol, DATE '2026-11-20' + substr(symbol, 4)::int, currency, 'regular', 0.5 FROM stocks;
        INSERT INTO stocks (symbol, currency, quote_unit, tracked, placeholder)
            SELECT 'OWN' || n, 'USD', 'USD', FALSE, TRUE FROM generate_series(1, {OWN}) n;
        INSERT INTO tracking (symbol, user_id) SELECT 'OWN' || n, id_of(n, 1) FROM generate_series(1, {OWN}) n;
        INSERT INTO followers (symbol, people) SELECT symbol, count(*) FROM tracking GROUP BY symbol
            ON CONFLICT (symbol) DO UPDATE SET people = excluded.people;
        UPDATE entries SET symbol = 'OWN' || n FROM generate_series(1, {OWN}) n WHERE user_id = id_of(n, 1) AND sequence = 1;
        UPDATE stocks SET tracked = FALSE WHERE symbol < 'S290';
        DROP TABLE many;"""
    file = node.folder / "seed.sql"
    file.write_text(script)
    done = subprocess.run([*node.postgres.psql(f"users_{size}", "")[:-2], "-f", file], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    node.postgres.sql("VACUUM ANALYZE", f"users_{size}")
    node.postgres.sql("CHECKPOINT")
    return people


def new_token(number):
    chance = random.Random(number)
    text = "".join(chance.choice(ALPHABET) for _ in range(30))
    rest, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = ALPHABET[digit] + digits
    return f"drip_pat_{text}{digits}"


def measure_imports(binary, folder, postgres, entries):
    """The same file through the command line, into a new account each time, on both databases in alternation."""
    nodes = {"SQLite": Node(binary, folder / "import-sqlite", postgres),
             "PostgreSQL": Node(binary, folder / "import-postgres", postgres, postgres.new_database("imports"))}
    ledger, results = folder / "import.csv", {side: [] for side in nodes}
    account.write_ledger(ledger, entries)
    for node in nodes.values():
        node.command("market", "load", folder / "market")
    for number in range(IMPORTS):
        for side, node in nodes.items():
            node.command("user", "add", f"{number}@example.com", "--residence", "ES")
            database, start = postgres.cpu_of_all(), time.perf_counter()
            process = subprocess.Popen([binary, "import", ledger, "--user", f"{number}@example.com"], env=node.environment, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            time.sleep(0.1)
            if status:
                raise SystemExit(f"the import ended with {status}")
            own = (usage.ru_utime + usage.ru_stime) * 1e6
            results[side].append((entries / seconds, own / entries, (postgres.cpu_of_all() - database) / entries))
    print(f"Import of {entries:,} rows, median of {IMPORTS}\n")
    print("| | rows/s | CPU µs a row, the command | PostgreSQL |\n|---|---:|---:|---:|")
    for side, runs in results.items():
        speed, own, database = (statistics.median(column) for column in zip(*runs))
        print(f"| {side} | {speed:,.0f} | {own:.1f} | {database:.1f} |")
    print()


if __name__ == "__main__":
    main()
