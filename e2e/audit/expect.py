"""Expected values that are not compared by plain equality, and the field-by-field comparison itself."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

ABSENT = type("Absent", (), {"__repr__": lambda self: "(absent)"})()
ANY = type("Any", (), {"__repr__": lambda self: "(any)"})()


@dataclass(frozen=True)
class Rate:
    """A rate sent as a double: equal within a relative 1e-9 (near zero, within what a double subtraction can lose)."""

    value: Decimal

    @classmethod
    def of(cls, value):
        return None if value is None else cls(value)

    def accepts(self, got):
        if isinstance(got, bool) or not isinstance(got, (int, Decimal)):
            return False
        return abs(Decimal(got) - self.value) <= max(abs(self.value) * Decimal("1e-9"), Decimal("1e-14"))


@dataclass(frozen=True)
class OneOf:
    """Both ways to round a quotient that lies exactly between them."""

    values: tuple

    def accepts(self, got):
        return got in self.values


@dataclass(frozen=True)
class Instant:
    """A point in time, in any notation of UTC."""

    value: datetime | None

    def accepts(self, got):
        if self.value is None or not isinstance(got, str):
            return self.value is None and got is None
        try:
            return datetime.fromisoformat(got.replace("Z", "+00:00")) == self.value
        except (ValueError, TypeError):
            return False


@dataclass(frozen=True)
class Reasons:
    """The reasons of a safety level, by code and state, in any order. Their messages are words for people."""

    value: frozenset

    def accepts(self, got):
        try:
            return len(got) == len(self.value) and {(reason["code"], reason["state"]) for reason in got} == self.value
        except (TypeError, KeyError):
            return False


@dataclass(frozen=True)
class Codes:
    """Notices by code, in any order. Their messages are words for people."""

    value: tuple

    def accepts(self, got):
        try:
            return sorted(notice["code"] for notice in got) == sorted(self.value) and all(notice["message"] for notice in got)
        except (TypeError, KeyError):
            return False


@dataclass(frozen=True)
class Difference:
    path: str
    expected: object
    got: object

    def __str__(self):
        return f"{self.path}: expected {show(self.expected)}, got {show(self.got)}"


def compare(path, expected, got):
    """(number of values compared, differences). Fields the specification does not name are ignored."""
    if isinstance(expected, dict):
        return compare_fields(path, expected, got)
    if isinstance(expected, list):
        return compare_items(path, expected, got)
    return 1, [] if same(expected, got) else [Difference(path, expected, got)]


def compare_fields(path, expected, got):
    if not isinstance(got, dict):
        return 1, [Difference(path, expected, got)]
    count, differences = 0, []
    for key, value in expected.items():
        more, found = compare(f"{path}.{key}" if path else key, value, got.get(key, ABSENT))
        count, differences = count + more, differences + found
    return count, differences


def compare_items(path, expected, got):
    if not isinstance(got, list):
        return 1, [Difference(path, expected, got)]
    expected_rows, found = by_label(expected), by_label(got)
    count, differences = 1, list_differences(path, list(expected_rows), list(found))
    for index, (label, row) in enumerate(expected_rows.items()):
        if label in found:
            name = label[0] if isinstance(row, dict) else ""
            more, nested = compare(f"{path}[{index}{' ' + name if name else ''}]", row, found[label])
            count, differences = count + more, differences + nested
    return count, differences


def list_differences(path, expected_rows, found):
    """Reports a missing, surplus or misplaced row once, not as a shift of all rows after it."""
    differences = [Difference(f"{path}[]", label[0], ABSENT) for label in expected_rows if label not in found]
    differences += [Difference(f"{path}[]", ABSENT, label[0]) for label in found if label not in expected_rows]
    common_found = [label for label in found if label in expected_rows]
    common_wanted = [label for label in expected_rows if label in found]
    if common_found != common_wanted:
        differences.append(Difference(f"{path}[] order", [l[0] for l in common_wanted], [l[0] for l in common_found]))
    return differences


def by_label(items):
    """Rows by label and the number of earlier rows with the same label."""
    seen, rows = Counter(), {}
    for label, item in zip(labels(items), items):
        rows[label, seen[label]] = item
        seen[label] += 1
    return rows


def labels(items):
    keys = ("symbol", "portfolio", "date", "ex_dividend_date", "month", "year_offset")
    return [" ".join(str(i[k]) for k in keys if i.get(k) not in (None, ABSENT)) if isinstance(i, dict) else str(i)
            for i in items]


def same(expected, got):
    if expected is ANY:
        return got is not ABSENT
    if hasattr(expected, "accepts"):
        return expected.accepts(got)
    if expected is None or expected is ABSENT or isinstance(expected, (bool, str)):
        return type(got) is type(expected) and got == expected
    return isinstance(got, (int, Decimal)) and not isinstance(got, bool) and got == expected


def show(value):
    if isinstance(value, Rate):
        return str(float(value.value))
    if isinstance(value, OneOf):
        return " or ".join(value.values)
    if isinstance(value, Instant):
        return str(value.value)
    if isinstance(value, Codes):
        return ", ".join(sorted(value.value)) or "none"
    if isinstance(value, Reasons):
        return ", ".join(f"{code} {state}" for code, state in sorted(value.value)) or "no reasons"
    return str(value) if isinstance(value, Decimal) else repr(value)
