"""The facts built into the program, read from its data files (crates/reference/README.md describes the format)."""

import zlib
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent.parent / "crates" / "reference" / "data"


@cache
def rates():
    """(day, currency, units per euro), for every published rate."""
    index, packed = (DATA / "rates.z").read_bytes().split(b"\n", 1)
    columns = {}
    for column in index.decode().split(" "):
        name, length = column.split(":")
        columns[name], packed = zlib.decompress(packed[:int(length)]), packed[int(length):]
    days = [date.fromisoformat(day) for day in columns.pop("days").decode().split("\n")]
    found = []
    for column, data in columns.items():
        currency, decimals = column.split("/")
        rate = 0
        for place, day in enumerate(days):
            number = int.from_bytes(data[place::len(days)], "little")
            rate += number // 2 if number % 2 else -number // 2
            if number:
                found.append((day, currency, Fraction(rate, 10 ** int(decimals))))
    return found


@cache
def listings():
    """{symbol: (name, exchange, type)}"""
    lines = zlib.decompress((DATA / "listings.z").read_bytes()).decode().split("\n")
    count, tables, numbers, texts = int(lines[0]), lines[1:6], lines[6:12], lines[12:]
    values = lambda column: [tables[column].split("\t")[ord(number) - ord("!")] for number in numbers[column]]
    symbols, names = texts[:count], texts[2 * count:3 * count]
    return dict(zip(symbols, zip(names, values(0), values(4))))
