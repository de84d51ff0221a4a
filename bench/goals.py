"""The performance goals, and whether a run's figures meet them."""
import dataclasses


@dataclasses.dataclass
class Goal:
    key: str
    work: str
    goal: str
    limit: float
    unit: str = "× nginx"
    at_least: bool = False


GOALS = [
    Goal("304", "authenticated 304, embedded database", "≤ 1.2 × nginx's CPU per static 304", 1.2),
    Goal("200", "authenticated 200 from the cache, embedded database", "≤ 1.1 × nginx's CPU per static 200 of the same size", 1.1),
    Goal("304 PostgreSQL", "authenticated 304, PostgreSQL, node and database", "≤ 2.6 × nginx", 2.6),
    Goal("200 PostgreSQL", "authenticated 200 from the cache, PostgreSQL, node and database", "≤ 2.6 × nginx", 2.6),
    Goal("calendar", "anonymous `/calendar`", "≤ 1.3 × nginx", 1.3),
    Goal("stock", "anonymous `/stocks/{symbol}`", "≤ 1.3 × nginx", 1.3),
    Goal("bad token", "token with a wrong checksum", "≤ 1.1 × nginx's 304", 1.1),
    Goal("bad token database", "PostgreSQL's CPU for a token with a wrong checksum", "none", 0.5, "µs of PostgreSQL"),
    Goal("cold", "cold `/income`, 40 positions, 2,000 transactions", "≤ 80 µs CPU", 80, "µs"),
    Goal("cold long", "cold `/income` with 20,000 transactions, compared with 2,000", "the same (≤ ×1.1)", 1.1, "× 2,000 transactions"),
    Goal("cold linear", "CPU per additional position between 160 and 300, compared with between 10 and 160", "≤ ×1.2", 1.2, "× a position"),
    Goal("write", "one transaction entered in the form in an account of 15,000", "≤ 1 ms without the commit", 1_000, "µs without the commit"),
    Goal("memory", "memory with 112,144 symbols and 1,000 active users", "≤ 40 MB", 40, "MB"),
    Goal("tokens", "additional memory after 100,000 tokens were used", "≤ 10 MB", 10, "MB"),
    Goal("start", "first response after exec, 100,000 users", "≤ 50 ms", 50, "ms"),
    Goal("users", "304 with the most users, compared with 1,000", "flat (≤ ×1.1)", 1.1, "× 1,000 users"),
    Goal("users cold", "first request of a user with the most users, compared with 1,000", "flat (≤ ×1.1)", 1.1, "× 1,000 users"),
    Goal("warm", "response from memory with 15,000 transactions, compared with 1,500", "constant (≤ ×1.1)", 1.1, "× 1,500 transactions"),
    Goal("parsed", "import, only planned (`--dry-run`)", "≥ 100,000 rows/s", 100_000, "rows/s", True),
    Goal("stored", "import, stored in the embedded database", "≥ 30,000 rows/s", 30_000, "rows/s", True),
    Goal("stale", "stale responses after a token was revoked or a transaction added, both databases", "none", 0, "of all attempts"),
    Goal("search", "search over 112,144 symbols, p99 of the slowest of ten kinds of queries", "≤ 200 µs in the process", 200, "µs"),
    Goal("others", "requests/s compared with Wealthfolio and Ghostfolio", "≥ 200 × and ≥ 10,000 × theirs", 1, "", True),
]


def table(figures):
    rows = ["| Work | Goal | Measured | |", "|---|---|---:|---|"]
    for goal in GOALS:
        value = figures.get(goal.key)
        measured = "–" if value is None else f"{format_number(value)} {goal.unit}"
        rows.append(f"| {goal.work} | {goal.goal} | {measured} | {verdict(goal, value)} |")
    return rows


def format_number(value):
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def verdict(goal, value):
    if value is None:
        return "not measured"
    return "met" if (value >= goal.limit if goal.at_least else value <= goal.limit) else "**not met**"
