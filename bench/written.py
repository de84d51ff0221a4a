"""One entry written into a long ledger and into an empty one: through the form, and by an import of one row."""
import os
import re
import sqlite3
import statistics
import subprocess

import account
from machine import cpu_of
from pages import PASSWORD, Visitor
from report import micros
from world import B, say

# Positions and entries; the first one is all that an empty ledger has.
SHAPES = [(1, 1), (300, 1_500), B]


def measure(world, report):
    tries = 5 if world.quick else 25
    say("entries written")
    product = world.product("SQLite", "written")
    emails = {shape: f"{shape[1]}@example.com" for shape in SHAPES}
    for shape, email in emails.items():
        product.add_user(email, world.ledger(shape), PASSWORD)
    product.serve()
    visitors = {shape: Writer(product.address, email) for shape, email in emails.items()}
    forms, imports = {shape: [] for shape in SHAPES}, {shape: [] for shape in SHAPES}
    commits = []
    for number in range(tries + 1):
        for shape in SHAPES:
            form = visitors[shape].write(product.server.pid, number)
            if number:  # the first one reads what is known about the stocks, too
                forms[shape].append(form)
        commits.append(commit_alone(product.folder / "commits.sqlite"))
    # Afterwards, because a file that another process has changed is read anew by the server.
    for number in range(tries):
        for shape in SHAPES:
            imports[shape].append(import_one(product, emails[shape], number))
    commit = statistics.median(commits)
    form, file = ({shape: statistics.median(values) for shape, values in kind.items()} for kind in (forms, imports))
    report.title("One entry written", f"CPU µs on SQLite, median of {tries}: of the server for `POST /ledger/new` (session, checks, the entry, what follows from it, commit "
                 "and redirection), and of a whole `dripline import` of a file of one row.")
    report.table(["positions × entries", "form", "beside the empty ledger", "import of one row", "beside the empty ledger"], [
        [f"{shape[0]} × {shape[1]:,}", micros(form[shape]), micros(form[shape] - form[SHAPES[0]]), micros(file[shape]), micros(file[shape] - file[SHAPES[0]])]
        for shape in SHAPES])
    report.note(f"A commit of one row to a file of its own on the same disk, with the same settings, by Python's sqlite3: {micros(commit)} µs. It is taken off in the goals.")
    report.figure("write", form[B] - commit)


def commit_alone(path, count=20):
    """CPU µs of this process for a commit that has next to nothing to write."""
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
            raise SystemExit(f"the entry was answered with {status}: {re.sub(rb'<[^>]+>', b' ', body)[-1500:]}")
        return used


def import_one(product, email, number):
    more = product.folder / "more.csv"
    account.write_one_more(more, number, "S000")
    process = subprocess.Popen([product.binary, "import", more, "--user", email], env=product.environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import of one row ended with {status}")
    return (usage.ru_utime + usage.ru_stime) * 1e6
