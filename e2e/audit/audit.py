#!/usr/bin/env python3
"""Compares a running service with figures recomputed from its input files, field by field.

Prints one line per request, then every difference with its path; the exit status is 1 if there is any.
"""

import argparse
import json
import sys
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import explain
from dates import add_days, add_years
from expect import ANY, Difference, compare
from inputs import read_ledger, read_market
from model import Account, reference_stocks
from search import RESULTS_MAX, normalize_text, within_a_typo
from upcoming import sort_key
from what_if import shares_for, what_if

ANONYMOUS_CALLS_MAX = 40
ANONYMOUS_STOCKS_MAX = 25


def main():
    options = parse_arguments()
    audit = Audit(options.url, options.token, load_account(options), quiet=options.quiet)
    audit.run()
    print(f"{audit.requests} requests, {audit.values} values compared, {audit.failures} differences")
    sys.exit(1 if audit.failures else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True, help="http://127.0.0.1:PORT")
    parser.add_argument("--token", required=True)
    parser.add_argument("--now", required=True, type=date.fromisoformat, help="the service's day, YYYY-MM-DD")
    parser.add_argument("--currency", required=True, help="the user's preferred currency")
    parser.add_argument("--residence", default="", help="the user's country; none by default")
    parser.add_argument("--market", required=True, help="the folder given to `market load`")
    parser.add_argument("--late", help="the folder given to `market load` after the ledger")
    parser.add_argument("--ledger", required=True, help="the file given to `import`")
    parser.add_argument("--radar", default="", help="SYM,SYM")
    parser.add_argument("--shared", action="append", default=[], metavar="NAME=SLUG", help="a shared portfolio")
    parser.add_argument("--quiet", action="store_true", help="print differences only")
    return parser.parse_args()


def load_account(options):
    entries, portfolios = read_ledger(options.ledger)
    return Account(
        read_market(options.market, options.late), entries, portfolios, options.now, options.currency, options.residence,
        radar=[symbol for symbol in options.radar.split(",") if symbol],
        slugs=dict(pair.rsplit("=", 1) for pair in options.shared))


class Audit:
    def __init__(self, url, token, account, quiet=False):
        self.url, self.token, self.account, self.quiet = url.rstrip("/"), token, account, quiet
        self.requests = self.values = self.failures = self.anonymous_calls = 0

    def run(self):
        self.check("/portfolios", {}, self.account.portfolios())
        for selector, name in self.selections():
            self.check_ledger(selector, name)
            self.check_forecasts(selector, name)
        self.check_dividend_filters()
        self.check_transactions()
        self.check_periods()
        self.check("/radar", {}, self.account.watchlist())
        self.check_calendar()
        self.check_stocks()
        self.check_search()
        self.check_explanations()
        self.check_purchases()

    def selections(self):
        """Ways to select a portfolio, and which one each means: none, by name, by unusual case, by slug."""
        yield None, None
        for name in self.account.portfolio_names:
            yield name, name
            if name in self.account.slugs:
                yield self.account.slugs[name].upper(), name
        first = self.account.portfolio_names[0] if self.account.portfolio_names else None
        if first and first.swapcase().casefold() == first.casefold():
            yield f" {first.swapcase()} ", first

    # Private endpoints

    def check_ledger(self, selector, name):
        self.check("/holdings", {"portfolio": selector}, self.account.holdings(name))
        self.check("/dividends", {"portfolio": selector}, self.account.dividends(name))
        self.check("/valuation", {"portfolio": selector}, self.account.valuation(name))
        self.check("/received", {"portfolio": selector}, self.account.received(portfolio=name))
        self.check("/transactions", {"portfolio": selector, "limit": 500}, self.first_part(self.account.transactions(name), 500))

    def check_forecasts(self, selector, name):
        for years in (1, 10, 50):
            for drip in (False, True):
                query = {"years": years, "drip": str(drip).lower(), "portfolio": selector}
                self.check("/income", query, self.account.income(years, drip, name))
        for days in (1, 45, 120):
            query = {"days": days, "portfolio": selector}
            self.check("/upcoming", query, self.account.upcoming(days, name), normalize=self.sort_ties)
        self.check("/status", {"portfolio": selector}, self.account.status(name), normalize=self.sort_status)

    def check_dividend_filters(self):
        account = self.account
        symbols = sorted({e.symbol for e in account.entries if e.type == "dividend"})
        for symbol in symbols:
            self.check("/dividends", {"symbol": symbol.lower()}, account.dividends(symbol=symbol))
        self.check("/dividends", {"symbol": "NO-SUCH"}, {"dividends": []})
        paid = sorted(e.date for e in account.entries if e.type == "dividend") or [account.today]
        early, late = paid[len(paid) // 3], paid[2 * len(paid) // 3]
        for first, last in ((early, None), (None, late), (early, late), (early, early), (late, add_days(early, -1))):
            query = {"from": first, "to": last}
            self.check("/dividends", query, account.dividends(first=first, last=last))
        for name in account.portfolio_names:
            recent = add_years(account.today, -2)
            for symbol in symbols[:3]:
                query = {"from": recent, "symbol": symbol, "portfolio": name}
                self.check("/dividends", query, account.dividends(name, symbol, recent))

    def check_transactions(self):
        account = self.account
        days = sorted(e.date for e in account.recorded_entries)
        first, last = days[len(days) // 3], days[2 * len(days) // 3]
        for symbol in sorted({e.symbol for e in account.recorded_entries})[::3]:
            expected = account.transactions(symbol=symbol)
            self.check("/transactions", {"symbol": symbol.lower(), "limit": 500}, self.first_part(expected, 500))
        for kind in sorted({e.type for e in account.recorded_entries}):
            expected = account.transactions(kind=kind, first=first, last=last)
            self.check("/transactions", {"type": kind, "from": first, "to": last, "limit": 500}, self.first_part(expected, 500))
        self.check_parts({"limit": 37}, account.transactions())
        self.check_parts({"limit": 3, "type": "sell"}, account.transactions(kind="sell"))

    def first_part(self, expected, limit):
        rows = expected["transactions"]
        return expected if len(rows) <= limit else {"transactions": rows[:limit], "next_cursor": ANY}

    def check_parts(self, query, expected):
        """One part after the other has all rows, each once."""
        rows, cursor = [], {}
        while cursor is not None:
            body = self.fetch("/transactions", {**query, **cursor}, anonymous=False)
            if body is None:
                return
            rows += body["transactions"]
            cursor = {"cursor": body["next_cursor"]} if body["next_cursor"] else None
        values, differences = compare("transactions", expected["transactions"], rows)
        self.report("/transactions", query, False, values, differences)

    def check_periods(self):
        today = self.account.today
        years = add_years(today, -6)
        for first, last in ((years, None), (years, add_years(today, -1)), (None, add_years(today, -1)), (today, add_years(today, 1)),
                            (add_days(today, -40), today), (today, add_days(today, -1))):
            self.check("/received", {"from": first, "to": last}, self.account.received(first, last))

    # Public endpoints

    def check_calendar(self):
        for requested, days in ((1, 1), (7, 7), (45, 45), (90, 90), (120, 120), (0, 1), (9999, 120)):
            self.check("/calendar", {"days": requested}, self.account.calendar(days))
        self.check("/calendar", {}, self.account.calendar(45, with_token=False), anonymous=True)

    def check_stocks(self):
        for index, symbol in enumerate(sorted(self.account.stocks)):
            path = "/stocks/" + quote(symbol if index % 2 else symbol.lower(), safe="")
            for anonymous in (False, True):
                if anonymous and index >= ANONYMOUS_STOCKS_MAX:
                    continue
                answer = self.account.stock(symbol, with_token=not anonymous)
                if answer is None:
                    self.check(path, {}, {"error": {"code": "not_found"}}, anonymous=anonymous, status=404)
                else:
                    self.check(path, {}, answer, anonymous=anonymous)

    def check_search(self):
        queries = sample_queries(self.account.tracked_stocks())
        for index, (query, target) in enumerate(queries):
            self.check_query(query, target, anonymous=index % 4 == 0)

    def check_query(self, query, target, anonymous):
        """Matches without a typo come first, in exact order; the rest must be within a typo; `target` must be found."""
        exact = self.account.search(query, with_token=not anonymous)
        body = self.fetch("/stocks", {"q": query}, anonymous)
        if body is None:
            return
        results = body.get("results", []) if isinstance(body, dict) else []
        expected = [search_row(stock, self.account.is_tracked(stock.symbol)) for stock in exact]
        values, differences = compare("results", expected, results[:len(exact)])
        found = [row.get("symbol") for row in results]
        if len(found) > RESULTS_MAX or len(set(found)) != len(found):
            differences.append(Difference("results", f"at most {RESULTS_MAX}, each once", found))
        for symbol in found[len(exact):]:
            stock = self.account.stocks.get(symbol) or (not anonymous and reference_stocks().get(symbol))
            if not stock or not within_a_typo(query, stock):
                differences.append(Difference("results", "nothing beyond a typo", symbol))
        if target and target not in found and len(found) < RESULTS_MAX:
            differences.append(Difference("results", f"{target} despite the typo", found))
        self.report("/stocks", {"q": query}, anonymous, values + 1, differences)

    # Explanations

    def check_explanations(self):
        account = self.account
        for symbol in sorted(account.stocks):
            for figure in explain.STOCK_FIGURES + explain.POSITION_FIGURES:
                self.check_explanation(figure, symbol, None)
        for portfolio in (None, *account.portfolio_names):
            for figure in explain.TOTALS:
                self.check_explanation(figure, None, portfolio)
            for symbol in sorted({p.symbol for p in account.open_positions(portfolio)} if portfolio else ()):
                for figure in explain.POSITION_FIGURES:
                    self.check_explanation(figure, symbol, portfolio)

    def check_explanation(self, figure, symbol, portfolio):
        """Every value follows from its inputs by its rule, and the figure is that of the model."""
        query = {"figure": figure, "symbol": symbol, "portfolio": portfolio}
        query = {key: value for key, value in query.items() if value is not None}
        if symbol and not self.is_explained(figure, symbol, portfolio):
            self.check("/explain", query, {"error": {"code": "not_found"}}, status=404)
            return
        body = self.fetch("/explain", query, False)
        if body is None:
            return
        value, unit = explain.figure(self.account, figure, symbol, portfolio)
        values, differences = compare("", {"figure": figure, "value": value, "unit": unit}, body)
        recomputed, wrong = explain.recompute(body, figure)
        self.report("/explain", query, False, values + recomputed, differences + [Difference(*one) for one in wrong])

    def is_explained(self, figure, symbol, portfolio):
        """Whether there is a figure: of a stock that the user may see, or of a position, or of a payment for shares sold since."""
        account = self.account
        if any(p.symbol == symbol for p in account.open_positions(portfolio)):
            return True
        if figure == "expected":
            return explain.figure(account, figure, symbol, portfolio)[0] is not None
        return figure in explain.STOCK_FIGURES and account.is_tracked(symbol)

    # Purchases

    def check_purchases(self):
        """Of every symbol, a number of shares or an amount that differs from symbol to symbol, in each portfolio in turn."""
        account = self.account
        choices = [(None, None), *((name, name) for name in account.portfolio_names)]
        for index, symbol in enumerate([*sorted(account.stocks), "ZZNOSUCH"]):
            selector, name = choices[index % len(choices)]
            number = Decimal(7 * index + 1) / (1, 4, 1000)[index % 3]
            self.check_purchase({"symbol": symbol, "shares": number, "portfolio": selector}, number, name)
            # Whole amounts: the cost of half a cent could be rounded either way.
            amount = (7 * index + 1) * (1, 4, 1000)[index % 3]
            if symbol in account.stocks and (shares := shares_for(account, symbol, Fraction(amount))):
                self.check_purchase({"symbol": symbol.lower(), "amount": amount, "portfolio": selector}, shares, name)

    def check_purchase(self, query, shares, portfolio):
        expected = what_if(self.account, query["symbol"].upper(), Fraction(shares), portfolio)
        if expected is None:
            self.check("/whatif", query, {"error": {"code": "not_found"}}, status=404)
        else:
            self.check("/whatif", query, expected)

    # One request

    def sort_ties(self, body):
        """The order of two payments of one symbol with the same next date is undefined: sort them by ex-date."""
        rest = lambda item: (str(item.get("ex_dividend_date")), str(item.get("pay_date")), str(item.get("per_share")))
        try:
            groups = groupby(body["items"], key=lambda item: sort_key(item, self.account.today))
            return {**body, "items": [item for _, group in groups for item in sorted(group, key=rest)]}
        except (KeyError, TypeError, ValueError):
            return body

    def sort_status(self, body):
        try:
            return {**body, "upcoming": self.sort_ties({"items": body["upcoming"]})["items"]}
        except (KeyError, TypeError):
            return body

    def check(self, path, query, expected, anonymous=False, status=200, normalize=lambda body: body):
        query = {key: value for key, value in query.items() if value is not None}
        body = self.fetch(path, query, anonymous, status)
        if body is not None:
            values, differences = compare("", normalize(expected), normalize(body))
            self.report(path, query, anonymous, values, differences)

    def fetch(self, path, query, anonymous, status=200):
        """The body, or None if the anonymous budget is used up or the status is wrong (which is reported)."""
        if anonymous:
            if self.anonymous_calls >= ANONYMOUS_CALLS_MAX:
                return None
            self.anonymous_calls += 1
        self.requests += 1
        got, body = get(self.url, path, query, None if anonymous else self.token)
        if got != status:
            self.report(path, query, anonymous, 1, [Difference("status", status, (got, body))])
            return None
        return body

    def report(self, path, query, anonymous, values, differences):
        self.values += values
        self.failures += len(differences)
        if differences or not self.quiet:
            line = path + ("?" + urlencode(query) if query else "") + (" (anonymous)" if anonymous else "")
            print(f"{'DIFF' if differences else 'ok  '} {line}  {values} values")
        for difference in differences:
            print(f"     {difference}")


def get(url, path, query, token):
    address = f"{url}/api/v1{path}" + ("?" + urlencode(query) if query else "")
    request = Request(address, headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urlopen(request, timeout=30) as answer:
            status, text = answer.status, answer.read()
    except HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text, parse_float=Decimal)
    except ValueError:
        return status, text[:200]


def search_row(stock, tracked):
    return {"symbol": stock.symbol, "tracked": tracked, "name": stock.name, "exchange": stock.exchange, "type": stock.type}


def sample_queries(stocks):
    """(query, symbol that must be found despite a typo) for every class of match."""
    queries = []
    for index, stock in enumerate(stocks[::2]):
        name = stock.name or stock.symbol
        words = name.split()
        queries += [
            (stock.symbol, None),
            (stock.symbol[:2].lower(), None),
            (name[:4], None),
            (words[-1][:3].upper(), None),
            (normalize_text(name)[2:6], None),
        ]
        first = normalize_text(words[0])
        if len(first) >= 5 and first.isalpha():
            queries.append((first[:2] + ("z" if first[2] != "z" else "q") + first[3:], stock.symbol))
    queries.append(("zzqqxxjj", None))
    return [(query.strip(), target) for query, target in queries if query.strip()]


if __name__ == "__main__":
    main()
