#!/usr/bin/env python3
"""Generates random but valid accounts: a market folder and a ledger file, the same for the same seed."""

import argparse
import json
import random
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path

from dates import add_days
from inputs import Entry, ratio
from isin import make_isin
from market_gen import (NOT_CONVERTIBLE, Listing, closes_near_payments, generate_market, rows_of_ledger, write,
                        write_late, write_market)
from money import fixed, format_shares, format_trimmed, major, minor_units
from positions import REMAINDER, replay, splits_that_count, strip_cost

DAYS = ["2026-11-15", "2026-11-15", "2026-12-31", "2027-01-01", "2027-01-04", "2026-02-28", "2028-02-29", "2026-06-30", "2027-03-10"]
PORTFOLIOS = ["Income", "Pension", "Überblick", "long term"]
COLUMNS = ("date,type,symbol,isin,name,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,portfolio,"
           "source,id,note").split(",")


@dataclass
class Generated:
    """Everything a run needs to set up and audit the account."""

    today: str
    currency: str
    residence: str
    market: str
    ledger: str
    radar: list
    shared: dict
    late: str = ""  # the folder of splits and corrections that are learned after the ledger


def generate(folder, seed, stocks=None, fx_days=7, by_operator=True):
    """Writes `market/`, `late/`, `ledger.csv` and `account.json` under `folder`; with exchange rates every `fx_days` days.
    Without `by_operator` there is nothing that needs a second load, and there are few closes."""
    rng, folder = random.Random(seed), Path(folder)
    today = date.fromisoformat(rng.choice(DAYS))
    listings, fx, fx_start = generate_market(rng, today, stocks or rng.randint(12, 24), fx_days)
    if by_operator:
        for listing in listings:
            listing.closes = closes_near_payments(random.Random(f"{seed} {listing.symbol}"), listing, today)
    write_market(folder / "market", listings, fx)
    late = folder / "late" if by_operator and write_late(folder / "late", listings) else ""
    builder = LedgerBuilder(rng, today, fx_start)
    names = rng.sample(PORTFOLIOS, rng.choice([1, 2, 3, 4]))
    builder.fill(listings + [unlisted(rng, today)], names)
    ledger = folder / "ledger.csv"
    columns = COLUMNS[:]
    rng.shuffle(columns)
    write(ledger, columns, builder.arranged_rows())
    used = [name for name in names if any(row["portfolio"] == name for row in builder.rows)]
    account = Generated(
        today.isoformat(), rng.choice(["EUR", "EUR", "USD", "GBP", "CHF", "JPY"]),
        rng.choice(["ES", "ES", "US", "DE", "GB", "FR", "CH", "PT", ""]), str(folder / "market"), str(ledger),
        builder.radar(listings), {used[-1]: f"shared-{seed}"} if rng.random() < 0.5 else {}, str(late))
    (folder / "account.json").write_text(json.dumps(asdict(account), indent=1, ensure_ascii=False))
    return account


def unlisted(rng, today):
    """A stock that is in the ledger but not in market data, and pays dividends that only the ledger knows."""
    row = {"symbol": "UNLISTED", "name": "Unlisted Works", "isin": make_isin("NO", rng.randint(1, 10**6)), "currency": "EUR"}
    return Listing(row, "EUR", own_dividends=rows_of_ledger(rng, "UNLISTED", "EUR", Fraction(40), today))


class LedgerBuilder:
    def __init__(self, rng, today, fx_start):
        self.rng, self.today, self.fx_start = rng, today, fx_start
        self.rows, self.ids = [], count()
        self.recently_sold = set()

    def fill(self, listings, portfolios):
        for listing in listings:
            portfolio_count = 1 if listing.currency in NOT_CONVERTIBLE else self.rng.choice([0, 1, 1, 2, 3])
            for portfolio in self.rng.sample(portfolios, min(portfolio_count, len(portfolios))):
                PositionWriter(self, listing, portfolio).write()
        if not self.rows:
            self.fill(listings, portfolios)

    def arranged_rows(self):
        """The rows by date, by position as generated, or newest first; rows of one day keep their order."""
        order = self.rng.choice(["by date", "by position", "newest first"])
        rows = self.rows
        if order != "by position":
            rows = sorted(rows, key=lambda row: row["date"], reverse=order == "newest first")
            if order == "newest first":
                rows = [row for day in dict.fromkeys(r["date"] for r in rows) for row in self.rows if row["date"] == day]
        default = rows[0]["portfolio"]
        return [{**row, "portfolio": ""} if index and row["portfolio"] == default and index % 5 == 0 else row
                for index, row in enumerate(rows)]

    def radar(self, listings):
        symbols = [listing.symbol for listing in listings if listing.symbol not in self.recently_sold]
        return sorted(self.rng.sample(symbols, min(len(symbols), self.rng.choice([0, 3, 6]))))


class PositionWriter:
    """Writes the rows of one symbol in one portfolio, and never sells more than is held."""

    def __init__(self, ledger, listing, portfolio):
        self.ledger, self.rng, self.today = ledger, ledger.rng, ledger.today
        self.listing, self.portfolio = listing, portfolio
        self.splits = [(day, ratio(text)) for day, text in listing.splits]
        self.entries = []

    def write(self):
        start = add_days(self.today, -self.rng.choice([3, 30, 200, 700, 1500, 2500, 3200]))
        self.add_own_splits(start)
        span = (self.today - start).days
        days = {start} | {add_days(start, self.rng.randint(0, span)) for _ in range(self.rng.randint(0, 6))}
        if self.rng.random() < 0.2:
            days.add(add_days(self.today, -self.rng.randint(0, 40)))
        for day in sorted(days):
            self.trade(day)
            if self.rng.random() < 0.1:
                self.trade(day)
        if self.rng.random() < 0.25:
            self.sell(add_days(self.today, -self.rng.randint(0, 40)), everything=True)
        self.dividends()

    # Shares

    def shares(self, day):
        """Shares held at the end of `day`."""
        splits = splits_that_count(self.entries, self.splits, self.today)
        return replay("", "", [strip_cost(e) for e in self.entries], splits, "", None, day).shares

    def add_own_splits(self, start):
        for day, text in self.listing.splits:
            own = add_days(day, self.rng.choice([-30, -20, 0, 20, 30, *range(-7, 8)]))
            if start < own <= self.today and self.rng.random() < 0.4:
                self.add(own, "split", ratio=text)
        if self.rng.random() < 0.05:
            day = add_days(start, 20)
            clear = all(abs((day - other).days) > 20 for other, _ in self.listing.splits)
            if clear and day <= self.today:
                self.add(day, "split", ratio="2:1")

    def trade(self, day):
        if self.has_later_entries(day):
            return
        held = self.shares(day)
        kind = self.rng.choice(["buy", "buy", "sell", "transfer_in", "transfer_out", "return_of_capital"]) if held else "buy"
        if kind in ("buy", "transfer_in"):
            self.buy(day, kind)
        elif kind == "return_of_capital":
            currency, rate = self.trade_currency(day)
            self.add(day, kind, amount=fixed(Fraction(self.rng.randint(100, 20000), 100), 2), currency=currency, fx_rate=rate)
        else:
            self.sell(day, kind)

    def has_later_entries(self, day):
        """Trades are written in date order; the ledger's own splits were added before."""
        return any(e.date > day and e.type != "split" for e in self.entries)

    def buy(self, day, kind):
        shares = Fraction(self.rng.choice([1, 7, 10, 25, 100])) if self.rng.random() < 0.6 else \
            Fraction(self.rng.randint(1, 10**8), 10**6)
        price = Fraction(self.rng.randint(10000, 2000000), 10**4)
        currency, rate = self.trade_currency(day)
        row = {"shares": format_shares(shares), "currency": currency, "fx_rate": rate}
        if self.rng.random() < 0.7:
            row["price"] = format_trimmed(price, 2, 4)
        else:
            row["amount"] = fixed(shares * price, 2)
        if self.rng.random() < 0.5:
            row["fees"] = fixed(Fraction(self.rng.randint(0, 1500), 100), 2)
        copies = 2 if self.rng.random() < 0.05 else 1
        for _ in range(copies):
            self.add(day, kind, **row)

    def trade_currency(self, day):
        """The trading currency, its hundredths, or another currency with an explicit rate or the ECB's."""
        own = self.listing.currency
        if own == "GBP" and self.rng.random() < 0.2:
            return "GBp", ""
        if own in NOT_CONVERTIBLE or self.listing.symbol == "UNLISTED" or self.rng.random() < 0.75:
            return own, ""
        other = self.rng.choice([c for c in ("EUR", "USD", "GBP") if c != own])
        if day < self.ledger.fx_start or self.rng.random() < 0.5:
            return other, fixed(Fraction(self.rng.randint(5000, 20000), 10000), 4)
        return other, ""

    def sell(self, day, kind="sell", everything=False):
        held = self.shares(day)
        if not held or self.has_later_entries(day) or any(e.date > day and e.type == "split" for e in self.entries):
            return
        part = held
        if not everything and self.rng.random() < 0.75:
            part = Fraction(fixed(held * Fraction(self.rng.randint(5, 90), 100), 4))
        elif self.rng.random() < 0.4:
            # A broker that rounds the result of a split differently.
            part = held + Fraction(self.rng.choice(["-0.0000333", "0.0000333", "-0.0001", "0.0001", "-0.0001001"]))
        if not 0 < part <= held + REMAINDER:
            return
        if held - part <= REMAINDER and (self.today - day).days < 250:
            self.ledger.recently_sold.add(self.listing.symbol)
        self.add(day, kind, shares=format_shares(part), price="12.5", currency=self.listing.currency)

    # Dividends

    def dividends(self):
        withheld = self.rng.choice([None, None, Fraction(0), Fraction(15, 100), Fraction(15, 100), Fraction(19, 100), Fraction(30, 100)])
        chance = 0.9 if self.listing.own_dividends else 0.6
        for row in self.listing.dividends + self.listing.own_dividends:
            ex = date.fromisoformat(row["ex_date"])
            pay = date.fromisoformat(row["pay_date"]) if row["pay_date"] else add_days(ex, 15)
            # A broker announces a dividend between its ex-date and its pay date.
            recorded = pay <= self.today or (ex <= self.today and self.rng.random() < 0.3)
            held = self.shares(add_days(ex, -1)) if recorded else 0
            if held and self.rng.random() < chance:
                self.dividend(row, ex, pay, held, withheld)

    def dividend(self, row, ex, pay, held, withheld):
        unit = row["currency"] or self.listing.row["currency"]
        currency, divisor = major(unit)
        amount = Fraction(row["amount"]) / divisor
        places = minor_units(currency)
        gross = Fraction(fixed(held * amount, places))
        if gross <= 0:
            return
        fields = {"amount": fixed(gross, places), "currency": currency}
        if withheld is not None and self.rng.random() < 0.8:
            fields["tax"] = fixed(gross * withheld, places)
        elif self.rng.random() < 0.1:
            fields = {"net": fixed(gross, places), "currency": currency}
        if self.rng.random() < 0.15 and gross > 5:
            fields["fees"] = "1" if places == 0 else self.rng.choice(["0.35", "1.00"])
        deducted = Fraction(fields.get("tax", 0)) + Fraction(fields.get("fees", 0))
        if self.rng.random() < 0.2 and "amount" in fields:
            fields["net"] = fixed(gross - deducted, places)
            if "tax" in fields and self.rng.random() < 0.4:
                del fields["amount"]
        if self.rng.random() < 0.5:
            fields |= {"shares": format_shares(held), "price": format_trimmed(amount, places, 8)}
        if self.rng.random() < 0.5:
            fields["ex_date"] = ex.isoformat()
        self.add(pay, "dividend", **fields)
        if self.rng.random() < 0.06 and "amount" in fields and pay <= self.today:
            self.reverse(pay, fields)

    def reverse(self, pay, fields):
        """Reverses the payment and, often, books it again."""
        reversal = {key: "-" + fields[key] for key in ("amount", "tax", "fees", "net") if Fraction(fields.get(key, 0)) > 0}
        day = min(add_days(pay, 3), self.today)
        self.add(day, "dividend", **{**fields, **reversal})
        if self.rng.random() < 0.7:
            self.add(day, "dividend", **fields)

    # Rows

    def add(self, day, kind, **fields):
        rng, listed = self.rng, self.listing.row
        row = {"date": day.isoformat(), "type": kind, "symbol": self.listing.symbol, "portfolio": self.portfolio, **fields}
        if self.listing.symbol == "UNLISTED" or rng.random() < 0.3:
            row |= {"isin": listed["isin"], "name": listed["name"]}
        if rng.random() < 0.2:
            row["id"] = f"r{next(self.ledger.ids)}"
        if rng.random() < 0.1:
            row["source"] = rng.choice(["manual", "import:degiro"])
        self.ledger.rows.append(row)
        if kind in ("buy", "sell", "transfer_in", "transfer_out", "split"):
            self.entries.append(Entry(
                len(self.entries), day, kind, self.listing.symbol, self.portfolio,
                shares=Decimal(fields["shares"]) if "shares" in fields else None,
                ratio=ratio(fields["ratio"]) if "ratio" in fields else None))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    Path(options.folder).mkdir(parents=True, exist_ok=True)
    print(json.dumps(asdict(generate(options.folder, options.seed)), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
