#!/usr/bin/env python3
"""Audits the demo: its responses on several days against figures recomputed from its input files.

Then its purchases alone, with dividends recorded automatically: every figure must follow from the definition, and the dividends
must be those of the demo, but for the estimate of the tax.
"""

import argparse
import csv
import shutil
import sys
import tempfile
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from audit import Audit
from inputs import read_ledger, read_market
from model import Account
from service import Failure, Server, command, environment_for, token_of
from withholding import source_country, table_rates

DAYS = ("2026-11-15", "2027-01-01", "2028-02-29", "2027-06-30")
RADAR = ("MSFT", "PEP", "RY.TO", "ZURN.SW", "JEPI")
SHARED = {"Income": "income-demo"}
USER = "a@example.com"
CENT = Decimal("0.01")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    options = parser.parse_args()
    results = [audit_day(options.binary, day) for day in DAYS] + [audit_purchases(options.binary, day) for day in DAYS[:1]]
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def audit_day(binary, day):
    """True if every figure of that day agrees and neither list is empty."""
    folder = Path(tempfile.mkdtemp(prefix="dripline-demo-audit-"))
    environment = environment_for(folder, day)
    try:
        command(binary, environment, "demo", "--write", str(folder))
        entries, portfolios = read_ledger(str(folder / "ledger.csv"))
        account = Account(read_market(str(folder)), entries, portfolios, date.fromisoformat(day), "EUR", "ES", RADAR, SHARED)
        with Server(binary, environment, "demo") as server:
            audit = Audit(server.url, token_of(server), account, quiet=True)
            audit.run()
    except (Failure, OSError) as failure:
        print(f"FAIL demo of {day}: {failure}")
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    empty = [name for name, rows in (("upcoming", account.upcoming(45)["items"]), ("calendar", account.calendar(45)["stocks"])) if not rows]
    verdict = "FAIL" if audit.failures or empty else "pass"
    print(f"{verdict} demo of {day}: {audit.requests} requests, {audit.values} values, {audit.failures} differences"
          + "".join(f", nothing in /{name}" for name in empty), flush=True)
    return verdict == "pass"


def audit_purchases(binary, day):
    folder, today = Path(tempfile.mkdtemp(prefix="dripline-purchases-")), date.fromisoformat(day)
    environment = environment_for(folder, day)
    call = lambda *arguments: command(binary, environment, *arguments)
    try:
        call("demo", "--write", str(folder))
        own, _ = read_ledger(str(folder / "ledger.csv"))
        purchases = str(folder / "purchases.csv")
        write_without_dividends(folder / "ledger.csv", purchases)
        entries, portfolios = read_ledger(purchases)
        call("user", "add", USER, "--currency", "EUR", "--residence", "ES")
        token = call("token", "create", "--user", USER, "--name", "audit").strip()
        call("market", "load", str(folder))
        call("import", purchases, "--user", USER)
        for name in portfolios:
            call("portfolio", "automatic", name, "record", "--user", USER)
        account = Account(read_market(str(folder)), entries, portfolios, today, "EUR", "ES", recording=portfolios)
        with Server(binary, environment) as server:
            audit = Audit(server.url, token, account, quiet=True)
            audit.run()
    except (Failure, OSError) as failure:
        print(f"FAIL purchases of {day}: {failure}")
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    recorded = [entry for entry in account.entries if entry.estimated]
    differences = differences_of(account, [e for e in own if e.type == "dividend" and e.date <= today], recorded)
    for difference in differences[:20]:
        print(f"     {difference}")
    verdict = "FAIL" if audit.failures or differences or not recorded else "pass"
    print(f"{verdict} purchases of {day}: {len(recorded)} dividends, {audit.values} values, {audit.failures} differences from the "
          f"definition, {len(differences)} from the demo", flush=True)
    return verdict == "pass"


def write_without_dividends(ledger, purchases):
    with open(ledger, newline="", encoding="utf-8") as file, open(purchases, "w", newline="", encoding="utf-8") as other:
        rows = csv.DictReader(file)
        writer = csv.DictWriter(other, rows.fieldnames)
        writer.writeheader()
        writer.writerows(row for row in rows if row["type"] != "dividend")


def differences_of(account, own, recorded):
    """Of what each payment came to in the end: the gross must be the same. The estimated tax may follow from the treaty where the
    demo's broker withheld the statutory rate."""
    paid, estimated = {}, {}
    for entries, sums in ((own, paid), (recorded, estimated)):
        for entry in entries:
            gross, tax = sums.get(key := (entry.portfolio, entry.symbol, entry.ex_date), (0, 0))
            sums[key] = (gross + entry.gross, tax + (entry.tax or 0))
    unequal = [key for key in sorted(paid.keys() | estimated.keys(), key=str)
               if not agree(account.stocks[key[1]], paid.get(key), estimated.get(key))]
    return [f"{key}: {paid.get(key)} paid, {estimated.get(key)} recorded" for key in unequal]


def agree(stock, paid, estimated):
    if not paid or not estimated or abs(paid[0] - estimated[0]) > CENT:
        return False
    by_table = [rate * Fraction(paid[0]) for rate in table_rates(source_country(stock), "ES")]
    unit = 1 if paid[0] == int(paid[0]) else CENT
    return abs(paid[1] - estimated[1]) <= CENT or any(abs(Fraction(paid[1]) - tax) <= unit for tax in by_table)


if __name__ == "__main__":
    main()
