"""Explanations: recomputes every value of a tree from its inputs by its rule (docs/develop/SPEC.md, Explanations), and computes
what the figure itself must be."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor

from dates import (add_days, add_months, business_day_before, median, same_business_day, same_business_day_from_end,
                   same_distance_from_third_friday, same_weekday)
from expect import OneOf, Rate
from history import increases
from money import ends, fixed, minor_units, per_share, to_decimal, total
from positions import REMAINDER
from stock import AT_RISK_CHECKS, FIRED, NOT_MADE, PASSED, WATCH_CHECKS
from upcoming import payments_between

STOCK_FIGURES = ("forward_rate", "growth", "streak", "safety", "ex_dividend_date")
POSITION_FIGURES = ("income", "net_income", "withholding", "average_cost", "expected", "value")
TOTALS = ("annual_income", "net_annual_income", "growth", "value")
DIGITS, DECIMALS_MAX, CARRIED = 2**96, 28, 20


# Numbers with a limited number of digits

def limited(number, decimals=DECIMALS_MAX):
    """As many decimals as fit, 28 at most; a half is rounded to even."""
    number = Fraction(number)
    while True:
        units = round(number * 10**decimals)
        if abs(units) < DIGITS or decimals == 0:
            return Fraction(units, 10**decimals)
        decimals -= 1


def rounded(number, decimals):
    """To even; to 20 decimals, away from zero."""
    if decimals != CARRIED:
        return Fraction(round(number * 10**decimals), 10**decimals)
    units = floor(abs(number) * 10**decimals + Fraction(1, 2))
    return Fraction(units if number >= 0 else -units, 10**decimals)


def add(*numbers):
    result = Fraction(0)
    for number in numbers:
        result = limited(result + number)
    return result


def multiply(first, *others):
    for other in others:
        first = limited(first * other)
    return first


def divide(above, below):
    return limited(above / below)


# Rules

class Wrong(Exception):
    pass


def number(node):
    return None if node["value"] is None else Fraction(node["value"])


def numbers(node):
    return [number(one) for one in node["inputs"]]


def day(node):
    return date.fromisoformat(node["value"])


def given(node):
    (only,) = node["inputs"]
    return number(only) if "decimals" in node else only["value"]


def near(node):
    of_provider, own = numbers(node)
    return of_provider if own <= 2 * of_provider <= 3 * own else own


def growth_per_year(node):
    """Rounded to 24 decimals. Roots are computed with 28, so that one this near to a half may be rounded either way."""
    last, first, years = numbers(node)
    growth = Fraction(to_decimal(last / first) ** (Decimal(1) / int(years))) - 1
    found = number(node)
    tie = abs(abs(found - growth) - Fraction(1, 2 * 10**24)) < Fraction(1, 10**27) and (found * 10**24).denominator == 1
    return found if tie else Fraction(round(growth * 10**24), 10**24)


def withheld(node):
    gross, tax, rounding, *official = numbers(node)
    for rate in official:
        if abs(rate * gross - tax) <= rounding:
            return rate
    return min(max(divide(tax, gross), Fraction(0)), Fraction(1))


def home(node):
    source, residence = (one["value"] for one in node["inputs"])
    if source != residence:
        raise Wrong(f"{source} is not {residence}")
    return Fraction(0)


def untaxed_fund(node):
    country, fund = (one["value"] for one in node["inputs"])
    if country not in ("IE", "LU") or fund != "yes":
        raise Wrong(f"a fund of {country} is taxed")
    return Fraction(0)


def has_stopped(node):
    last, gap, today = node["inputs"]
    return (day(today) - day(last)).days > Fraction(3, 2) * number(gap) + 30


def stopped(node):
    if not has_stopped(node):
        raise Wrong("it has not stopped")
    return Fraction(0)


def replay(node):
    """(shares, cost) after all steps."""
    shares = cost = Fraction(0)
    for step in node["inputs"]:
        kind = step["name"]
        if kind in ("buy", "transfer_in"):
            shares = add(shares, number(step))
        elif kind == "cost":
            cost = add(cost, number(step))
        elif kind in ("sell", "transfer_out"):
            left = add(shares, -number(step))
            if left <= REMAINDER:
                shares = cost = Fraction(0)
            else:
                shares, cost = left, divide(multiply(cost, left), shares)
        elif kind == "split":
            new, old = numbers(step)
            shares = divide(multiply(shares, new), old)
            if shares < REMAINDER:
                shares = cost = Fraction(0)
        elif kind == "return_of_capital":
            cost = max(add(cost, -number(step)), Fraction(0))
        else:
            raise Wrong(f"unknown step {kind}")
    return shares, cost


def safety(node):
    states = {one["name"]: one["value"] for one in node["inputs"]}
    if tuple(states) != AT_RISK_CHECKS + WATCH_CHECKS:
        raise Wrong(f"checks are {tuple(states)}")
    if FIRED in (states[code] for code in AT_RISK_CHECKS):
        return "at_risk"
    return "watch" if FIRED in (states[code] for code in WATCH_CHECKS) else "safe"


def too_little_data(node):
    payments, payout, cover, fund, years = node["inputs"]
    judged = payout["value"] or cover["value"] or (fund["value"] == "yes" and number(years) >= 3)
    if number(payments) and judged:
        raise Wrong("there is enough data")
    return "unknown"


def outcome(known, fired):
    return NOT_MADE if not known else FIRED if fired() else PASSED


def cut(node):
    kept, *years = numbers(node)
    return outcome(len(years) >= 2, lambda: any(later < kept * earlier for earlier, later in zip(years, years[1:])))


def uncovered(node):
    payout, most, cover, least, streak, years = numbers(node)
    lacks_cash = cover < least if cover is not None else (streak or 0) < years
    return outcome(payout is not None, lambda: payout > most and lacks_cash)


def yield_doubled(node):
    relative, most, payout, payout_most = numbers(node)
    return outcome(None not in (relative, payout), lambda: relative > most and payout > payout_most)


def above(node):
    figure, limit = numbers(node)
    return outcome(figure is not None, lambda: figure > limit)


def below(node):
    figure, limit = numbers(node)
    return outcome(figure is not None, lambda: figure < limit)


def streak_ended(node):
    streak, before, least = numbers(node)
    return outcome(streak is not None, lambda: streak == 0 and before >= least)


def in_month(same_day):
    """A day in the month so many months after the reference."""
    def rule(node):
        reference, months = node["inputs"]
        first = day(reference).replace(day=1)
        return business_day_before(same_day(day(reference), add_months(first, int(number(months)))))
    return rule


def months_later(node):
    reference, months = node["inputs"]
    return add_months(day(reference), int(number(months)))


def weeks_later(node):
    return business_day_before(add_days(day(node["inputs"][0]), 364))


def gaps_later(node):
    last, gap, payments = node["inputs"]
    return business_day_before(add_days(day(last), int(number(gap) * number(payments))))


def median_date(node):
    return business_day_before(date.fromordinal(floor(median([day(one).toordinal() for one in node["inputs"]]))))


RULES = {
    "given": given,
    "sum": lambda node: add(*numbers(node)),
    "product": lambda node: multiply(*numbers(node)),
    "quotient": lambda node: divide(*numbers(node)),
    "difference": lambda node: limited(numbers(node)[0] - numbers(node)[1]),
    "convert": lambda node: divide(multiply(number(node["inputs"][0]), number(node["inputs"][2])), number(node["inputs"][1])),
    "clamp": lambda node: min(max(numbers(node)[0], numbers(node)[1]), numbers(node)[2]),
    "lowest": lambda node: min(numbers(node)),
    "growth_per_year": growth_per_year,
    "near": near,
    "withheld": withheld,
    "home": home,
    "untaxed_fund": untaxed_fund,
    "stopped": stopped,
    "streak": lambda node: Fraction(increases(numbers(node))),
    "replay_shares": lambda node: replay(node)[0],
    "replay_cost": lambda node: replay(node)[1],
    "safety": safety,
    "too_little_data": too_little_data,
    "median": lambda node: Fraction(floor(median(numbers(node)))),
    "months_later": months_later,
    "cut": cut,
    "uncovered": uncovered,
    "yield_doubled": yield_doubled,
    "high_payout": above,
    "thin_cash_cover": below,
    "yield_raised": above,
    "streak_ended": streak_ended,
    "year_from_end": in_month(same_business_day_from_end),
    "year_from_start": in_month(same_business_day),
    "year_same_date": lambda node: business_day_before(months_later(node)),
    "364_days": weeks_later,
    "year_same_weekday": in_month(same_weekday),
    "months_from_end": in_month(same_business_day_from_end),
    "months_from_start": in_month(same_business_day),
    "median_gap": gaps_later,
    "year_from_third_friday": in_month(same_distance_from_third_friday),
    "months_from_third_friday": in_month(same_distance_from_third_friday),
    "year_median": median_date,
    "months_median": median_date,
    "months_same_date": lambda node: business_day_before(months_later(node)),
}


def recompute(node, path, is_check=False):
    """(number of nodes, [(path, expected, found)]) of a node and everything below it."""
    count, wrong = 1, []
    for index, one in enumerate(node["inputs"]):
        below_count, below_wrong = recompute(one, f"{path}.{index} {one['name']}", node["rule"] == "safety")
        count, wrong = count + below_count, wrong + below_wrong
    if not node["inputs"]:
        if node.get("rule") not in (None, "sum"):
            wrong.append((path, "no rule without inputs", node["rule"]))
        return count, wrong
    try:
        expected = result(node, is_check)
        if expected != parsed(node, expected):
            wrong.append((path, f"{node['rule']}: {show(expected)}", node["value"]))
    except (Wrong, KeyError, ValueError, TypeError, ZeroDivisionError) as problem:
        wrong.append((path, f"{node.get('rule')} over the inputs", f"{type(problem).__name__}: {problem}"))
    return count, wrong


def result(node, is_check):
    rule = node["rule"]
    if rule == "unknown":
        return Fraction(0) if node["value"] == "0" else None
    if rule == "stopped" and is_check:
        return FIRED if has_stopped(node) else PASSED
    value = RULES[rule](node)
    return rounded(value, node["decimals"]) if "decimals" in node else value


def parsed(node, like):
    """The value of a node as the type of the expected one."""
    if node["value"] is None or like is None or isinstance(like, str):
        return node["value"]
    return date.fromisoformat(node["value"]) if isinstance(like, date) else Fraction(node["value"])


def show(value):
    return fixed(value, 30) if isinstance(value, Fraction) else value


# The figures themselves

def figure(account, name, symbol, portfolio):
    """The expected (value, unit)."""
    if symbol is None:
        return whole(account, name, portfolio)
    held = [p for p in account.open_positions(portfolio) if p.symbol == symbol]
    figures = account.held_figures(symbol) if held else account.figures[symbol]
    if name in STOCK_FIGURES:
        return of_stock(account, name, symbol, figures)
    if name == "withholding":
        return Exact(account.withholding(symbol)), "fraction"
    if name == "average_cost":
        cost, shares = sum(p.cost for p in held), sum(p.shares for p in held)
        return per_share(cost / shares, figures.stock.currency)["amount"], figures.stock.currency
    if name == "expected":
        return next_payment(account, symbol, figures, held, portfolio)
    kept = 1 - account.withholding(symbol) if name == "net_income" else 1
    each = [value_of(account, p) if name == "value" else income_of(account, p) for p in held]
    known = [amount * kept for amount in each if amount is not None]
    return (tied(sum(known), account.currency) if known else None), account.currency


def whole(account, name, portfolio):
    if name == "value":
        known = [v for v in (value_of(account, p) for p in account.open_positions(portfolio)) if v is not None]
        has_positions = bool(account.open_positions(portfolio))
        return (tied(sum(known, Fraction(0)), account.currency) if known or not has_positions else None), account.currency
    answer = account.income(1, False, portfolio)
    if name == "growth":
        return answer["growth_rate"] and Text(answer["growth_rate"]), "fraction"
    return answer[name]["amount"], account.currency


def of_stock(account, name, symbol, figures):
    history = figures.history
    if name == "forward_rate":
        if history.unconverted:
            return per_share(history.history_rate(), history.currency)["amount"], history.currency
        return figures.forward is not None and per_share(figures.forward, figures.stock.currency)["amount"] or None, figures.stock.currency
    if name == "growth":
        return None if figures.growth is None else Text(Rate(figures.growth)), "fraction"
    if name == "streak":
        return None if figures.streak is None else str(figures.streak), "years"
    if name == "safety":
        return account.figures[symbol].safety(), "text"
    next_day, _ = history.next_ex_date()
    return next_day and next_day.isoformat(), "date"


def income_of(account, position):
    """Not rounded; None without a rate."""
    figures = account.held_figures(position.symbol)
    rate = account.market.fx.cross(figures.stock.currency, account.currency, account.today)
    if figures.history.unconverted or figures.forward is None or rate is None:
        return None
    return position.shares * figures.forward * rate


def value_of(account, position):
    stock = account.stocks[position.symbol]
    rate = account.market.fx.cross(stock.currency, account.currency, account.today)
    return None if not stock.price or rate is None else position.shares * stock.price * rate


def next_payment(account, symbol, figures, held, portfolio):
    """The sum of the first upcoming payment (by its next date, then portfolio, then ex-date) over the portfolios that get it."""
    due = []
    for position in account.positions:
        if position.symbol == symbol and portfolio in (None, position.portfolio):
            for payment in payments_between(account, account.held_figures(symbol), add_days(account.today, 400)):
                shares = account.shares_for(position, payment.ex_date)
                if shares > 0:
                    due.append((payment, shares, position.portfolio))
    if not due:
        return None, figures.stock.currency
    next_date = lambda payment: min(d for d in (payment.ex_date, payment.pay_date) if d >= account.today)
    first = min(due, key=lambda one: (next_date(one[0]), one[2], one[0].ex_date))[0]
    same = [p.per_share * shares for p, shares, _ in due if (p.ex_date, p.currency) == (first.ex_date, first.currency)]
    return tied(sum(same), first.currency), first.currency


def tied(value, currency):
    """Both ways to round a value that lies exactly between two units, because a quotient in it may not be exact."""
    places = minor_units(currency)
    if (Fraction(value) * 10**places * 2) % 2 != 1:
        return total(value, currency)["amount"]
    half = Fraction(1, 2 * 10**places)
    return OneOf((fixed(value - half, places), fixed(value + half, places)))


class Exact:
    """A fraction, as exact as the service's decimals."""

    def __init__(self, value):
        self.value = value

    def accepts(self, got):
        return isinstance(got, str) and (Fraction(got) == self.value if ends(self.value) else abs(Fraction(got) - self.value) < Fraction(1, 10**25))

    def __repr__(self):
        return str(self.value)


class Text:
    """A rate, written as text."""

    def __init__(self, rate):
        self.rate = rate

    def accepts(self, got):
        return isinstance(got, str) and self.rate.accepts(Decimal(got))

    def __repr__(self):
        return repr(self.rate)
