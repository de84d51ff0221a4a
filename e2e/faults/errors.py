"""Failing system calls: EIO on writes, syncs and renames, ENOSPC when a file grows, EMFILE on opens. A failed operation is not
acknowledged, reports the error, and leaves nothing incomplete; everything else carries on."""

import collections
import signal
import subprocess

from check import check, check_none, equal, test
from client import Client
from operations import Backup, Deletion, History, Import, Token, Users
from programs import until
from server import Serving, Visitor
import tracer

ERRORS = {
    "pwrite64": ("EIO", "ENOSPC"), "write": ("EIO", "ENOSPC"), "ftruncate": ("EIO",), "fsync": ("EIO",), "fdatasync": ("EIO",),
    "rename": ("EIO",), "unlink": ("EIO",), "openat": ("EMFILE", "EIO")}


@test("an operation with a failing system call is not acknowledged, says what to do, and is complete or absent; the next one succeeds")
def commands(world):
    outcomes = collections.Counter()
    for name, operations in KINDS.items():
        instance, history = world.instance(name), History()
        new = operations(world, instance)
        for _ in range(2):
            one = new()
            counts, done = tracer.count_calls(instance, one.arguments(), tuple(ERRORS))
            equal(done.returncode, 0, f"{one.describe()}: {done.stderr}; exit status")
            history.record(one, True)
        for call, number, error in world.rng.sample(all_failures(counts), world.length(7, 50)):
            outcomes[attempt(world, instance, history, new(), call, number, error)] += 1
    check(outcomes[1] > outcomes[0], f"of {sum(outcomes.values())} failing calls only {outcomes[1]} were noticed")
    return f"{sum(outcomes.values())} failing calls: {outcomes[1]} reported, {outcomes[0]} recovered from"


def all_failures(counts):
    return [(call, number, error) for call, count in sorted(counts.items()) for number in range(1, count + 1) for error in ERRORS[call]]


def attempt(world, instance, history, operation, call, number, error):
    """Returns the exit status."""
    context = f"{operation.describe()} with {error} at {call} {number}"
    done = instance.attempt(*operation.arguments(), before=tracer.inject_command(instance, call, f"error={error}:when={number}"))
    acknowledged = operation.acknowledged(done.stdout, done.stderr)
    equal(done.returncode, 0 if acknowledged else 1, f"{context}: {done.stdout[-300:]}{done.stderr[-500:]}; exit status")
    if not acknowledged:
        check(". " in done.stderr and str(instance.folder) in done.stderr, f"{context} does not say where it failed and what to do: {done.stderr}")
    history.record(operation, acknowledged)
    check_none(instance.doctor_errors() or history.problems(instance), f"problem after {context}")
    equal([name for name in instance.leftover_files() if not name.startswith("kept.db.partial")], [], f"leftover files after {context}")
    return done.returncode


def imports(world, instance):
    instance.command("user", "add", "ana@example.com")
    return lambda: Import("ana@example.com", world.new_file(), 30)


def tokens(world, instance):
    users = Users(world)
    return lambda: Token(users.next(instance), world.new_name("token"))


def backups(world, instance):
    instance.command("user", "add", "ana@example.com")
    instance.command(*Import("ana@example.com", world.new_file(), 100).arguments())
    return lambda: Backup(instance.backups / "kept.db")


def deletions(world, instance):
    def new():
        email = world.new_name("leaving") + "@example.com"
        user_id, content = instance.command("user", "add", email).strip(), Import(email, world.new_file(), 30)
        instance.command(*content.arguments())
        return Deletion(email, user_id, content)
    return new


KINDS = {"imports": imports, "tokens": tokens, "backups": backups, "deletions": deletions}


class Failing:
    """Context manager: every call of that name on the database fails in a running process."""

    def __init__(self, instance, process, call, error):
        self.process = subprocess.Popen(
            [tracer.find(), "-f", "-o", str(instance.folder / "failing"), *tracer.files_of(instance), "-e", f"trace={call}",
             "-e", f"inject={call}:error={error}", "-p", str(process.pid)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        line = self.process.stderr.readline()
        check("attached" in line, f"strace cannot attach to the server: {line}")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)


@test("a server whose disk fails refuses writes with a 503, keeps reading, and writes again when the disk recovers")
def serving(world):
    instance, refused = world.instance("served"), 0
    visitor = Visitor.sign_up(instance, world)
    token = instance.command("token", "create", "--user", visitor.email, "--name", "reading").strip()
    faults = [("fsync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("openat", "EMFILE")]
    with Serving(instance) as server:
        visitor.sign_in(server.port)
        client = Client(server.port)
        visitor.one(client, visitor.entry)
        for call, error in faults * world.length(1, 5):
            context = f"with every {call} {error}"
            with Failing(instance, server.process, call, error):
                for what in (visitor.entry, visitor.token, visitor.file, visitor.entry):
                    made_before = len(visitor.history.entries)
                    answer = visitor.one(client, what)
                    acknowledged = visitor.history.entries[made_before][1]
                    check(acknowledged and call == "openat" or answer.status == 503, f"{context}: {answer.describe()}")
                    refused += answer.status == 503
                    for path in ("/api/v1/me", "/api/v1/holdings"):
                        read = server.get(path, token)
                        check(read.status == 200, f"{context}: {read.describe()}")
                equal(server.get("/healthz").status, 200, f"{context}: /healthz")
            until(10, lambda: visitor.one(client, visitor.entry).status == 303, f"a write after a period {context}")
            equal(server.get("/readyz").status, 200, f"after a period {context}: /readyz")
    check_none(instance.doctor_errors() or visitor.history.problems(instance), "problem at the end")
    return f"{refused} requests refused in {len(faults) * world.length(1, 5)} faults, none of them partly stored"
