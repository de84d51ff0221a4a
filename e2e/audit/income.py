"""Forward income, its projection and its distribution over the year (docs/develop/SPEC.md, Income)."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from expect import ABSENT, ANY, OneOf, Rate
from likely import SYMBOLS_MIN, likely_range
from money import fixed, percent, to_decimal, total, total_of

# A projection above this has more digits than the service's decimals.
COMPARED_MAX = 10**18
# Growth has 24 decimals, so every year of a projection adds this part of it to what its last digits may be off.
OFF_BY_YEAR = Fraction(1, 10**24)


@dataclass
class Source:
    """One paying position, in the preferred currency."""

    symbol: str
    portfolio: str
    gross: Fraction
    withholding: Fraction
    figures: object

    @property
    def net(self):
        return self.gross * (1 - self.withholding)

    @property
    def growth(self):
        return self.figures.growth if self.figures.growth is not None else Decimal(0)

    @property
    def reinvestment(self):
        price = self.figures.stock.price
        if not price:
            return Decimal(0)
        return to_decimal(self.figures.forward / price * (1 - self.withholding))


def income(account, years, drip, portfolio):
    currency, sources = account.currency, []
    valued_income = market_value = Fraction(0)
    unconverted = set()
    positions = account.open_positions(portfolio)
    for position in positions:
        figures = account.held_figures(position.symbol)
        missing = currency_without_rate(account, figures)
        if missing:
            unconverted.add((position.symbol, missing))
            continue
        rate = account.market.fx.cross(figures.stock.currency, currency, account.today)
        gross = position.shares * (figures.forward or 0) * rate
        if figures.stock.price:
            valued_income += gross
            market_value += position.shares * figures.stock.price * rate
        if gross > 0:
            sources.append(Source(
                position.symbol, position.portfolio, gross, account.withholding(position.symbol), figures))
    sources.sort(key=lambda s: (-s.gross, s.symbol, s.portfolio))
    gross = sum((s.gross for s in sources), Fraction(0))
    return {
        "annual_income": total(gross, currency),
        "net_annual_income": total(sum((s.net for s in sources), Fraction(0)), currency),
        "drip": drip,
        "years": years,
        "current_yield_pct": percent(valued_income / market_value) if market_value else None,
        "growth_rate": Rate(sum(to_decimal(s.gross) * s.growth for s in sources) / to_decimal(gross)) if gross else None,
        "holdings": [holding(s, account, portfolio) for s in sources],
        "projection": [projected(sources, offset, drip, currency) for offset in range(years + 1)],
        "income_year": income_year(sources, currency),
        "likely": likely_range(sources, currency),
        "coverage": coverage(account, positions),
        "unconverted": [{"symbol": s, "currency": c} for s, c in sorted(unconverted)] or ABSENT,
    }


def currency_without_rate(account, figures):
    """The first currency on the way from the payments to the preferred currency that has no rate; None if none is needed."""
    fx, trading = account.market.fx, figures.stock.currency
    if not figures.history.unconverted and fx.cross(trading, account.currency, account.today) is not None:
        return None
    chain = [figures.history.currency] if figures.history.unconverted else []
    return next(c for c in [*chain, trading, account.currency] if fx.per_euro(c, account.today) is None)


def coverage(account, positions):
    without = [p.symbol for p in positions if not account.has_data(p.symbol)]
    return {"positions": len(positions), "with_data": len(positions) - len(without), "without_data": sorted(set(without))}


def holding(source, account, selected):
    return {
        "symbol": source.symbol,
        "income": total_of(source.figures.forward, source.gross, account.currency),
        "net_income": total_of(source.figures.forward, source.net, account.currency),
        "cagr_5y": Rate.of(source.figures.cagr_5y),
        "growth": Rate.of(source.figures.growth),
        "streak": source.figures.streak,
        "streak_at_least": source.figures.streak_at_least,
        "basis": source.figures.basis,
        "portfolio": account.portfolio_field(source.portfolio, selected),
    }


def projected(sources, offset, drip, currency):
    gross = net = Decimal(0)
    for source in sources:
        factor = (1 + source.growth) * (1 + source.reinvestment if drip else 1)
        gross += to_decimal(source.gross) * factor**offset
        net += to_decimal(source.net) * factor**offset
    if offset == 0:
        gross, net = sum((s.gross for s in sources), Fraction(0)), sum((s.net for s in sources), Fraction(0))
    if gross > COMPARED_MAX:
        return {"year_offset": offset, "income": ANY, "net_income": ANY}
    return {"year_offset": offset, "income": near(gross, offset, currency), "net_income": near(net, offset, currency)}


def near(amount, offset, currency):
    """The total. If the decimals of growth decide how it is rounded, either way is right."""
    amount, off = Fraction(amount), Fraction(amount) * offset * OFF_BY_YEAR
    low, high = total(amount - off, currency), total(amount + off, currency)
    return low if low == high else {"amount": OneOf((low["amount"], high["amount"])), "currency": currency}


def income_year(sources, currency):
    if len({s.symbol for s in sources}) < SYMBOLS_MIN:
        return None
    months = {month: Fraction(0) for month in range(1, 13)}
    for source in sources:
        paid_in = source.figures.history.payment_months() or range(1, 13)
        for month in paid_in:
            months[month] += source.net / len(paid_in)
    net = sum(months.values())
    biggest = sorted(months, key=lambda m: (-months[m], m))[:3]
    thin = [m for m in months if months[m] < net / 12]
    return {
        "by_month": {str(m): total(value, currency) for m, value in months.items()},
        "average_month": total(net / 12, currency),
        "biggest_months": sorted(biggest),
        "biggest_months_share": Decimal(fixed(sum(months[m] for m in biggest) / net, 3)),
        "empty_months": [m for m in months if months[m] == 0],
        "thin_months": sorted(thin, key=lambda m: (months[m], m)),
        "net_of_withholding": True,
    }
