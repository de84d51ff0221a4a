"""Generates random but valid market folders: payers of every kind, and the awkward rows of real data."""

import csv
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from dates import add_days, add_months, add_years, business_days, same_weekday
import reference
from isin import make_isin
from money import fixed

# quote unit, major currency, country, exchange, symbol suffix, an alternative currency for dividends
MARKETS = [
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
    ("EUR", "EUR", "LU", "PAR", ".PA", "USD"),
    ("USD", "USD", "US", "NYSE", "", "TWD"),
]
WITHOUT_FX = "TWD"
# Never quoted, or no longer quoted.
NOT_CONVERTIBLE = {"TWD", "RUB"}
# The last day of quotes: the rouble was suspended, the lev joined the euro.
LAST_QUOTED = {"RUB": date(2022, 3, 1), "BGN": date(2025, 12, 31)}
FX_LEVEL = {
    "USD": "1.12", "GBP": "0.86", "CHF": "0.97", "JPY": "158", "CAD": "1.48", "SEK": "11.2", "ILS": "4.05", "ZAR": "20.1",
    "RUB": "88", "BGN": "1.9558",
}

STEP_MONTHS = {"monthly": 1, "quarterly": 3, "three a year": 4, "semi_annual": 6, "annual": 12}
NOMINAL = {"weekly": 7, "monthly": 30, "quarterly": 91, "semi_annual": 182, "annual": 365}
PER_YEAR = {"weekly": 52, "thirteen a year": 13, "monthly": 12, "quarterly": 4, "three a year": 3, "semi_annual": 2, "annual": 1}
FREQUENCIES = ["weekly", "monthly", "monthly", "quarterly", "quarterly", "quarterly", "semi_annual", "annual",
               "three a year", "thirteen a year", "interim and final", "irregular", "single", "none", "none"]
LIFECYCLES = ["pays", "pays", "pays", "pays", "stopped", "restarted", "restarted", "changed", "changed", "New Year",
              "borderline", "long gone", "young", "new"]
CHANGES = [("quarterly", "monthly"), ("monthly", "quarterly"), ("annual", "semi_annual"), ("semi_annual", "quarterly"),
           ("monthly", "weekly"), ("quarterly", "semi_annual")]
RATIOS = ["2:1", "3:1", "4:1", "3:2", "10:1", "1:2", "1:5", "1:10"]

FIRST_WORDS = ["Banco", "Société", "Coastal", "Nordic", "Zürcher", "Alpine", "United", "Prairie", "Harbour", "Coastline",
               "Meridian", "Bankers", "Alpina", "Nordea", "Unity", "Granite"]
SECOND_WORDS = ["Bank", "Foods", "Water", "Rail", "Energy", "Trust", "Property", "Motors", "Banknote", "Energía", "Waters"]
LAST_WORDS = ["plc", "Inc", "SA", "Group", "Holding", "Co-op", "AG"]

STOCK_COLUMNS = ("symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,"
                 "forward_rate,payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52,yield_avg_5y_pct,tracked").split(",")
DIVIDEND_COLUMNS = ["symbol", "ex_date", "pay_date", "declared_date", "amount", "currency", "kind"]
SPLIT_COLUMNS = ["symbol", "date", "ratio"]


@dataclass
class Listing:
    """A generated stock: its row in stocks.csv and what the ledger generator needs."""

    row: dict
    currency: str
    dividends: list = field(default_factory=list)  # rows of dividends.csv, as dicts
    splits: list = field(default_factory=list)  # (date, ratio text)
    late_splits: list = field(default_factory=list)  # learned after the ledger
    closes: list = field(default_factory=list)
    own_dividends: list = field(default_factory=list)  # rows that only the ledger knows
    corrected_dividends: list = field(default_factory=list)  # all rows again, one of them corrected, learned after the ledger

    @property
    def symbol(self):
        return self.row["symbol"]


def generate_market(rng, today, count, fx_days):
    fx_start = add_years(today, -rng.randint(5, 12))
    # A symbol of the reference data would have its data where a ledger alone uses it.
    listings, taken = [], set(reference.listings())
    for number in range(count):
        listings.append(generate_listing(rng, today, fx_start, number, taken))
    return listings, fx_rows(rng, today, fx_start, fx_days), fx_start


def generate_listing(rng, today, fx_start, number, taken):
    unit, currency, country, exchange, suffix, foreign = rng.choice(MARKETS)
    symbol = new_symbol(rng, taken, suffix)
    frequency, lifecycle = rng.choice(FREQUENCIES), rng.choice(LIFECYCLES)
    if lifecycle == "new":
        frequency = "monthly"
    price = Fraction(rng.randint(400, 30000), 100) * (100 if currency == "JPY" or unit != currency else 1)
    ex_dates = schedule(rng, today, frequency, lifecycle)
    listing = Listing({"symbol": symbol}, currency, splits=split_rows(rng, today, ex_dates))
    if rng.random() < 0.15:
        taken_days = {day for day, _ in listing.splits}
        day = add_days(today, -rng.randint(5, 1200))
        listing.late_splits = [(day, rng.choice(["1:5", "1:10", "1:10", "2:1"]))] if day not in taken_days else []
    amounts = amount_path(rng, frequency, price, ex_dates)
    listing.dividends = dividend_rows(rng, listing, unit, currency, foreign, fx_start, ex_dates, amounts, today)
    if listing.dividends and rng.random() < 0.12:
        listing.corrected_dividends = corrected(rng, listing.dividends)
    if frequency == "none" and rng.random() < 0.7:
        listing.own_dividends = rows_of_ledger(rng, symbol, unit, price, today)
    listing.closes = close_rows(rng, today, price)
    listing.row = stock_row(rng, today, symbol, unit, country, exchange, price, amounts, frequency, number)
    return listing


def new_symbol(rng, taken, suffix):
    while True:
        symbol = "".join(rng.choice("ABCN") for _ in range(rng.randint(2, 4))) + suffix
        if symbol not in taken:
            taken.add(symbol)
            return symbol


# Dividends

def schedule(rng, today, frequency, lifecycle):
    """Ex-dates, oldest first, some of them after today."""
    if lifecycle == "new":
        last = add_days(today, rng.choice([-35, -20, -3, 10]))
        return [add_months(last, -1), last]
    if frequency == "none":
        return []
    if frequency == "single":
        return [add_days(today, rng.choice([-900, -577, -578, -300, -40, 12]))]
    years = rng.choice([1, 2, 3]) if lifecycle == "young" else rng.choice([4, 6, 7, 9, 12])
    end = add_days(today, rng.choice([0, 0, 20, 60, 110]))
    if lifecycle == "stopped":
        end = add_days(today, -rng.randint(60, 1000))
    if lifecycle == "long gone":
        end = add_days(today, -rng.randint(1100, 1800))
        years += 5
    start = add_days(add_years(today, -years), rng.randint(-300, 300))
    if lifecycle == "changed":
        return changed_rhythm(rng, start, today, end)
    if lifecycle == "New Year":
        return around_new_year(rng, frequency, start.year, end)
    days = raw_dates(rng, frequency, min(start, add_days(end, -10)), end)
    if lifecycle == "restarted" and len(days) > 2:
        # A pause that ends some time before today, often with very few payments since.
        resumed = add_days(today, -rng.choice([10, 40, 120, 400, 800, 1500]))
        paused = add_days(resumed, -rng.choice([70, 80, 170, 180, 310, 600, 900]))
        days = [day for day in days if not paused < day < resumed]
    if lifecycle == "borderline" and frequency in NOMINAL and days:
        limit = int(1.5 * NOMINAL[frequency]) + 30 + rng.choice([0, 1])
        shift = (add_days(today, -limit) - days[-1]).days
        days = [add_days(day, shift) for day in days]
    return days


def changed_rhythm(rng, start, today, end):
    """From one rhythm to another, a few days to a few years ago."""
    before, after = rng.choice(CHANGES)
    change = add_days(today, -rng.choice([20, 70, 100, 200, 300, 500, 900, 1300]))
    old = raw_dates(rng, before, min(start, add_days(change, -400)), change)
    if not old:
        return []
    gap = NOMINAL[after]
    return old + [day for day in raw_dates(rng, after, add_days(old[-1], gap), end) if day > old[-1]]


def around_new_year(rng, frequency, first_year, end):
    """Payments that slip over New Year: 30 December or 3 January, and the others of the year in between."""
    per_year = PER_YEAR.get(frequency, 1)
    if per_year not in (1, 2, 4, 12):
        per_year = 4
    days = []
    for year in range(first_year, end.year + 2):
        days.append(rng.choice([date(year - 1, 12, 30), date(year - 1, 12, 31), date(year, 1, 2), date(year, 1, 3)]))
        days += [date(year, 1 + 12 // per_year * step, rng.choice([1, 2, 3, 4])) for step in range(1, per_year)]
    return [day for day in days if day <= end]


def raw_dates(rng, frequency, start, end):
    days, step = [], 0
    day = start
    style = rng.choice(["around", "around", "weekday", "first", "last"])
    while day <= end:
        days.append(day)
        step += 1
        if frequency in ("weekly", "thirteen a year"):
            day = add_days(start, (7 if frequency == "weekly" else 28) * step)
        elif frequency == "irregular":
            day = add_days(day, rng.choice([15, 40, 46, 100, 136, 250, 400, 500]))
        elif frequency == "interim and final":
            day = add_days(add_months(start, 12 * (step // 2) + 4 * (step % 2)), rng.choice([0, 0, -2, 3]))
        else:
            day = styled(rng, style, start, add_months(start, STEP_MONTHS[frequency] * step))
    skipped = rng.random() < 0.2
    return [d for d in days if not (skipped and rng.random() < 0.06)]


def styled(rng, style, start, day):
    """The company's habit: about the same date, the same weekday of the month, its first or its last business day."""
    if style == "weekday":
        return same_weekday(start, day)
    if style in ("first", "last"):
        return business_days(day)[0 if style == "first" else -1]
    return add_days(day, rng.choice([0, 0, 0, -3, -1, 2, 4]))


def amount_path(rng, frequency, price, ex_dates):
    """Split-adjusted amounts that grow, freeze or fall from year to year, sometimes with a large final payment."""
    per_year = PER_YEAR.get(frequency, 2)
    base = price * Fraction(rng.randint(10, 90), 1000) / per_year
    trend = rng.choice(["grows", "grows", "frozen", "mixed", "falls"])
    final = rng.choice([1, 1, 1, Fraction(13, 10), Fraction(3, 2)])
    factor, year, amounts = Fraction(1), None, []
    varies, halved = rng.random() < 0.25, rng.random() < 0.1
    for index, day in enumerate(ex_dates):
        if year is not None and day.year != year:
            factor *= yearly_step(rng, trend)
        year = day.year
        if halved and index == len(ex_dates) - rng.choice([1, 2]):
            factor, halved = factor / 2, False
        # The rate of a year, shared out by the gap where the rhythm changes.
        share = Fraction(min((day - ex_dates[index - 1]).days, 400), 365 // per_year) if index and frequency in STEP_MONTHS else 1
        share = Fraction(round(share * 3), 3) or Fraction(1, 36)
        noise = Fraction(rng.randint(80, 125), 100) if varies else 1
        amounts.append(base * factor * share * noise * (final if index % per_year == 0 else 1))
    return amounts


def yearly_step(rng, trend):
    steps = {"grows": [101, 105, 112, 130], "frozen": [100], "mixed": [100, 106, 97, 99, 110, 50], "falls": [95, 98, 100]}
    return Fraction(rng.choice(steps[trend]), 100)


def split_rows(rng, today, ex_dates):
    if rng.random() > 0.35:
        return []
    first = ex_dates[0] if ex_dates else add_years(today, -5)
    span = max((today - first).days, 30)
    days = {add_days(today, -rng.randint(0, span)) for _ in range(rng.choice([1, 1, 2]))}
    if ex_dates and rng.random() < 0.4:
        days = {rng.choice(ex_dates[-6:])}
    if rng.random() < 0.2:
        days.add(add_days(today, rng.randint(1, 60)))
    return [(day, rng.choice(RATIOS)) for day in sorted(days)]


def dividend_rows(rng, listing, unit, currency, foreign, fx_start, ex_dates, amounts, today):
    lag, lag_spread = rng.randint(5, 40), rng.choice([0, 0, 3])
    missing_pay = rng.choice([0, 0, 0.2, 1])
    written_unit = rng.choice([unit, "", currency]) if unit != currency else rng.choice([unit, ""])
    pays_foreign = foreign is not None and rng.random() < 0.6
    switched = rng.choice(ex_dates) if ex_dates and pays_foreign and rng.random() < 0.3 else None
    to_foreign = rng.random() < 0.5
    rows = []
    for index, (day, amount) in enumerate(zip(ex_dates, amounts)):
        paid = amount * adjustment(listing.splits + listing.late_splits, day, today)
        in_foreign = pays_foreign and (switched is None or (day >= switched) == to_foreign)
        pay = "" if rng.random() < missing_pay else add_days(day, lag + rng.randint(0, lag_spread)).isoformat()
        both = in_foreign and rng.random() < 0.1
        if in_foreign and not both:
            rows.append(dividend_row(listing.symbol, day, pay, paid * Fraction(5, 4) / (100 if unit != currency else 1), foreign))
            continue
        if both:
            rows.append(dividend_row(listing.symbol, day, pay, paid * 2, foreign))
        divisor = 100 if written_unit == currency and unit != currency else 1
        rows.append(dividend_row(listing.symbol, day, pay, paid / divisor, written_unit, "regular" if index % 3 else ""))
        if both and rng.random() < 0.5:
            rows[-1], rows[-2] = rows[-2], rows[-1]
    rows += extra_rows(rng, listing, unit, ex_dates, amounts, today, lag)
    return rows


def extra_rows(rng, listing, unit, ex_dates, amounts, today, lag):
    """Special dividends, recent and old, and an old payment in a currency without a rate."""
    rows, taken = [], set(ex_dates)
    if amounts and rng.random() < 0.3:
        for day in (add_days(today, rng.randint(-20, 40)), add_days(today, -rng.randint(100, 900))):
            if day not in taken and rng.random() < 0.7:
                pay = add_days(day, lag + 2).isoformat() if rng.random() < 0.7 else ""
                rows.append(dividend_row(listing.symbol, day, pay, amounts[-1] * 3, unit, "special"))
                taken.add(day)
    old = add_days(today, -rng.randint(500, 1000))
    if amounts and unit != WITHOUT_FX and old not in taken and rng.random() < 0.1:
        rows.append(dividend_row(listing.symbol, old, "", amounts[-1], WITHOUT_FX))
    return rows


def dividend_row(symbol, day, pay, amount, currency, kind=""):
    written = fixed(max(amount, Fraction(1, 10000)), 4).rstrip("0").rstrip(".")
    return {"symbol": symbol, "ex_date": day.isoformat(), "pay_date": pay, "declared_date": add_days(day, -20).isoformat(),
            "amount": written, "currency": currency, "kind": kind}


def adjustment(splits, day, today):
    """What a share of `day` is in shares of today."""
    product = Fraction(1)
    for split_day, text in splits:
        new, old = text.split(":")
        if day < split_day <= today:
            product *= Fraction(int(new), int(old))
        elif today < split_day <= day:
            product /= Fraction(int(new), int(old))
    return product


def corrected(rng, rows):
    """The rows with a recent one moved by some days, less than two thirds of a gap, or of the other kind."""
    index, taken = max(len(rows) - rng.randint(1, 5), 0), {row["ex_date"] for row in rows}
    row = dict(rows[index])
    days = sorted(date.fromisoformat(day) for day in taken)
    shortest = min(((later - earlier).days for earlier, later in zip(days, days[1:])), default=365)
    moved = rng.choice([move for move in (-6, -3, -1, 0, 1, 2, 5) if 3 * abs(move) < 2 * shortest])
    day = add_days(date.fromisoformat(row["ex_date"]), moved)
    if rng.random() < 0.3:
        row["kind"] = "regular" if row["kind"] == "special" else "special"
    elif day.isoformat() not in taken and sum(r["ex_date"] == row["ex_date"] for r in rows) == 1:
        row["ex_date"] = day.isoformat()
        row["pay_date"] = row["pay_date"] and add_days(date.fromisoformat(row["pay_date"]), 8).isoformat()
    return rows[:index] + [row] + rows[index + 1:]


def rows_of_ledger(rng, symbol, unit, price, today):
    """Dividends that market data does not have, for the ledger to record."""
    frequency = rng.choice(["monthly", "quarterly", "quarterly", "semi_annual", "annual"])
    ex_dates = raw_dates(rng, frequency, add_days(add_years(today, -rng.choice([2, 5])), rng.randint(0, 90)), today)
    lag = rng.randint(3, 30)
    return [dividend_row(symbol, day, add_days(day, lag).isoformat(), amount, unit)
            for day, amount in zip(ex_dates, amount_path(rng, frequency, price, ex_dates))]


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


def closes_near_payments(rng, listing, today):
    """Closes of the days before the last payments, most of them near enough for a price at which to reinvest."""
    rows = dict(listing.closes)
    for row in listing.dividends[-40:] if rows else []:
        ex_date = date.fromisoformat(row["ex_date"])
        paid = date.fromisoformat(row["pay_date"]) if row["pay_date"] else add_days(ex_date, 20)
        day, level = add_days(paid, -rng.randint(0, 9)), Fraction(rng.choice(listing.closes)[1])
        if day <= today and day not in rows and rng.random() < 0.7:
            rows[day] = fixed(level * Fraction(rng.randint(94, 106), 100), 2)
    return sorted(rows.items())


def stock_row(rng, today, symbol, unit, country, exchange, price, amounts, frequency, number):
    fund, receipt = rng.random() < 0.2, country == "US" and rng.random() < 0.1
    sector, industry = rng.choice([
        ("Utilities", "Utilities - Water"), ("Real Estate", "REIT - Retail"), ("Real Estate", ""), ("Financials", "Banks"),
        ("Energy", "Oil & Gas"), ("", "Mortgage Reit"), ("Consumer Staples", "Food")])
    located = rng.choice(["isin", "isin", "isin", "country", "both"])
    if exchange in ("NYSE", "NASDAQ", "LSE", "TSX", "SIX") and country != "JE" and rng.random() < 0.15:
        located = "exchange"
    around = lambda low, high: fixed(price * Fraction(rng.randint(low, high), 100), 2)
    text_or_blank = lambda chance, text: text if rng.random() < chance else ""
    name = " ".join([rng.choice(FIRST_WORDS), rng.choice(SECOND_WORDS), rng.choice(LAST_WORDS)])
    low = around(60, 101)
    seen = rng.choice([add_days(today, -1).isoformat(), f"{add_days(today, -3).isoformat()}T16:35:07Z"])
    return {
        "symbol": symbol, "name": name, "currency": unit, "exchange": exchange,
        "type": "ETF" if fund else "ADR" if receipt else "EQUITY",
        "instrument_type": "etf" if fund else "adr" if receipt else "equity",
        "isin": make_isin(country, rng.randint(1, 10**9 - 1)) if located in ("isin", "both") else "",
        "country": rng.choice(["GB", "CH", "BR"]) if receipt and not fund else country if located in ("country", "both") else "",
        "sector": sector, "industry": industry,
        "price": (text := text_or_blank(0.85, fixed(price, 2))),
        "price_as_of": seen if text else "",
        "forward_rate": forward_rate_text(rng, amounts, frequency),
        "payout_ratio": text_or_blank(0.6, fixed(Fraction(rng.randint(10, 130), 100), 2)),
        "fcf_cover": text_or_blank(0.5, fixed(Fraction(rng.randint(5, 30), 10), 1)),
        "pe": text_or_blank(0.7, fixed(Fraction(rng.randint(-40, 400), 10), 1)),
        "ma50": text_or_blank(0.8, around(85, 115)), "ma200": text_or_blank(0.8, around(85, 115)),
        "low52": text_or_blank(0.8, low), "high52": low if rng.random() < 0.05 else text_or_blank(0.8, around(102, 140)),
        "yield_avg_5y_pct": text_or_blank(0.4, fixed(Fraction(rng.randint(100, 800), 100), 2)),
        "tracked": rng.choice(["", "", "true", "false"]) if number else "",
    }


def forward_rate_text(rng, amounts, frequency):
    if rng.random() < 0.5:
        return ""
    if not amounts:
        return rng.choice(["", "0", "1.25"])
    yearly = amounts[-1] * PER_YEAR.get(frequency, 1)
    return fixed(yearly * rng.choice([Fraction(9, 10), Fraction(11, 10), Fraction(3, 2), Fraction(1, 2), 3, 0]), 4)


def fx_rows(rng, today, fx_start, fx_days):
    rows = []
    for currency, level in FX_LEVEL.items():
        rate, day = Fraction(level), fx_start
        while day <= min(today, LAST_QUOTED.get(currency, today)):
            rate *= Fraction(rng.randint(985, 1015), 1000)
            rate = Fraction(fixed(rate, 4))
            rows.append({"date": day.isoformat(), "currency": currency, "rate": fixed(rate, 4)})
            day = add_days(day, fx_days)
    return rows


def write_late(folder, listings):
    """A folder to load after the ledger; False if there is nothing late."""
    splits = split_file_rows(listings, lambda listing: listing.late_splits)
    dividends = [row for listing in listings for row in listing.corrected_dividends]
    if not splits and not dividends:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    if splits:
        write(folder / "splits.csv", SPLIT_COLUMNS, splits)
    if dividends:
        write(folder / "dividends.csv", DIVIDEND_COLUMNS, dividends)
    return True


def split_file_rows(listings, splits):
    return [{"symbol": listing.symbol, "date": day.isoformat(), "ratio": text} for listing in listings for day, text in splits(listing)]


def write_market(folder, listings, fx):
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "stocks.csv", STOCK_COLUMNS, [listing.row for listing in listings])
    write(folder / "dividends.csv", DIVIDEND_COLUMNS,
          [row for listing in listings for row in listing.dividends])
    write(folder / "splits.csv", SPLIT_COLUMNS, split_file_rows(listings, lambda listing: listing.splits))
    write(folder / "prices.csv", ["symbol", "date", "close"],
          [{"symbol": listing.symbol, "date": day.isoformat(), "close": text} for listing in listings for day, text in listing.closes])
    write(folder / "fx.csv", ["date", "currency", "rate"], fx)


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
