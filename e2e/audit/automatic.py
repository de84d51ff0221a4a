"""Dividends recorded automatically (docs/develop/SPEC.md, Missing dividends)."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from inputs import Entry
from money import fixed, minor_units
from received import Due, match, recorded

LEAST, MOST = Fraction(50, 100), Fraction(105, 100)


def automatic_entries(account, portfolio):
    """What is recorded of a portfolio when automatic recording is switched on, in the order of recording."""
    rows = []
    for key in account.position_keys():
        if key[0] == portfolio and key[1] in account.market.stocks:
            rows += [entry_of(account, due) for due in unrecorded(account, key)]
    kind = lambda row: "special" if row[1].special else "regular"
    rows.sort(key=lambda row: (row[0].date, f"{row[0].symbol} {row[1].ex_date} {row[1].currency} {kind(row)}"))
    return [entry for entry, _ in rows]


def unrecorded(account, key):
    """The payments up to today that no recorded dividend is."""
    entries = [e for e in account.entries_of(*key) if not e.estimated]
    payments = [Due(key, payment, account.shares_before(*key, payment.ex_date))
                for payment in account.figures[key[1]].history.payments if payment.ex_date <= account.today]
    payments = [due for due in payments if due.shares > 0]
    match(payments, recorded(entries, date.min))
    return [due for due in payments if due.pay_date <= account.today and not explained(account, due)]


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
    entry = Entry(
        0, due.pay_date, "dividend", symbol, portfolio, currency, shares=exact(due.shares), price=exact(due.payment.as_paid),
        amount=gross, tax=tax, net=gross - tax, ex_date=due.payment.ex_date, source="automatic", estimated=True)
    return entry, due.payment


def exact(number):
    """A fraction whose decimals end, without trailing zeros."""
    number = Fraction(number)
    return (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
