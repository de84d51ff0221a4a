"""Estimated ex-dates: thirteen rules, and the one nearest on the stock's own payments, or a vote (docs/develop/SPEC.md, Upcoming
and calendar)."""

from datetime import date
from fractions import Fraction
from math import floor

from dates import (add_days, add_months, add_years, business_day_before, median, nearest, same_business_day,
                   same_business_day_from_end, same_distance_from_third_friday, same_weekday)

JUDGED = 8  # payments that a rule is judged on
GAPS = 8  # gaps that count
EARLIER_MIN = 2  # payments before one that is judged
TOLERATED = (0, 1, 3, 7)  # days off; each that an estimate exceeds costs a point
POINTS_NOT_JUDGED = Fraction(3, 2)  # of a rule that could not estimate any payment
POINTS_NEAR = Fraction(3, 4)  # of a rule that is followed without a vote
AGREEMENT = ((1, 5), (3, 4), (7, 3))  # (days apart at most, what a vote for one day counts for another)
REFERENCE_DAYS_MIN = 3
SAME_PAYMENT_DAYS = 20
MEDIAN_OF = 3  # payments


def recent_gaps(dates):
    recent = dates[-GAPS - 1:]
    return [(later - earlier).days for earlier, later in zip(recent, recent[1:])]


def reference_payment(dates, former=()):
    """The payment that followed the one a year before the last; None if there is none near enough. `former` are the payments
    before the present rhythm."""
    gaps = recent_gaps(dates)
    if not gaps:
        return None
    year_before = add_days(dates[-1], -365)
    least = max(Fraction(min(gaps), 2), REFERENCE_DAYS_MIN)
    day = next(d for d in [*former, *dates] if (d - year_before).days > least)
    return day if (day - year_before).days <= Fraction(3, 2) * max(gaps) else None


def median_day(days):
    return date.fromordinal(floor(median([day.toordinal() for day in days])))


class YearAfterReference:
    """Continues from its own estimates."""

    def __init__(self, same_day):
        self.same_day = same_day

    def estimate(self, dates, step, months, former):
        reference = reference_payment(dates, former)
        return reference and self.same_day(reference)


class MedianOfYears:
    def estimate(self, dates, step, months, former):
        reference = reference_payment(dates, former)
        if not reference:
            return None
        known = [*former, *dates]
        same = [(years, nearest(known, add_years(reference, -years), SAME_PAYMENT_DAYS)) for years in range(MEDIAN_OF)]
        return median_day([add_years(day, years + 1) for years, day in same if day])


class MonthsAfterLast:
    """`step` times the usual months after the last known payment."""

    def __init__(self, same_day):
        self.same_day = same_day

    def estimate(self, dates, step, months, former):
        last = dates[-step]
        return self.same_day(last, add_months(last.replace(day=1), months * step))


class MedianOfMonths:
    """From each of the last known payments."""

    def estimate(self, dates, step, months, former):
        known = dates[:len(dates) - step + 1]
        last = list(enumerate(reversed(known[-MEDIAN_OF:])))
        return median_day([add_months(day, months * (step + back)) for back, day in last])


class GapsAfterLast:
    def estimate(self, dates, step, months, former):
        known = dates[:len(dates) - step + 1]
        gaps = recent_gaps(known)
        return add_days(known[-1], int(median(gaps)) * step) if gaps else None


def a_year_on(same_day):
    return YearAfterReference(lambda day: same_day(day, add_months(day.replace(day=1), 12)))


def same_date(day, month):
    return add_months(day, (month.year - day.year) * 12 + month.month - day.month)


# In the order that decides a tie.
RULES = {
    "year, end": a_year_on(same_business_day_from_end),
    "year, start": a_year_on(same_business_day),
    "year, date": YearAfterReference(lambda day: add_years(day, 1)),
    "364 days": YearAfterReference(lambda day: add_days(day, 364)),
    "year, weekday": a_year_on(same_weekday),
    "months, end": MonthsAfterLast(same_business_day_from_end),
    "months, start": MonthsAfterLast(same_business_day),
    "gap": GapsAfterLast(),
    "year, third Friday": a_year_on(same_distance_from_third_friday),
    "months, third Friday": MonthsAfterLast(same_distance_from_third_friday),
    "year, median": MedianOfYears(),
    "months, median": MedianOfMonths(),
    "months, date": MonthsAfterLast(same_date),
}


def predict(rule, dates, months, step=1, former=()):
    """The `step`-th estimate, later than all `dates`, or None; the last `step` - 1 of `dates` are the estimates before it."""
    day = RULES[rule].estimate(dates, step, months, former)
    day = day and business_day_before(day)
    return day if day and day > dates[-1] else None


def ranked_rules(dates, months, former=()):
    """The rules that estimate the next payment, best first: by the mean of their points, then in order; if that of the first
    is not near, by the votes for their estimate before all. `months` is the usual number between two payments, None for a
    weekly payer."""
    if months is None:
        return ["gap"]
    estimates = {rule: predict(rule, dates, months, former=former) for rule in RULES}
    means = {rule: mean_points(rule, dates, months, former) for rule, day in estimates.items() if day}
    ranked = sorted(means, key=means.get)

    def votes(rule):
        return sum(floor(1000 / (1 + mean) ** 2) * agreement(estimates[other], estimates[rule]) for other, mean in means.items())

    return ranked if means[ranked[0]] <= POINTS_NEAR else sorted(ranked, key=votes, reverse=True)


def agreement(day, other):
    apart = abs((day - other).days)
    return next((count for most, count in AGREEMENT if apart <= most), 0)


def mean_points(rule, dates, months, former=()):
    points, weights = judge(rule, dates, months, former)
    return Fraction(points, weights) if weights else POINTS_NOT_JUDGED


def judge(rule, dates, months, former=()):
    """(weighted points, sum of weights) on the last payments that the rule can estimate from those before."""
    points = weights = 0
    for back in range(JUDGED):
        index = len(dates) - 1 - back
        estimate = predict(rule, dates[:index], months, former=former) if index >= EARLIER_MIN else None
        if estimate:
            weight = JUDGED - back
            points += weight * points_for(abs((estimate - dates[index]).days))
            weights += weight
    return points, weights


def points_for(days_off):
    return sum(days_off > days for days in TOLERATED)


def estimated_dates(dates, months, until, former=()):
    """The ex-dates expected after the last of `dates`, up to `until`."""
    rules, expected = ranked_rules(dates, months, former), list(dates)
    while True:
        step = len(expected) - len(dates) + 1
        candidates = (predict(rule, expected, months, step, former) for rule in rules)
        day = next(filter(None, candidates), None)
        if day is None or day > until:
            return expected[len(dates):]
        expected.append(day)
