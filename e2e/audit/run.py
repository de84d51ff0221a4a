#!/usr/bin/env python3
"""Sets up random accounts with the `dripline` binary, serves each, and audits every figure of its API."""

import argparse
import random
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from audit import Audit
from inputs import read_ledger, read_market
from ledger_gen import generate
from model import Account
from service import Failure, Server, command, environment_for

USER = "a@example.com"


def main():
    options = parse_arguments()
    root = Path(tempfile.mkdtemp(prefix="dripline-audit-"))
    passed = failed = 0
    for seed in range(options.seed, options.seed + options.accounts):
        folder = root / f"account-{seed}"
        folder.mkdir()
        if run_account(options.binary, folder, seed, options.verbose):
            passed += 1
            if not options.keep:
                shutil.rmtree(folder)
        else:
            failed += 1
            print(f"     files kept in {folder}")
    if not failed and not options.keep:
        shutil.rmtree(root)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--accounts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first account; the next ones count up")
    parser.add_argument("--keep", action="store_true", help="keep the folders of passed accounts too")
    parser.add_argument("--verbose", action="store_true", help="print every request")
    return parser.parse_args()


def run_account(binary, folder, seed, verbose):
    """True if every figure of the account agrees."""
    generated = generate(folder, seed)
    environment = environment_for(folder, generated.today)
    try:
        token = set_up(binary, environment, generated)
        with Server(binary, environment) as server:
            audit = Audit(server.url, token, account_of(generated), quiet=not verbose)
            audit.run()
    except (Failure, OSError) as failure:
        print(f"FAIL account {seed}: {failure}")
        return False
    verdict = "FAIL" if audit.failures else "pass"
    print(f"{verdict} account {seed}: {generated.today} {generated.currency} {generated.residence or '-'}, "
          f"{audit.requests} requests, {audit.values} values, {audit.failures} differences", flush=True)
    return not audit.failures


def set_up(binary, environment, generated, password=""):
    """Runs the commands an operator would; returns the token."""
    call = lambda *arguments, **options: command(binary, environment, *arguments, **options)
    residence = ("--residence", generated.residence) if generated.residence else ()
    with_password = ("--password-stdin",) if password else ()
    call("user", "add", USER, "--currency", generated.currency, *residence, *with_password, stdin=password)
    token = call("token", "create", "--user", USER, "--name", "audit").strip()
    call("market", "load", generated.market)
    call("import", generated.ledger, "--user", USER)
    if generated.late:
        call("market", "load", generated.late)
    if generated.radar:
        call("radar", "add", *generated.radar, "--user", USER)
    for name, slug in generated.shared.items():
        call("portfolio", "share", name, "--slug", slug, "--user", USER)
    for (name, symbol), rule in reinvesting(generated).items():
        of_stock = ("--symbol", symbol) if symbol else ()
        call("portfolio", "reinvest", name, rule, *of_stock, "--user", USER)
    for name in recording(generated):
        call("portfolio", "automatic", name, "record", "--user", USER)
    return token


def recording(generated):
    """The portfolios in which dividends are recorded automatically: each with a chance of one in two."""
    choice = random.Random(Path(generated.ledger).parent.name)
    return [name for name in read_ledger(generated.ledger)[1] if choice.random() < 0.5]


def reinvesting(generated):
    """The rules of these portfolios, by (portfolio, None): half of them reinvest nothing. Half of them have a rule for
    one of their stocks too, by (portfolio, symbol)."""
    choice, rules = random.Random(f"{Path(generated.ledger).parent.name} reinvest"), {}
    entries, _ = read_ledger(generated.ledger)
    for name in recording(generated):
        rules[name, None] = choice.choice(["off", "off", "fractional", "whole"])
        if choice.random() < 0.5:
            symbol = choice.choice(sorted({e.symbol for e in entries if e.portfolio == name}))
            rules[name, symbol] = choice.choice(["off", "fractional", "whole"])
    return rules


def account_of(generated):
    entries, portfolios = read_ledger(generated.ledger)
    return Account(
        read_market(generated.market, generated.late), entries, portfolios, date.fromisoformat(generated.today), generated.currency,
        generated.residence, generated.radar, generated.shared, recording(generated), reinvesting(generated))


if __name__ == "__main__":
    main()
