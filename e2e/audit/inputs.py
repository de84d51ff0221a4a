"""Reads the ledger file and the offline market files (docs/user/FILES.md)."""

import csv
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import reference
from money import Fx, major


@dataclass(frozen=True)
class Stock:
    symbol: str
    currency: str
    quote_unit: str = ""
    name: str | None = None
    exchange: str | None = None
    type: str | None = None
    isin: str | None = None
    country: str | None = None
    sector: str | None = None
    industry: str | None = None
    instrument_type: str | None = None
    price: Fraction | None = None
    price_as_of: datetime | None = None
    forward_rate: Fraction | None = None
    payout_ratio: Fraction | None = None
    fcf_cover: Fraction | None = None
    pe: Fraction | None = None
    ma50: Fraction | None = None
    ma200: Fraction | None = None
    low52: Fraction | None = None
    high52: Fraction | None = None
    yield_avg_5y_pct: Fraction | None = None
    tracked: bool = True

    @property
    def is_fund(self):
        return self.type in ("ETF", "MUTUALFUND", "FUND") or self.instrument_type in ("etf", "fund", "mutualfund")

    @property
    def is_depositary_receipt(self):
        return (self.type or "").upper() in ("ADR", "GDR", "DR") or \
            (self.instrument_type or "").lower() in ("adr", "gdr", "depositary_receipt")


@dataclass(frozen=True)
class DividendRow:
    symbol: str
    ex_date: date
    pay_date: date | None
    amount: Fraction
    currency: str
    special: bool = False


@dataclass(frozen=True)
class Entry:
    """One ledger row; `order` is its index in the file. Money is in `currency`, already in major units."""

    order: int
    date: date
    type: str
    symbol: str
    portfolio: str
    currency: str = ""
    isin: str | None = None
    name: str | None = None
    shares: Decimal | None = None
    price: Decimal | None = None
    amount: Decimal | None = None
    fees: Decimal | None = None
    tax: Decimal | None = None
    net: Decimal | None = None
    fx_rate: Decimal | None = None
    ratio: Fraction | None = None
    ex_date: date | None = None
    source: str = "import:dripline"
    note: str | None = None
    ratio_text: str | None = None
    estimated: bool = False

    @property
    def cost_known(self):
        """False for shares that came in at no recorded cost, or at an estimated one."""
        if self.type != "transfer_in":
            return True
        return self.source != "opening:estimated" and not (self.price is None and self.amount is None)

    @property
    def gross_known(self):
        return self.amount is not None or self.tax is not None

    @property
    def gross(self):
        """A dividend's gross: as recorded, else net, tax and fees if the tax is recorded, else the net."""
        if self.amount is not None:
            return self.amount
        return self.net + self.tax + (self.fees or 0) if self.gross_known else self.net

    @property
    def net_received(self):
        return self.net if self.net is not None else self.gross - (self.tax or 0) - (self.fees or 0)


@dataclass(frozen=True)
class Market:
    stocks: dict
    dividends: dict
    splits: dict
    closes: dict
    fx: Fx


def read_market(folder, late=None):
    """The market files; `late` is a folder loaded after the ledger: more splits, and all dividends of a symbol again, corrected."""
    folder = Path(folder)
    stocks = {row["symbol"]: stock(row) for row in rows(folder / "stocks.csv")}
    dividends, splits, closes = {}, {}, {}
    later = lambda name: list(rows(Path(late) / name)) if late else []
    corrected = {row["symbol"] for row in later("dividends.csv")}
    first = [row for row in rows(folder / "dividends.csv") if row["symbol"] not in corrected]
    for row in first + later("dividends.csv"):
        dividends.setdefault(row["symbol"], []).append(dividend_row(row, stocks))
    for row in [*rows(folder / "splits.csv"), *later("splits.csv")]:
        splits.setdefault(row["symbol"], []).append((date.fromisoformat(row["date"]), ratio(row["ratio"])))
    for row in rows(folder / "prices.csv"):
        divisor = major(stocks[row["symbol"]].quote_unit)[1] if row["symbol"] in stocks else 1
        closes.setdefault(row["symbol"], {})[date.fromisoformat(row["date"])] = Fraction(row["close"]) / divisor
    fx = Fx(((date.fromisoformat(row["date"]), row["currency"], Fraction(row["rate"])) for row in rows(folder / "fx.csv")),
            built_in_rates())
    return Market(stocks, dividends, splits, closes, fx)


@cache
def built_in_rates():
    return Fx(reference.rates())


def read_ledger(path):
    """Entries in the file's order, and the portfolios in the order the file creates them."""
    entries, portfolios = [], []
    for order, row in enumerate(rows(path)):
        name = row.get("portfolio") or (portfolios[0] if portfolios else "")
        known = next((p for p in portfolios if p.casefold() == name.casefold()), None)
        if known is None:
            portfolios.append(name)
        entries.append(entry(order, row, known or name))
    return entries, portfolios


def rows(path):
    if not Path(path).exists():
        return
    with open(path, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            yield {key: (value or "").strip() for key, value in row.items()}


def stock(row):
    currency, divisor = major(row["currency"])
    quoted = {key: fraction(row.get(key), divisor) for key in ("price", "forward_rate", "ma50", "ma200", "low52", "high52")}
    plain = {key: fraction(row.get(key)) for key in ("payout_ratio", "fcf_cover", "pe", "yield_avg_5y_pct")}
    words = ("name", "exchange", "type", "isin", "country", "sector", "industry", "instrument_type")
    return Stock(
        symbol=row["symbol"], currency=currency, quote_unit=row["currency"],
        price_as_of=instant(row.get("price_as_of")),
        tracked=row.get("tracked", "").lower() not in ("false", "0", "no"),
        **quoted, **plain, **{key: row.get(key) or None for key in words})


def dividend_row(row, stocks):
    unit = row.get("currency") or stocks[row["symbol"]].quote_unit
    currency, divisor = major(unit)
    pay = row.get("pay_date")
    return DividendRow(
        row["symbol"], date.fromisoformat(row["ex_date"]), date.fromisoformat(pay) if pay else None,
        Fraction(row["amount"]) / divisor, currency, row.get("kind") == "special")


def entry(order, row, portfolio):
    currency, divisor = major(row.get("currency", ""))
    money = {key: decimal(row.get(key), divisor) for key in ("price", "amount", "fees", "tax", "net")}
    return Entry(
        order, date.fromisoformat(row["date"]), row["type"], row["symbol"], portfolio, currency,
        isin=row.get("isin") or None, name=row.get("name") or None, shares=decimal(row.get("shares")),
        fx_rate=decimal(row.get("fx_rate")), ratio=ratio(row["ratio"]) if row.get("ratio") else None,
        ex_date=date.fromisoformat(row["ex_date"]) if row.get("ex_date") else None,
        source=row.get("source") or "import:dripline", note=row.get("note") or None, ratio_text=row.get("ratio") or None, **money)


def ratio(text):
    new, old = text.split(":")
    return Fraction(new) / Fraction(old)


def fraction(text, divisor=1):
    return Fraction(text) / divisor if text else None


def decimal(text, divisor=1):
    if not text:
        return None
    return Decimal(text).scaleb(-2).normalize() if divisor == 100 else Decimal(text)


def instant(text):
    if not text:
        return None
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
