"""Estimated ex-dates: candidate rules, and the one nearest on the stock's own payments (docs/develop/SPEC.md, Upcoming)."""

from fractions import Fraction

from dates import (add_days, add_months, add_years, business_day_before, median, same_business_day,
                   same_business_day_from_end, same_weekday)

JUDGED = 8  # payments that a rule is judged on
GAPS_OF = 8  # ex-dates whose gaps count


def a_year_on(rule):
    """A rule that starts from the payment of a year ago, `per_year` before the one to predict."""
    return lambda dates, per_year: rule(dates[-per_year]) if len(dates) >= per_year else None


def a_month_on(rule):
    return lambda dates, per_year: rule(dates[-1], add_months(dates[-1].replace(day=1), 1)) if dates else None


def a_gap_on(dates, per_year):
    recent = dates[-GAPS_OF:]
    if len(recent) < 2:
        return None
    return add_days(dates[-1], int(median([(later - earlier).days for earlier, later in zip(recent, recent[1:])])))


def next_years_month(day):
    return add_months(day.replace(day=1), 12)


# In the order that decides a tie.
RULES = {
    "year": a_year_on(lambda day: add_years(day, 1)),
    "364": a_year_on(lambda day: add_days(day, 364)),
    "weekday": a_year_on(lambda day: same_weekday(day, next_years_month(day))),
    "start": a_year_on(lambda day: same_business_day(day, next_years_month(day))),
    "end": a_year_on(lambda day: same_business_day_from_end(day, next_years_month(day))),
    "next_start": a_month_on(same_business_day),
    "next_end": a_month_on(same_business_day_from_end),
    "gap": a_gap_on,
}
MONTHLY_ONLY = ("next_start", "next_end")


def predict(rule, dates, per_year):
    day = RULES[rule](dates, per_year)
    return None if day is None else business_day_before(day)


def ranked_rules(dates, per_year, monthly):
    """The rules, best first: by the mean of the days they were off, then by how often they were tested; untested ones last."""
    names = [name for name in RULES if monthly or name not in MONTHLY_ONLY]
    errors = {name: days_off(name, dates, per_year) for name in names}

    def rank(name):
        tested = len(errors[name])
        return not tested, Fraction(sum(errors[name]), tested or 1), -tested, names.index(name)

    return sorted(names, key=rank)


def days_off(rule, dates, per_year):
    """How far the rule was off on each of the last payments that it can predict from those before."""
    errors = []
    for index in range(max(len(dates) - JUDGED, 0), len(dates)):
        predicted = predict(rule, dates[:index], per_year)
        if predicted is not None:
            errors.append(abs((predicted - dates[index]).days))
    return errors


def estimated_dates(dates, per_year, monthly, nominal_gap, until):
    """The ex-dates expected after the last of `dates`, up to `until`."""
    rules, known = ranked_rules(dates, per_year, monthly), list(dates)
    while True:
        candidates = (predict(rule, known, per_year) for rule in rules)
        day = next((d for d in candidates if d and 2 * (d - known[-1]).days >= nominal_gap), None)
        if day is None or day > until:
            return known[len(dates):]
        known.append(day)
