"""Calls every operation with the generated client, and prints a figure of each answer."""

import sys
from datetime import date

from client import AuthenticatedClient
from client.api.account import get_me, list_portfolios
from client.api.ledger import (
    explain_figure, get_income, get_radar, get_received, get_status, get_valuation, list_dividends, list_holdings,
    list_transactions, list_upcoming, what_if)
from client.api.meta import get_open_api, get_open_api_31
from client.api.stocks import get_calendar, get_stock, search_stocks
from client.models import ExplainFigureFigure, ListTransactionsType

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
year = date(2026, 1, 1)

print("getMe", get_me.sync(client=client).preferred_currency)
print("listPortfolios", list_portfolios.sync(client=client).portfolios[0].name)
print("listHoldings", list_holdings.sync(client=client, portfolio="Core").holdings[0].average_cost.amount)
print("listDividends", list_dividends.sync(client=client, symbol="KO", from_=year).dividends[0].net.amount)
print("getIncome", get_income.sync(client=client, years=3, drip=True).income_year.by_month["1"].amount)
print("listUpcoming", list_upcoming.sync(client=client, days=90).expected_net_total.amount)
print("getStatus", get_status.sync(client=client).next_.expected.amount)
print("getValuation", get_valuation.sync(client=client).totals.gain.amount)
print("getReceived", get_received.sync(client=client, from_=year).months[0].net.amount)
print("listTransactions", list_transactions.sync(client=client, type_=ListTransactionsType.DIVIDEND, limit=2).next_cursor)
print("getRadar", get_radar.sync(client=client).stocks[0].price.amount)
print("whatIf", what_if.sync(client=client, symbol="KO", shares="50").added_net_income.amount)
print("explainFigure", explain_figure.sync(client=client, figure=ExplainFigureFigure.ANNUAL_INCOME).value)
print("getCalendar", get_calendar.sync(client=client, days=90).stocks[0].ex_dividend_date)
print("searchStocks", search_stocks.sync(client=client, q="coca").results[0].name)
print("getStock", get_stock.sync(client=client, symbol="MSFT").dividend.safety.value)
print("getOpenApi", get_open_api.sync(client=client)["openapi"])
print("getOpenApi31", get_open_api_31.sync(client=client)["openapi"])

print("error", get_stock.sync(client=client, symbol="NONE").error.code.value)
