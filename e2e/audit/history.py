"""A stock's dividend history and the figures derived from it alone (docs/develop/SPEC.md, Stocks).

Everything here is per share, split-adjusted, in the trading currency. Rows dated in the future are declared payments
and part of the history.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from dates import add_days, add_years, median, month_end, month_ends
from money import to_decimal

# class: (largest median gap, payments per year, nominal gap), in days
CLASSES = {
    "weekly": (10, 52, 7),
    "monthly": (45, 12, 30),
    "quarterly": (135, 4, 91),
    "semi_annual": (270, 2, 182),
    "annual": (430, 1, 365),
}
DEFAULT_LAG = 21

# A payer that has stopped has no frequency; by this interpretation it has no payment months either.
STOPPED_KEEPS_PAYMENT_MONTHS = False


def class_of_gap(days):
    return next((name for name, (most, _, _) in CLASSES.items() if days <= most), None)


@dataclass(frozen=True)
class Payment:
    ex_date: date
    pay_date: date
    amount: Fraction  # split-adjusted
    as_paid: Fraction
    special: bool


class History:
    def __init__(self, stock, rows, splits, fx, today):
        self.stock, self.today = stock, today
        self.splits = [(day, ratio) for day, ratio in splits if day <= today]
        kept = list(converted(stock.currency, rows, fx, today))
        lags = [(row.pay_date - row.ex_date).days for row, _ in kept if row.pay_date and not row.special]
        self.lag = int(median(lags)) if lags else DEFAULT_LAG
        self.payments = sorted((self.payment(*pair) for pair in kept), key=lambda p: (p.ex_date, p.special))
        self.regular = [p for p in self.payments if not p.special]
        self.payment_class = self.classify()
        self.stopped = self.has_stopped()

    def payment(self, row, amount):
        adjusted = amount
        for day, ratio in self.splits:
            if row.ex_date < day:
                adjusted /= ratio
        return Payment(row.ex_date, row.pay_date or add_days(row.ex_date, self.lag), adjusted, amount, row.special)

    # Frequency

    def classify(self):
        recent = [p.ex_date for p in self.regular if p.ex_date >= add_years(self.today, -3)][-8:]
        if len(recent) < 2:
            return None
        single = class_of_gap(median([(later - earlier).days for earlier, later in zip(recent, recent[1:])]))
        if len(recent) < 3:
            return single
        # Interim and final payments with alternating gaps are regular over two payments; the number of payments in the year
        # up to the last one (less a fortnight) must confirm it.
        paired = class_of_gap(median([(later - earlier).days for earlier, later in zip(recent, recent[2:])]) / 2)
        last_year_count = sum((recent[-1] - day).days < 350 for day in recent)
        return paired if paired and last_year_count == CLASSES[paired][1] else single

    def has_stopped(self):
        if not self.regular:
            return False
        nominal = CLASSES[self.payment_class or "annual"][2]
        days_since_payment = (self.today - self.regular[-1].ex_date).days
        return days_since_payment > Fraction(3, 2) * nominal + 30

    @property
    def frequency(self):
        return None if self.stopped else self.payment_class

    @property
    def per_year(self):
        return CLASSES[self.payment_class][1] if self.payment_class else None

    @property
    def nominal_gap(self):
        return CLASSES[self.payment_class][2] if self.payment_class else None

    def payment_months(self):
        if not self.payment_class or (self.stopped and not STOPPED_KEEPS_PAYMENT_MONTHS):
            return []
        return sorted({p.pay_date.month for p in self.regular[-self.per_year:]})

    # Forward annual rate

    def forward_rate(self):
        """None if unknown, 0 for a payer that has stopped."""
        if self.stopped:
            return Fraction(0)
        provider = self.stock.forward_rate if self.stock.forward_rate and self.stock.forward_rate > 0 else None
        own = self.history_rate()
        if own is None:
            return provider
        if provider is not None and abs(provider - own) <= own / 2:
            return provider
        return own

    def history_rate(self):
        if not self.payment_class:
            return None
        last_year = [p.amount for p in self.regular[-self.per_year:]]
        uneven = max(last_year) > Fraction(13, 10) * min(last_year)
        if uneven or self.payment_class in ("semi_annual", "annual"):
            return sum(last_year) / len(last_year) * self.per_year
        return last_year[-1] * self.per_year

    # Yearly totals

    def complete_years(self):
        """Totals of the complete years by pay year, oldest first, without a gap."""
        by_year = {}
        for payment in self.regular:
            by_year.setdefault(payment.pay_date.year, []).append(payment.amount)
        if not by_year:
            return []
        first = min(by_year)
        if not (self.per_year and len(by_year[first]) >= self.per_year):
            first += 1
        return [self.year_total(by_year.get(year, [])) for year in range(first, self.today.year)]

    def year_total(self, amounts):
        if amounts and self.per_year and len(amounts) != self.per_year:
            return sum(amounts) / len(amounts) * self.per_year
        return sum(amounts, Fraction(0))

    def streak(self):
        totals = self.complete_years()
        return increases(totals) if len(totals) >= 2 else None

    def cagr(self, years):
        totals = self.complete_years()
        if len(totals) < years + 1 or not totals[-1] or not totals[-1 - years]:
            return None
        return to_decimal(totals[-1] / totals[-1 - years]) ** (to_decimal(1) / years) - 1

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
        if not inside or not self.regular:
            return None
        start = add_years(end, -1)
        paid = [p.amount for p in self.regular if start < p.ex_date <= end]
        reaches_before_history = add_days(start, 1) < self.regular[0].ex_date
        if reaches_before_history and not (self.per_year and len(paid) >= self.per_year):
            return None
        return sum(paid, Fraction(0)) / closes[max(inside)]

    # Dates

    def ex_dividend_date(self):
        dates = [p.ex_date for p in self.payments]
        coming = [day for day in dates if day >= self.today]
        return min(coming) if coming else max(dates, default=None)


def converted(currency, rows, fx, today):
    """Each row with its amount in the trading currency; a row without a rate is left out."""
    chosen = {}
    for row in rows:
        key = (row.ex_date, row.special)
        if key not in chosen or row.currency == currency:
            chosen[key] = row
    for row in chosen.values():
        rate = fx.cross(row.currency, currency, min(row.ex_date, today))
        if rate is not None:
            yield row, row.amount * rate


def increases(totals):
    """The number of consecutive years up to the latest that are each strictly above the year before."""
    count = 0
    while count + 1 < len(totals) and totals[-1 - count] > totals[-2 - count]:
        count += 1
    return count
