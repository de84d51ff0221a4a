#!/usr/bin/env python3
"""Writes data/listings.z and data/rates.z from the public sources that README.md names.

usage: make.py UNIVERSE_FOLDER RATES_CSV

UNIVERSE_FOLDER has universe_100k.csv and universe_demo_600.csv, and RATES_CSV is the European Central Bank's
eurofxref-hist.csv. README.md explains the rules and the format.
"""

import collections
import csv
import pathlib
import re
import sys
import zlib

HERE = pathlib.Path(__file__).parent

# The exchanges, the suffix of their symbols, their currency, and the countries whose shares have their main line there.
US = ("", "USD", {"United States"})
EXCHANGES = {
    "NYSE": US, "NASDAQ": US, "NYSE American": US, "NYSE Arca": US, "Cboe": US,
    "LSE": (".L", "GBP", {"United Kingdom", "Jersey", "Guernsey", "Isle of Man", "Gibraltar"}),
    "GER": (".DE", "EUR", {"Germany"}),
    "PAR": (".PA", "EUR", {"France", "Monaco"}),
    "AMS": (".AS", "EUR", {"Netherlands"}),
    "BRU": (".BR", "EUR", {"Belgium"}),
    "LIS": (".LS", "EUR", {"Portugal"}),
    "ISE": (".IR", "EUR", {"Ireland"}),
    "MCE": (".MC", "EUR", {"Spain"}),
    "MIL": (".MI", "EUR", {"Italy"}),
    "VIE": (".VI", "EUR", {"Austria"}),
    "ATH": (".AT", "EUR", {"Greece"}),
    "EBS": (".SW", "CHF", {"Switzerland", "Liechtenstein"}),
    "STO": (".ST", "SEK", {"Sweden"}),
    "CPH": (".CO", "DKK", {"Denmark", "Faroe Islands"}),
    "HEL": (".HE", "EUR", {"Finland"}),
    "OSL": (".OL", "NOK", {"Norway"}),
    "ICE": (".IC", "ISK", {"Iceland"}),
    "TAL": (".TL", "EUR", {"Estonia"}),
    "RIS": (".RG", "EUR", {"Latvia"}),
    "LIT": (".VS", "EUR", {"Lithuania"}),
    "PRA": (".PR", "CZK", {"Czech Republic"}),
    "BUD": (".BD", "HUF", {"Hungary"}),
    "IST": (".IS", "TRY", {"Turkey"}),
    "TOR": (".TO", "CAD", {"Canada"}),
    "ASX": (".AX", "AUD", {"Australia"}),
    "NZE": (".NZ", "NZD", {"New Zealand"}),
    "JPX": (".T", "JPY", {"Japan"}),
    "HKG": (".HK", "HKD", {"Hong Kong", "China", "Macau"}),
    "SES": (".SI", "SGD", {"Singapore"}),
    "KSC": (".KS", "KRW", {"South Korea"}),
    "KOE": (".KQ", "KRW", {"South Korea"}),
    "TAI": (".TW", "TWD", {"Taiwan"}),
    "TWO": (".TWO", "TWD", {"Taiwan"}),
    "SHH": (".SS", "CNY", {"China"}),
    "SHZ": (".SZ", "CNY", {"China"}),
    "NSE": (".NS", "INR", {"India"}),
    "SET": (".BK", "THB", {"Thailand"}),
    "JKT": (".JK", "IDR", {"Indonesia"}),
    "SAO": (".SA", "BRL", {"Brazil"}),
    "MEX": (".MX", "MXN", {"Mexico"}),
    "JNB": (".JO", "ZAc", {"South Africa"}),
    "TLV": (".TA", "ILA", {"Israel"}),
}
NAMES = {"NMS": "NASDAQ", "NGM": "NASDAQ", "NCM": "NASDAQ", "NYQ": "NYSE", "ASE": "NYSE American", "AMEX": "NYSE American",
         "PCX": "NYSE Arca", "BTS": "Cboe"}
# Where lines trade in several currencies.
MANY_CURRENCIES = {"LSE", "EBS", "PAR", "AMS", "SES", "HKG", "TOR", "SHH", "SHZ", "CPH", "STO", "NASDAQ"}
UNITS = {"ZAC": "ZAc", "GBP": "GBp"}

CODES = {
    "United States": "US", "United Kingdom": "GB", "Jersey": "JE", "Guernsey": "GG", "Isle of Man": "IM", "Gibraltar": "GI",
    "Germany": "DE", "France": "FR", "Monaco": "MC", "Netherlands": "NL", "Belgium": "BE", "Portugal": "PT", "Ireland": "IE",
    "Spain": "ES", "Italy": "IT", "Austria": "AT", "Greece": "GR", "Switzerland": "CH", "Liechtenstein": "LI", "Sweden": "SE",
    "Denmark": "DK", "Faroe Islands": "FO", "Finland": "FI", "Norway": "NO", "Iceland": "IS", "Estonia": "EE", "Latvia": "LV",
    "Lithuania": "LT", "Czech Republic": "CZ", "Hungary": "HU", "Turkey": "TR", "Canada": "CA", "Australia": "AU",
    "New Zealand": "NZ", "Japan": "JP", "Hong Kong": "HK", "China": "CN", "Macau": "MO", "Singapore": "SG",
    "South Korea": "KR", "Taiwan": "TW", "India": "IN", "Thailand": "TH", "Indonesia": "ID", "Brazil": "BR", "Mexico": "MX",
    "South Africa": "ZA", "Israel": "IL", "Luxembourg": "LU", "Bermuda": "BM",
}
COUNTRIES = {code: country for country, code in CODES.items()}
# Companies of these countries are often incorporated elsewhere, and are no receipts for that.
OFFSHORE = {
    "United Kingdom": {"JE", "GG", "IM", "IE", "BM"}, "Hong Kong": {"KY", "BM"}, "China": {"KY", "BM", "HK"}, "Macau": {"KY"},
    "United States": {"IE", "BM", "CH", "JE"}, "Norway": {"BM"}, "Singapore": {"BM", "KY"}, "Taiwan": {"KY"},
    "Monaco": {"FR"}, "Faroe Islands": {"DK"},
}
FUND_CODES = {"IE", "LU", "DE", "FR", "NL", "CH", "LI", "GB", "JE", "SE", "NO", "DK", "FI", "ES", "IT", "AT", "BE"}
HOME_OF_FUNDS = {"NYSE": "US", "NASDAQ": "US", "NYSE American": "US", "NYSE Arca": "US", "Cboe": "US", "TOR": "CA", "ASX": "AU",
                 "NZE": "NZ", "JPX": "JP", "HKG": "HK", "KSC": "KR", "TAI": "TW", "TLV": "IL"}
SECTORS = {
    "Communication Services", "Consumer Discretionary", "Consumer Staples", "Energy", "Financials", "Health Care",
    "Industrials", "Information Technology", "Materials", "Real Estate", "Utilities",
}
RECEIPT = re.compile(r"\b(ADR|ADS|GDR|CDR|BDR|DRC|depositary|depository)\b", re.I)
SYMBOL = re.compile(r"[A-Z0-9][A-Z0-9&-]{0,14}")
FOREIGN_LINE = re.compile(r"0[A-Z0-9]{3}\.L")

Listing = collections.namedtuple("Listing", "symbol name exchange unit country sector kind isin")


def digit_is_valid(isin):
    if not re.fullmatch(r"[A-Z]{2}[A-Z0-9]{9}[0-9]", isin):
        return False
    digits = "".join(str(int(letter, 36)) for letter in isin)
    return sum(sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(reversed(digits))) % 10 == 0


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def is_licensed(row):
    return row["source"].startswith(("FinanceDatabase", "s-and-p-500-companies", "hand"))


def own_isin(row, kind, exchange, country):
    """The row's ISIN, if it can be that of the company's own share or of the fund's own class."""
    isin = row["isin"].strip()
    if not digit_is_valid(isin):
        return ""
    code = isin[:2]
    if kind == "ETF":
        home = HOME_OF_FUNDS.get(exchange)
        return isin if (code == home if home else code in FUND_CODES) else ""
    return isin if code == CODES[country] or code in OFFSHORE.get(country, ()) else ""


def is_renamed(one, known, wanted):
    """Whether the line has the ISIN of a hand-checked one at the same exchange, under an old symbol."""
    if one.kind == "ETF" or one.symbol in wanted or "-" in one.symbol:
        return False
    return any(symbol.endswith(EXCHANGES[one.exchange][0] or symbol) for symbol in known.get(one.isin, ()))


def listing(row, wanted, is_large):
    """The listing of a row, or None if it does not belong to the reference data."""
    symbol, name = row["symbol"].strip(), " ".join(row["name"].split())
    exchange = NAMES.get(row["exchange"], row["exchange"]) or "NYSE"
    if not is_licensed(row) or row["delisted"] == "True" and not is_large or not name or exchange not in EXCHANGES or RECEIPT.search(name):
        return None
    suffix, home, countries = EXCHANGES[exchange]
    core = symbol.removesuffix(suffix) if suffix else symbol
    if not symbol.endswith(suffix) or not SYMBOL.fullmatch(core) or FOREIGN_LINE.fullmatch(symbol):
        return None
    kind, country = row["type"], row["country"]
    is_core = row["source"].startswith(("s-and-p-500-companies", "hand")) or symbol in wanted
    if kind == "EQUITY" and country not in countries and not (is_core and country in CODES):
        return None
    currency = row["currency"].strip() or ("" if kind == "ETF" and exchange in MANY_CURRENCIES else home)
    if not currency or exchange not in MANY_CURRENCIES and currency.upper() != home.upper():
        return None
    unit = "GBp" if exchange == "LSE" and currency == "GBP" else UNITS.get(currency, currency) if currency != "GBP" else "GBP"
    isin = own_isin(row, kind, exchange, country)
    if kind == "ETF":
        country = COUNTRIES.get(isin[:2] or HOME_OF_FUNDS.get(exchange, ""), "")
    sector = row["sector"] if kind == "EQUITY" and row["sector"] in SECTORS else ""
    return Listing(symbol, name, exchange, unit, country, sector, kind, isin)


def base_name(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def without_doubtful_isins(listings, known, counts):
    """Blanks an ISIN that several lines claim of which at most one can be right; hand-checked ones replace all others."""
    checked = {symbol: isin for isin, symbols in known.items() for symbol in symbols}
    companies = collections.defaultdict(list)
    for one in listings.values():
        if one.kind == "EQUITY":
            companies[one.exchange, base_name(one.name)].append(one.symbol)
    claims = collections.defaultdict(list)
    for one in listings.values():
        if one.isin and one.symbol not in checked and one.isin not in known:
            claims[one.isin].append(one)
    kept = set()
    for isin, lines in claims.items():
        funds = [one for one in lines if one.kind == "ETF"]
        if funds and len(funds) < len(lines):
            continue
        if funds:
            # One share class has one name. Lines in one currency on one exchange would be the same line twice.
            places = {(one.exchange, one.unit) for one in funds}
            if len({base_name(one.name) for one in funds}) == 1 and len(places) == len(funds):
                kept.update((one.symbol, isin) for one in funds)
            continue
        # Several classes of a company share an ISIN in the sources. The plain symbol is the common share.
        plain = [one for one in lines if "-" not in one.symbol]
        if len({(one.exchange, base_name(one.name)) for one in lines}) > 1 or len(plain) != 1:
            continue
        classes = [symbol for symbol in companies[plain[0].exchange, base_name(plain[0].name)] if "-" not in symbol]
        if len(classes) == 1:
            kept.add((plain[0].symbol, isin))
    result = {}
    for symbol, one in listings.items():
        isin = checked.get(symbol) or (one.isin if (symbol, one.isin) in kept else "")
        counts["ISINs blanked"] += bool(one.isin) and not isin
        country = COUNTRIES.get(isin[:2], one.country) if one.kind == "ETF" and isin else one.country
        result[symbol] = one._replace(isin=isin, country=country)
    return result


def listings_of(universe, known):
    counts = collections.Counter()
    wanted = {symbol for symbols in known.values() for symbol in symbols}
    demo, all_rows = rows_of(universe / "universe_demo_600.csv"), rows_of(universe / "universe_100k.csv")
    listings = {}
    for line in table("listings.txt"):
        symbol, exchange, unit, country, sector, name = line.split("|")
        listings[symbol] = Listing(symbol, name, exchange, unit, country, sector, "EQUITY" if sector else "ETF", "")
    # The file of large companies was checked by hand, the other one has more rows.
    large = {row["symbol"] for row in demo}
    for row in demo + all_rows:
        one = listing(row, wanted, row["symbol"] in large)
        counts["rows"] += 1
        if one and one.symbol not in listings and not is_renamed(one, known, wanted):
            listings[one.symbol] = one
    for symbol in sorted(wanted - listings.keys()):
        print("no line for", symbol)
    return without_doubtful_isins(listings, known, counts), counts


def check(listings, known):
    assert len(listings) >= 20_000, len(listings)
    shares = collections.Counter()
    for one in listings:
        assert one.name == " ".join(one.name.split()) and "\n" not in one.name, one
        if one.isin:
            assert digit_is_valid(one.isin), one
            if one.kind == "EQUITY" and one.isin not in known:
                shares[one.isin] += 1
    assert not [isin for isin, lines in shares.items() if lines > 1]


def preference(listings, known):
    """The place of each listing among those with its ISIN: hand-checked order, then that of the exchanges."""
    exchanges = list(EXCHANGES)
    lines = collections.defaultdict(list)
    for one in listings:
        lines[one.isin].append(one)
    places = {}
    for isin, group in lines.items():
        checked = known.get(isin, [])
        group.sort(key=lambda one: (checked.index(one.symbol) if one.symbol in checked else 0, exchanges.index(one.exchange)))
        places.update((one.symbol, place if isin else 0) for place, one in enumerate(group))
    return places


def pack(listings, known):
    """Columns of text: see README.md."""
    tables, columns = [], []
    for field in ("exchange", "unit", "country", "sector", "kind"):
        counted = collections.Counter(getattr(one, field) for one in listings)
        values = [value for value, _ in counted.most_common()]
        assert len(values) < 90
        tables.append("\t".join(values))
        columns.append("".join(chr(33 + values.index(getattr(one, field))) for one in listings))
    places = preference(listings, known)
    assert max(places.values()) < 90
    columns.append("".join(chr(33 + places[one.symbol]) for one in listings))
    texts = ["\n".join(getattr(one, field) for one in listings) for field in ("symbol", "isin", "name")]
    return "\n".join([str(len(listings)), *tables, *columns, *texts]) + "\n"


def rates_of(path):
    """The days, and the rates of each currency by day."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    rows.sort()
    columns = {"days": [row[0] for row in rows]}
    assert len(set(columns["days"])) == len(rows)
    for place, code in enumerate(header):
        if re.fullmatch(r"[A-Z]{3}", code.strip()):
            columns[code.strip()] = rates = ["" if row[place] == "N/A" else row[place] for row in rows]
            assert all(re.fullmatch(r"(\d+(\.\d+)?)?", rate) for rate in rates), code
    return columns


def compress(data):
    return zlib.compress(data, 9)


def differences(rates):
    """The number of decimals, and each rate's difference from the one before, as README.md describes it."""
    decimals = max(len(rate.partition(".")[2]) for rate in rates)
    last, numbers = 0, []
    for rate in rates:
        if not rate:
            numbers.append(0)
            continue
        whole, _, part = rate.partition(".")
        now = int(whole + part.ljust(decimals, "0"))
        numbers.append(1 + 2 * abs(now - last) - (now < last))
        last = now
    width = (max(numbers).bit_length() + 7) // 8
    return decimals, b"".join(bytes(number >> 8 * place & 0xFF for number in numbers) for place in range(width))


def write(name, packed):
    (HERE / "data").mkdir(exist_ok=True)
    (HERE / "data" / name).write_bytes(packed)
    print(f"{name}: {len(packed):,} bytes")


def main(universe, rates):
    known = {}
    for line in table("isins.txt"):
        isin, *symbols = line.split()
        assert digit_is_valid(isin), isin
        assert isin not in known and symbols, isin
        known[isin] = symbols
    assert len({symbol for symbols in known.values() for symbol in symbols}) == sum(map(len, known.values()))
    listings, counts = listings_of(pathlib.Path(universe), known)
    listings = sorted(listings.values())
    check(listings, known)
    kinds = collections.Counter(one.kind for one in listings)
    with_isin = collections.Counter(one.kind for one in listings if one.isin)
    print(f"listings: {len(listings)} of {counts['rows']} rows; {dict(kinds)}; with ISIN {dict(with_isin)};",
          f"{counts['ISINs blanked']} ISINs blanked")
    print(dict(collections.Counter(one.exchange for one in listings).most_common()))
    write("listings.z", compress(pack(listings, known).encode()))
    rates = rates_of(pathlib.Path(rates))
    days = rates["days"]
    print(f"rates: {len(days)} days from {days[0]} to {days[-1]}, {len(rates) - 1} currencies,",
          sum(map(bool, sum(rates.values(), []))) - len(days), "rates")
    # Each column by itself, so that a program only unpacks the currencies that it needs.
    columns = [("days", compress("\n".join(rates.pop("days")).encode()))]
    for currency, column in rates.items():
        decimals, numbers = differences(column)
        columns.append((f"{currency}/{decimals}", compress(numbers)))
    index = " ".join(f"{name}:{len(packed)}" for name, packed in columns)
    write("rates.z", f"{index}\n".encode() + b"".join(packed for _, packed in columns))


if __name__ == "__main__":
    main(*sys.argv[1:])
