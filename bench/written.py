"""Adding one transaction to a long ledger and to an empty one: with the form, and by importing one row."""
import os
import re
import sqlite3
import statistics
import subprocess

import account
from machine import cpu_of
from pages import PASSWORD, Visitor
from report import micros
from world import B, log

# Positions and entries; the first is an empty ledger, but for one entry.
SHAPES = [(1, 1), (300, 1_500), B]


def measure(world, report):
    attempts = 5 if world.quick else 25
    log("adding transactions")
    product = world.product("SQLite", "written")
    emails = {shape: f"{shape[1]}@example.com" for shape in SHAPES}
    for shape, email in emails.items():
        product.add_user(email, world.ledger(shape), PASSWORD)
    product.serve()
    visitors = {shape: Writer(product.address, email) for shape, email in emails.items()}
    forms, imports = {shape: [] for shape in SHAPES}, {shape: [] for shape in SHAPES}
    commits = []
    for number in range(attempts + 1):
        for shape in SHAPES:
            form = visitors[shape].write(product.server.pid, number)
            if number:  # the first one also loads the stocks
                forms[shape].append(form)
        commits.append(commit_alone(product.folder / "commits.sqlite"))
    # Afterwards, because the server reads a file again once another process has changed it.
    for number in range(attempts):
        for shape in SHAPES:
            imports[shape].append(import_one(product, emails[shape], number))
    commit = statistics.median(commits)
    form, file = ({shape: statistics.median(values) for shape, values in kind.items()} for kind in (forms, imports))
    report.title("Adding one transaction", f"CPU µs on SQLite, median of {attempts}: of the server for `POST /ledger/new` (session, checks, the entry, derived data, commit "
                 "and redirect), and of a complete `dripline import` of a file with one row.")
    report.table(["positions × transactions", "form", "difference", "import of one row", "difference"], [
        [f"{shape[0]} × {shape[1]:,}", micros(form[shape]), micros(form[shape] - form[SHAPES[0]]), micros(file[shape]), micros(file[shape] - file[SHAPES[0]])]
        for shape in SHAPES])
    report.note(f"Committing one row to a separate file on the same disk, with the same settings, using Python's sqlite3: {micros(commit)} µs. The goals subtract it.")
    report.figure("write", form[B] - commit)


def commit_alone(path, count=20):
    """CPU µs of this process for a commit that writes next to nothing."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b TEXT)")
    before = cpu_of(os.getpid())
    for _ in range(count):
        database.execute("INSERT INTO t (b) VALUES ('an entry')")
    used = cpu_of(os.getpid()) - before
    database.close()
    return used / count


class Writer(Visitor):
    def write(self, pid, number):
        token = re.search(rb'name="_token" value="([^"]+)"', self.get("/ledger/new")).group(1).decode()
        fields = {"_token": token, "kind": "buy", "date": "2026-11-03", "symbol": "S000", "shares": str(2 + number), "price": f"61.{number:02}", "currency": "USD"}
        before = cpu_of(pid)
        status, body = self.ask("POST", "/ledger/new", fields)
        used = cpu_of(pid) - before
        if status != 303:
            raise SystemExit(f"the form got {status}: {re.sub(rb'<[^>]+>', b' ', body)[-1500:]}")
        return used


def import_one(product, email, number):
    extra = product.folder / "more.csv"
    account.write_one_more(extra, number, "S000")
    process = subprocess.Popen([product.binary, "import", extra, "--user", email], env=product.environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import of one row exited with {status}")
    return (usage.ru_utime + usage.ru_stime) * 1e6
