"""A stock's dividend history and the figures derived from it alone (docs/develop/SPEC.md, Stocks).

Everything here is per share and split-adjusted, in the currency the payments are declared in, unless said. Rows dated in the
future are declared payments and part of the history.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from dates import add_days, add_years, business_day_after, median, month_end, month_ends, nearest
from money import to_decimal
from schedule import estimated_dates

# class: (largest median gap, payments per year, nominal gap), in days
CLASSES = {
    "weekly": (10, 52, 7),
    "monthly": (45, 12, 30),
    "quarterly": (135, 4, 91),
    "semi_annual": (270, 2, 182),
    "annual": (430, 1, 365),
}
FUND_LAG, COMPANY_LAG = 5, 21
# Twelve months, a fortnight short, so that a date that slips is not counted twice.
LAST_YEAR, YEAR_BEFORE = 350, 715
# How far a payment may be from the same date of the year before to be its successor.
SUCCESSOR_DAYS = 20
NEW_YEAR_DAYS = 31


def class_of_gap(days):
    return next((name for name, (most, _, _) in CLASSES.items() if days <= most), None)


def class_of_dates(dates, as_of):
    """The class of a rhythm, from its last eight ex-dates of three years."""
    recent = [day for day in dates if day >= add_years(as_of, -3)][-8:]
    if len(recent) < 2:
        return None
    single = class_of_gap(median(gaps(recent)))
    if len(recent) < 3:
        return single
    # Interim and final payments with alternating gaps are regular over two payments; last year's count must confirm it.
    paired = class_of_gap(median([(later - earlier).days for earlier, later in zip(recent, recent[2:])]) / 2)
    return paired if paired and count_of_year(recent) == CLASSES[paired][1] else single


def gaps(dates):
    return [(later - earlier).days for earlier, later in zip(dates, dates[1:])]


def count_of_year(dates, first=0, end=LAST_YEAR):
    return sum(first <= (dates[-1] - day).days < end for day in dates)


def longest_pause(payment_class):
    """The days after an ex-date from which on a payer has stopped."""
    return Fraction(3, 2) * CLASSES[payment_class or "annual"][2] + 30


def begin_anew(dates):
    """The index from which on payments have the present rhythm: after the last stop and the last change of rhythm."""
    start = 0
    for index in range(1, len(dates)):
        before = dates[start:index]
        established = class_of_dates(before, before[-1]) if len(before) >= 3 else None
        if (dates[index] - dates[index - 1]).days > longest_pause(established):
            start = index
        else:
            start = changed_rhythm(dates, start, index)
    return start


def changed_rhythm(dates, start, index):
    """The start of the current payments after the payment at `index`: another one if the last gaps are all of a new class."""
    new = class_of_gap((dates[index] - dates[index - 1]).days)
    count = 3 if new in ("weekly", "monthly") else 2
    before = dates[start:max(index - count + 1, start)]
    former = class_of_dates(before, before[-1]) if before else None
    if former is None or new in (None, former):
        return start
    same = all(class_of_gap(days) == new for days in gaps(dates[index - count:index + 1]))
    return index - count + 1 if same else start


@dataclass(frozen=True)
class Payment:
    ex_date: date
    pay_date: date
    amount: Fraction  # per share of today
    as_paid: Fraction
    currency: str
    special: bool


class History:
    def __init__(self, stock, rows, splits, fx, today):
        self.stock, self.splits, self.fx, self.today = stock, splits, fx, today
        self.currency = currency_of(rows, stock.currency)
        chosen = one_row_per_payment(rows, self.currency, stock.currency)
        lags = [(row.pay_date - row.ex_date).days for row in chosen if row.pay_date and self.is_judged(row)]
        self.lag = int(median(lags)) if lags else FUND_LAG if stock.is_fund else COMPANY_LAG
        self.payments = sorted((self.payment(row) for row in chosen), key=lambda p: (p.ex_date, p.special))
        self.regular = [p for p in self.payments if self.is_judged(p)]
        dates = [p.ex_date for p in self.regular]
        self.present = self.regular[begin_anew(dates):]
        self.payment_class = class_of_dates([p.ex_date for p in self.present], today)
        self.per_year = self.payments_per_year()
        self.stopped = bool(dates) and (today - dates[-1]).days > longest_pause(self.payment_class)

    def is_judged(self, row):
        return not row.special and row.currency == self.currency

    def payment(self, row):
        adjusted = row.amount * self.new_shares(self.today, row.ex_date) / self.new_shares(row.ex_date, self.today)
        pay_date = row.pay_date or add_days(row.ex_date, self.lag)
        return Payment(row.ex_date, pay_date, adjusted, row.amount, row.currency, row.special)

    def new_shares(self, after, until):
        """Shares at the end of `until` for one share at the end of `after`. A payment on the day of a split is per new share."""
        product = Fraction(1)
        for day, ratio in self.splits:
            if after < day <= until:
                product *= ratio
        return product

    def per_share_of(self, day, amount):
        """An amount per share of today, per share of `day`."""
        return amount * self.new_shares(day, self.today) / self.new_shares(self.today, day)

    def rate_today(self, currency=None):
        """Units of the trading currency for one of `currency`, by default that of the history."""
        return self.fx.cross(currency or self.currency, self.stock.currency, self.today)

    # Frequency

    def payments_per_year(self):
        if not self.payment_class:
            return None
        usual, dates = CLASSES[self.payment_class][1], [p.ex_date for p in self.present]
        last_year, year_before = count_of_year(dates), count_of_year(dates, LAST_YEAR, YEAR_BEFORE)
        return last_year if last_year == year_before else usual

    @property
    def frequency(self):
        return None if self.stopped else self.payment_class

    @property
    def nominal_gap(self):
        return CLASSES[self.payment_class][2] if self.payment_class else None

    def payment_months(self):
        if not self.frequency:
            return []
        days = [p.pay_date for p in self.present[-self.per_year:]]
        days += [add_days(days[-1], self.nominal_gap * step) for step in range(1, self.per_year - len(days) + 1)]
        return sorted({day.month for day in days})

    # Forward annual rate

    def forward_rate(self):
        """In the trading currency; None if unknown, 0 for a payer that has stopped."""
        if self.stopped:
            return Fraction(0)
        provider = self.stock.forward_rate if self.stock.forward_rate and self.stock.forward_rate > 0 else None
        own = self.history_rate()
        if own is None:
            return provider
        if self.rate_today() is None:
            return None
        own *= self.rate_today()
        if provider is not None and abs(provider - own) <= own / 2:
            return provider
        return own

    def history_rate(self):
        if not self.frequency:
            return None
        amounts = [p.amount for p in self.present]
        if self.pays_declared_rate():
            return amounts[-1] * self.per_year
        last_year = amounts[-self.per_year:]
        return sum(last_year) * Fraction(self.per_year, len(last_year))

    def pays_declared_rate(self):
        """Quarterly funds never do."""
        classes = ("weekly", "monthly") if self.stock.is_fund else ("weekly", "monthly", "quarterly")
        if self.frequency not in classes:
            return False
        amounts = [p.amount for p in self.present]
        recent = amounts[-self.per_year - 1:]
        return any(a == b for a, b in zip(recent, recent[1:])) and amounts[-1] <= Fraction(8, 5) * amounts[-2]

    @property
    def unconverted(self):
        """Whether the history's rate is known but has no exchange rate to the trading currency."""
        return self.history_rate() is not None and self.rate_today() is None

    # Dividend years

    def dividend_years(self):
        """Each regular payment's dividend year: its ex-date's, or near New Year that of the payment a year before, plus one."""
        years = {}
        for payment in self.regular:
            day = payment.ex_date
            before = nearest(years, add_years(day, -1), SUCCESSOR_DAYS) if near_new_year(day) else None
            years[day] = years[before] + 1 if before else day.year
        return years

    def complete_years(self):
        """{year: (number of payments, total)} of the complete years, oldest first, without a gap."""
        amounts = {}
        years = self.dividend_years()
        for payment in self.regular:
            amounts.setdefault(years[payment.ex_date], []).append(payment.amount)
        if not amounts:
            return {}
        first, count = min(amounts), lambda year: len(amounts.get(year, []))
        while first < self.today.year and count(first) < count(first + 1):
            first += 1
        return {year: (count(year), sum(amounts.get(year, []), Fraction(0))) for year in range(first, self.today.year)}

    def comparable_years(self):
        """[(year, total)] without the years in which the rhythm changed."""
        complete = self.complete_years()
        count = lambda year: complete[year][0] if year in complete else None

        def rhythm_changed(year):
            counts = {count(year - 1), count(year), count(year + 1)}
            return len(counts) == 3 and counts.isdisjoint({None, 0})

        return [(year, amount) for year, (_, amount) in complete.items() if not rhythm_changed(year)]

    def totals(self):
        return [amount for _, amount in self.comparable_years()]

    def streak(self):
        totals = self.totals()
        return increases(totals) if len(totals) >= 2 else None

    def streak_at_least(self):
        """Whether the streak reaches back to the first year that is known."""
        return bool(self.streak()) and self.streak() == len(self.totals()) - 1

    def cagr(self, years):
        totals = dict(self.comparable_years())
        last = self.today.year - 1
        if not totals.get(last) or not totals.get(last - years):
            return None
        return to_decimal(totals[last] / totals[last - years]) ** (to_decimal(1) / years) - 1

    def growth(self):
        """The longest CAGR of 5 years or less, clamped to -10% .. +15%."""
        for years in (5, 4, 3, 2, 1):
            rate = self.cagr(years)
            if rate is not None:
                return min(max(rate, to_decimal(Fraction(-1, 10))), to_decimal(Fraction(15, 100)))
        return None

    # Average yield

    def average_yield(self, closes):
        """Mean of the last 60 month-end yields, as a fraction; with fewer than 24 of them, the provider's figure."""
        known = [y for y in (self.yield_at(end, closes) for end in month_ends(self.today, 60)) if y is not None]
        if len(known) >= 24:
            return sum(known) / len(known)
        provider = self.stock.yield_avg_5y_pct
        return provider / 100 if provider is not None else None

    def yield_at(self, end, closes):
        inside = [day for day in closes if month_end(day) == end]
        rate = self.rate_today()
        if not inside or not self.regular or rate is None:
            return None
        start = add_years(end, -1)
        paid = [p.amount for p in self.regular if start < p.ex_date <= end]
        reaches_before_history = add_days(start, 1) < self.regular[0].ex_date
        if reaches_before_history and not (self.frequency and len(paid) >= self.per_year):
            return None
        return sum(paid, Fraction(0)) * rate / closes[max(inside)]

    # Dates

    def estimates(self, until):
        """(ex-date, pay date) of the payments expected from today to `until`, after the last known one."""
        if not self.frequency:
            return []
        dates = [p.ex_date for p in self.present]
        former = [p.ex_date for p in self.regular[:len(self.regular) - len(dates)]]
        months = None if self.frequency == "weekly" else 12 // CLASSES[self.frequency][1]
        days = estimated_dates(dates, months, until, former)
        return [(day, business_day_after(add_days(day, self.lag))) for day in days if day >= self.today]

    def next_ex_date(self):
        """(date, whether it is declared); the date is None if none is expected."""
        declared = [p.ex_date for p in self.payments if not p.special and p.ex_date >= self.today]
        if declared:
            return min(declared), True
        return next((day for day, _ in self.estimates(add_years(self.today, 3))), None), False

    def year_earlier(self, ex_date):
        """The regular payment a year before `ex_date`, or None."""
        by_date = {p.ex_date: p for p in self.regular if p.ex_date < ex_date}
        return by_date.get(nearest(by_date, add_years(ex_date, -1), SUCCESSOR_DAYS))


def near_new_year(day):
    return any(abs((day - date(year, 1, 1)).days) <= NEW_YEAR_DAYS for year in (day.year, day.year + 1))


def currency_of(rows, trading):
    """The currency of the latest regular payment, the trading currency if it is known in several."""
    regular = [row for row in rows if not row.special]
    latest = max((row.ex_date for row in regular), default=None)
    currencies = [row.currency for row in regular if row.ex_date == latest]
    return trading if trading in currencies or not currencies else currencies[0]


def one_row_per_payment(rows, currency, trading):
    """One row per ex-date and kind: the one in the history's currency, else in the trading currency, else the first."""
    chosen = {}
    preference = lambda row: (row.currency == currency, row.currency == trading)
    for row in rows:
        key = (row.ex_date, row.special)
        if key not in chosen or preference(row) > preference(chosen[key]):
            chosen[key] = row
    return list(chosen.values())


def increases(totals):
    """The number of consecutive years up to the latest that are each strictly above the year before."""
    count = 0
    while count + 1 < len(totals) and totals[-1 - count] > totals[-2 - count]:
        count += 1
    return count
