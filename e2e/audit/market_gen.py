"""Random but valid market folders: payers of every kind, and the awkward rows that real data has."""

import csv
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from dates import add_days, add_months, add_years
from isin import make_isin
from money import fixed

# quote unit, major currency, country, exchange, symbol suffix, a currency dividends may be declared in instead
PLACES = [
    ("USD", "USD", "US", "NYSE", "", None),
    ("USD", "USD", "US", "NASDAQ", "", None),
    ("USD", "USD", "US", "NYSE", "", "CAD"),
    ("GBp", "GBP", "GB", "LSE", ".L", "USD"),
    ("GBp", "GBP", "GB", "LSE", ".L", None),
    ("GBP", "GBP", "JE", "LSE", ".L", None),
    ("EUR", "EUR", "DE", "XETRA", ".DE", None),
    ("EUR", "EUR", "ES", "BME", ".MC", None),
    ("EUR", "EUR", "FR", "PAR", ".PA", "USD"),
    ("EUR", "EUR", "IE", "XETRA", ".DE", None),
    ("CHF", "CHF", "CH", "SIX", ".SW", "USD"),
    ("JPY", "JPY", "JP", "TSE", ".T", None),
    ("CAD", "CAD", "CA", "TSX", ".TO", None),
    ("SEK", "SEK", "SE", "STO", ".ST", None),
    ("ILA", "ILS", "IL", "TASE", ".TA", None),
    ("ZAc", "ZAR", "ZA", "JSE", ".JO", None),
    ("TWD", "TWD", "TW", "TWSE", ".TW", None),
    ("BGN", "BGN", "BG", "BSE", ".SO", None),
    ("RUB", "RUB", "RU", "MCX", ".ME", None),
    ("EUR", "EUR", "PE", "BME", ".MC", None),
]
WITHOUT_FX = "TWD"
# Never quoted, or not any more.
NOT_CONVERTIBLE = {"TWD", "RUB"}
# Quoted up to a day: the rouble was suspended, the lev joined the euro.
ENDED = {"RUB": date(2022, 3, 1), "BGN": date(2025, 12, 31)}
FX_LEVEL = {
    "USD": "1.12", "GBP": "0.86", "CHF": "0.97", "JPY": "158", "CAD": "1.48", "SEK": "11.2", "ILS": "4.05", "ZAR": "20.1",
    "RUB": "88", "BGN": "1.9558",
}

STEP_MONTHS = {"monthly": 1, "quarterly": 3, "semi_annual": 6, "annual": 12}
NOMINAL = {"weekly": 7, "monthly": 30, "quarterly": 91, "semi_annual": 182, "annual": 365}
PER_YEAR = {"weekly": 52, "monthly": 12, "quarterly": 4, "semi_annual": 2, "annual": 1}
PACES = ["weekly", "monthly", "monthly", "quarterly", "quarterly", "quarterly", "semi_annual", "annual",
         "irregular", "single", "none"]
LIVES = ["pays", "pays", "pays", "pays", "stopped", "borderline", "long gone", "young"]
RATIOS = ["2:1", "3:1", "4:1", "3:2", "10:1", "1:2", "1:5", "1:10"]

FIRST_WORDS = ["Banco", "Société", "Coastal", "Nordic", "Zürcher", "Alpine", "United", "Prairie", "Harbour", "Coastline",
               "Meridian", "Bankers", "Alpina", "Nordea", "Unity", "Granite"]
SECOND_WORDS = ["Bank", "Foods", "Water", "Rail", "Energy", "Trust", "Property", "Motors", "Banknote", "Energía", "Waters"]
LAST_WORDS = ["plc", "Inc", "SA", "Group", "Holding", "Co-op", "AG"]

STOCK_COLUMNS = ("symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,"
                 "forward_rate,payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52,yield_avg_5y_pct,tracked").split(",")


@dataclass
class Listing:
    """A generated stock: its row in stocks.csv and what the ledger generator needs to know."""

    row: dict
    currency: str
    dividends: list = field(default_factory=list)  # rows of dividends.csv, as dicts
    splits: list = field(default_factory=list)  # (date, ratio text)
    closes: list = field(default_factory=list)

    @property
    def symbol(self):
        return self.row["symbol"]


def generate_market(rng, today, count):
    fx_start = add_years(today, -rng.randint(5, 12))
    listings, taken = [], set()
    for number in range(count):
        listings.append(listing(rng, today, fx_start, number, taken))
    return listings, fx_rows(rng, today, fx_start), fx_start


def listing(rng, today, fx_start, number, taken):
    unit, currency, country, exchange, suffix, foreign = rng.choice(PLACES)
    symbol = new_symbol(rng, taken, suffix)
    pace, life = rng.choice(PACES), rng.choice(LIVES)
    price = Fraction(rng.randint(400, 30000), 100) * (100 if currency == "JPY" or unit != currency else 1)
    ex_dates = schedule(rng, today, pace, life)
    splits = split_rows(rng, today, ex_dates)
    made = Listing({"symbol": symbol}, currency, splits=splits)
    amounts = amount_path(rng, pace, price, ex_dates)
    made.dividends = dividend_rows(rng, made, unit, currency, foreign, fx_start, ex_dates, amounts, today)
    made.closes = close_rows(rng, today, price)
    made.row = stock_row(rng, today, symbol, unit, country, exchange, price, amounts, pace, number)
    return made


def new_symbol(rng, taken, suffix):
    while True:
        symbol = "".join(rng.choice("ABCN") for _ in range(rng.randint(2, 4))) + suffix
        if symbol not in taken:
            taken.add(symbol)
            return symbol


# Dividends

def schedule(rng, today, pace, life):
    """Ex-dates, oldest first, some of them after today."""
    if pace == "none":
        return []
    if pace == "single":
        return [add_days(today, rng.choice([-900, -577, -578, -300, -40, 12]))]
    years = rng.choice([1, 2, 3]) if life == "young" else rng.choice([4, 6, 7, 9, 12])
    end = add_days(today, rng.choice([0, 0, 20, 60, 110]))
    if life == "stopped":
        end = add_days(today, -rng.randint(60, 1000))
    if life == "long gone":
        end = add_days(today, -rng.randint(1100, 1800))
        years += 5
    start = add_days(add_years(today, -years), rng.randint(-300, 300))
    days = raw_dates(rng, pace, min(start, add_days(end, -10)), end)
    if life == "borderline" and pace in NOMINAL and days:
        limit = int(1.5 * NOMINAL[pace]) + 30 + rng.choice([0, 1])
        shift = (add_days(today, -limit) - days[-1]).days
        days = [add_days(day, shift) for day in days]
    return days


def raw_dates(rng, pace, start, end):
    days, step = [], 0
    day = start
    while day <= end:
        days.append(day)
        step += 1
        if pace == "weekly":
            day = add_days(start, 7 * step)
        elif pace == "irregular":
            day = add_days(day, rng.choice([15, 40, 46, 100, 136, 250, 400, 500]))
        else:
            day = add_days(add_months(start, STEP_MONTHS[pace] * step), rng.choice([0, 0, 0, -3, -1, 2, 4]))
    skipped = rng.random() < 0.2
    return [d for d in days if not (skipped and rng.random() < 0.06)]


def amount_path(rng, pace, price, ex_dates):
    """Split-adjusted amounts: growing, frozen or cut by the year, sometimes with a large final."""
    per_year = PER_YEAR.get(pace, 2)
    base = price * Fraction(rng.randint(10, 90), 1000) / per_year
    mood = rng.choice(["grows", "grows", "frozen", "mixed", "falls"])
    final = rng.choice([1, 1, 1, Fraction(13, 10), Fraction(3, 2)])
    factor, year, amounts = Fraction(1), None, []
    for place, day in enumerate(ex_dates):
        if year is not None and day.year != year:
            factor *= yearly_step(rng, mood)
        year = day.year
        amounts.append(base * factor * (final if place % per_year == 0 else 1))
    return amounts


def yearly_step(rng, mood):
    steps = {"grows": [101, 105, 112, 130], "frozen": [100], "mixed": [100, 106, 97, 99, 110, 50], "falls": [95, 98, 100]}
    return Fraction(rng.choice(steps[mood]), 100)


def split_rows(rng, today, ex_dates):
    if rng.random() > 0.35:
        return []
    first = ex_dates[0] if ex_dates else add_years(today, -5)
    span = max((today - first).days, 30)
    days = {add_days(today, -rng.randint(0, span)) for _ in range(rng.choice([1, 1, 2]))}
    if rng.random() < 0.2:
        days.add(add_days(today, rng.randint(1, 60)))
    return [(day, rng.choice(RATIOS)) for day in sorted(days)]


def dividend_rows(rng, made, unit, currency, foreign, fx_start, ex_dates, amounts, today):
    lag, lag_spread = rng.randint(5, 40), rng.choice([0, 0, 3])
    missing_pay = rng.choice([0, 0, 0.2, 1])
    written_unit = rng.choice([unit, "", currency]) if unit != currency else rng.choice([unit, ""])
    in_foreign = foreign is not None and rng.random() < 0.6
    rows = []
    for place, (day, amount) in enumerate(zip(ex_dates, amounts)):
        paid = amount * adjustment(made.splits, day, today)
        pay = "" if rng.random() < missing_pay else add_days(day, lag + rng.randint(0, lag_spread)).isoformat()
        both = in_foreign and day >= fx_start and rng.random() < 0.1
        if in_foreign and not both:
            rows.append(dividend_row(made.symbol, day, pay, paid * Fraction(5, 4) / (100 if unit != currency else 1), foreign))
            continue
        if both:
            rows.append(dividend_row(made.symbol, day, pay, paid * 2, foreign))
        divisor = 100 if written_unit == currency and unit != currency else 1
        rows.append(dividend_row(made.symbol, day, pay, paid / divisor, written_unit, "regular" if place % 3 else ""))
        if both and rng.random() < 0.5:
            rows[-1], rows[-2] = rows[-2], rows[-1]
    rows += extra_rows(rng, made, unit, ex_dates, amounts, today, lag)
    return rows


def extra_rows(rng, made, unit, ex_dates, amounts, today, lag):
    """Specials, near and old, and an old payment in a currency nobody has a rate for."""
    rows, taken = [], set(ex_dates)
    if amounts and rng.random() < 0.3:
        for day in (add_days(today, rng.randint(-20, 40)), add_days(today, -rng.randint(100, 900))):
            if day not in taken and rng.random() < 0.7:
                pay = add_days(day, lag + 2).isoformat() if rng.random() < 0.7 else ""
                rows.append(dividend_row(made.symbol, day, pay, amounts[-1] * 3, unit, "special"))
                taken.add(day)
    old = add_days(today, -rng.randint(500, 1000))
    if amounts and unit != WITHOUT_FX and old not in taken and rng.random() < 0.1:
        rows.append(dividend_row(made.symbol, old, "", amounts[-1], WITHOUT_FX))
    return rows


def dividend_row(symbol, day, pay, amount, currency, kind=""):
    written = fixed(max(amount, Fraction(1, 10000)), 4).rstrip("0").rstrip(".")
    return {"symbol": symbol, "ex_date": day.isoformat(), "pay_date": pay, "declared_date": add_days(day, -20).isoformat(),
            "amount": written, "currency": currency, "kind": kind}


def adjustment(splits, day, today):
    product = Fraction(1)
    for split_day, text in splits:
        if day < split_day <= today:
            new, old = text.split(":")
            product *= Fraction(int(new), int(old))
    return product


# Prices, profiles, exchange rates

def close_rows(rng, today, price):
    months = rng.choice([0, 20, 24, 40, 66])
    rows, level = {}, price
    for back in range(months + 1):
        level *= Fraction(rng.randint(94, 106), 100)
        for _ in range(rng.choice([1, 1, 2])):
            day = add_months(today, -back).replace(day=rng.randint(1, 28))
            if day <= today:
                rows[day] = fixed(level, 2)
    return sorted(rows.items()) if months else []


def stock_row(rng, today, symbol, unit, country, exchange, price, amounts, pace, number):
    fund = rng.random() < 0.2
    sector, industry = rng.choice([
        ("Utilities", "Utilities - Water"), ("Real Estate", "REIT - Retail"), ("Real Estate", ""), ("Financials", "Banks"),
        ("Energy", "Oil & Gas"), ("", "Mortgage Reit"), ("Consumer Staples", "Food")])
    located = rng.choice(["isin", "isin", "isin", "country", "both"])
    if exchange in ("NYSE", "NASDAQ", "LSE", "TSX", "SIX") and country != "JE" and rng.random() < 0.15:
        located = "exchange"
    around = lambda low, high: fixed(price * Fraction(rng.randint(low, high), 100), 2)
    maybe = lambda chance, text: text if rng.random() < chance else ""
    name = " ".join([rng.choice(FIRST_WORDS), rng.choice(SECOND_WORDS), rng.choice(LAST_WORDS)])
    low = around(60, 101)
    seen = rng.choice([add_days(today, -1).isoformat(), f"{add_days(today, -3).isoformat()}T16:35:07Z"])
    return {
        "symbol": symbol, "name": name, "currency": unit, "exchange": exchange,
        "type": "ETF" if fund else "EQUITY", "instrument_type": "etf" if fund else "equity",
        "isin": make_isin(country, rng.randint(1, 10**9 - 1)) if located in ("isin", "both") else "",
        "country": country if located in ("country", "both") else "",
        "sector": sector, "industry": industry,
        "price": (text := maybe(0.85, fixed(price, 2))),
        "price_as_of": seen if text else "",
        "forward_rate": forward_text(rng, amounts, pace),
        "payout_ratio": maybe(0.6, fixed(Fraction(rng.randint(10, 130), 100), 2)),
        "fcf_cover": maybe(0.5, fixed(Fraction(rng.randint(5, 30), 10), 1)),
        "pe": maybe(0.7, fixed(Fraction(rng.randint(-40, 400), 10), 1)),
        "ma50": maybe(0.8, around(85, 115)), "ma200": maybe(0.8, around(85, 115)),
        "low52": maybe(0.8, low), "high52": low if rng.random() < 0.05 else maybe(0.8, around(102, 140)),
        "yield_avg_5y_pct": maybe(0.4, fixed(Fraction(rng.randint(100, 800), 100), 2)),
        "tracked": rng.choice(["", "", "true", "false"]) if number else "",
    }


def forward_text(rng, amounts, pace):
    if rng.random() < 0.5:
        return ""
    if not amounts:
        return rng.choice(["", "0", "1.25"])
    yearly = amounts[-1] * PER_YEAR.get(pace, 1)
    return fixed(yearly * rng.choice([Fraction(9, 10), Fraction(11, 10), Fraction(3, 2), Fraction(1, 2), 3, 0]), 4)


def fx_rows(rng, today, fx_start):
    rows = []
    for currency, level in FX_LEVEL.items():
        rate, day = Fraction(level), fx_start
        while day <= min(today, ENDED.get(currency, today)):
            rate *= Fraction(rng.randint(985, 1015), 1000)
            rate = Fraction(fixed(rate, 4))
            rows.append({"date": day.isoformat(), "currency": currency, "rate": fixed(rate, 4)})
            day = add_days(day, 7)
    return rows


def write_market(folder, listings, fx):
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "stocks.csv", STOCK_COLUMNS, [made.row for made in listings])
    write(folder / "dividends.csv", ["symbol", "ex_date", "pay_date", "declared_date", "amount", "currency", "kind"],
          [row for made in listings for row in made.dividends])
    write(folder / "splits.csv", ["symbol", "date", "ratio"],
          [{"symbol": made.symbol, "date": day.isoformat(), "ratio": text} for made in listings for day, text in made.splits])
    write(folder / "prices.csv", ["symbol", "date", "close"],
          [{"symbol": made.symbol, "date": day.isoformat(), "close": text} for made in listings for day, text in made.closes])
    write(folder / "fx.csv", ["date", "currency", "rate"], fx)


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
