#!/usr/bin/env python3
"""Audits the demo: its responses on several days against figures recomputed from its input files."""

import argparse
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from audit import Audit
from inputs import read_ledger, read_market
from model import Account
from service import Failure, Server, command, environment_for, token_of

DAYS = ("2026-11-15", "2027-01-01", "2028-02-29", "2027-06-30")
RADAR = ("MSFT", "PEP", "RY.TO", "ZURN.SW", "JEPI")
SHARED = {"Income": "income-demo"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    options = parser.parse_args()
    failed = sum(not audit_day(options.binary, day) for day in DAYS)
    print(f"{len(DAYS) - failed} passed, {failed} failed")
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


if __name__ == "__main__":
    main()
