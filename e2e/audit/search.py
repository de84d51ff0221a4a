"""Search ranking (decisions.md, section 7).

The classes up to "substring" are settled by the text and must match exactly. Which part of a stock a typo is measured
against is not, so the entries after them need only be within reach of one.
"""

import re
import unicodedata

MOST_RESULTS = 10


def sure_matches(query, stocks, watched):
    """The stocks that match without a typo, best first."""
    wanted, ranked = fold(query.strip()), []
    # A query that starts with a sign can only mean a symbol.
    words = fold_words(query) if re.match(r"\w", wanted) else ""
    for stock in stocks:
        place = match_class(wanted, words, fold(stock.symbol), fold_words(stock.name or ""))
        if place is not None:
            ranked.append((place, not watched(stock.symbol), len(stock.symbol), stock.symbol, stock))
    return [row[-1] for row in sorted(ranked, key=lambda row: row[:-1])][:MOST_RESULTS]


def match_class(wanted, words, symbol, name):
    named = bool(words)
    tests = (
        symbol == wanted,
        symbol.startswith(wanted),
        named and name.startswith(words),
        named and any(name.startswith(words, word.start()) for word in re.finditer(r"\w+", name)),
        named and words in name or wanted in symbol,
    )
    return next((place for place, matches in enumerate(tests) if matches), None)


def within_a_typo(query, stock):
    """Whether the stock is near enough to follow as a typo of its symbol, its name, a word, or the start of one."""
    wanted = fold(query.strip())
    allowed = 2 if len(wanted) >= 8 else 1
    name = fold(stock.name or "")
    starts = [name[word.start():] for word in re.finditer(r"\w+", name)]
    for text in [fold(stock.symbol), *starts]:
        for size in range(len(wanted) - allowed, len(wanted) + allowed + 1):
            if distance(wanted, text[:max(size, 0)]) <= allowed:
                return True
    return any(distance(wanted, fold(text)) <= allowed for text in re.findall(r"\w+", name))


def distance(a, b):
    """Edits between two words; two neighbours swapped count as one."""
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


def fold_words(text):
    """A name as its words, one space between them: signs part words, apostrophes do not."""
    return " ".join(re.findall(r"\w+", re.sub(r"['’ʼ`]", "", fold(text))))


def fold(text):
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
