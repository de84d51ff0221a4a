"""Positions: replays a portfolio's entries of one symbol (docs/develop/SPEC.md, Positions)."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

OWN_SPLIT_DAYS = 7
OWN_SPLIT_DAYS_SAME_RATIO = 30
# What rounding after a split leaves behind.
REMAINDER = Fraction(1, 10000)


class Oversold(ValueError):
    def __init__(self, entry, held):
        super().__init__(f"row {entry.order + 2}: removes {entry.shares} of {float(held)} {entry.symbol}")
        self.entry = entry


@dataclass
class Position:
    portfolio: str
    symbol: str
    shares: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    opened: date | None = None
    first_order: int = 0
    cost_known: bool = True

    @property
    def average_cost(self):
        return self.cost / self.shares

    def close(self):
        self.shares = self.cost = Fraction(0)
        self.cost_known = True

    def multiply(self, ratio):
        self.shares *= ratio
        if self.shares < REMAINDER:
            self.close()


def splits_that_count(entries, market_splits, today):
    """The market's splits up to today that apply to a position: not those its ledger records itself, nor those that
    would make more sold than was held."""
    counting = [split for split in sorted(market_splits) if split[0] <= today and not recorded_by_user(split, entries)]
    free = [strip_cost(e) for e in entries if changes_shares(e)]
    while True:
        try:
            replay("", "", free, counting, "", None, today)
            return counting
        except Oversold as problem:
            reverse = [split for split in counting if split[0] <= problem.entry.date and split[1] < 1]
            if not reverse:
                raise
            counting.remove(reverse[-1])


def recorded_by_user(split, entries):
    day, ratio = split
    return any(
        abs((day - e.date).days) <= (OWN_SPLIT_DAYS_SAME_RATIO if e.ratio == ratio else OWN_SPLIT_DAYS)
        for e in entries if e.type == "split")


def replay(portfolio, symbol, entries, splits, currency, fx, last_day):
    """The position at the end of `last_day`, in the trading currency; `splits` are the market's that count."""
    position = Position(portfolio, symbol)
    events = [(e.date, 1, e.order, e) for e in entries if e.date <= last_day]
    events += [(day, 0, 0, ratio) for day, ratio in splits if day <= last_day]
    for _, rank, _, event in sorted(events, key=lambda e: e[:3]):
        if rank == 0:
            position.multiply(event)
        else:
            apply(position, event, currency, fx)
    return position


def apply(position, entry, currency, fx):
    if entry.type in ("buy", "transfer_in"):
        if position.shares == 0:
            position.opened, position.first_order = entry.date, entry.order
        position.shares += Fraction(entry.shares)
        position.cost += in_trading_currency(consideration(entry), entry, currency, fx)
        position.cost_known &= entry.cost_known
    elif entry.type in ("sell", "transfer_out"):
        remove(position, entry)
    elif entry.type == "split":
        position.multiply(entry.ratio)
    elif entry.type == "return_of_capital":
        returned = in_trading_currency(Fraction(entry.amount), entry, currency, fx)
        position.cost = max(position.cost - returned, Fraction(0))


def remove(position, entry):
    left = position.shares - Fraction(entry.shares)
    if left < -REMAINDER:
        raise Oversold(entry, position.shares)
    if left <= REMAINDER:
        position.close()
    else:
        position.cost *= left / position.shares
        position.shares = left


def consideration(entry):
    """The amount as recorded, else shares times price, and the fees."""
    value = entry.shares * entry.price if entry.amount is None and entry.price is not None else entry.amount or 0
    return Fraction(value) + Fraction(entry.fees or 0)


def in_trading_currency(value, entry, currency, fx):
    if not entry.currency or entry.currency == currency:
        return value
    if entry.fx_rate is not None:
        return value * Fraction(entry.fx_rate)
    rate = fx.cross(entry.currency, currency, entry.date)
    if rate is None:
        raise ValueError(f"row {entry.order + 2}: no rate {entry.currency} to {currency} on {entry.date}")
    return value * rate


def shares_before(day, entries, splits):
    """Shares held at the start of `day`, in shares of that day: entries dated before it, splits up to and on it."""
    eve = day - timedelta(days=1)
    counted = [strip_cost(e) for e in entries if changes_shares(e) and e.date <= eve]
    on_the_day = [ratio for split_day, ratio in splits if split_day == day]
    on_the_day += [e.ratio for e in entries if e.type == "split" and e.date == day]
    position = replay("", "", counted, splits, "", None, eve)
    for ratio in on_the_day:
        position.multiply(ratio)
    return position.shares


def changes_shares(entry):
    return entry.type in ("buy", "sell", "transfer_in", "transfer_out", "split")


def strip_cost(entry):
    """A copy without cost, so that counting shares needs no exchange rate."""
    return replace(entry, currency="", price=None, amount=0, fees=None)
