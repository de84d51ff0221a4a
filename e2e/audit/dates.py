"""Calendar arithmetic. A day that does not exist in the target month becomes that month's last day."""

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
