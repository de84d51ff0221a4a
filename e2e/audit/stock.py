"""The response for one stock: yield, safety and scores (docs/develop/SPEC.md, Stocks)."""

from decimal import Decimal
from fractions import Fraction

from expect import Instant, Rate, Reasons
from history import History, increases
from money import fixed, per_share, percent


AT_RISK_CHECKS = ("cut", "stopped", "uncovered", "yield_doubled")
WATCH_CHECKS = ("high_payout", "thin_cash_cover", "yield_raised", "streak_ended")
FIRED, PASSED, NOT_MADE = "fired", "passed", "not_made"


class StockFigures:
    """`rows` and `splits` replace those of market data: a history made from a user's own ledger."""

    def __init__(self, stock, market, today, rows=None, splits=None):
        self.stock = stock
        self.basis = "market" if rows is None else "ledger"
        symbol = stock.symbol
        self.history = History(
            stock, market.dividends.get(symbol, []) if rows is None else rows,
            market.splits.get(symbol, []) if splits is None else splits, market.fx, today)
        self.forward = self.history.forward_rate()
        self.average_yield = self.history.average_yield(market.closes.get(symbol, {}))
        self.years = self.history.comparable_years()
        self.totals = self.history.totals()
        self.streak = self.history.streak()
        self.streak_at_least = self.history.streak_at_least()
        self.cagr_5y = self.history.cagr(5)
        self.growth = self.history.growth()

    @property
    def dividend_yield(self):
        if not self.stock.price or self.forward is None:
            return None
        return self.forward / self.stock.price

    # Safety

    def safety(self):
        if not self.safety_known():
            return "unknown"
        states = self.checks()
        if FIRED in (states[code] for code in AT_RISK_CHECKS):
            return "at_risk"
        return "watch" if FIRED in (states[code] for code in WATCH_CHECKS) else "safe"

    def safety_known(self):
        covered = self.stock.payout_ratio is not None or self.stock.fcf_cover is not None
        return bool(self.history.regular) and (covered or (self.stock.is_fund and len(self.history.complete_years()) >= 3))

    def safety_reasons(self):
        """{(code, state)}: the checks that fired, those that lack data and, for a safe stock, those that passed."""
        level = self.safety()
        if level == "unknown":
            return set()
        listed = (FIRED, NOT_MADE, PASSED) if level == "safe" else (FIRED, NOT_MADE)
        return {(code, state) for code, state in self.checks().items() if state in listed}

    def checks(self):
        """{code: whether the check fired, passed, or could not be made}"""
        stock, payout, cover = self.stock, self.stock.payout_ratio, self.stock.fcf_cover
        yields_known = self.dividend_yield is not None and bool(self.average_yield)
        comparable = len(self.totals) >= 2
        limit = Fraction(9, 10) if self.is_reit() or stock.sector == "Utilities" else Fraction(3, 4)
        uncovered = payout is not None and payout > 1 and (cover < 1 if cover is not None else (self.streak or 0) < 5)
        return {
            "cut": state(comparable, self.fell_recently()),
            "stopped": state(True, self.history.stopped),
            "uncovered": state(payout is not None, uncovered),
            "yield_doubled": state(
                yields_known and payout is not None, self.yield_above(2) and payout is not None and payout > Fraction(9, 10)),
            "high_payout": state(payout is not None, payout is not None and payout > limit),
            "thin_cash_cover": state(cover is not None, cover is not None and cover < Fraction(13, 10)),
            "yield_raised": state(yields_known, self.yield_above(Fraction(3, 2))),
            "streak_ended": state(
                comparable, comparable and self.totals[-1] <= self.totals[-2] and increases(self.totals[:-1]) >= 3),
        }

    def fell_recently(self):
        """Whether one of the last three complete years paid clearly less than the year it is compared with."""
        kept = Fraction(85, 100) if self.stock.is_fund else Fraction(98, 100)
        return any(
            later < earlier * kept for (_, earlier), (year, later) in zip(self.years, self.years[1:])
            if year >= self.history.today.year - 3)

    def yield_above(self, times):
        if self.dividend_yield is None or not self.average_yield:
            return False
        return self.dividend_yield > times * self.average_yield

    def is_reit(self):
        if self.stock.industry:
            return "reit" in self.stock.industry.lower()
        return self.stock.sector == "Real Estate"

    # Scores

    def scores(self):
        return {"momentum": mean(self.momentum()), "rating": mean(self.rating(), least=2), "value": mean(self.value())}

    def value(self):
        if self.dividend_yield is not None and self.average_yield:
            yield clamp((self.dividend_yield / self.average_yield - Fraction(7, 10)) / Fraction(6, 10))
        if self.stock.pe is not None and self.stock.pe > 0:
            yield clamp((30 - self.stock.pe) / 20)

    def momentum(self):
        stock = self.stock
        if stock.price and stock.low52 is not None and stock.high52 is not None and stock.high52 != stock.low52:
            yield clamp((stock.price - stock.low52) / (stock.high52 - stock.low52))
        if stock.price and stock.ma200:
            yield clamp((stock.price / stock.ma200 - Fraction(9, 10)) / Fraction(2, 10))
        if stock.ma50 and stock.ma200:
            yield clamp((stock.ma50 / stock.ma200 - Fraction(95, 100)) / Fraction(1, 10))

    def rating(self):
        safety = self.safety()
        if safety != "unknown":
            yield {"safe": Fraction(10), "watch": Fraction(5), "at_risk": Fraction(0)}[safety]
        if self.cagr_5y is not None:
            yield clamp(Fraction(self.cagr_5y) * 10)
        if self.streak is not None:
            yield clamp(Fraction(self.streak, 10))
        if self.dividend_yield is not None:
            yield clamp(self.dividend_yield * 20)

    # The answer

    def answer(self, with_token):
        stock, history = self.stock, self.history
        price = None
        if stock.price is not None:
            price = {**per_share(stock.price, stock.currency), "live": False, "as_of": Instant(stock.price_as_of)}
        day, declared = history.next_ex_date()
        return {
            "symbol": stock.symbol,
            "currency": stock.currency,
            "price": price,
            "dividend": {
                "payment_months": history.payment_months(),
                "safety": self.safety(),
                "safety_reasons": Reasons(frozenset(self.safety_reasons())),
                "annual": per_share(self.forward, stock.currency) if with_token and self.forward else None,
                "cagr_5y": Rate.of(self.cagr_5y),
                "ex_dividend_date": day.isoformat() if day else None,
                "ex_dividend_declared": declared,
                "frequency": history.frequency,
                "streak_years": self.streak,
                "streak_at_least": self.streak_at_least,
                "yield_avg_5y_pct": None if self.average_yield is None else percent(self.average_yield),
                "yield_pct": None if self.dividend_yield is None else percent(self.dividend_yield),
            },
            "scores": self.scores(),
            "name": stock.name,
            "industry": stock.industry,
            "sector": stock.sector,
            "instrument_type": stock.instrument_type,
        }


def state(made, fired):
    return FIRED if made and fired else PASSED if made else NOT_MADE


def clamp(fraction):
    """Converts 0..1 to a score of 0..10."""
    return min(max(fraction, Fraction(0)), Fraction(1)) * 10


def mean(parts, least=1):
    parts = list(parts)
    return Decimal(fixed(sum(parts) / len(parts), 1)) if len(parts) >= least else None
