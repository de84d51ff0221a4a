"""The range in which the income of the next twelve months will probably lie (docs/develop/SPEC.md, Income)."""

from decimal import Decimal

from money import to_decimal, total

SYMBOLS_MIN = 5
# The part of the variance that all payers share.
COMMON = Decimal("0.07")

# What payers of a kind really paid ÷ their forward rate: (deviation below, mean, deviation above)
COMPANY_DECLARED = ("0.14", "1.05", "0.19")
FUND_DECLARED = ("0.16", "1.02", "0.27")
COMPANY_VARYING = ("0.47", "1.07", "0.41")
FUND_VARYING = ("0.43", "1.03", "0.42")
COMPANY_SEMI_ANNUAL = ("0.30", "1.05", "0.25")
COMPANY_ANNUAL = ("0.62", "0.99", "0.45")


def kind(figures):
    """Decided by the history, even where the provider's rate counts."""
    history, fund = figures.history, figures.stock.is_fund
    if history.pays_declared_rate():
        return FUND_DECLARED if fund else COMPANY_DECLARED
    if fund:
        return FUND_VARYING
    return {"semi_annual": COMPANY_SEMI_ANNUAL, "annual": COMPANY_ANNUAL}.get(history.frequency, COMPANY_VARYING)


def likely_range(sources, currency):
    """`low` and `high`, before tax; None with fewer than five paying symbols."""
    incomes, kinds = {}, {}
    for source in sources:
        incomes[source.symbol] = incomes.get(source.symbol, 0) + source.gross
        kinds[source.symbol] = kind(source.figures)
    if len(incomes) < SYMBOLS_MIN:
        return None
    weighted = lambda part: [to_decimal(income) * Decimal(kinds[symbol][part]) for symbol, income in incomes.items()]
    below, centre, above = distance(weighted(0)), sum(weighted(1)), distance(weighted(2))
    return {"low": total(max(centre - below, Decimal(0)), currency), "high": total(centre + above, currency)}


def distance(deviations):
    """Of an end from the centre: the deviations are partly common and otherwise independent."""
    return (COMMON * sum(deviations)**2 + (1 - COMMON) * sum(d**2 for d in deviations)).sqrt()
