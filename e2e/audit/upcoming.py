"""Upcoming payments: declared ones and estimates (docs/develop/SPEC.md, Upcoming and calendar)."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from dates import add_days
from expect import ABSENT, Rate
from money import format_shares, per_share, to_decimal, total, total_of


@dataclass(frozen=True)
class UpcomingPayment:
    """Amounts are per share of the ex-date, in `currency`."""

    ex_date: date
    pay_date: date
    per_share: Fraction
    previous: Fraction | None
    currency: str
    declared: bool
    basis: str


def upcoming(account, days, portfolio):
    end = add_days(account.today, days)
    items, expected_total, expected_net_total = [], Fraction(0), Fraction(0)
    for position in account.positions:
        if portfolio not in (None, position.portfolio):
            continue
        withheld = account.withholding(position.symbol)
        for payment in payments_between(account, account.held_figures(position.symbol), end):
            shares = account.shares_for(position, payment.ex_date)
            if shares <= 0:
                continue
            expected = payment.per_share * shares
            items.append(held_item(account, position, payment, shares, withheld, portfolio))
            rate = account.market.fx.cross(payment.currency, account.currency, account.today)
            if rate is not None and account.today <= payment.pay_date <= end:
                expected_total += expected * rate
                expected_net_total += expected * (1 - withheld) * rate
    if portfolio is None:
        held = {p.symbol for p in account.open_positions()}
        for symbol in account.radar:
            if symbol not in held:
                payments = payments_between(account, account.figures[symbol], end)
                items += [radar_item(account.stocks[symbol], p) for p in payments]
    items.sort(key=lambda item: sort_key(item, account.today))
    return {
        "from": account.today.isoformat(),
        "days": days,
        "items": items,
        "expected_total": total(expected_total, account.currency),
        "expected_net_total": total(expected_net_total, account.currency),
    }


def payments_between(account, figures, end):
    known = [] if figures.basis == "ledger" else [declared(figures, p) for p in figures.history.payments]
    return [p for p in known + estimates(figures, end)
            if account.today <= p.ex_date <= end or account.today <= p.pay_date <= end]


def declared(figures, payment):
    """A known payment in the trading currency, or in its own without an exchange rate."""
    history = figures.history
    rate, currency = conversion(history, payment.currency)
    previous = None
    if not payment.special and payment.currency == history.currency:
        previous = previous_per_share(history, payment.ex_date)
    return UpcomingPayment(
        payment.ex_date, payment.pay_date, payment.as_paid * rate, previous, currency, True, figures.basis)


def estimates(figures, end):
    history = figures.history
    if not history.frequency:
        return []
    rate, currency = conversion(history, history.currency)
    forward = figures.forward if history.rate_today() is not None else history.history_rate()
    return [
        UpcomingPayment(
            ex_date, pay_date, history.per_share_of(ex_date, forward / history.per_year),
            previous_per_share(history, ex_date), currency, False, figures.basis)
        for ex_date, pay_date in history.estimates(end)]


def conversion(history, currency):
    rate = history.rate_today(currency)
    return (Fraction(1), currency) if rate is None else (rate, history.stock.currency)


def previous_per_share(history, ex_date):
    """The payment of a year earlier, per share of `ex_date`, converted like the payment itself; None if unknown."""
    before = history.year_earlier(ex_date)
    return before and history.per_share_of(ex_date, before.amount) * conversion(history, history.currency)[0]


def held_item(account, position, payment, shares, withheld, selected):
    expected = payment.per_share * shares
    return {
        **common(account.stocks[position.symbol], payment),
        "held": True,
        "expected": total_of(payment.per_share, expected, payment.currency),
        "expected_net": total_of(payment.per_share, expected * (1 - withheld), payment.currency),
        "shares": format_shares(shares),
        "portfolio": account.portfolio_field(position.portfolio, selected),
    }


def radar_item(stock, payment):
    return {
        **common(stock, payment),
        "held": False, "expected": None, "expected_net": None, "shares": None, "portfolio": ABSENT,
    }


def common(stock, payment):
    previous = payment.previous
    return {
        "symbol": stock.symbol,
        "ex_dividend_date": payment.ex_date.isoformat(),
        "pay_date": payment.pay_date.isoformat(),
        "per_share": per_share(payment.per_share, payment.currency),
        "previous_per_share": None if previous is None else per_share(previous, payment.currency),
        "change": Rate(to_decimal(payment.per_share / previous - 1)) if previous else None,
        "declared": payment.declared,
        "basis": payment.basis,
        "name": stock.name,
    }


def sort_key(item, today):
    next_date = min(d for d in (item["ex_dividend_date"], item["pay_date"]) if d >= today.isoformat())
    portfolio = item.get("portfolio", ABSENT)
    portfolio = "" if portfolio is ABSENT else portfolio
    return next_date, item["symbol"], portfolio
