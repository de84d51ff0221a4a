"""Upcoming payments: declared ones and estimates (docs/develop/SPEC.md, Upcoming and calendar)."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from dates import add_days, add_years
from expect import ABSENT
from money import format_shares, per_share, total


@dataclass(frozen=True)
class UpcomingPayment:
    ex_date: date
    pay_date: date
    per_share: Fraction
    declared: bool


def upcoming(account, days, portfolio):
    end = add_days(account.today, days)
    items = []
    for position in account.positions:
        if portfolio in (None, position.portfolio):
            for payment in payments_between(account, position.symbol, end):
                shares = account.shares_for(position.portfolio, position.symbol, payment.ex_date)
                if shares > 0:
                    items.append(held_item(account, position, payment, shares, portfolio))
    if portfolio is None:
        held = {p.symbol for p in account.open_positions()}
        for symbol in account.radar:
            if symbol not in held:
                items += [radar_item(account, symbol, p) for p in payments_between(account, symbol, end)]
    items.sort(key=lambda item: sort_key(item, account.today))
    return {"from": account.today.isoformat(), "days": days, "items": items}


def payments_between(account, symbol, end):
    history, forward = account.figures[symbol].history, account.figures[symbol].forward
    known = [UpcomingPayment(p.ex_date, p.pay_date, p.as_paid, True) for p in history.payments]
    return [p for p in known + estimates(history, forward)
            if account.today <= p.ex_date <= end or account.today <= p.pay_date <= end]


def estimates(history, forward):
    """The payments expected in the three years after the last known one, more than any window covers."""
    if not history.frequency:
        return []
    count, dates = history.per_year, [p.ex_date for p in history.regular]
    last_known = dates[-1]
    for _ in range(3 * count):
        dates.append(add_years(dates[-count], 1) if len(dates) >= count else add_days(dates[-1], history.nominal_gap))
    return [
        UpcomingPayment(day, add_days(day, history.lag), forward / count, False)
        # If the frequency has changed, two past payments can lead to the same day: one payment.
        for day in sorted(set(dates[len(history.regular):])) if day > last_known and day >= history.today]


def held_item(account, position, payment, shares, selected):
    stock = account.stocks[position.symbol]
    expected = payment.per_share * shares
    return {
        **common(stock, payment),
        "held": True,
        "expected": total(expected, stock.currency),
        "expected_net": total(expected * (1 - account.withholding(position.symbol)), stock.currency),
        "shares": format_shares(shares),
        "portfolio": account.portfolio_field(position.portfolio, selected),
    }


def radar_item(account, symbol, payment):
    return {
        **common(account.stocks[symbol], payment),
        "held": False, "expected": None, "expected_net": None, "shares": None, "portfolio": ABSENT,
    }


def common(stock, payment):
    return {
        "symbol": stock.symbol,
        "ex_dividend_date": payment.ex_date.isoformat(),
        "pay_date": payment.pay_date.isoformat(),
        "per_share": per_share(payment.per_share, stock.currency),
        "declared": payment.declared,
        "name": stock.name,
    }


def sort_key(item, today):
    next_date = min(d for d in (item["ex_dividend_date"], item["pay_date"]) if d >= today.isoformat())
    portfolio = item.get("portfolio", ABSENT)
    portfolio = "" if portfolio is ABSENT else portfolio
    return next_date, item["symbol"], portfolio
