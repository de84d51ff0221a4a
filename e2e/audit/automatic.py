"""Dividends recorded automatically, and what they buy (docs/develop/SPEC.md, Missing dividends)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor

from dates import add_days
from inputs import Entry
from money import fixed, minor_units
from positions import shares_before, splits_that_count
from received import Due, match, recorded

LEAST, MOST = Fraction(50, 100), Fraction(105, 100)
# Purchases change what later payments come to, and with it which of them a recorded dividend is.
ROUNDS_MAX = 10
CLOSE_DAYS = 7
SHARE_DECIMALS, PRICE_DECIMALS = 8, 10


def automatic_entries(account, portfolio):
    """What is recorded of a portfolio when automatic recording is switched on, in the order of recording."""
    rows = []
    for key in account.position_keys():
        if key[0] == portfolio and key[1] in account.market.stocks:
            rows += rows_of(account, key)
    rows.sort(key=lambda row: row[:2])
    return [entry for *_, entry in rows]


def rows_of(account, key):
    """(date, id, entry) of the dividends and purchases of a position."""
    shares = lambda payment: account.shares_before(*key, payment.ex_date)
    payments = [Due(key, payment, shares(payment)) for payment in payments_of(account, key)]
    known = recorded_payments(account, key, [due for due in payments if due.shares > 0])
    for _ in range(ROUNDS_MAX):
        payments, rows = in_order(account, key, known)
        before, known = known, recorded_payments(account, key, payments)
        if known == before:
            break
    return rows


def payments_of(account, key):
    """Up to today, by ex-date."""
    return [payment for payment in account.figures[key[1]].history.payments if payment.ex_date <= account.today]


def recorded_payments(account, key, payments):
    """Those that a recorded dividend is."""
    match(payments, recorded(account.entries_of(*key), date.min))
    return {due.payment for due in payments if explained(account, due)}


def in_order(account, key, known):
    """The payments with the shares that those before them bought, and the rows of those that are not recorded."""
    entries, splits = account.entries_of(*key), account.splits[key]
    payments, rows = [], []
    for payment in payments_of(account, key):
        due = Due(key, payment, shares_before(payment.ex_date, entries, splits))
        if due.shares <= 0:
            continue
        payments.append(due)
        if payment in known or payment.pay_date > account.today:
            continue
        dividend = entry_of(account, due)
        purchase = purchase_of(account, dividend)
        name = f"{key[1]} {payment.ex_date} {payment.currency} {'special' if payment.special else 'regular'}"
        rows.append((dividend.date, name, dividend))
        if purchase:
            rows.append((purchase.date, f"{name} purchase", purchase))
            entries = [*entries, purchase]
            splits = splits_that_count(entries, account.market.splits.get(key[1], []), account.today)
    return payments, rows


def explained(account, due):
    """Whether a dividend is recorded for it whose amount tax, fees and exchange can explain."""
    if due.booking is None:
        return False
    rate = account.market.fx.cross(due.booking.currency, due.payment.currency, due.booking.day)
    gross = Fraction(estimated_gross(due))
    return rate is None or LEAST * gross <= due.booking.amount * rate <= MOST * gross


def estimated_gross(due):
    return rounded(due.amount, due.payment.currency)


def rounded(amount, currency):
    return Decimal(fixed(amount, minor_units(currency)))


def entry_of(account, due):
    portfolio, symbol = due.position
    currency = due.payment.currency
    gross = estimated_gross(due)
    tax = rounded(Fraction(gross) * account.withholding(symbol), currency)
    return Entry(
        account.next_order(), due.pay_date, "dividend", symbol, portfolio, currency, shares=exact(due.shares),
        price=exact(due.payment.as_paid), amount=gross, tax=tax, net=gross - tax, ex_date=due.payment.ex_date,
        source="automatic", estimated=True)


def purchase_of(account, dividend):
    """What the dividend buys, or None."""
    rule = account.reinvest_rule(dividend.portfolio, dividend.symbol)
    if rule == "off" or dividend.net <= 0:
        return None
    price = price_of(account, dividend.symbol, dividend.currency, dividend.date)
    if not price:
        return None
    bought = Fraction(dividend.net) / Fraction(price)
    shares = Decimal(floor(bought) if rule == "whole" else fixed(bought, SHARE_DECIMALS))
    if not shares:
        return None
    return replace(
        dividend, type="buy", shares=shares.normalize(), price=price, amount=None if rule == "whole" else dividend.net,
        tax=None, net=None, ex_date=None)


def price_of(account, symbol, currency, day):
    """The last close of the week up to a day, per share of that day and at its exchange rate; None without one."""
    closes = account.market.closes.get(symbol, {})
    last = max((one for one in closes if add_days(day, -CLOSE_DAYS) <= one <= day), default=None)
    rate = account.market.fx.cross(account.stocks[symbol].currency, currency, day)
    if last is None or rate is None:
        return None
    later = account.figures[symbol].history.new_shares(day, account.today)
    return Decimal(fixed(closes[last] * later * rate, PRICE_DECIMALS)).normalize()


def exact(number):
    """A fraction whose decimals end, without trailing zeros."""
    number = Fraction(number)
    return (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
