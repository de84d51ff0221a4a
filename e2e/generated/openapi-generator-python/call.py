"""Calls every operation with the generated client, and prints a figure of each answer."""

import sys
from datetime import date

from client import AccountApi, ApiClient, ApiException, Configuration, LedgerApi, MetaApi, StocksApi

client = ApiClient(Configuration(host=sys.argv[1], access_token=sys.argv[2]))
account, ledger, meta, stocks = AccountApi(client), LedgerApi(client), MetaApi(client), StocksApi(client)
year = date(2026, 1, 1)

print("getMe", account.get_me().preferred_currency)
print("listPortfolios", account.list_portfolios().portfolios[0].name)
print("listHoldings", ledger.list_holdings(portfolio="Core").holdings[0].average_cost.amount)
print("listDividends", ledger.list_dividends(symbol="KO", var_from=year).dividends[0].net.amount)
print("getIncome", ledger.get_income(years=3, drip=True).income_year.by_month["1"].amount)
print("listUpcoming", ledger.list_upcoming(days=90).expected_net_total.amount)
print("getStatus", ledger.get_status().next.expected.amount)
print("getValuation", ledger.get_valuation().totals.gain.amount)
print("getReceived", ledger.get_received(var_from=year).months[0].net.amount)
print("listTransactions", ledger.list_transactions(type="dividend", limit=2).next_cursor)
print("getRadar", ledger.get_radar().stocks[0].price.amount)
print("whatIf", ledger.what_if(symbol="KO", shares="50").added_net_income.amount)
print("explainFigure", ledger.explain_figure(figure="annual_income").value)
print("getCalendar", stocks.get_calendar(days=90).stocks[0].ex_dividend_date)
print("searchStocks", stocks.search_stocks(q="coca").results[0].name)
print("getStock", stocks.get_stock("MSFT").dividend.safety.value)
print("getOpenApi", meta.get_open_api()["openapi"])
print("getOpenApi31", meta.get_open_api31()["openapi"])

try:
    stocks.get_stock("NONE")
except ApiException as error:
    print("error", error.data.error.code)
