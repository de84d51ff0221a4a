"""Search ranking (docs/develop/SPEC.md, Search).

The specification defines the classes up to "substring", which must match exactly. It does not say which part of a stock a typo is
measured against, so the results after them need only be within a typo.
"""

import re
import unicodedata
from functools import cache

RESULTS_MAX = 10


def exact_matches(query, stocks, watched):
    """The stocks that match without a typo, best first."""
    target, ranked = normalize_text(query.strip()), []
    # A query that starts with punctuation can only mean a symbol.
    words = normalize_words(query) if re.match(r"\w", target) else ""
    for stock in stocks:
        rank = match_class(target, words, normalize_text(stock.symbol), normalize_words(stock.name or ""))
        if rank is not None:
            ranked.append((rank, not watched(stock.symbol), len(stock.symbol), stock.symbol, stock))
    return [row[-1] for row in sorted(ranked, key=lambda row: row[:-1])][:RESULTS_MAX]


def match_class(target, words, symbol, name):
    by_name = bool(words)
    # Every class contains the query; most stocks do not.
    if target not in symbol and not (by_name and words in name):
        return None
    tests = (
        symbol == target,
        symbol.startswith(target),
        by_name and name.startswith(words),
        by_name and any(name.startswith(words, word.start()) for word in re.finditer(r"\w+", name)),
        by_name and words in name or target in symbol,
    )
    return next((rank for rank, matches in enumerate(tests) if matches), None)


def within_a_typo(query, stock):
    """Whether the query is within a typo of the stock's symbol, its name, a word, or the start of one."""
    target = normalize_text(query.strip())
    allowed = 2 if len(target) >= 8 else 1
    names = normalize_text(stock.name or ""), normalize_words(stock.name or "")
    starts = [name[word.start():] for name in names for word in re.finditer(r"\w+", name)]
    for text in [normalize_text(stock.symbol), *starts]:
        for size in range(len(target) - allowed, len(target) + allowed + 1):
            if distance(target, text[:max(size, 0)]) <= allowed:
                return True
    return any(distance(target, text) <= allowed for name in names for text in re.findall(r"\w+", name))


def distance(a, b):
    """The edit distance between two words; swapping two neighbours counts as one edit."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[i - 2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


@cache
def normalize_words(text):
    """A name as its words, separated by single spaces: punctuation separates words, apostrophes do not."""
    return " ".join(re.findall(r"\w+", re.sub(r"['’ʼ`]", "", normalize_text(text))))


@cache
def normalize_text(text):
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
