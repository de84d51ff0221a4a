"""Calendar arithmetic. A day that does not exist in the target month becomes that month's last day.

A business day is Monday to Friday, except 1 January and 25 December."""

import calendar
from datetime import date, timedelta


def add_months(day, months):
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def add_years(day, years):
    return add_months(day, 12 * years)


def add_days(day, days):
    return day + timedelta(days=days)


def month_ends(today, count):
    """The last `count` month-ends on or before `today`, newest first."""
    next_day = today + timedelta(days=1)
    end = next_day.replace(day=1) - timedelta(days=1)
    return [month_end(add_months(end.replace(day=1), -back)) for back in range(count)]


def month_end(day):
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def nearest(days, target, most):
    """The day nearest to `target`, at most `most` days off, the earlier one on a tie; None without one."""
    within = [day for day in days if abs((day - target).days) <= most]
    return min(within, key=lambda day: (abs((day - target).days), day), default=None)


# Business days

def is_business_day(day):
    return day.weekday() < 5 and (day.month, day.day) not in ((1, 1), (12, 25))


def business_day_before(day):
    """`day` itself if it is a business day, else the last one before it."""
    while not is_business_day(day):
        day = add_days(day, -1)
    return day


def business_day_after(day):
    """`day` itself if it is a business day, else the first one after it."""
    while not is_business_day(day):
        day = add_days(day, 1)
    return day


def business_days(month):
    """The business days of the month that `month` lies in."""
    first = month.replace(day=1)
    days = [add_days(first, n) for n in range(month_end(month).day)]
    return [day for day in days if is_business_day(day)]


def same_business_day(day, month):
    """The business day of `month` with the number that `day` has in its own month, counted from the start."""
    number = max(sum(d <= day for d in business_days(day)), 1)
    days = business_days(month)
    return days[min(number, len(days)) - 1]


def same_business_day_from_end(day, month):
    number = max(sum(d >= day for d in business_days(day)), 1)
    days = business_days(month)
    return days[-min(number, len(days))]


def same_weekday(day, month):
    """The weekday of `day` in `month`, with the same number (third Friday), or the fourth if there is no fifth."""
    first = month.replace(day=1)
    days = [d for d in (add_days(first, n) for n in range(month_end(month).day)) if d.weekday() == day.weekday()]
    return days[min((day.day - 1) // 7, len(days) - 1)]


def third_friday(month):
    first = month.replace(day=1)
    return add_days(first, (4 - first.weekday()) % 7 + 14)


def same_distance_from_third_friday(day, month):
    """As many days before or after the third Friday of `month` as `day` is in its own month."""
    return add_days(third_friday(month), (day - third_friday(day)).days)
