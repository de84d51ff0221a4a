#!/usr/bin/env python3
"""Writes small accounts with their expected figures as fixtures of the Rust tests, or checks that they are up to date.

    e2e/audit/freeze.py [--check]
"""

import argparse
import filecmp
import json
import sys
import tempfile
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

sys.dont_write_bytecode = True

from expect import ABSENT, ANY, Codes, Instant, OneOf, Rate, Reasons
from inputs import read_ledger, read_market
from ledger_gen import generate
from model import Account
from upcoming import sort_key

FIXTURES = Path(__file__).resolve().parents[2] / "crates/server/tests/api/audited"
# Small accounts that still have a likely range, splits, specials, changed rhythms, foreign payers, histories from the ledger and
# several portfolios.
SEEDS = (267, 473, 733)
STOCKS = 6
FX_DAYS = 91


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; the exit status is 1 if a file is out of date")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory(prefix="dripline-freeze-") as folder:
        written = Path(folder) if check else FIXTURES
        for seed in SEEDS:
            freeze(written / f"account-{seed}", seed)
        outdated = differences(written, FIXTURES)
    for path in outdated:
        print(f"{path} is out of date: run e2e/audit/freeze.py")
    sys.exit(1 if outdated else 0)


def differences(written, kept):
    """The files that only one folder has, or that differ."""
    files = {path.relative_to(folder) for folder in (written, kept) for path in folder.rglob("*") if path.is_file()}
    same = lambda path: (written / path).is_file() and (kept / path).is_file() and filecmp.cmp(written / path, kept / path, shallow=False)
    return sorted(kept / path for path in files if not same(path))


def freeze(folder, seed):
    folder.mkdir(parents=True, exist_ok=True)
    generated = generate(folder, seed, STOCKS, FX_DAYS, by_operator=False)
    kept = {key: value for key, value in asdict(generated).items() if key not in ("market", "ledger", "late")}
    (folder / "account.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    entries, portfolios = read_ledger(generated.ledger)
    market = read_market(generated.market)
    # The services of the Rust tests have no reference data.
    market.fx.built_in = None
    account = Account(
        market, entries, portfolios, date.fromisoformat(generated.today), generated.currency,
        generated.residence, generated.radar, generated.shared)
    lines = [f"{path} {json.dumps(plain(body), ensure_ascii=False, separators=(',', ':'))}\n" for path, body in answers(account)]
    (folder / "expected").write_text("".join(lines))


def answers(account):
    """Each request, and its expected body."""
    yield "/portfolios", account.portfolios()
    yield "/dividends", account.dividends()
    yield "/income?years=10&drip=true", account.income(10, True)
    yield "/upcoming?days=120", without_ties(account.upcoming(120), account.today)
    yield "/calendar?days=120", account.calendar(120)
    yield "/holdings", account.holdings()
    yield "/valuation", account.valuation()
    yield "/received", account.received()
    yield "/transactions?limit=500", account.transactions()
    yield "/radar", account.watchlist()
    yield "/status", account.status()
    for name in account.portfolio_names:
        yield f"/holdings?portfolio={quote(name)}", account.holdings(name)
        yield f"/income?years=1&portfolio={quote(name)}", account.income(1, False, name)
    for symbol in sorted(account.stocks):
        answer = account.stock(symbol, with_token=True)
        if answer is not None:
            yield f"/stocks/{quote(symbol)}", answer


def without_ties(body, today):
    """The order of two payments of one symbol with the same next date is undefined, so a fixture must have none."""
    if any(len(list(group)) > 1 for _, group in groupby(body["items"], key=lambda item: sort_key(item, today))):
        sys.exit("two payments have the same next date: choose other seeds")
    return body


def plain(value):
    """As JSON; what is not compared by equality becomes an object that says so."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if value is ABSENT:
        return {"absent": True}
    if value is ANY or isinstance(value, OneOf):
        sys.exit("a fixture cannot have a figure with several values: choose other seeds")
    if isinstance(value, Rate):
        return {"rate": float(value.value)}
    if isinstance(value, Instant):
        return value.value and {"instant": value.value.isoformat()}
    if isinstance(value, Codes):
        return {"codes": sorted(value.value)}
    if isinstance(value, Reasons):
        return {"reasons": [f"{code} {state}" for code, state in sorted(value.value)]}
    return float(value) if isinstance(value, Decimal) else value


if __name__ == "__main__":
    main()
