"""SIGKILL at any moment of an operation, many times on one database, so that damage would add up.

Half of the kills come at a random time within the operation's duration, half at a system call that changes a file. After every
kill the database is checked: either in place, or in a copy, so that the next operation meets what the kill left.
"""

import signal
import threading
import time

from check import check, check_none, equal, test
from operations import Backup, Deletion, Found, History, Import, Restore, State, Token, Users
from server import Serving, Visitor
import tracer

# Kills come within this multiple of the measured duration, because the machine may be slower later.
DURATIONS_MAX = 1.4


class Killer:
    """Kills operations of one kind on one instance, and records them."""

    def __init__(self, world, name):
        self.world, self.rng, self.instance, self.history = world, world.rng, world.instance(name), History()
        self.kills = self.attempts = self.acknowledged = 0
        self.duration = self.counts = None

    def measure(self, operation):
        """Measures how long an undisturbed operation takes, with warm caches, and which calls it makes."""
        for _ in range(2):
            began = time.monotonic()
            one = operation()
            self.record(one, self.instance.attempt(*one.arguments()))
            self.duration = time.monotonic() - began
        one = operation()
        self.counts, done = tracer.count_calls(self.instance, one.arguments())
        self.record(one, done)
        check(self.counts["fsync"] > 0, "no fsync of", one.describe(), "was seen:", done.stderr)

    def record(self, operation, done):
        equal(done.returncode, 0, f"{operation.describe()}: {done.stderr.strip()[-500:]}; exit status")
        self.history.record(operation, True)

    def kill(self, operation):
        """Returns when the operation was killed, in words."""
        self.attempts += 1
        by_clock = self.rng.random() < 0.5
        call, number = tracer.choose_call(self.rng, self.counts)
        before = [] if by_clock else tracer.inject_command(self.instance, call, f"signal=KILL:when={number}")
        process = self.instance.start(*operation.arguments(), before=before)
        if by_clock:
            moment = self.rng.uniform(0, self.duration * DURATIONS_MAX)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=60)
        killed = process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
        acknowledged = operation.acknowledged(stdout, stderr)
        check(killed or acknowledged, f"{operation.describe()} exited by itself with {process.returncode}: {stdout[-300:]}{stderr[-300:]}")
        self.kills += killed
        self.acknowledged += killed and acknowledged
        self.history.record(operation, acknowledged)
        return f"after {operation.describe()} was killed " + (f"after {moment:.4f} s" if by_clock else f"at {call} {number}")

    def inspect(self, when):
        in_place = self.rng.random() < 0.5
        instance = self.instance if in_place else self.instance.copy_to(self.world.new_folder("look"))
        check_none(instance.doctor_errors() or self.history.problems(instance), f"problem {when}")
        if in_place:
            left = [name for name in instance.leftover_files() if not name.startswith("kept.db.partial")]
            equal(left, [], f"leftover files {when}")
        else:
            self.world.drop(instance.folder)

    def describe(self):
        kills = f"{self.kills} kills in {self.attempts} attempts, {self.acknowledged} after the acknowledgement"
        return f"{kills}; {self.history.complete_count()} operations complete"

    def kill_all(self, count, operation):
        self.measure(operation)
        while self.kills < count:
            check(self.attempts < count * 4 + 20, f"of {self.attempts} attempts only {self.kills} killed the operation in time")
            self.inspect(self.kill(operation()))
        return self.describe()


@test("an import that is killed is stored completely or not at all, and an acknowledged one is kept")
def imports(world):
    killer = Killer(world, "imports")
    killer.instance.command("user", "add", "ana@example.com")
    return killer.kill_all(world.length(10, 300), lambda: Import("ana@example.com", world.new_file(), 40))


@test("a token whose creation is killed exists once or not at all, and one that was printed is kept")
def tokens(world):
    killer, users = Killer(world, "tokens"), Users(world)
    return killer.kill_all(world.length(10, 200), lambda: Token(users.next(killer.instance), world.new_name("token")))


@test("an account whose deletion is killed is still complete, or gone completely")
def deletions(world):
    killer = Killer(world, "deletions")

    def operation():
        entries = killer.history.entries
        if entries and entries[-1][2] is Found.NOTHING:
            return entries.pop()[0]  # The account still exists: delete it again.
        email = world.new_name("leaving") + "@example.com"
        user_id, content = killer.instance.command("user", "add", email).strip(), Import(email, world.new_file(), 30)
        killer.instance.command(*content.arguments())
        return Deletion(email, user_id, content)

    return killer.kill_all(world.length(8, 150), operation)


@test("a backup that is killed leaves a complete file or the previous one, which can be restored, and the next backup cleans up")
def backups(world):
    killer = Killer(world, "backups")
    instance = killer.instance
    instance.command("user", "add", "ana@example.com")
    before = Import("ana@example.com", world.new_file(), 400)
    killer.record(before, instance.attempt(*before.arguments()))
    figures = killer.kill_all(world.length(8, 150), lambda: Backup(instance.backups / "kept.db"))
    instance.command("backup", instance.backups / "kept.db")
    equal([file.name for file in instance.backups.iterdir()], ["kept.db"], "files after an undisturbed backup")
    restored = world.instance("restored")
    restored.command("restore", instance.backups / "kept.db")
    check_none(restored.doctor_errors(), "doctor error in a restored backup")
    equal(restored.command("export", "--user", "ana@example.com"), instance.command("export", "--user", "ana@example.com"),
          "the export of a restored backup")
    return figures


@test("a restore that is killed leaves the previous database or the backup's, and the next restore is complete")
def restores(world):
    killer = Killer(world, "restores")
    instance, kept = killer.instance, killer.instance.backups / "kept.db"
    instance.command("user", "add", "ana@example.com")
    first, second = (Import("ana@example.com", world.new_file(), 100) for _ in range(2))
    instance.command(*first.arguments())
    instance.command("backup", kept)
    instance.command(*second.arguments())
    killer.measure(lambda: Restore(kept))
    restored_count = 0
    while killer.kills < world.length(6, 100):
        instance.command(*second.arguments())
        when = killer.kill(Restore(kept))
        check_none(instance.doctor_errors(), f"doctor error {when}")
        state = State(instance.database)
        equal(first.found(state), Found.COMPLETE, f"the import in the backup, {when}")
        check(second.found(state) is not Found.PARTIAL, f"the import that is not in the backup is partly there {when}")
        restored_count += second.found(state) is Found.NOTHING
    instance.command("restore", kept)
    check_none(instance.doctor_errors(), "doctor error after an undisturbed restore")
    equal(second.found(State(instance.database)), Found.NOTHING, "the import that is not in the backup")
    equal(instance.leftover_files(), [], "leftover files")
    return f"{killer.kills} kills in {killer.attempts} attempts, {restored_count} left the backup's database"


@test("a server that is killed has kept every acknowledged transaction, token and import, and nothing incomplete")
def serving(world):
    instance, count = world.instance("served"), world.length(3, 100)
    visitors = [Visitor.sign_up(instance, world) for _ in range(2)]
    for kill in range(count):
        with Serving(instance) as server:
            for visitor in visitors:
                visitor.sign_in(server.port)
            stopped = threading.Event()
            threads = [threading.Thread(target=visitor.work, args=(server.port, stopped)) for visitor in visitors]
            for thread in threads:
                thread.start()
            time.sleep(world.rng.uniform(0.05, 0.5))
            server.kill()
            stopped.set()
            for thread in threads:
                thread.join()
        when = f"after kill {kill + 1}"
        if world.rng.random() < 0.5:
            check_none(instance.doctor_errors(), f"doctor error {when}")
            check_none([problem for visitor in visitors for problem in visitor.history.problems(instance)], f"problem {when}")
    check_none(instance.doctor_errors(), "doctor error at the end")
    check_none([problem for visitor in visitors for problem in visitor.history.problems(instance)], "problem at the end")
    saved = sum(acknowledged for visitor in visitors for _, acknowledged, _ in visitor.history.entries)
    check(saved > count, f"only {saved} operations were acknowledged before {count} kills")
    return f"{count} kills, {saved} operations acknowledged"
