"""Estimated ex-dates: ten rules, and the one nearest on the stock's own payments (docs/develop/SPEC.md, Upcoming and calendar)."""

from fractions import Fraction

from dates import (add_days, add_months, add_years, business_day_before, median, same_business_day,
                   same_business_day_from_end, same_distance_from_third_friday, same_weekday)

JUDGED = 8  # payments that a rule is judged on
GAPS = 8  # gaps that count
EARLIER_MIN = 2  # payments before one that is judged
TOLERATED = (0, 1, 3, 7)  # days off; each that an estimate exceeds costs a point
POINTS_NOT_JUDGED = Fraction(3, 2)  # of a rule that could not estimate any payment
REFERENCE_DAYS_MIN = 3


def recent_gaps(dates):
    recent = dates[-GAPS - 1:]
    return [(later - earlier).days for earlier, later in zip(recent, recent[1:])]


def reference_payment(dates):
    """The payment that followed the one a year before the last; None if there is none near enough."""
    gaps = recent_gaps(dates)
    if not gaps:
        return None
    year_before = add_days(dates[-1], -365)
    day = next(d for d in dates if (d - year_before).days > max(Fraction(min(gaps), 2), REFERENCE_DAYS_MIN))
    return day if (day - year_before).days <= Fraction(3, 2) * max(gaps) else None


class YearAfterReference:
    """Continues from its own estimates."""

    def __init__(self, same_day):
        self.same_day = same_day

    def estimate(self, dates, step, months):
        reference = reference_payment(dates)
        return reference and self.same_day(reference)


class MonthsAfterLast:
    """`step` times the usual months after the last known payment."""

    def __init__(self, same_day):
        self.same_day = same_day

    def estimate(self, dates, step, months):
        last = dates[-step]
        return self.same_day(last, add_months(last.replace(day=1), months * step))


class GapsAfterLast:
    def estimate(self, dates, step, months):
        known = dates[:len(dates) - step + 1]
        gaps = recent_gaps(known)
        return add_days(known[-1], int(median(gaps)) * step) if gaps else None


def a_year_on(same_day):
    return YearAfterReference(lambda day: same_day(day, add_months(day.replace(day=1), 12)))


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
}


def predict(rule, dates, months, step=1):
    """The `step`-th estimate, later than all `dates`, or None; the last `step` - 1 of `dates` are the estimates before it."""
    day = RULES[rule].estimate(dates, step, months)
    day = day and business_day_before(day)
    return day if day and day > dates[-1] else None


def ranked_rules(dates, months):
    """The rules that estimate the next payment, best first: by the weighted mean of their points, then in order.
    `months` is the usual number between two payments, None for a weekly payer."""
    if months is None:
        return ["gap"]

    def mean(rule):
        points, weights = judge(rule, dates, months)
        return Fraction(points, weights) if weights else POINTS_NOT_JUDGED

    return sorted((rule for rule in RULES if predict(rule, dates, months)), key=mean)


def judge(rule, dates, months):
    """(weighted points, sum of weights) on the last payments that the rule can estimate from those before."""
    points = weights = 0
    for back in range(JUDGED):
        index = len(dates) - 1 - back
        estimate = predict(rule, dates[:index], months) if index >= EARLIER_MIN else None
        if estimate:
            weight = JUDGED - back
            points += weight * points_for(abs((estimate - dates[index]).days))
            weights += weight
    return points, weights


def points_for(days_off):
    return sum(days_off > days for days in TOLERATED)


def estimated_dates(dates, months, until):
    """The ex-dates expected after the last of `dates`, up to `until`."""
    rules, expected = ranked_rules(dates, months), list(dates)
    while True:
        step = len(expected) - len(dates) + 1
        candidates = (predict(rule, expected, months, step) for rule in rules)
        day = next(filter(None, candidates), None)
        if day is None or day > until:
            return expected[len(dates):]
        expected.append(day)
