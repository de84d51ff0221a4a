"""Checks that docs/reports/ASVS.md lists every requirement once, that every test it names exists, and that its counts match its rows.

check.py: prints the problems, and exits with 1 if there are any. check.py --print: prints the counts for the report.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The level of each requirement of ASVS 5.0.0, by section: the third digit of 6.1 is the level of 6.1.3.
LEVELS = """
1.1 22  1.2 1111122223  1.3 112222222223  1.4 222  1.5 123
2.1 122  2.2 112  2.3 12223  2.4 23
3.1 3  3.2 113  3.3 12223  3.4 11222233  3.5 11122333  3.6 3  3.7 22333
4.1 12233  4.2 23333  4.3 22  4.4 1222
5.1 2  5.2 112333  5.3 113  5.4 222
6.1 122  6.2 111111112222  6.3 11223333  6.4 112233  6.5 22222333  6.6 2223  6.7 33  6.8 2222
7.1 222  7.2 1111  7.3 22  7.4 11222  7.5 223  7.6 22
8.1 1233  8.2 1123  8.3 133  8.4 23
9.1 111  9.2 1222
10.1 22  10.2 223  10.3 22223  10.4 1111122222233333  10.5 22222  10.6 22  10.7 222
11.1 2233  11.2 22233  11.3 11233  11.4 1222  11.5 23  11.6 23  11.7 33
12.1 12233  12.2 11  12.3 22223
13.1 2333  13.2 222223  13.3 2233  13.4 1222233
14.1 22  14.2 12223333  14.3 122
15.1 12233  15.2 12233  15.3 1222222  15.4 3333
16.1 2  16.2 22222  16.3 2222  16.4 222  16.5 2223
17.1 23  17.2 22223333  17.3 22
""".split()

STATES = ["met", "partly met", "not met", "does not apply"]
FOLDERS = {
    **{name: f"server/tests/{name}" for name in ("web", "api", "http", "oauth", "mcp", "nodes", "market")},
    **{name: f"app/tests/{name}" for name in ("accounts", "apps", "ledger")},
    "cli": "dripline/tests/cli",
    "store": "store/tests/contract",
    "http_client": "market/tests/http_client",
}
FILES = {"bombs": "importers/tests/bombs"}


def requirements():
    """The requirements of the first two levels in the standard's order, as (number, level)."""
    for section, levels in zip(LEVELS[::2], LEVELS[1::2]):
        for number, level in enumerate(levels, 1):
            if level != "3":
                yield f"{section}.{number}", level


REPORT = ROOT / "docs/reports/ASVS.md"
# Numbers, requirement, evidence.
LINE = re.compile(r"- (\d+\.\d+\.\d+(?:(?:–|, )\d+\.\d+\.\d+)*) .+?: (.+)")


def rows():
    """One row per requirement, as (number, state, evidence). What is met has one section per chapter, every other state one section."""
    state = "met"
    for line in REPORT.read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:].lower()
            state = heading if heading in STATES else "met"
        found = LINE.match(line)
        if found:
            for number in numbers(found[1]):
                yield number, state, found[2]


def numbers(cell):
    """The requirements that one row stands for: "1.2.6–1.2.8, 1.3.1" are four."""
    for part in cell.split(", "):
        first, _, last = part.partition("–")
        section, _, number = first.rpartition(".")
        for one in range(int(number), int((last or first).rpartition(".")[2]) + 1):
            yield f"{section}.{one}"


def source_file(path):
    """The source file for a name such as `web/headers`, `bombs` or `app/src/authentication/secret`."""
    first, _, rest = path.partition("/")
    if "/src/" in path:
        return ROOT / f"crates/{path}.rs"
    file = f"{FOLDERS[first]}/{rest}" if first in FOLDERS else FILES.get(path, path)
    return ROOT / f"crates/{file}.rs"


def is_test(name):
    path, _, test = name.partition("::")
    file = source_file(path)
    return file.is_file() and re.search(rf"#\[(tokio::)?test[^\n]*\n(\s*#[^\n]*\n)*\s*(async )?fn {test}\(", file.read_text())


def row_problems(row):
    _, state, evidence = row
    if state == "met" and not re.search(r"`|\]\(|no test$", evidence):
        yield 'a requirement that is met needs a test, a document, or the words "no test"'
    if state != "met" and (not evidence or re.match(r"`[^`]*::", evidence)):
        yield "the row does not say why"
    for name, title in re.findall(r'`([^`]+)`(?: "([^"]+)")?', evidence):
        if "::" in name:
            exists = is_test(name)
        elif title or name.startswith("e2e/"):
            exists = (ROOT / name).is_file() and title in (ROOT / name).read_text()
        else:
            continue
        if not exists:
            yield f"not found: {name} {title}".rstrip()


def counts(found):
    """One line for each level, and one for the total."""
    def line(name, part):
        by_state = {state: sum(row[1] == state for row in part) for state in STATES}
        untested = sum(row[1] == "met" and row[2].endswith("no test") for row in part)
        return "| " + " | ".join([name, str(len(part)), *(str(by_state[state]) for state in STATES), str(untested)]) + " |"

    levels = dict(requirements())
    for level in "12":
        yield line(f"Level {level}", [row for row in found if levels.get(row[0]) == level])
    yield line("**Both**", found)


def main():
    found = list(rows())
    if "--print" in sys.argv:
        print("\n".join(counts(found)))
        return 0
    problems = [f"{row[0]}: {problem}" for row in found for problem in row_problems(row)]
    expected, listed = [number for number, _ in requirements()], [row[0] for row in found]
    if sorted(listed) != sorted(expected):
        missing, unknown = sorted(set(expected) - set(listed)), sorted(set(listed) - set(expected))
        problems.append(f"the rows do not match the standard: missing {missing}, unknown {unknown}, or listed twice")
    report = REPORT.read_text().splitlines()
    problems += [f"the counts lack the line {line}" for line in counts(found) if line not in report]
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"{len(found)} requirements, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
