"""Currencies, exchange rates and the exact printing of amounts.

Arithmetic is done in fractions, so that "strictly above", "below average" and ties are decided without rounding noise;
roots and long powers use decimals of 60 digits. Rounding happens here, once, half-even.
"""

from bisect import bisect_right
from decimal import Decimal, getcontext
from datetime import date
from fractions import Fraction

from expect import OneOf

getcontext().prec = 60

QUOTED_IN_HUNDREDTHS = {"GBp": "GBP", "GBX": "GBP", "ILA": "ILS", "ZAc": "ZAR"}
DECIMALS = {"JPY": 0, "KRW": 0, "CLP": 0, "ISK": 0, "VND": 0, "BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3}


def major(currency):
    """The ISO currency of a quote unit, and the divisor for figures in that unit."""
    if currency in QUOTED_IN_HUNDREDTHS:
        return QUOTED_IN_HUNDREDTHS[currency], 100
    return currency, 1


def minor_units(currency):
    return DECIMALS.get(currency, 2)


def fixed(value, places):
    """`value` with exactly `places` decimals, half-even, never `-0`."""
    units = round(Fraction(value) * 10**places)
    digits = str(abs(units)).rjust(places + 1, "0")
    sign = "-" if units < 0 else ""
    return sign + (digits[:-places] + "." + digits[-places:] if places else digits)


def format_trimmed(value, least, most=10):
    """At most `most` decimals, trailing zeros trimmed down to `least`."""
    text = fixed(value, most)
    while text[-1] == "0" and len(text) - text.index(".") - 1 > least:
        text = text[:-1]
    return text.rstrip(".")


def total(value, currency):
    """An aggregate: rounded to the minor units and printed with all of them."""
    return {"amount": fixed(value, minor_units(currency)), "currency": currency}


def total_of(amount_per_share, value, currency):
    """An aggregate of an amount per share. If that is a quotient that does not end, a tie may be rounded up or down, because no
    decimal is exact."""
    places = minor_units(currency)
    if ends(amount_per_share) or (Fraction(value) * 10**places * 2) % 2 != 1:
        return total(value, currency)
    half = Fraction(1, 2 * 10**places)
    return {"amount": OneOf((fixed(value - half, places), fixed(value + half, places))), "currency": currency}


def ends(value):
    """Whether the decimals of `value` end."""
    denominator = Fraction(value).denominator
    for factor in (2, 5):
        while denominator % factor == 0:
            denominator //= factor
    return denominator == 1


def per_share(value, currency):
    """A price, a rate or an average cost: up to 10 decimals, at least the minor units."""
    return {"amount": format_trimmed(value, minor_units(currency)), "currency": currency}


def recorded(value, currency):
    """A ledger figure (a Decimal as written): its own decimals, at least the minor units."""
    places = max(-value.as_tuple().exponent, minor_units(currency))
    return {"amount": fixed(value, places), "currency": currency}


def format_shares(shares):
    return format_trimmed(shares, 0, most=40)


def percent(fraction):
    return Decimal(fixed(Fraction(fraction) * 100, 2))


def to_decimal(value):
    value = Fraction(value)
    return Decimal(value.numerator) / Decimal(value.denominator)


# Units per 1 EUR, fixed from the day a currency joined the euro.
JOINED_EURO = {
    "SIT": (date(2007, 1, 1), "239.640"), "CYP": (date(2008, 1, 1), "0.585274"), "MTL": (date(2008, 1, 1), "0.429300"),
    "SKK": (date(2009, 1, 1), "30.1260"), "EEK": (date(2011, 1, 1), "15.6466"), "LVL": (date(2014, 1, 1), "0.702804"),
    "LTL": (date(2015, 1, 1), "3.45280"), "HRK": (date(2023, 1, 1), "7.53450"), "BGN": (date(2026, 1, 1), "1.95583"),
}
STALE_DAYS = 7


class Fx:
    """ECB rates: units per 1 EUR, the latest on or before a day, crosses through EUR.

    A rate is stale, and so none, if another currency has one, on or before the day, that is more than seven days newer. Rates
    built into the program count for a currency where they are newer than the service's own, and are compared with each other."""

    def __init__(self, rows, built_in=None):
        self.by_currency = {}
        self.built_in = built_in
        for day, currency, rate in sorted(rows):
            days, rates = self.by_currency.setdefault(currency, ([], []))
            days.append(day)
            rates.append(rate)

    def per_euro(self, currency, day):
        if currency == "EUR":
            return Fraction(1)
        if currency in JOINED_EURO and day >= JOINED_EURO[currency][0]:
            return Fraction(JOINED_EURO[currency][1])
        own, other = self.latest(currency, day), self.built_in and self.built_in.latest(currency, day)
        if other and (not own or other[0] > own[0]):
            return self.built_in.per_euro(currency, day)
        return None if not own or (self.newest_day(day) - own[0]).days > STALE_DAYS else own[1]

    def latest(self, currency, day):
        """The currency's last rate up to the day, as (day, rate)."""
        days, rates = self.by_currency.get(currency, ([], []))
        index = bisect_right(days, day)
        return (days[index - 1], rates[index - 1]) if index else None

    def newest_day(self, day):
        return max(days[bisect_right(days, day) - 1] for days, _ in self.by_currency.values() if days[0] <= day)

    def cross(self, source, target, day):
        """Units of `target` for one unit of `source`, or None without a rate."""
        if source == target:
            return Fraction(1)
        from_rate, to_rate = self.per_euro(source, day), self.per_euro(target, day)
        return to_rate / from_rate if from_rate and to_rate else None
