"""Positions: replays a portfolio's entries of one symbol (docs/develop/SPEC.md, Positions)."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

OWN_SPLIT_OVERRIDES_WITHIN = timedelta(days=7)


@dataclass
class Position:
    portfolio: str
    symbol: str
    shares: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    opened: date | None = None
    first_order: int = 0

    @property
    def average_cost(self):
        return self.cost / self.shares


def replay(portfolio, symbol, entries, market_splits, currency, fx, last_day):
    """The position at the end of `last_day`, in the trading currency."""
    position = Position(portfolio, symbol)
    own_splits = [e.date for e in entries if e.type == "split"]
    events = [(e.date, 1, e.order, e) for e in entries if e.date <= last_day]
    for day, ratio in market_splits:
        overridden = any(abs(day - own) <= OWN_SPLIT_OVERRIDES_WITHIN for own in own_splits)
        if day <= last_day and not overridden:
            events.append((day, 0, 0, ratio))
    for _, rank, _, event in sorted(events, key=lambda e: e[:3]):
        if rank == 0:
            position.shares *= event
        else:
            apply(position, event, currency, fx)
    return position


def apply(position, entry, currency, fx):
    if entry.type in ("buy", "transfer_in"):
        if position.shares == 0:
            position.opened, position.first_order = entry.date, entry.order
        position.shares += Fraction(entry.shares)
        position.cost += in_trading_currency(consideration(entry), entry, currency, fx)
    elif entry.type in ("sell", "transfer_out"):
        sold = Fraction(entry.shares)
        if sold > position.shares:
            raise ValueError(f"row {entry.order + 2}: sells {sold} of {position.shares} {entry.symbol}")
        position.cost -= position.cost * sold / position.shares
        position.shares -= sold
    elif entry.type == "split":
        position.shares *= entry.ratio
    elif entry.type == "return_of_capital":
        returned = in_trading_currency(Fraction(entry.amount), entry, currency, fx)
        position.cost = max(position.cost - returned, Fraction(0))


def consideration(entry):
    value = entry.shares * entry.price if entry.price is not None else entry.amount
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


def shares_before(day, entries, market_splits):
    """Shares held at the start of `day`: entries and splits dated before it."""
    counted = [e for e in entries if e.type in ("buy", "sell", "transfer_in", "transfer_out", "split")]
    free = [strip_cost(e) for e in counted]
    return replay("", "", free, market_splits, "", None, day - timedelta(days=1)).shares


def strip_cost(entry):
    """A copy without cost, so that counting shares needs no exchange rate."""
    return replace(entry, currency="", price=None, amount=0, fees=None)
