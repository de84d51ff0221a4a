"""Withholding tax on dividends: rates in percent, and the estimate (docs/develop/SPEC.md, Income).

The auditor has its own table: per source country the statutory rate, the treaty rate for most of the ten residences below, and the
residences that differ (None: no treaty rate known).
"""

from decimal import Decimal
from fractions import Fraction

from dates import add_months
from money import minor_units

RESIDENCES = ("US", "GB", "ES", "DE", "FR", "NL", "IE", "CH", "CA", "AU")

TABLE = {
    "US": ("30", "15", {}),
    "CA": ("25", "15", {}),
    "GB": ("0", "0", {}),
    "IE": ("25", "15", {"ES": "0", "CH": "0", "AU": "0", "FR": None}),
    "CH": ("35", "15", {}),
    "DE": ("26.375", "15", {}),
    "FR": ("12.8", "15", {}),
    "ES": ("19", "15", {"GB": "10"}),
    "NL": ("15", "15", {"GB": "10"}),
    "IT": ("26", "15", {}),
    "BE": ("30", "15", {"GB": "10"}),
    "AT": ("27.5", "15", {"GB": "10", "IE": "10"}),
    "LU": ("15", "15", {"AU": None}),
    "PT": ("28", "15", {"NL": "10", "AU": None}),
    "DK": ("27", "15", {"ES": None}),
    "SE": ("30", "15", {"GB": "5"}),
    "NO": ("25", "15", {}),
    "FI": ("30", "15", {"GB": "0", "FR": "0", "IE": "0", "CH": "10"}),
    "PL": ("19", "15", {"GB": "10"}),
    "CZ": ("15", "15", {"FR": "10", "NL": "10"}),
    "HU": ("15", None, {}),
    "GR": ("5", "5", {}),
    "AU": ("30", "15", {}),
    "NZ": ("30", "15", {}),
    "JP": ("15.315", "10", {"ES": "5", "DE": "15", "IE": "15", "CA": "15"}),
    "KR": ("22", "15", {}),
    "TW": ("21", "10", {"US": None, "ES": None, "IE": None, "CH": "15", "CA": "15", "AU": "15"}),
    "HK": ("0", "0", {}),
    "SG": ("0", "0", {}),
    "CN": ("10", "10", {}),
    "IN": ("20", "10", {"US": "25", "CA": "25", "ES": "15", "AU": "15"}),
    "ID": ("20", "15", {"NL": "10", "IE": None}),
    "TH": ("10", "10", {}),
    "MY": ("0", "0", {}),
    "ZA": ("20", "15", {"GB": "10", "NL": "10", "IE": "10"}),
    "BR": ("0", None, {}),
    "MX": ("10", "10", {"GB": "0", "FR": "5"}),
    "IL": ("25", "15", {"US": "25", "ES": "10", "DE": "10", "IE": "10"}),
    "TR": ("15", "15", {}),
    "CL": ("35", None, {}),
    "BM": ("0", "0", {}),
    "KY": ("0", "0", {}),
    "JE": ("0", "0", {}),
    "GG": ("0", "0", {}),
}

UNKNOWN = Fraction(15, 100)
FUNDS_WITHOUT_WITHHOLDING = ("IE", "LU")
NOT_A_COUNTRY = {"XS", "EU", "QS", "XC", "XF"}

EXCHANGE_COUNTRY = {
    "NYSE": "US", "NASDAQ": "US", "AMEX": "US", "LSE": "GB", "XETRA": "DE", "TSX": "CA", "SIX": "CH", "ASX": "AU",
}


def estimate(stock, residence, dividends, today):
    """The expected fraction of foreign withholding tax on a dividend of `stock`."""
    source = source_country(stock)
    if source and source == residence:
        return Fraction(0)
    own = observed_rate(dividends, today, table_rates(source, residence))
    if own is not None:
        return own
    if stock.is_fund and source in FUNDS_WITHOUT_WITHHOLDING:
        return Fraction(0)
    return table_rate(source, residence)


def source_country(stock):
    """For a depositary receipt the company's country; else by ISIN, country, exchange."""
    if stock.is_depositary_receipt and stock.country:
        return stock.country
    prefix = (stock.isin or "")[:2].upper()
    if prefix and prefix not in NOT_A_COUNTRY:
        return prefix
    return stock.country or EXCHANGE_COUNTRY.get(stock.exchange or "")


def observed_rate(dividends, today, known_rates=()):
    """Tax over gross of the user's own dividends of the last 24 months, or the known rate that explains it but for half a
    minor unit of each dividend; None if no tax was recorded."""
    recent = [d for d in dividends if add_months(today, -24) <= d.date <= today and d.tax is not None]
    if not recent:
        return None
    latest = max(d.date for d in recent)
    currency = min(d.currency for d in recent if d.date == latest)
    recent = [d for d in recent if d.currency == currency]
    gross = sum((Fraction(d.gross) for d in recent), Fraction(0))
    if gross <= 0:
        return None
    withheld = sum((Fraction(d.tax) for d in recent), Fraction(0))
    rounding = Fraction(len(recent), 2) / 10**minor_units(currency)
    for rate in known_rates:
        if abs(withheld - rate * gross) <= rounding:
            return rate
    return min(max(withheld / gross, Fraction(0)), Fraction(1))


def table_rates(source, residence):
    """The treaty rate, if there is one, and the statutory rate; empty for a country that is not in the table."""
    if source not in TABLE:
        return []
    statutory, usual, exceptions = TABLE[source]
    treaty = exceptions.get(residence, usual) if residence in RESIDENCES else None
    return [Fraction(Decimal(rate)) / 100 for rate in (treaty, statutory) if rate is not None]


def table_rate(source, residence):
    return min(table_rates(source, residence), default=UNKNOWN)
