"""What positions are worth, and what they cost (docs/develop/SPEC.md, Holdings and watchlist)."""

from fractions import Fraction

from expect import ABSENT, Instant
from income import currency_without_rate
from money import format_shares, per_share, percent, total, total_of


def valuation(account, portfolio):
    rows = [Valued(account, position) for position in account.in_order(portfolio)]
    converted = [row for row in rows if row.rate is not None]
    add = lambda figures: sum(figures, Fraction(0))
    value = add(row.value * row.rate for row in converted if row.value is not None)
    income = add(row.income for row in converted)
    both = [row for row in converted if row.gain is not None]
    judged = [row for row in converted if row.cost is not None and row.has_data]
    currency = account.currency
    gain, cost_of_gain = add(row.gain * row.rate for row in both), add(row.cost * row.rate for row in both)
    cost_of_income = add(row.cost * row.rate for row in judged)
    priced = add(row.income for row in converted if row.value is not None)
    unconverted = {(row.stock.symbol, row.missing) for row in rows if row.rate is None}
    return {
        "positions": [row.answer(portfolio, value, income) for row in rows],
        "totals": {
            "value": total(value, currency),
            "cost": total(add(row.cost * row.rate for row in converted if row.cost is not None), currency),
            "gain": total(gain, currency),
            "gain_pct": share(gain, cost_of_gain),
            "yield_pct": share(priced, value),
            "yield_on_cost_pct": share(add(row.income for row in judged), cost_of_income),
            "income": total(income, currency),
            "net_income": total(add(row.net_income for row in converted), currency),
        },
        "unpriced": sorted({row.stock.symbol for row in rows if row.value is None}),
        "without_cost": sorted({row.stock.symbol for row in rows if row.cost is None}),
        "unconverted": [{"symbol": s, "currency": c} for s, c in sorted(unconverted)] or ABSENT,
    }


class Valued:
    """A position with its worth in the trading currency, its income in the preferred one, and the rate between the two."""

    def __init__(self, account, position):
        self.account, self.position = account, position
        self.stock, self.figures = account.stocks[position.symbol], account.held_figures(position.symbol)
        self.has_data = account.has_data(position.symbol)
        self.missing = currency_without_rate(account, self.figures)
        cross = account.market.fx.cross(self.stock.currency, account.currency, account.today)
        self.rate = cross if self.missing is None else None
        self.value = position.shares * self.stock.price if self.stock.price else None
        self.cost = position.cost if position.cost_known else None
        self.gain = None if self.value is None or self.cost is None else self.value - self.cost
        self.income = position.shares * (self.figures.forward or 0) * (self.rate or 0)
        self.net_income = self.income * (1 - account.withholding(position.symbol))

    def answer(self, selected, whole_value, whole_income):
        stock, forward, known = self.stock, self.figures.forward, self.rate is not None and self.has_data
        of_year = lambda figure: total_of(forward or 0, figure, self.account.currency) if known else None
        price = stock.price and {**per_share(stock.price, stock.currency), "as_of": Instant(stock.price_as_of)}
        worth = lambda rate, currency: {
            name: None if figure is None or rate is None else total(figure * rate, currency)
            for name, figure in (("value", self.value), ("cost", self.cost), ("gain", self.gain))}
        dividend_yield = self.figures.dividend_yield
        return {
            "symbol": stock.symbol,
            "name": stock.name,
            "shares": format_shares(self.position.shares),
            "price": price,
            **worth(self.rate, self.account.currency),
            "own": worth(1, stock.currency),
            "gain_pct": None if self.gain is None else share(self.gain, self.cost),
            "yield_pct": None if dividend_yield is None else percent(dividend_yield),
            "yield_on_cost_pct": self.yield_on_cost(),
            "income": of_year(self.income),
            "net_income": of_year(self.net_income),
            "share_of_income_pct": share(self.income, whole_income) if known else None,
            "share_of_value_pct": None if self.value is None or self.rate is None else share(self.value * self.rate, whole_value),
            "sector": stock.sector,
            "country": stock.country,
            "instrument_type": stock.instrument_type,
            "portfolio": self.account.portfolio_field(self.position.portfolio, selected),
        }

    def yield_on_cost(self):
        """None if rate and cost are in different currencies, the cost is zero or unknown, or nothing is known to be paid."""
        forward = self.figures.forward
        comparable = not self.figures.history.unconverted and (forward or self.figures.history.stopped)
        return share(forward * self.position.shares, self.cost) if self.cost and comparable else None


def share(part, whole):
    return percent(Fraction(part) / whole) if whole > 0 else None
