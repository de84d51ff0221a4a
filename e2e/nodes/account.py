"""Files of an invented market and two ledgers: one that does not change during the tests, and a short one that tests write to."""

TODAY = "2026-11-15"
QUIET, BUSY = "quiet@example.com", "busy@example.com"
PASSWORD = "five long words in a row"
SYMBOLS = [f"N{number:02}" for number in range(24)]
CURRENCIES = [("USD", "NYSE", "US"), ("EUR", "XETRA", "DE"), ("GBp", "LSE", "GB")]

PATHS = [
    "/api/v1/me", "/api/v1/portfolios", "/api/v1/holdings", "/api/v1/holdings?portfolio=slow", "/api/v1/dividends",
    "/api/v1/dividends?from=2026-01-01&symbol=N03", "/api/v1/income", "/api/v1/income?years=30&drip=true", "/api/v1/upcoming",
    "/api/v1/upcoming?days=120", "/api/v1/status", "/api/v1/valuation", "/api/v1/received", "/api/v1/transactions",
    "/api/v1/transactions?type=dividend&limit=5", "/api/v1/radar", "/api/v1/calendar?days=120", "/api/v1/stocks?q=num", "/api/v1/stocks/N01",
    "/api/v1/openapi.json"]
PRIVATE = ["/api/v1/me", "/api/v1/holdings", "/api/v1/dividends", "/api/v1/income", "/api/v1/upcoming?days=120",
           "/api/v1/status", "/api/v1/valuation", "/api/v1/received", "/api/v1/transactions", "/api/v1/radar"]


def write_market(folder):
    folder.mkdir()
    stocks = ["symbol,name,currency,exchange,type,country,price,price_as_of,payout_ratio"]
    dividends = ["symbol,ex_date,pay_date,amount"]
    for number, symbol in enumerate(SYMBOLS):
        currency, exchange, country = CURRENCIES[number % 3]
        listed = f"{symbol},Number {number} Works,{currency},{exchange},EQUITY,{country}"
        stocks.append(f"{listed},{40 + number}.50,2026-11-13T16:00:00Z,0.5")
        for year in range(2020, 2027):
            for month in range(1 + number % 3, 13, 3):
                dividends.append(f"{symbol},{year}-{month:02}-18,{year}-{month:02}-27,{0.4 + 0.02 * (year - 2020):.2f}")
    # The stock that tests buy. Another user's purchase of a stock would change its rank in the quiet account's searches.
    stocks.append("WOOL,Wool Mill,EUR,XETRA,EQUITY,DE,20,2026-11-13T16:00:00Z,0.5")
    rates = ["date,currency,rate", "2020-01-02,USD,1.10", "2026-11-13,USD,1.25", "2020-01-02,GBP,0.90", "2026-11-13,GBP,0.80"]
    for name, lines in [("stocks", stocks), ("dividends", dividends), ("fx", rates)]:
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def write_quiet_ledger(path):
    rows = ["date,type,symbol,shares,price,amount,tax,currency,portfolio"]
    for number, symbol in enumerate(SYMBOLS):
        currency = CURRENCIES[number % 3][0]
        portfolio = "Slow" if number % 4 == 3 else "Core"
        rows.append(f"2023-0{1 + number % 9}-10,buy,{symbol},{10 + number}.25,{30 + number}.10,,,{currency},{portfolio}")
        rows += [f"{year}-06-27,dividend,{symbol},,,{5 + number}.40,0.80,{currency},{portfolio}" for year in (2024, 2025, 2026)]
    path.write_text("\n".join(rows) + "\n")


def write_busy_ledger(path):
    path.write_text("date,type,symbol,shares,price,currency,id\n2024-01-10,buy,WOOL,10,30,EUR,first\n")
