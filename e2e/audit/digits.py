#!/usr/bin/env python3
"""Compares the digits that the API, the connector and the pages print for random accounts, until there are enough figures."""

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from client import Client
from dates import add_days, add_years
from ledger_gen import generate
from money import fixed, format_trimmed, minor_units
from page import read_page
from received import first_day
from run import USER, set_up
from service import Failure, Server, environment_for
from writer import Session

PASSWORD = "plum ladder quiet anvil"
SECONDS_MAX = 60
# The language of the browser, and its decimal mark, thousands separator and whether the currency comes first.
FORMATS = {"en-GB": (".", ",", True), "de-DE": (",", ".", False), "fr-FR": (",", "\u202f", False), "de-CH": (".", "’", True)}
SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "INR": "₹", "KRW": "₩", "PLN": "zł"}
TOOLS = {
    "me": "get_me", "portfolios": "list_portfolios", "status": "get_status", "holdings": "get_holdings", "valuation": "get_valuation",
    "received": "get_received", "transactions": "get_transactions", "radar": "get_radar", "dividends": "get_dividends",
    "income": "get_income_outlook", "upcoming": "get_upcoming_dividends", "whatif": "what_if", "calendar": "dividend_calendar",
    "stocks": "get_stock"}
REVISION = "2025-11-25"
PER_SHARE = {"per_share", "price", "annual"}
RATES = {"growth_rate", "cagr_5y"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--figures", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first account; the next ones count up")
    options = parser.parse_args()
    compared, seed, passed, failed = Counter(), options.seed, 0, 0
    while compared.total() < options.figures:
        account = run_account(options.binary, seed)
        differences = account.differences if account else []
        for difference in differences[:20]:
            print(f"     {difference}")
        print(f"{'FAIL' if differences else 'pass'} account {seed}: {account.counts.total()} figures, {len(differences)} differences", flush=True)
        compared += account.counts
        passed, failed, seed = passed + (not differences), failed + bool(differences), seed + 1
    print(", ".join(f"{count} {kind}" for kind, count in compared.most_common()))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def run_account(binary, seed):
    folder = Path(tempfile.mkdtemp(prefix="dripline-digits-"))
    try:
        generated = generate(folder, seed)
        environment = environment_for(folder, generated.today)
        token = set_up(binary, environment, generated, PASSWORD)
        with Server(binary, environment) as server:
            account = Account(server.url, token, generated, random.Random(seed))
            account.compare()
        return account
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Account:
    def __init__(self, url, token, generated, rng):
        port = urlsplit(url).port
        self.client, self.token, self.today, self.rng = Client(port, SECONDS_MAX), token, date.fromisoformat(generated.today), rng
        self.session, self.language = Session(port, USER, PASSWORD), rng.choice(list(FORMATS))
        self.radar, self.answers, self.counts, self.differences = generated.radar, {}, Counter(), []

    def compare(self):
        for symbol in self.radar:
            targets = {"symbol": symbol, "yield": f"{self.rng.randint(1, 900) / 100}", "price": f"{self.rng.randint(1, 20000) / 100}"}
            self.session.post(self.client, "/radar/targets", targets)
        names = [portfolio["name"] for portfolio in self.api("/api/v1/portfolios")["portfolios"]]
        for portfolio in (None, *names):
            self.compare_income(portfolio)
            self.compare_holdings(portfolio)
            self.page("/upcoming", days="120", portfolio=portfolio)
            self.compare_dividends(portfolio)
        self.compare_radar()
        self.page("/calendar", days="120")
        for symbol in sorted({row["symbol"] for row in self.api("/api/v1/transactions?limit=500")["transactions"]} | set(self.radar)):
            self.compare_stock(symbol)

    # Pages

    def compare_income(self, portfolio):
        page = self.page("/", years="30", drip="true", portfolio=portfolio)
        income = self.api(request("income", years="30", drip="true", portfolio=portfolio))["holdings"]
        shares = self.shares_of_income(portfolio)
        for cells in page_rows(page):
            path = next((one.attributes["data-figure"] for cell in cells for one in cell.every() if "data-figure" in one.attributes), "")
            if path.startswith("holdings.") and len(cells) == 3:
                source = income[int(path.split(".")[1])]
                self.same("/ share", "share_of_income_pct", shares[source["symbol"], source.get("portfolio")], cells[2].values())

    def compare_holdings(self, portfolio):
        page = self.page("/holdings", portfolio=portfolio)
        shares = {", ".join(filter(None, key)): share for key, share in self.shares_of_income(portfolio).items()}
        for cells in page_rows(page):
            if len(cells) == 3 and cells[0].text() in shares:
                self.same("/holdings share", "share_of_income_pct", shares[cells[0].text()], cells[2].values())

    def compare_dividends(self, portfolio):
        number = 1
        while True:
            page = self.page("/dividends", page=str(number), portfolio=portfolio)
            if not any(one.attributes.get("rel") == "next" for one in page.all("a")):
                break
            number += 1
        months = page.by_id("months")
        if months is None:
            return
        of_period = lambda first, last: self.api(request("received", **{"from": first, "to": last, "portfolio": portfolio}))
        header, *rows = months.rows()
        by_stock = page.by_id("by-stock").rows()[1:]
        for column, head in enumerate(header[1:], 1):
            year = head.text()
            received = of_period(f"{year}-01-01", min(f"{year}-12-31", self.today.isoformat()))
            nets = {int(month["month"][5:]): month["net"] for month in received["months"]}
            for number, cells in enumerate(rows[:12], 1):
                self.same("/dividends month", "net", nets.get(number), cells[column].values(), zero_is_none=True)
            self.same("/dividends year", "net", received["net"], rows[12][column].values())
            stocks = {stock["symbol"]: stock["net"] for stock in received["stocks"]}
            for cells in by_stock:
                symbol = next(cells[0].all("a")).text()
                self.same("/dividends stock", "net", stocks.get(symbol), cells[column].values(), zero_is_none=True)
        all_time = of_period("1900-01-01", self.today.isoformat())
        self.same("/dividends all time", "net", all_time["net"], page.by_id("all-time").values())
        last_year = of_period(add_days(add_years(self.today, -1), 1).isoformat(), self.today.isoformat())
        self.same("/dividends 12 months", "gross", last_year["gross"], page.by_id("gross-12").values())
        stocks = {stock["symbol"]: stock["net"] for stock in all_time["stocks"]}
        for cells in by_stock:
            self.same("/dividends stock", "net", stocks[next(cells[0].all("a")).text()], cells[-1].values()[:1])
        self.compare_expected(page, portfolio)

    def compare_expected(self, page, portfolio):
        """The payments that are missing or different."""
        # A payment may be recorded before its payment date.
        first, last = first_day(self.today).isoformat(), add_years(self.today, 1).isoformat()
        received = self.api(request("received", **{"from": first, "to": last, "portfolio": portfolio}))
        known = {}
        for payment in received["missing"] + received["different"]:
            key = payment["symbol"], payment["pay_date"], payment.get("portfolio"), payment["received"] is None
            known.setdefault(key, []).append(payment)
        for cells in page.by_id("expected").rows():
            state = [one.attributes["class"] for one in cells[-1].all("span") if "badge" in one.attributes.get("class", "")]
            if state not in (["badge watch"], ["badge at-risk"]):
                continue
            under = [one.text() for one in cells[1].all("span") if one.attributes.get("class") == "muted under"]
            missing = state == ["badge at-risk"]
            day, expected = cells[0].values()[0][0], cells[2].values()
            found = [one for one in known.get((next(cells[1].all("a")).text(), day, under[-1] if under else None, missing), [])
                     or known.get((next(cells[1].all("a")).text(), day, None, missing), [])
                     if (one["expected"]["amount"], one["shares"]) == (expected[0][0], expected[1][0])]
            if not found:
                self.differences.append(f"/dividends expected: no {state[0][6:]} payment {[cell.text() for cell in cells]} in the API")
                continue
            self.same("/dividends expected", "expected", found[0]["expected"], expected[:1])
            self.same("/dividends expected", "shares", found[0]["shares"], expected[1:2])
            if not missing:
                self.same("/dividends received", "received", found[0]["received"], cells[3].values()[:1])
                self.in_text("/dividends difference", found[0]["difference"], cells[-1].text())

    def compare_radar(self):
        page = self.page("/radar")
        for cells in [cells for cells in page_rows(page) if len(cells) == 7 and cells[0].name == "th" and any(cells[0].all("a"))]:
            symbol = next(cells[0].all("a")).text()
            watched = next(stock for stock in self.api("/api/v1/radar")["stocks"] if stock["symbol"] == symbol)
            stock = self.api("/api/v1/stocks/" + quote(symbol, safe=""), missing=True)
            average = stock and stock["dividend"]["yield_avg_5y_pct"]
            self.same("/radar average", "yield_avg_5y_pct", average, cells[3].values())
            if watched["distance_pct"] is not None and watched["reached"] is False:
                self.in_text("/radar distance", fixed(Decimal(watched["distance_pct"]), 2), cells[6].text())

    def compare_stock(self, symbol):
        page = self.page("/stocks/" + quote(symbol, safe=""), missing=True)
        if page is None:
            return
        self.page("/whatif", missing=True, symbol=symbol, shares="12.5")
        positions = {one.get("portfolio"): one for one in self.api("/api/v1/valuation")["positions"] if one["symbol"] == symbol}
        costs = {one.get("portfolio"): one["average_cost"] for one in self.api("/api/v1/holdings")["holdings"] if one["symbol"] == symbol}
        names = len({one.get("portfolio") for one in self.api("/api/v1/valuation")["positions"]}) > 1 or None not in positions
        for cells in page_rows(page):
            own = [cell for cell in cells if cell.attributes.get("data-label")]
            if len(own) != 4 or not positions:
                continue
            portfolio = cells[0].text() if names else None
            for cell, figure, value in zip(own, ("shares", "average_cost", "income", "share_of_income_pct"), (
                    positions[portfolio]["shares"], costs[portfolio], positions[portfolio]["income"], positions[portfolio]["share_of_income_pct"])):
                self.same(f"/stocks {symbol}", figure, value, cell.values())

    def shares_of_income(self, portfolio):
        rows = self.api(request("valuation", portfolio=portfolio))["positions"]
        return {(row["symbol"], row.get("portfolio")): row["share_of_income_pct"] for row in rows}

    # One page, one request

    def page(self, path, missing=False, **query):
        """The page, after comparing its marked figures."""
        address = with_query(path, query)
        answer = self.client.get(address, Cookie=self.session.cookie, Accept_Language=self.language)
        if answer.status == 404 and missing:
            return None
        if answer.status != 200:
            raise Failure(answer.describe())
        page = read_page(answer.body.decode())
        for element in page.every():
            path = element.attributes.get("data-figure")
            if path:
                name = path.split(".")[-1]
                self.same(address, "amount" if name.isdigit() else name, at(self.api(element.get("data-api")), path), element.values())
        return page

    def api(self, path, missing=False):
        """The response with numbers as printed, after comparing it with the connector's."""
        if path not in self.answers:
            answer = self.client.get(path, self.token)
            if answer.status == 404 and missing:
                return None
            if answer.status != 200:
                raise Failure(answer.describe())
            self.answers[path] = read(answer.body)
            self.compare_tool(path, answer.body.decode())
        return self.answers[path]

    def compare_tool(self, path, text):
        parts = urlsplit(path)
        resource, *symbol = parts.path.removeprefix("/api/v1/").split("/")
        typed = {"days": int, "years": int, "limit": int, "drip": lambda text: text == "true"}
        arguments = {name: typed.get(name, str)(value) for name, value in parse_qsl(parts.query)}
        arguments |= {"symbol": unquote(symbol[0])} if symbol else {}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": TOOLS[resource], "arguments": arguments}}
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": REVISION}
        answer = self.client.ask("POST", "/mcp", self.token, headers, json.dumps(body))
        marked = lambda digits: ("number", digits)
        result = read(answer.body, marked)["result"]
        if result["content"][0]["text"] != text or result["structuredContent"] != read(text, marked):
            self.differences.append(f"{TOOLS[resource]} {arguments} prints other digits than {path}")

    # Digits

    def same(self, where, name, value, found, zero_is_none=False):
        """Compares what the page has for programs and for people with the API's value."""
        amount, currency = (value["amount"], value["currency"]) if isinstance(value, dict) else (value, None)
        if amount is None or (zero_is_none and not found and not Decimal(amount)):
            expected = []
        else:
            expected = [(str(amount), currency)]
        self.counts[name if name in PER_SHARE | RATES else kind_of(name, currency)] += 1
        if [one[:2] for one in found] != expected:
            self.differences.append(f"{where} {name}: the API prints {expected}, the page has {found}")
        elif expected and not name.endswith(("_date", "date", "as_of")):
            allowed = self.shown(name, str(amount), currency)
            if found[0][2] not in allowed:
                self.differences.append(f"{where} {name}: the API prints {expected}, the page shows {found[0][2]!r}, not {' or '.join(allowed)}")

    def in_text(self, where, value, text):
        amount, currency = (value["amount"], value["currency"]) if isinstance(value, dict) else (value, None)
        self.counts["in sentences"] += 1
        if not any(shown.lstrip("\u2212") in text for shown in self.shown("amount", amount, currency)):
            self.differences.append(f"{where}: the API prints {amount}, which is not in {text!r}")

    def shown(self, name, text, currency):
        """What people read: the API's digits, rounded; a tie of the printed digits may be one of rounded digits."""
        number = Decimal(text)
        if name.endswith("_pct"):
            return [self.marked(fixed(number, 2)) + "%"]
        if name in RATES:
            return [self.marked(fixed(Decimal(digits), 1)) + "%" for digits in rounded(number * 100, 1)]
        if name == "average_cost":
            return [self.with_currency(digits, currency) for digits in rounded(number, minor_units(currency))]
        if name in PER_SHARE:
            least = minor_units(currency)
            return [self.with_currency(format_trimmed(Decimal(digits), least, 4), currency) for digits in rounded(number, 4)]
        return [self.with_currency(text, currency) if currency else self.marked(text)]

    def marked(self, digits):
        decimal, group, _ = FORMATS[self.language]
        sign, digits = ("\u2212", digits[1:]) if digits.startswith("-") else ("", digits)
        whole, _, fraction = digits.partition(".")
        return sign + f"{int(whole):,}".replace(",", group) + (decimal + fraction if fraction else "")

    def with_currency(self, digits, currency):
        sign, digits = ("\u2212", digits[1:]) if digits.startswith("-") else ("", digits)
        figure, symbol = self.marked(digits), SYMBOLS.get(currency)
        if FORMATS[self.language][2]:
            return f"{sign}{symbol}{figure}" if symbol else f"{sign}{currency}\u00a0{figure}"
        return f"{sign}{figure}\u00a0{symbol or currency}"


def rounded(number, places):
    """Half-even. If the digits lie between two results, both: the figure behind them has more digits."""
    step = Decimal(1).scaleb(-places)
    nearest = number.quantize(step, ROUND_HALF_EVEN)
    if abs(number - nearest) * 2 != step:
        return [str(nearest)]
    return [str(nearest), str(nearest + (step if number > nearest else -step))]


def kind_of(name, currency):
    if name.endswith("_pct"):
        return "percentages"
    return "amounts" if currency else "dates" if "date" in name or name == "as_of" else "shares" if name == "shares" else "other numbers"


def page_rows(page):
    return [cells for table in page.all("table") for cells in table.rows()]


def request(resource, **query):
    return with_query(f"/api/v1/{resource}", query)


def with_query(path, query):
    query = {name: value for name, value in query.items() if value is not None}
    return path + ("?" + urlencode(query, quote_via=quote) if query else "")


def read(text, number=str):
    """JSON with its numbers as they are printed."""
    return json.loads(text, parse_float=number, parse_int=number)


def at(value, path):
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value.get(step)
    return value


if __name__ == "__main__":
    main()
