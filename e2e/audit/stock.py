"""The response for one stock: yield, safety and scores (docs/develop/SPEC.md, Stocks)."""

from decimal import Decimal
from fractions import Fraction

from expect import Instant, Rate
from history import History, increases
from money import fixed, per_share, percent


class StockFigures:
    def __init__(self, stock, market, today):
        self.stock = stock
        symbol = stock.symbol
        self.history = History(
            stock, market.dividends.get(symbol, []), market.splits.get(symbol, []), market.fx, today)
        self.forward = self.history.forward_rate()
        self.average_yield = self.history.average_yield(market.closes.get(symbol, {}))
        self.years = self.history.complete_years()
        self.streak = self.history.streak()
        self.cagr_5y = self.history.cagr(5)
        self.growth = self.history.growth()

    @property
    def dividend_yield(self):
        if not self.stock.price or (self.forward is None and not self.history.regular):
            return None
        return (self.forward or Fraction(0)) / self.stock.price

    # Safety

    def safety(self):
        if not self.safety_known():
            return "unknown"
        if self.at_risk():
            return "at_risk"
        return "watch" if self.needs_watching() else "safe"

    def safety_known(self):
        covered = self.stock.payout_ratio is not None or self.stock.fcf_cover is not None
        return bool(self.history.regular) and (covered or (self.is_fund() and len(self.years) >= 3))

    def at_risk(self):
        payout, cover = self.stock.payout_ratio, self.stock.fcf_cover
        if self.history.stopped or self.fell_recently():
            return True
        if payout is not None and payout > 1:
            if cover is not None and cover < 1:
                return True
            if cover is None and (self.streak or 0) < 5:
                return True
        return self.yield_above(2) and payout is not None and payout > Fraction(9, 10)

    def needs_watching(self):
        payout, cover = self.stock.payout_ratio, self.stock.fcf_cover
        limit = Fraction(9, 10) if self.is_reit() or self.stock.sector == "Utilities" else Fraction(3, 4)
        streak_ended = len(self.years) >= 2 and self.years[-1] <= self.years[-2] and increases(self.years[:-1]) >= 3
        return (
            (payout is not None and payout > limit)
            or (cover is not None and cover < Fraction(13, 10))
            or self.yield_above(Fraction(3, 2))
            or streak_ended)

    def fell_recently(self):
        pairs = list(zip(self.years, self.years[1:]))[-3:]
        return any(later < earlier * Fraction(98, 100) for earlier, later in pairs)

    def yield_above(self, times):
        if self.dividend_yield is None or not self.average_yield:
            return False
        return self.dividend_yield > times * self.average_yield

    def is_reit(self):
        if self.stock.industry:
            return "reit" in self.stock.industry.lower()
        return self.stock.sector == "Real Estate"

    def is_fund(self):
        return self.stock.type in ("ETF", "MUTUALFUND", "FUND") or \
            self.stock.instrument_type in ("etf", "fund", "mutualfund")

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
        day = history.ex_dividend_date()
        return {
            "symbol": stock.symbol,
            "currency": stock.currency,
            "price": price,
            "dividend": {
                "payment_months": history.payment_months(),
                "safety": self.safety(),
                "annual": per_share(self.forward, stock.currency) if with_token and self.forward else None,
                "cagr_5y": Rate.of(self.cagr_5y),
                "ex_dividend_date": day.isoformat() if day else None,
                "frequency": history.frequency,
                "streak_years": self.streak,
                "yield_avg_5y_pct": None if self.average_yield is None else percent(self.average_yield),
                "yield_pct": None if self.dividend_yield is None else percent(self.dividend_yield),
            },
            "scores": self.scores(),
            "name": stock.name,
            "industry": stock.industry,
            "sector": stock.sector,
            "instrument_type": stock.instrument_type,
        }


def clamp(fraction):
    """Converts 0..1 to a score of 0..10."""
    return min(max(fraction, Fraction(0)), Fraction(1)) * 10


def mean(parts, least=1):
    parts = list(parts)
    return Decimal(fixed(sum(parts) / len(parts), 1)) if len(parts) >= least else None
