"""The connection to the database is lost at the very COMMIT: nobody knows whether it holds, and trying again is safe."""

import collections
import csv
import io
import json
import re

from account import BUSY, PASSWORD
from check import check, check_none, equal, test
from client import Client
from cutter import ANSWERED, BEFORE, MODES, Cutter
from postgres import url
from writer import Session, Writer, check_ledger

USER = "cut@example.com"
ROWS = 6
# A node also writes for itself now and then.
ENTERS = re.compile(rb"\bINSERT\s+INTO\s+entries\b", re.IGNORECASE)


@test("an import that is cut off at its COMMIT and tried again leaves every entry exactly once")
def imports(world):
    world.command("user", "add", USER, "--currency", "EUR")
    cutter = Cutter(world.primary.port)
    world.stack.callback(cutter.stop)
    through = {"DRIPLINE_DATABASE_URL": url(port=cutter.port)}
    expected, outcomes = collections.Counter(), collections.Counter()
    commits = counted(world, cutter, through, expected)
    for turn in range(1, world.length(20, 500) + 1):
        mode, at = MODES[turn % 3], world.chance.randint(1, commits)
        file = write_file(world, turn, expected)
        cutter.arm(mode, at)
        first = world.attempt("import", file, "--user", USER, "--json", **through)
        said = f"exit status {first.returncode}: {first.stdout.strip()} {first.stderr.strip()[-300:]}"
        told = f"turn {turn}, cut {mode} COMMIT {at} of {commits}, {said}"
        equal(cutter.cuts, 1, f"{told}; cuts")
        cutter.arm(None)
        again = json.loads(world.command("import", file, "--user", USER, "--json", **through))
        check_retry(again, mode, first.returncode, commits, told)
        outcomes[(mode, "kept" if again["existing"] else "lost")] += 1
    found = collections.Counter(key_of(row) for row in csv.DictReader(io.StringIO(world.command("export", "--user", USER))))
    wrong = [f"{key}: {found[key]} times, expected {expected[key]}" for key in found | expected if found[key] != expected[key]]
    check_none(wrong, "an entry that is not there exactly once")
    told = ", ".join(f"{mode} {what} {count}" for (mode, what), count in sorted(outcomes.items()))
    return f"COMMITs an import: {commits}; {told}"


def counted(world, cutter, through, expected):
    """How many COMMITs of transactions that wrote an import has."""
    cutter.arm(None)
    report = json.loads(world.command("import", write_file(world, 0, expected), "--user", USER, "--json", **through))
    equal(report["new"], ROWS, "entries of a file imported through the proxy")
    check(cutter.commits > 0, "no COMMIT was seen")
    return cutter.commits


def check_retry(again, mode, status, commits, told):
    check(not again["errors"] and again["rows"] == ROWS, f"{told}; again: {again}")
    check((again["new"], again["existing"]) in ((ROWS, 0), (0, ROWS)), f"{told}; a part of a file was there: {again}")
    if status == 0:
        equal(again["existing"], ROWS, f"{told}; entries of an import that was said to be done")
    if commits == 1 and mode == BEFORE:
        equal(again["new"], ROWS, f"{told}; new entries, when the COMMIT never came")
    if commits == 1 and mode == ANSWERED:
        equal(again["existing"], ROWS, f"{told}; entries there, when the COMMIT was confirmed")


def write_file(world, turn, expected):
    """Rows with an id of their own, rows without, and two equal fills that are two."""
    lines = ["date,type,symbol,shares,price,currency,id,note"]
    for row in range(ROWS):
        twin, known = row in (4, 5), row < 2
        shares = f"{turn + 1}.{4 if twin else row}5"
        fields = ("2025-05-06", "buy", "WOOL", shares, "12.5", "EUR", f"cut-{turn}-{row}" if known else "", f"turn {turn}")
        lines.append(",".join(fields))
        expected[(shares, "12.5", f"turn {turn}")] += 1
    file = world.folder / f"cut-{turn}.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def key_of(row):
    return row["shares"], row["price"], row["note"]


@test("a form that is cut off at its COMMIT is not acknowledged, its entry is there once or not at all, and the node goes on")
def forms(world):
    cutter = Cutter(world.primary.port, ENTERS)
    world.stack.callback(cutter.stop)
    node = world.node("cut", DRIPLINE_DATABASE_URL=url(port=cutter.port)).start()
    client, writer = Client(node.port), Writer(node.port, Session(node.port, BUSY, PASSWORD))
    kept = collections.Counter()
    for turn in range(world.length(12, 300)):
        mode = MODES[turn % 3]
        cutter.arm(mode)
        cut = writer.one(client)
        equal((cut.status, cutter.cuts), (503, 1), f"cut {mode} COMMIT: the answer and the cuts; {cut.told()}")
        check(cut.seconds < 2, "slow:", cut.told())
        cutter.arm(None)
        note = list(writer.tried)[-1]
        kept[mode] += any(row["note"] == note for row in csv.DictReader(io.StringIO(world.exported())))
        equal(writer.one(client).status, 303, "the next form")
    check_ledger([writer], world.exported())
    turns = world.length(12, 300) // 3
    equal((kept[BEFORE], kept[ANSWERED]), (0, turns), "entries there when the COMMIT never came, and when it was confirmed")
    node.kill()
    return ", ".join(f"{mode} {count} of {turns} kept" for mode, count in kept.items())
