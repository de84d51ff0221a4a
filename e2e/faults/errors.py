"""System calls that fail: EIO where something is written, synced or renamed, ENOSPC where something grows, EMFILE where something is opened.
What failed is not acknowledged, is said, and leaves nothing by half; what did not fail goes on."""

import collections
import signal
import subprocess

from book import Backup, Book, Deletion, Import, Token, Users
from check import check, check_none, equal, test
from client import Client
from programs import until
from server import Serving, Visitor
import tracer

ERRORS = {
    "pwrite64": ("EIO", "ENOSPC"), "write": ("EIO", "ENOSPC"), "ftruncate": ("EIO",), "fsync": ("EIO",), "fdatasync": ("EIO",),
    "rename": ("EIO",), "unlink": ("EIO",), "openat": ("EMFILE", "EIO")}


@test("an operation with a call that fails is not acknowledged, says what to do, and is there wholly or not at all; the next one succeeds")
def commands(world):
    outcomes = collections.Counter()
    for name, operations in KINDS.items():
        place, book = world.place(name), Book()
        new = operations(world, place)
        for _ in range(2):
            one = new()
            counts, done = tracer.counted(place, one.arguments(), tuple(ERRORS))
            equal(done.returncode, 0, f"{one.told()}: {done.stderr}; exit status")
            book.note(one, True)
        for call, number, error in world.chance.sample(all_of(counts), world.length(7, 50)):
            outcomes[attempt(world, place, book, new(), call, number, error)] += 1
    check(outcomes[1] > outcomes[0], f"of {sum(outcomes.values())} failing calls only {outcomes[1]} were noticed")
    return f"{sum(outcomes.values())} failing calls: {outcomes[1]} refused, {outcomes[0]} made up for"


def all_of(counts):
    return [(call, number, error) for call, count in sorted(counts.items()) for number in range(1, count + 1) for error in ERRORS[call]]


def attempt(world, place, book, operation, call, number, error):
    """The exit status."""
    told = f"{operation.told()} with {error} at {call} {number}"
    done = place.attempt(*operation.arguments(), before=tracer.injecting(place, call, f"error={error}:when={number}"))
    acknowledged = operation.acknowledged(done.stdout, done.stderr)
    equal(done.returncode, 0 if acknowledged else 1, f"{told}: {done.stdout[-300:]}{done.stderr[-500:]}; exit status")
    if not acknowledged:
        check("; " in done.stderr and str(place.folder) in done.stderr, f"{told} says neither where nor what to do: {done.stderr}")
    book.note(operation, acknowledged)
    check_none(place.ills() or book.problems(place), f"a problem after {told}")
    equal([name for name in place.left_over() if not name.startswith("kept.db.partial")], [], f"files in the way after {told}")
    return done.returncode


def imports(world, place):
    place.command("user", "add", "ana@example.com")
    return lambda: Import("ana@example.com", world.new_file(), 30)


def tokens(world, place):
    users = Users(world)
    return lambda: Token(users.next(place), world.new_name("token"))


def backups(world, place):
    place.command("user", "add", "ana@example.com")
    place.command(*Import("ana@example.com", world.new_file(), 100).arguments())
    return lambda: Backup(place.backups / "kept.db")


def deletions(world, place):
    def new():
        email = world.new_name("leaving") + "@example.com"
        user_id, content = place.command("user", "add", email).strip(), Import(email, world.new_file(), 30)
        place.command(*content.arguments())
        return Deletion(email, user_id, content)
    return new


KINDS = {"imports": imports, "tokens": tokens, "backups": backups, "deletions": deletions}


class Failing:
    """Every call of that name on the database fails, for the length of a `with`, in a process that runs."""

    def __init__(self, place, process, call, error):
        self.process = subprocess.Popen(
            [tracer.find(), "-f", "-o", str(place.folder / "failing"), *tracer.files_of(place), "-e", f"trace={call}",
             "-e", f"inject={call}:error={error}", "-p", str(process.pid)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        line = self.process.stderr.readline()
        check("attached" in line, f"strace cannot attach to the server: {line}")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)


@test("a server whose disk fails refuses what it cannot keep with 503, goes on reading, and writes again when the disk does")
def serving(world):
    place, refused = world.place("served"), 0
    visitor = Visitor.joining(place, world)
    token = place.command("token", "create", "--user", visitor.email, "--name", "reading").strip()
    faults = [("fsync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("openat", "EMFILE")]
    with Serving(place) as server:
        visitor.sign_in(server.port)
        client = Client(server.port)
        visitor.one(client, visitor.entry)
        for call, error in faults * world.length(1, 5):
            told = f"with every {call} {error}"
            with Failing(place, server.process, call, error):
                for what in (visitor.entry, visitor.token, visitor.file, visitor.entry):
                    made_before = len(visitor.book.entries)
                    answer = visitor.one(client, what)
                    acknowledged = visitor.book.entries[made_before][1]
                    check(acknowledged and call == "openat" or answer.status == 503, f"{told}: {answer.told()}")
                    refused += answer.status == 503
                    for path in ("/api/v1/me", "/api/v1/holdings"):
                        read = server.get(path, token)
                        check(read.status == 200, f"{told}: {read.told()}")
                equal(server.get("/healthz").status, 200, f"{told}: /healthz")
            until(10, lambda: visitor.one(client, visitor.entry).status == 303, f"a write after a time {told}")
            equal(server.get("/readyz").status, 200, f"after a time {told}: /readyz")
    check_none(place.ills() or visitor.book.problems(place), "a problem in the end")
    return f"{refused} requests refused in {len(faults) * world.length(1, 5)} faults, none of them kept by half"
