"""The state of an account at a glance (docs/develop/SPEC.md, Status)."""

from datetime import date, timezone
from fractions import Fraction

from dates import add_days, add_years, month_end
from expect import Codes
from income import currency_without_rate
from money import JOINED_EURO, STALE_DAYS, total
from positions import recorded_by_user
from received import compared, first_day, received
from upcoming import payments_between, sort_key, upcoming

NEXT_DAYS = 120
LISTED_DAYS = 14


def status(account, portfolio):
    today, income = account.today, account.income(1, False, portfolio)
    net = lambda first: received(account, first, today, portfolio)["net"]
    payments, _ = compared(account, first_day(today), date.max, portfolio)
    own = [item for item in upcoming(account, NEXT_DAYS, portfolio)["items"] if item["held"]]
    return {
        "as_of": today.isoformat(),
        "annual_income": income["annual_income"],
        "net_annual_income": income["net_annual_income"],
        "this_month": {"received": net(today.replace(day=1)), "expected": expected_this_month(account, payments, portfolio)},
        "last_12_months": {"received": net(add_days(add_years(today, -1), 1))},
        "next": min(own, key=lambda item: (sort_key(item, today), item["ex_dividend_date"]), default=None),
        "upcoming": upcoming(account, LISTED_DAYS, portfolio)["items"],
        "coverage": income["coverage"],
        "notices": Codes(tuple(notices(account, payments, income, portfolio))),
    }


def expected_this_month(account, payments, portfolio):
    """Net: payments of the rest of the month that are not recorded, and those of this month that are due."""
    today, end, amount = account.today, month_end(account.today), Fraction(0)
    recorded = {(*due.position, due.payment.ex_date) for due in payments if due.booking}
    for position in account.positions:
        if portfolio not in (None, position.portfolio):
            continue
        kept = 1 - account.withholding(position.symbol)
        for payment in payments_between(account, account.held_figures(position.symbol), end):
            key = (position.portfolio, position.symbol, payment.ex_date)
            if today <= payment.pay_date <= end and key not in recorded:
                shares = max(account.shares_for(position, payment.ex_date), 0)
                amount += in_preferred(account, payment.per_share * shares * kept, payment.currency)
    for due in payments:
        if due.state(today) == "due" and today.replace(day=1) <= due.pay_date < today:
            amount += in_preferred(account, due.amount * (1 - account.withholding(due.position[1])), due.payment.currency)
    return total(amount, account.currency)


def in_preferred(account, amount, currency):
    """Zero without an exchange rate."""
    return amount * (account.market.fx.cross(currency, account.currency, account.today) or 0)


def notices(account, payments, income, portfolio):
    today, positions = account.today, account.open_positions(portfolio)
    stocks = [account.stocks[position.symbol] for position in positions]
    seen = [s.price_as_of.astimezone(timezone.utc).date() for s in stocks if s.price is not None and s.price_as_of]
    if any((today - day).days > STALE_DAYS for day in seen):
        yield "market_data_old"
    if any((today - day).days > STALE_DAYS for day in rate_days(account, positions)):
        yield "exchange_rates_old"
    if income["coverage"]["without_data"]:
        yield "positions_without_data"
    if any(currency_without_rate(account, account.held_figures(position.symbol)) for position in positions):
        yield "no_exchange_rate"
    if any(due.state(today) == "missing" for due in payments):
        yield "payments_missing"
    for key in account.position_keys():
        if portfolio in (None, key[0]):
            entries = account.entries_of(*key)
            known = [split for split in account.market.splits.get(key[1], []) if split[0] <= today]
            left_out = [split for split in known if split not in account.splits[key] and not recorded_by_user(split, entries)]
            yield from ["split_not_applied" for _ in left_out]


def rate_days(account, positions):
    """The days of the rates that the income of the positions is converted with."""
    fx, today = account.market.fx, account.today
    currencies = set()
    for position in positions:
        history = account.held_figures(position.symbol).history
        currencies |= {account.stocks[position.symbol].currency} | ({history.currency} if history.unconverted else set())
    for currency in currencies - {account.currency}:
        for one in (currency, account.currency):
            day = rate_day(fx, one, today)
            if day:
                yield day


def rate_day(fx, currency, today):
    joined = currency in JOINED_EURO and today >= JOINED_EURO[currency][0]
    if currency == "EUR" or joined or fx.per_euro(currency, today) is None:
        return None
    latest = [found[0] for found in (fx.latest(currency, today), fx.built_in and fx.built_in.latest(currency, today)) if found]
    return max(latest)
