"""A dividend history made from a user's own dividends of a symbol that market data knows none of (docs/develop/SPEC.md, Stocks)."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import prod

from dates import add_days, median
from history import COMPANY_LAG, FUND_LAG
from inputs import DividendRow

PAYMENTS_MIN = 2


@dataclass
class OwnPayment:
    pay_date: date
    gross: Fraction = Fraction(0)
    shares: Fraction = Fraction(0)


def own_rows(stock, dividends, shares_held, splits_after):
    """Rows per share of today, or None with fewer than two payments. `shares_held(entry, day)` counts the shares of the entry's
    portfolio at the start of a day, `splits_after(entry, day)` lists the ratios that it counts later."""
    kept = without_reversals(dividends)
    lags = [(e.date - e.ex_date).days for e in kept if e.ex_date]
    lag = int(median(lags)) if lags else FUND_LAG if stock.is_fund else COMPANY_LAG
    payments = {}
    for entry in kept:
        ex_date = entry.ex_date or add_days(entry.date, -lag)
        shares, counted_on = Fraction(entry.shares or 0) or (shares_held(entry, ex_date) if entry.ex_date else 0), ex_date
        if shares <= 0:
            shares, counted_on = shares_held(entry, entry.date), entry.date
        shares *= prod(splits_after(entry, counted_on))
        if shares > 0:
            key = (ex_date, entry.currency)
            payment = payments.setdefault(key, OwnPayment(entry.date))
            payment.gross += Fraction(entry.gross)
            payment.shares += shares
    if len({ex_date for ex_date, _ in payments}) < PAYMENTS_MIN:
        return None
    return [
        DividendRow(stock.symbol, ex_date, payment.pay_date, payment.gross / payment.shares, currency)
        for (ex_date, currency), payment in sorted(payments.items())]


def without_reversals(dividends):
    """By date: each negative row cancels the latest positive one before it of the same portfolio, currency and gross."""
    kept = []
    for entry in sorted(dividends, key=lambda e: (e.date, e.order)):
        if entry.gross > 0:
            kept.append(entry)
            continue
        same = [e for e in kept if (e.portfolio, e.currency, e.gross) == (entry.portfolio, entry.currency, -entry.gross)]
        if same:
            kept.remove(same[-1])
    return kept
