"""The expected response of every endpoint for one account, computed from the input files alone."""

from dataclasses import replace
from functools import cache

import reference
from automatic import automatic_entries
from dates import add_days
from expect import ABSENT, Instant
from income import income
from inputs import Stock
from money import format_shares, per_share, percent, recorded
from own_history import own_rows
from positions import recorded_by_user, replay, shares_before, splits_that_count
from received import received
from search import exact_matches
from status import status
from stock import StockFigures
from upcoming import upcoming
from valuation import valuation
from withholding import estimate


@cache
def reference_stocks():
    """Listings of the reference data, by symbol, with what a search needs."""
    return {symbol: Stock(symbol, "", name=name, exchange=exchange, type=kind)
            for symbol, (name, exchange, kind) in reference.listings().items()}


class Account:
    def __init__(self, market, entries, portfolios, today, currency, residence="", radar=(), slugs=None, recording=(),
                 reinvest=None):
        """`recording` are the portfolios in which dividends are recorded automatically, and `reinvest` has the rules by
        (portfolio, None) and, for single stocks, by (portfolio, symbol)."""
        self.market, self.today = market, today
        self.currency, self.residence = currency, residence
        self.recorded_entries = entries
        self.entries = [e for e in entries if e.date <= today]
        self.portfolio_names = portfolios
        self.radar, self.slugs, self.reinvest = list(radar), slugs or {}, reinvest or {}
        self.stocks = {**self.stocks_of_ledger(), **market.stocks}
        self.figures = {symbol: StockFigures(stock, market, today) for symbol, stock in self.stocks.items()}
        self.splits = {key: self.splits_of(*key) for key in self.position_keys()}
        for portfolio in recording:
            self.record(automatic_entries(self, portfolio))
        self.positions = [self.position(*key) for key in self.position_keys()]
        self.own_figures = self.figures_of_ledger()

    def record(self, entries):
        """After all that is recorded."""
        new = [replace(entry, order=order) for order, entry in enumerate(entries, self.next_order())]
        self.recorded_entries, self.entries = self.recorded_entries + new, self.entries + new
        self.splits = {key: self.splits_of(*key) for key in self.position_keys()}

    def next_order(self):
        return max((e.order for e in self.recorded_entries), default=-1) + 1

    def reinvest_rule(self, portfolio, symbol):
        return self.reinvest.get((portfolio, symbol)) or self.reinvest.get((portfolio, None), "off")

    # What the ledger says

    def stocks_of_ledger(self):
        """Symbols that are not in market data, with the ledger's name and the currency of their first entry."""
        found = {}
        for entry in sorted(self.entries, key=lambda e: (e.date, e.order)):
            known = found.get(entry.symbol)
            found[entry.symbol] = Stock(
                entry.symbol, (known and known.currency) or entry.currency,
                name=(known and known.name) or entry.name, isin=(known and known.isin) or entry.isin)
        return found

    def position_keys(self):
        return sorted({(e.portfolio, e.symbol) for e in self.entries})

    def entries_of(self, portfolio, symbol):
        return [e for e in self.entries if e.portfolio == portfolio and e.symbol == symbol]

    def splits_of(self, portfolio, symbol):
        return splits_that_count(self.entries_of(portfolio, symbol), self.market.splits.get(symbol, []), self.today)

    def position(self, portfolio, symbol):
        return replay(
            portfolio, symbol, self.entries_of(portfolio, symbol), self.splits[portfolio, symbol],
            self.stocks[symbol].currency, self.market.fx, self.today)

    def open_positions(self, portfolio=None):
        return [p for p in self.positions if p.shares > 0 and portfolio in (None, p.portfolio)]

    def in_order(self, portfolio=None):
        """Oldest first."""
        return sorted(self.open_positions(portfolio), key=lambda p: (p.opened, p.first_order))

    def shares_for(self, position, ex_date):
        """Shares that a payment is for: today's count, after announced splits; from the ex-date on those held before it."""
        if ex_date <= self.today:
            return self.shares_before(position.portfolio, position.symbol, ex_date)
        entries, shares = self.entries_of(position.portfolio, position.symbol), position.shares
        for split in self.market.splits.get(position.symbol, []):
            if self.today < split[0] <= ex_date and not recorded_by_user(split, entries):
                shares *= split[1]
        return shares

    def shares_before(self, portfolio, symbol, day):
        return shares_before(day, self.entries_of(portfolio, symbol), self.splits[portfolio, symbol])

    def splits_after(self, portfolio, symbol, start):
        own = [(e.date, e.ratio) for e in self.entries_of(portfolio, symbol) if e.type == "split"]
        return [ratio for day, ratio in self.splits[portfolio, symbol] + own if start < day <= self.today]

    def dividends_of(self, symbol):
        """Those that show what is withheld: estimates do not."""
        return [e for e in self.entries if e.type == "dividend" and e.symbol == symbol and not e.estimated]

    def withholding(self, symbol):
        return estimate(self.stocks[symbol], self.residence, self.dividends_of(symbol), self.today)

    # Histories from the ledger

    def figures_of_ledger(self):
        """Figures from the user's own dividends, for symbols that are held and that market data knows no dividends of."""
        found = {}
        for symbol in sorted({p.symbol for p in self.open_positions()}):
            stock = self.stocks[symbol]
            if self.market.dividends.get(symbol):
                continue
            rows = own_rows(
                stock, self.dividends_of(symbol),
                lambda e, day: self.shares_before(e.portfolio, e.symbol, day),
                lambda e, day: self.splits_after(e.portfolio, e.symbol, day))
            if rows:
                found[symbol] = StockFigures(stock, self.market, self.today, rows, [])
        return found

    def held_figures(self, symbol):
        return self.own_figures.get(symbol) or self.figures[symbol]

    def has_data(self, symbol):
        """Whether an income of the symbol can be told: market data has a dividend, a price or a rate, or the ledger has a history."""
        stock = self.stocks[symbol]
        known = self.market.dividends.get(symbol) or stock.price or (stock.forward_rate and stock.forward_rate > 0)
        return bool(known) or symbol in self.own_figures

    def portfolio_field(self, portfolio, selected):
        """The `portfolio` field of a row: only with several portfolios and none selected."""
        return portfolio if len(self.portfolio_names) > 1 and selected is None else ABSENT

    def is_tracked(self, symbol):
        listed = self.market.stocks.get(symbol)
        return bool(listed and listed.tracked) or self.watched_by_user(symbol)

    def is_public(self, symbol):
        """Whether anonymous visitors see the stock: with a single user, only if the operator tracks it."""
        listed = self.market.stocks.get(symbol)
        return bool(listed and listed.tracked)

    def watched_by_user(self, symbol):
        return symbol in self.radar or any(p.symbol == symbol for p in self.open_positions())

    # Endpoints

    def portfolios(self):
        rows = [{"name": name, "default": index == 0, "slug": self.slugs.get(name, ABSENT)}
                for index, name in enumerate(self.portfolio_names)]
        return {"portfolios": rows}

    def holdings(self, portfolio=None):
        rows = []
        for position in self.in_order(portfolio):
            stock = self.stocks[position.symbol]
            rows.append({
                "symbol": stock.symbol,
                "name": stock.name,
                "shares": format_shares(position.shares),
                "average_cost": per_share(position.average_cost, stock.currency),
                "isin": stock.isin,
                "instrument_type": stock.instrument_type,
                "sector": stock.sector,
                "cost_known": ABSENT if position.cost_known else False,
                "portfolio": self.portfolio_field(position.portfolio, portfolio),
            })
        return {"holdings": rows}

    def dividends(self, portfolio=None, symbol=None, first=None, last=None):
        chosen = [
            e for e in self.entries
            if e.type == "dividend" and portfolio in (None, e.portfolio) and symbol in (None, e.symbol)
            and (first is None or e.date >= first) and (last is None or e.date <= last)]
        newest_first = sorted(chosen, key=lambda e: (e.date, e.order), reverse=True)
        return {"dividends": [self.dividend(e, portfolio) for e in newest_first]}

    def dividend(self, entry, selected):
        stock, currency = self.stocks[entry.symbol], entry.currency
        whole = entry.shares is not None and entry.shares == int(entry.shares)
        return {
            "symbol": entry.symbol,
            "date": entry.date.isoformat(),
            "amount": recorded(entry.gross, currency),
            "net": recorded(entry.net_received, currency),
            "per_share_amount": None if entry.price is None else recorded(entry.price, currency),
            "withholding_tax": None if entry.tax is None else recorded(entry.tax, currency),
            "quantity": int(entry.shares) if whole else None,
            "shares": None if entry.shares is None else format_shares(entry.shares),
            "isin": stock.isin,
            "name": stock.name,
            "source": entry.source,
            "estimated": entry.estimated or ABSENT,
            "gross_known": ABSENT if entry.gross_known else False,
            "portfolio": self.portfolio_field(entry.portfolio, selected),
        }

    def transactions(self, portfolio=None, symbol=None, first=None, last=None, kind=None):
        chosen = [
            e for e in self.recorded_entries
            if portfolio in (None, e.portfolio) and symbol in (None, e.symbol) and kind in (None, e.type)
            and (first is None or e.date >= first) and (last is None or e.date <= last)]
        newest_first = sorted(chosen, key=lambda e: (e.date, e.order), reverse=True)
        return {"transactions": [self.transaction(e, portfolio) for e in newest_first], "next_cursor": None}

    def transaction(self, entry, selected):
        """Amounts as recorded; a gross that is not recorded is shares times price."""
        listed, dividend = self.market.stocks.get(entry.symbol), entry.type == "dividend"
        currency = entry.currency or self.stocks[entry.symbol].currency
        amount = entry.gross if dividend else entry.amount
        if amount is None and entry.price is not None:
            amount = (entry.shares * entry.price).normalize()
        money = lambda figure: None if figure is None else recorded(figure, currency)
        return {
            "id": entry.order + 1,
            "date": entry.date.isoformat(),
            "type": entry.type,
            "symbol": entry.symbol,
            "name": listed.name if listed and listed.name else entry.name,
            "shares": None if entry.shares is None else format_shares(entry.shares),
            "price": money(entry.price),
            "amount": money(amount),
            "gross_known": False if dividend and not entry.gross_known else ABSENT,
            "fees": money(entry.fees),
            "withholding_tax": money(entry.tax),
            "net": money(entry.net_received if dividend else entry.net),
            "currency": currency,
            "ratio": entry.ratio_text,
            "note": entry.note,
            "source": entry.source,
            "estimated": entry.estimated or ABSENT,
            "portfolio": self.portfolio_field(entry.portfolio, selected),
        }

    def watchlist(self):
        """All are added at once, so by symbol. The generated accounts have no targets."""
        return {"stocks": [self.watched(symbol) for symbol in sorted(self.radar)]}

    def watched(self, symbol):
        stock, figures = self.stocks[symbol], self.figures[symbol]
        day, declared = figures.history.next_ex_date()
        return {
            "symbol": symbol,
            "name": stock.name,
            "price": stock.price and {**per_share(stock.price, stock.currency), "as_of": Instant(stock.price_as_of)},
            "yield_pct": None if figures.dividend_yield is None else percent(figures.dividend_yield),
            "safety": figures.safety(),
            "ex_dividend_date": day.isoformat() if day else None,
            "ex_dividend_declared": declared,
            "target": None,
            "reached": None,
            "distance_pct": None,
            "other_target": None,
        }

    def valuation(self, portfolio=None):
        return valuation(self, portfolio)

    def received(self, first=None, last=None, portfolio=None):
        return received(self, first, last, portfolio)

    def status(self, portfolio=None):
        return status(self, portfolio)

    def income(self, years=10, drip=False, portfolio=None):
        return income(self, years, drip, portfolio)

    def upcoming(self, days=45, portfolio=None):
        return upcoming(self, days, portfolio)

    def calendar(self, days=45, with_token=True):
        end, shown = add_days(self.today, days), self.is_tracked if with_token else self.is_public
        rows = sorted({
            (p.ex_date, symbol)
            for symbol, figures in self.figures.items() if shown(symbol)
            for p in figures.history.payments if self.today <= p.ex_date <= end})
        return {"from": self.today.isoformat(), "days": days, "stocks": [self.calendar_row(*row) for row in rows]}

    def calendar_row(self, ex_date, symbol):
        stock = self.stocks[symbol]
        return {
            "symbol": symbol,
            "ex_dividend_date": ex_date.isoformat(),
            "name": stock.name,
            "sector": stock.sector,
            "payment_frequency": self.figures[symbol].history.frequency,
        }

    def stock(self, symbol, with_token):
        """None if the symbol is not tracked, or is not public and the request is anonymous."""
        if not (self.is_tracked(symbol) if with_token else self.is_public(symbol)):
            return None
        answer = self.figures[symbol].answer(with_token)
        return answer if symbol in self.market.stocks else {**answer, "name": None}

    def tracked_stocks(self):
        return [stock for symbol, stock in sorted(self.stocks.items()) if self.is_tracked(symbol)]

    def searchable_stocks(self, with_token):
        """Anonymous visitors search public stocks; users also everything in market data and in the reference data, and the symbols of
        their own ledger, without the names it gives them."""
        found = {stock.symbol: stock for stock in self.tracked_stocks() if with_token or self.is_public(stock.symbol)}
        if with_token:
            found.update(self.market.stocks)
        stocks = [stock if symbol in self.market.stocks else replace(stock, name=None) for symbol, stock in found.items()]
        if with_token:
            stocks += [stock for symbol, stock in reference_stocks().items() if symbol not in found]
        return sorted(stocks, key=lambda stock: stock.symbol)

    def search(self, query, with_token=True):
        """For anonymous visitors, followers too few to make a stock public do not count."""
        return exact_matches(query, self.searchable_stocks(with_token), self.watched_by_user if with_token else lambda symbol: False)
