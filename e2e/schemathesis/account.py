"""The account for the API tests: a few rows that cover every form of response the description allows."""

import csv
from datetime import date, timedelta

TODAY = "2026-11-15"
USER = "a@example.com"
RADAR = ["ALV.DE"]
SHARED = ("Überblick", "shared-income")
PORTFOLIOS = ["Core", *SHARED]

STOCKS = """\
symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,forward_rate,payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52,yield_avg_5y_pct
KO,Coca-Cola,USD,NYSE,EQUITY,US1912161007,US,Consumer Staples,Soft Drinks,equity,71.25,2026-11-13T21:00:00Z,2.04,0.68,1.4,24.1,70.10,66.42,58.00,73.50,2.98
ULVR.L,Unilever,GBp,LSE,EQUITY,GB00B10RZP78,GB,Consumer Staples,,equity,4512.5,2026-11-13T16:35:00Z,,0.61,,,,,,,
MAIN,Main Street Capital,USD,NYSE,EQUITY,,US,Financials,,equity,58.02,2026-11-13T21:00:00Z,,,,,,,,,
TSM.TW,Taiwan Semiconductor,TWD,TWSE,EQUITY,,TW,Technology,,equity,1020,2026-11-13T05:30:00Z,,0.35,2.1,,,,,,
PEP,PepsiCo,USD,NASDAQ,EQUITY,,US,Consumer Staples,,equity,150.5,2026-11-13T21:00:00Z,,0.95,0.9,,,,,,
ALV.DE,Allianz,EUR,XETRA,EQUITY,DE0008404005,DE,Financials,Insurance,equity,330.1,2026-11-13T16:35:00Z,,,,,,,,,
VHYL.DE,World High Dividend,EUR,XETRA,ETF,IE00B8GKDB10,IE,,,etf,,,,,,,,,,,
NONE,,EUR,,,,,,,,,,,,,,,,,,
""".replace("World High Dividend", "Wörld “High” Dividend & Co <b>")

# symbol, currency, days between payments, number of payments, first amount, growth per payment
PAYERS = [
    ("KO", "USD", 91, 32, "0.37", "0.004"),
    ("ULVR.L", "GBP", 91, 28, "0.36", "0.002"),
    ("MAIN", "USD", 30, 80, "0.20", "0.0005"),
    ("PEP", "USD", 91, 36, "0.95", "0.01"),
    ("ALV.DE", "EUR", 365, 9, "9.6", "0.06"),
    ("TSM.TW", "TWD", 91, 16, "2.75", "0.10"),
    ("VHYL.DE", "EUR", 91, 12, "0.40", "-0.01"),
]
NEXT_EX_DAYS = {"KO": 12, "ULVR.L": -9, "MAIN": 3, "PEP": 19, "ALV.DE": 25, "TSM.TW": 30, "VHYL.DE": 40}

FX = """\
date,currency,rate
2018-01-02,USD,1.20
2018-01-02,GBP,0.89
2026-11-13,USD,1.16
2026-11-13,GBP,0.88
"""

LEDGER = """\
date,type,symbol,isin,name,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,portfolio,source,id,note
2020-03-02,buy,KO,US1912161007,Coca-Cola,120,53.1,,4.95,,,USD,,,,Core,,,
2021-06-14,buy,ULVR.L,GB00B10RZP78,Unilever,37.125,42.17,,,,,GBP,,,,Core,,,
2022-01-10,buy,KO,,,12.5,60.2,,,,,USD,,,,Überblick,,,
2022-02-01,buy,TSM.TW,,,100,630,,,,,TWD,,,,Überblick,,,
2023-05-05,buy,VHYL.DE,IE00B8GKDB10,,80,52.3,,,,,EUR,,,,Überblick,,,
2023-06-01,buy,MAIN,,,10,40,,,,,USD,,,,Core,,,
2023-06-01,buy,PEP,,,5,180,,,,,USD,,,,Core,,,
2023-06-02,buy,NONE,,,1,1,,,,,EUR,,,,Überblick,,,
2023-06-05,buy,UNLISTED,,Unlisted Works,3,10,,,,,EUR,,,,Core,,,
2023-06-06,split,UNLISTED,,,,,,,,,EUR,,3:2,,Core,,,
2025-12-15,dividend,KO,,,120,0.51,61.20,,9.18,52.02,USD,,,2025-11-28,Core,broker,row-1,
2026-04-01,dividend,KO,,,12.5,,6.625,,,,USD,,,,Überblick,,,
2026-04-02,dividend,KO,,,-12.5,,-6.625,,,,USD,,,,Überblick,,,
2026-06-30,dividend,VHYL.DE,,,80,,28.8,,0,28.8,EUR,,,,Überblick,,,
2026-09-30,dividend,VHYL.DE,,,,,,,,31.15,EUR,,,,Überblick,,,
"""

EXTRA_LEDGER = """\
date,type,symbol,isin,name,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,portfolio,source,id,note
2024-01-10,buy,KO,,,0.001,60.2,,,,,USD,,,,Core,,,
"""


def write(folder):
    """Writes `market/` and `ledger.csv`; returns their paths."""
    market = folder / "market"
    market.mkdir()
    (market / "stocks.csv").write_text(STOCKS, encoding="utf-8")
    (market / "fx.csv").write_text(FX, encoding="utf-8")
    write_rows(market / "dividends.csv", ["symbol", "ex_date", "pay_date", "amount", "currency", "kind"], dividend_rows())
    write_rows(market / "splits.csv", ["symbol", "date", "ratio"], [("ULVR.L", "2024-05-09", "10:9")])
    write_rows(market / "prices.csv", ["symbol", "date", "close"], close_rows())
    ledger = folder / "ledger.csv"
    ledger.write_text(LEDGER, encoding="utf-8")
    return market, ledger


def dividend_rows():
    today = date.fromisoformat(TODAY)
    for symbol, currency, gap, payments, first, growth in PAYERS:
        last = today + timedelta(days=NEXT_EX_DAYS[symbol])
        for number in range(payments):
            ex_date = last - timedelta(days=gap * (payments - 1 - number))
            amount = float(first) * (1 + float(growth)) ** number
            yield symbol, ex_date, ex_date + timedelta(days=17), f"{amount:.4f}", currency, "regular"
    yield "KO", "2024-12-20", "2025-01-10", "1.00", "USD", "special"


def close_rows():
    """Monthly closes, enough for an average yield of KO."""
    for month in range(60):
        yield "KO", date(2021 + (10 + month) // 12, (10 + month) % 12 + 1, 28), f"{55 + month / 4:.2f}"


def write_rows(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
