"""One entry written into a long ledger and into an empty one: through the form, and by an import of one row."""
import os
import re
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
    for number in range(tries + 1):
        for shape in SHAPES:
            form, file = visitors[shape].write(product.server.pid, number), import_one(product, emails[shape], number)
            if number:  # the first one reads what is known about the stocks, too
                forms[shape].append(form)
                imports[shape].append(file)
    form, file = ({shape: statistics.median(values) for shape, values in kind.items()} for kind in (forms, imports))
    report.title("One entry written", f"CPU µs on SQLite, the commit's share included, median of {tries}: of the server for `POST /ledger/new` (checks, "
                 "the entry, what follows from it), and of a whole `dripline import` of a file of one row.")
    report.table(["positions × entries", "form", "beside the empty ledger", "import of one row", "beside the empty ledger"], [
        [f"{shape[0]} × {shape[1]:,}", micros(form[shape]), micros(form[shape] - form[SHAPES[0]]), micros(file[shape]), micros(file[shape] - file[SHAPES[0]])]
        for shape in SHAPES])
    report.figure("write", form[B])


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
