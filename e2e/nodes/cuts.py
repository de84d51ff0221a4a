"""The connection to the database is lost during COMMIT: the outcome is unknown, and retrying is safe."""

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
# Identifies a transaction of the form; nodes also write on their own now and then.
INSERTS_ENTRY = re.compile(rb"\bINSERT\s+INTO\s+entries\b", re.IGNORECASE)


@test("an import that is cut off at its COMMIT and retried stores every transaction exactly once")
def imports(world):
    world.command("user", "add", USER, "--currency", "EUR")
    cutter = Cutter(world.primary.port)
    world.stack.callback(cutter.stop)
    proxied = {"DRIPLINE_DATABASE_URL": url(port=cutter.port)}
    expected, outcomes = collections.Counter(), collections.Counter()
    commits = count_commits(world, cutter, proxied, expected)
    for turn in range(1, world.length(20, 500) + 1):
        mode, at = MODES[turn % 3], world.rng.randint(1, commits)
        file = write_file(world, turn, expected)
        cutter.arm(mode, at)
        first = world.attempt("import", file, "--user", USER, "--json", **proxied)
        outcome = f"exit status {first.returncode}: {first.stdout.strip()} {first.stderr.strip()[-300:]}"
        context = f"turn {turn}, cut {mode} COMMIT {at} of {commits}, {outcome}"
        equal(cutter.cuts, 1, f"{context}; cuts")
        cutter.arm(None)
        retry = json.loads(world.command("import", file, "--user", USER, "--json", **proxied))
        check_retry(retry, mode, first.returncode, commits, context)
        outcomes[(mode, "kept" if retry["existing"] else "lost")] += 1
    found = collections.Counter(key_of(row) for row in csv.DictReader(io.StringIO(world.command("export", "--user", USER))))
    wrong = [f"{key}: {found[key]} times, expected {expected[key]}" for key in found | expected if found[key] != expected[key]]
    check_none(wrong, "transaction that does not exist exactly once")
    summary = ", ".join(f"{mode} {what} {count}" for (mode, what), count in sorted(outcomes.items()))
    return f"COMMITs per import: {commits}; {summary}"


def count_commits(world, cutter, proxied, expected):
    """The number of COMMITs of writing transactions in one import."""
    cutter.arm(None)
    report = json.loads(world.command("import", write_file(world, 0, expected), "--user", USER, "--json", **proxied))
    equal(report["new"], ROWS, "transactions imported through the proxy")
    check(cutter.commits > 0, "no COMMIT was seen")
    return cutter.commits


def check_retry(retry, mode, status, commits, context):
    check(not retry["errors"] and retry["rows"] == ROWS, f"{context}; retry: {retry}")
    check((retry["new"], retry["existing"]) in ((ROWS, 0), (0, ROWS)), f"{context}; part of the file was stored: {retry}")
    if status == 0:
        equal(retry["existing"], ROWS, f"{context}; existing transactions, after an import that reported success")
    if commits == 1 and mode == BEFORE:
        equal(retry["new"], ROWS, f"{context}; new transactions, when the COMMIT never arrived")
    if commits == 1 and mode == ANSWERED:
        equal(retry["existing"], ROWS, f"{context}; existing transactions, when the COMMIT was confirmed")


def write_file(world, turn, expected):
    """Rows with an id, rows without one, and two identical rows that are two separate fills."""
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


@test("a form that is cut off at its COMMIT is not acknowledged, its transaction exists once or not at all, and the node carries on")
def forms(world):
    cutter = Cutter(world.primary.port, INSERTS_ENTRY)
    world.stack.callback(cutter.stop)
    node = world.node("cut", DRIPLINE_DATABASE_URL=url(port=cutter.port)).start()
    client, writer = Client(node.port), Writer(node.port, Session(node.port, BUSY, PASSWORD))
    kept = collections.Counter()
    for turn in range(world.length(12, 300)):
        mode = MODES[turn % 3]
        cutter.arm(mode)
        cut = writer.one(client)
        equal((cut.status, cutter.cuts), (503, 1), f"cut {mode} COMMIT: status and cuts; {cut.describe()}")
        check(cut.seconds < 2, "slow:", cut.describe())
        cutter.arm(None)
        note = list(writer.tried)[-1]
        kept[mode] += any(row["note"] == note for row in csv.DictReader(io.StringIO(world.exported())))
        equal(writer.one(client).status, 303, "the next form")
    check_ledger([writer], world.exported())
    turns = world.length(12, 300) // 3
    equal((kept[BEFORE], kept[ANSWERED]), (0, turns), "transactions stored when the COMMIT never arrived, and when it was confirmed")
    node.kill()
    return ", ".join(f"{mode} {count} of {turns} kept" for mode, count in kept.items())
