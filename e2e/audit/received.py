"""Dividends received in a period, next to the payments the shares were entitled to (docs/develop/SPEC.md, Received)."""

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from dates import add_days, add_months
from expect import ABSENT
from money import format_shares, total, total_of

NEAR_DAYS = 20
GRACE_DAYS = 10


@dataclass
class Booking:
    """What was recorded on one day, or a part of it."""

    day: date
    amount: Fraction
    currency: str
    gross_known: bool
    dividend: bool


@dataclass
class Due:
    """A payment that one position was entitled to."""

    position: tuple
    payment: object
    shares: Fraction
    booking: Booking | None = field(default=None)

    @property
    def amount(self):
        return self.payment.as_paid * self.shares

    @property
    def pay_date(self):
        return self.payment.pay_date

    def difference(self, booking):
        """None if the two cannot be compared."""
        if not booking.gross_known or booking.currency != self.payment.currency:
            return None
        return booking.amount - self.amount

    def state(self, today):
        if self.booking is None:
            return "missing" if (today - self.pay_date).days > GRACE_DAYS else "due"
        off = self.difference(self.booking)
        return "different" if off is not None and abs(off) > Fraction(5, 100) and abs(off) > self.amount * Fraction(2, 100) \
            else "received"


def first_day(last):
    """The first of the 24 months up to a day."""
    return add_days(add_months(last, -24), 1)


def received(account, first, last, portfolio):
    last = last or account.today
    until = min(last, account.today)
    first = first or first_day(until)
    currency, unconverted = account.currency, set()
    nothing = lambda: [Fraction(0), Fraction(0), Fraction(0)]
    whole, months, stocks = nothing(), {}, {}
    net_only = 0

    def add(symbol, day, *figures):
        for sums in (whole, months.setdefault(day.replace(day=1), nothing()), stocks.setdefault(symbol, nothing())):
            sums[:] = [one + other for one, other in zip(sums, figures)]

    for entry in account.entries:
        if entry.type != "dividend" or portfolio not in (None, entry.portfolio) or not first <= entry.date <= until:
            continue
        rate = account.market.fx.cross(entry.currency, currency, entry.date)
        if rate is None:
            unconverted.add((entry.symbol, entry.currency))
        else:
            net_only += not entry.gross_known
            add(entry.symbol, entry.date, Fraction(entry.gross) * rate, Fraction(entry.net_received) * rate, 0)
    months = {day: sums for day, sums in months.items() if any(sums)}
    payments, not_compared = compared(account, first, last, portfolio)
    for due in payments:
        rate = account.market.fx.cross(due.payment.currency, currency, min(due.pay_date, account.today))
        if rate is None:
            unconverted.add((due.position[1], due.payment.currency))
        else:
            add(due.position[1], due.pay_date, 0, 0, due.amount * rate)
    figures = lambda sums: {name: total(amount, currency) for name, amount in zip(("gross", "net", "expected"), sums)}
    of_state = lambda state: [row(account, due, portfolio) for due in payments if due.state(account.today) == state]
    order = sorted(stocks, key=lambda symbol: (-stocks[symbol][1], symbol))
    return {
        "from": first.isoformat(),
        "to": last.isoformat(),
        **figures(whole),
        "months": [{"month": f"{day:%Y-%m}", **figures(months.get(day, nothing()))} for day in every_month(months, until)],
        "stocks": [{"symbol": symbol, "name": account.stocks[symbol].name, **figures(stocks[symbol])} for symbol in order],
        "missing": of_state("missing"),
        "different": of_state("different"),
        "not_compared": not_compared,
        "net_only": net_only,
        "unconverted": [{"symbol": s, "currency": c} for s, c in sorted(unconverted)] or ABSENT,
    }


def every_month(months, until):
    if not months:
        return []
    day, end = min(months), max(max(months), until)
    days = []
    while day <= end:
        days.append(day)
        day = add_months(day, 1)
    return days


def row(account, due, selected):
    portfolio, symbol = due.position
    payment, currency = due.payment, due.payment.currency
    booking = due.booking
    off = booking and due.difference(booking)
    return {
        "symbol": symbol,
        "ex_dividend_date": payment.ex_date.isoformat(),
        "pay_date": payment.pay_date.isoformat(),
        "shares": format_shares(due.shares),
        "expected": total_of(payment.as_paid, due.amount, currency),
        "expected_net": total_of(payment.as_paid, due.amount * (1 - account.withholding(symbol)), currency),
        "received": booking and total(booking.amount, booking.currency),
        "received_on": booking and booking.day.isoformat(),
        "difference": None if off is None else total(off, currency),
        "portfolio": account.portfolio_field(portfolio, selected),
    }


# Payments and records

def compared(account, first, last, portfolio):
    """The payments due from `first` to `last`, newest first, and the symbols with dividends that there is nothing to compare with."""
    since, today = add_months(first, -3), account.today
    listed, without = [], set()
    for position in account.position_keys():
        if portfolio not in (None, position[0]):
            continue
        entries = account.entries_of(*position)
        bookings = recorded(entries, since)
        if not account.market.dividends.get(position[1]):
            if any(entry.type == "dividend" and first <= entry.date <= last for entry in entries):
                without.add(position[1])
            continue
        payments = [
            Due(position, payment, account.shares_before(*position, payment.ex_date))
            for payment in account.figures[position[1]].history.payments
            if payment.ex_date <= today and payment.pay_date >= since]
        payments = [due for due in payments if due.shares > 0]
        match(payments, bookings)
        listed += [due for due in payments if first <= due.pay_date <= last and (due.pay_date <= today or due.booking)]
    listed.sort(key=lambda due: (due.position[1], due.position[0]))
    listed.sort(key=lambda due: due.pay_date, reverse=True)
    return listed, sorted(without)


def recorded(entries, since):
    """Dividends and returns of capital by date, without what was reversed."""
    kept = []
    chosen = [e for e in entries if e.type in ("dividend", "return_of_capital") and e.date >= since]
    for entry in sorted(chosen, key=lambda e: (e.date, e.order)):
        dividend = entry.type == "dividend"
        amount = Fraction(entry.gross if dividend else entry.amount)
        if amount > 0:
            kept.append(Booking(entry.date, amount, entry.currency, entry.gross_known if dividend else True, dividend))
            continue
        near = [b for b in kept if b.currency == entry.currency and (entry.date - b.day).days <= NEAR_DAYS]
        taken = next((b for b in reversed(near) if b.amount == -amount), near[-1] if near else None)
        if taken:
            taken.amount += amount
            kept = [b for b in kept if b.amount > 0]
    return kept


def match(payments, bookings):
    days = by_day(payments, bookings)
    pairs = []
    for at, due in enumerate(payments):
        for number, booking in enumerate(days):
            apart = abs((booking.day - due.pay_date).days)
            off = due.difference(booking)
            if apart <= NEAR_DAYS:
                pairs.append((apart, off is None, abs(off or 0), at, number))
    used = set()
    for *_, at, number in sorted(pairs):
        if payments[at].booking is None and number not in used:
            payments[at].booking = days[number]
            used.add(number)
    share_sums(payments)


def by_day(payments, bookings):
    """One record per day and currency; they stay apart where several payments are equally near."""
    days = []
    for booking in sorted(bookings, key=lambda b: (b.day, b.currency)):
        apart = [abs((due.pay_date - booking.day).days) for due in payments]
        near = min((days_apart for days_apart in apart if days_apart <= NEAR_DAYS), default=None)
        last = days[-1] if days else None
        if last and (last.day, last.currency) == (booking.day, booking.currency) and apart.count(near) < 2:
            last.amount += booking.amount
            last.gross_known &= booking.gross_known
            last.dividend |= booking.dividend
        else:
            days.append(booking)
    return days


def share_sums(payments):
    """A record that is nearer to the sum of all payments of its day than to its own counts for all of them."""
    for due in payments:
        if due.booking is None:
            continue
        others = [other for other in payments if other.booking is None and other.pay_date == due.pay_date
                  and other.payment.currency == due.payment.currency]
        alone = due.difference(due.booking)
        if not others or alone is None:
            continue
        rest = sum(other.amount for other in others)
        if abs(alone - rest) < abs(alone):
            whole = due.booking
            for other in others:
                other.booking = Booking(whole.day, other.amount, whole.currency, whole.gross_known, whole.dividend)
            due.booking = Booking(whole.day, whole.amount - rest, whole.currency, whole.gross_known, whole.dividend)
