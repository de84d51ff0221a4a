"""A seeded account: a ledger of any length over up to 300 payers, with ten years of dividends, prices and exchange rates."""
import datetime
import random

TODAY = datetime.date(2026, 11, 15)
FIRST = datetime.date(2016, 11, 14)
SYMBOLS = 300
# Currency, exchange, country, units per euro; the first currency is the most common, as in most accounts.
MARKETS = [("USD", "NYSE", "US", 1.08), ("USD", "NASDAQ", "US", 1.08), ("EUR", "XETRA", "DE", None), ("EUR", "BME", "ES", None),
          ("GBp", "LSE", "GB", 0.85), ("CHF", "SIX", "CH", 0.95), ("JPY", "TSE", "JP", 164.0)]


def market_of(number):
    return MARKETS[number % len(MARKETS)]


def write_market(folder):
    """Writes the five files for `dripline market load`."""
    rng = random.Random(7)
    months = [(year, month) for year in range(2016, 2027) for month in range(1, 13) if (2016, 11) <= (year, month) <= (2026, 10)]
    stocks, dividends, prices = ["symbol,name,currency,exchange,type,country,price,price_as_of,payout_ratio"], ["symbol,ex_date,pay_date,amount"], ["symbol,date,close"]
    for number in range(SYMBOLS):
        currency, exchange, country, _ = market_of(number)
        price = rng.uniform(20, 200)
        amount = price * rng.uniform(0.004, 0.015)
        stocks.append(f"S{number:03},Company {number},{currency},{exchange},EQUITY,{country},{price:.2f},2026-11-13,{rng.uniform(0.3, 0.9):.2f}")
        for year, month in months:
            growth = 1.05 ** (year - 2026)
            prices.append(f"S{number:03},{year}-{month:02}-28,{price * growth * rng.uniform(0.9, 1.1):.2f}")
            if month % 3 == number % 3:
                dividends.append(f"S{number:03},{year}-{month:02}-10,{year}-{month:02}-27,{amount * growth:.4f}")
        # A declared dividend, so that the calendar is not empty.
        dividends.append(f"S{number:03},2026-11-2{number % 10},2026-12-2{number % 10},{amount:.4f}")
    rates = ["date,currency,rate"]
    for day in range((TODAY - FIRST).days):
        date = FIRST + datetime.timedelta(days=day)
        if date.weekday() < 5:
            rates += [f"{date},{currency},{rate * rng.uniform(0.97, 1.03):.4f}" for currency, rate in [("USD", 1.08), ("GBP", 0.85), ("CHF", 0.95), ("JPY", 164.0)]]
    for name, lines in [("stocks", stocks), ("dividends", dividends), ("prices", prices), ("fx", rates), ("splits", ["symbol,date,ratio", "S000,2020-06-01,2:1"])]:
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def write_ledger(path, entries, positions=SYMBOLS):
    """`entries` rows over ten years: one purchase of every symbol, then random purchases, dividends and a few sales."""
    rng = random.Random(entries)
    days = (TODAY - FIRST).days
    rows = []
    for at in range(entries):
        number = at if at < positions else rng.randrange(positions)
        date = FIRST + datetime.timedelta(days=1 + (days - 2) * at // entries)
        currency = market_of(number)[0]
        kind = "buy" if at < positions else rng.choices(["buy", "dividend", "sell"], [45, 50, 5])[0]
        if kind == "dividend":
            gross = rng.uniform(5, 90)
            rows.append(f"{date},dividend,S{number:03},,,{gross:.2f},{gross * 0.15:.2f},{currency}")
        else:
            shares = rng.uniform(1, 30) if kind == "buy" else 0.01
            rows.append(f"{date},{kind},S{number:03},{shares:.4f},{rng.uniform(20, 200):.2f},,,{currency}")
    path.write_text("date,type,symbol,shares,price,amount,tax,currency\n" + "\n".join(rows) + "\n")


def write_one_more(path, number, symbol="S001"):
    """A file with one new row, to invalidate what is cached for the account."""
    path.write_text(f"date,type,symbol,shares,price,currency,id\n2026-11-02,buy,{symbol},1,{50 + number / 100:.2f},USD,more-{number}\n")
