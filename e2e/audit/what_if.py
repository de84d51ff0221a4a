"""What a purchase would change (docs/develop/SPEC.md, What if): the same account with one more purchase."""

from copy import copy
from fractions import Fraction

from explain import divide, limited
from expect import Instant
from income import currency_without_rate
from inputs import Entry
from money import format_shares, per_share, percent, total_of

FIRST_PORTFOLIO = "Main"
OF_INCOME = ("annual_income", "net_annual_income", "current_yield_pct", "income_year")


def what_if(account, symbol, shares, portfolio=None):
    """None if there is no data for the symbol."""
    bought_in = portfolio or next(iter(account.portfolio_names), FIRST_PORTFOLIO)
    after = with_purchase(account, symbol, shares, bought_in) if symbol in account.stocks else None
    if after is None or not after.has_data(symbol):
        return None
    stock, figures = account.stocks[symbol], after.held_figures(symbol)
    rate = account.market.fx.cross(stock.currency, account.currency, account.today)
    known = currency_without_rate(account, figures) is None
    added = limited(limited(shares * (figures.forward or 0)) * rate) if known else None
    cost = shares * stock.price * rate if stock.price and rate else None
    of_year = lambda figure: total_of(figures.forward or 0, figure, account.currency) if known else None
    return {
        "symbol": symbol,
        "portfolio": bought_in,
        "shares": format_shares(shares),
        "price": stock.price and {**per_share(stock.price, stock.currency), "as_of": Instant(stock.price_as_of)},
        "cost": None if cost is None else total_of(stock.price, cost, account.currency),
        "added_income": of_year(added),
        "added_net_income": of_year(added and added * (1 - account.withholding(symbol))),
        "yield_pct": percent(added / cost) if known and cost else None,
        "before": outlook(account, symbol, bought_in, portfolio, known),
        "after": outlook(after, symbol, bought_in, portfolio, known),
    }


def shares_for(account, symbol, amount):
    """None without a price or an exchange rate."""
    stock, fx = account.stocks[symbol], account.market.fx
    rates = [fx.per_euro(currency, account.today) for currency in (account.currency, stock.currency)]
    if not stock.price or (account.currency != stock.currency and None in rates):
        return None
    before, after = (1, 1) if account.currency == stock.currency else rates
    return divide(amount * after, before * stock.price)


def with_purchase(account, symbol, shares, portfolio):
    stock, after, key = account.stocks[symbol], copy(account), (portfolio, symbol)
    entry = Entry(
        len(account.recorded_entries), account.today, "buy", symbol, portfolio, stock.currency, shares=Fraction(shares),
        price=stock.price or Fraction(0))
    after.entries = [*account.entries, entry]
    after.splits = {**account.splits, key: after.splits_of(*key)}
    others = [position for position in account.positions if (position.portfolio, position.symbol) != key]
    after.positions = [*others, after.position(*key)]
    after.own_figures = after.figures_of_ledger()
    return after


def outlook(account, symbol, bought_in, portfolio, known):
    income, figures = account.income(1, False, portfolio), account.held_figures(symbol)
    held = next((p.shares for p in account.open_positions(bought_in) if p.symbol == symbol), Fraction(0))
    gross = lambda position: position_income(account, position.symbol, position.shares)
    own, known = position_income(account, symbol, held), known or not held
    whole = sum(map(gross, account.open_positions(portfolio)), Fraction(0))
    of_year = lambda figure: total_of(figures.forward or 0, figure, account.currency) if known else None
    return {
        **{name: income[name] for name in OF_INCOME},
        "shares": format_shares(limited(held)),
        "income": of_year(own),
        "net_income": of_year(own * (1 - account.withholding(symbol))),
        "share_of_income_pct": percent(own / whole) if known and whole > 0 else None,
    }


def position_income(account, symbol, shares):
    """Zero without an exchange rate."""
    figures = account.held_figures(symbol)
    if currency_without_rate(account, figures) is not None:
        return Fraction(0)
    rate = account.market.fx.cross(figures.stock.currency, account.currency, account.today)
    # Shares for an amount have as many decimals as fit, so that only a limited product can be a tie again.
    return limited(limited(shares * (figures.forward or 0)) * rate)
