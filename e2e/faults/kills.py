"""SIGKILL at any moment of an operation, many times on one database, so that damage could add up.

Half of the moments are of the clock, spread over the length of the operation; half are system calls that change a file.
After every kill the database is looked through, in place or, so that the next operation meets what the kill left, in a copy.
"""

import signal
import threading
import time

from book import Backup, Book, Deletion, Found, Import, Restore, State, Token, Users
from check import check, check_none, equal, test
from server import Serving, Visitor
import tracer

# Of the length that was measured; a machine may be slower later.
LENGTHS_MAX = 1.4


class Killer:
    """Kills operations of one kind on one place, and keeps book."""

    def __init__(self, world, name):
        self.world, self.chance, self.place, self.book = world, world.chance, world.place(name), Book()
        self.kills = self.tries = self.acknowledged = 0
        self.length = self.counts = None

    def measure(self, operation):
        """An operation that is left alone tells how long one takes, and which calls it makes; the second is of a warm machine."""
        for _ in range(2):
            began = time.monotonic()
            one = operation()
            self.keep(one, self.place.attempt(*one.arguments()))
            self.length = time.monotonic() - began
        one = operation()
        self.counts, done = tracer.counted(self.place, one.arguments())
        self.keep(one, done)
        check(self.counts["fsync"] > 0, "no call of", one.told(), "was seen:", done.stderr)

    def keep(self, operation, done):
        equal(done.returncode, 0, f"{operation.told()}: {done.stderr.strip()[-500:]}; exit status")
        self.book.note(operation, True)

    def kill(self, operation):
        """When that was, in words."""
        self.tries += 1
        by_clock = self.chance.random() < 0.5
        call, number = tracer.chosen(self.chance, self.counts)
        before = [] if by_clock else tracer.injecting(self.place, call, f"signal=KILL:when={number}")
        process = self.place.start(*operation.arguments(), before=before)
        if by_clock:
            moment = self.chance.uniform(0, self.length * LENGTHS_MAX)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=60)
        killed = process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
        acknowledged = operation.acknowledged(stdout, stderr)
        check(killed or acknowledged, f"{operation.told()} ended by itself with {process.returncode}: {stdout[-300:]}{stderr[-300:]}")
        self.kills += killed
        self.acknowledged += killed and acknowledged
        self.book.note(operation, acknowledged)
        return f"after {operation.told()} was killed " + (f"after {moment:.4f} s" if by_clock else f"at {call} {number}")

    def look(self, when):
        in_place = self.chance.random() < 0.5
        place = self.place if in_place else self.place.copy_to(self.world.new_folder("look"))
        check_none(place.ills() or self.book.problems(place), f"a problem {when}")
        if in_place:
            left = [name for name in place.left_over() if not name.startswith("kept.db.partial")]
            equal(left, [], f"files in the way {when}")
        else:
            self.world.drop(place.folder)

    def told(self):
        kills = f"{self.kills} kills in {self.tries} tries, {self.acknowledged} after the acknowledgement"
        return f"{kills}; {self.book.whole()} operations are there"

    def kill_all(self, count, operation):
        self.measure(operation)
        while self.kills < count:
            check(self.tries < count * 4 + 20, f"of {self.tries} kills only {self.kills} came in time")
            self.look(self.kill(operation()))
        return self.told()


@test("an import that is killed is there wholly or not at all, and one that was acknowledged stays")
def imports(world):
    killer = Killer(world, "imports")
    killer.place.command("user", "add", "ana@example.com")
    return killer.kill_all(world.length(10, 300), lambda: Import("ana@example.com", world.new_file(), 40))


@test("a token whose creation is killed is there once or not at all, and one that was printed stays")
def tokens(world):
    killer, users = Killer(world, "tokens"), Users(world)
    return killer.kill_all(world.length(10, 200), lambda: Token(users.next(killer.place), world.new_name("token")))


@test("an account whose deletion is killed is there with all it has, or gone with all of it")
def deletions(world):
    killer = Killer(world, "deletions")

    def operation():
        entries = killer.book.entries
        if entries and entries[-1][2] is Found.NOTHING:
            return entries.pop()[0]  # What is still there is deleted once more.
        email = world.new_name("leaving") + "@example.com"
        user_id, content = killer.place.command("user", "add", email).strip(), Import(email, world.new_file(), 30)
        killer.place.command(*content.arguments())
        return Deletion(email, user_id, content)

    return killer.kill_all(world.length(8, 150), operation)


@test("a backup that is killed leaves a whole file or the one before, which can be restored, and the next one tidies up")
def backups(world):
    killer = Killer(world, "backups")
    place = killer.place
    place.command("user", "add", "ana@example.com")
    before = Import("ana@example.com", world.new_file(), 400)
    killer.keep(before, place.attempt(*before.arguments()))
    told = killer.kill_all(world.length(8, 150), lambda: Backup(place.backups / "kept.db"))
    place.command("backup", place.backups / "kept.db")
    equal([file.name for file in place.backups.iterdir()], ["kept.db"], "files after a backup that was left alone")
    restored = world.place("restored")
    restored.command("restore", place.backups / "kept.db")
    check_none(restored.ills(), "an ill of a restored backup")
    equal(restored.command("export", "--user", "ana@example.com"), place.command("export", "--user", "ana@example.com"),
          "what a restored backup exports")
    return told


@test("a restore that is killed leaves the database of before or that of the backup, and the next one is whole")
def restores(world):
    killer = Killer(world, "restores")
    place, kept = killer.place, killer.place.backups / "kept.db"
    place.command("user", "add", "ana@example.com")
    first, second = (Import("ana@example.com", world.new_file(), 100) for _ in range(2))
    place.command(*first.arguments())
    place.command("backup", kept)
    place.command(*second.arguments())
    killer.measure(lambda: Restore(kept))
    back = 0
    while killer.kills < world.length(6, 100):
        place.command(*second.arguments())
        when = killer.kill(Restore(kept))
        check_none(place.ills(), f"an ill {when}")
        state = State(place.database)
        equal(first.found(state), Found.WHOLE, f"what the backup has, {when}")
        check(second.found(state) is not Found.HALF, f"what the backup has not is there by half {when}")
        back += second.found(state) is Found.NOTHING
    place.command("restore", kept)
    check_none(place.ills(), "an ill after a restore that was left alone")
    equal(second.found(State(place.database)), Found.NOTHING, "what the backup has not")
    equal(place.left_over(), [], "files in the way")
    return f"{killer.kills} kills in {killer.tries} tries, {back} left the backup"


@test("a server that is killed has kept every entry, token and import that it acknowledged, and nothing by half")
def serving(world):
    place, count = world.place("served"), world.length(3, 100)
    visitors = [Visitor.joining(place, world) for _ in range(2)]
    for kill in range(count):
        with Serving(place) as server:
            for visitor in visitors:
                visitor.sign_in(server.port)
            over = threading.Event()
            threads = [threading.Thread(target=visitor.work, args=(server.port, over)) for visitor in visitors]
            for thread in threads:
                thread.start()
            time.sleep(world.chance.uniform(0.05, 0.5))
            server.kill()
            over.set()
            for thread in threads:
                thread.join()
        when = f"after kill {kill + 1}"
        if world.chance.random() < 0.5:
            check_none(place.ills(), f"an ill {when}")
            check_none([problem for visitor in visitors for problem in visitor.book.problems(place)], f"a problem {when}")
    check_none(place.ills(), "an ill in the end")
    check_none([problem for visitor in visitors for problem in visitor.book.problems(place)], "a problem in the end")
    saved = sum(acknowledged for visitor in visitors for _, acknowledged, _ in visitor.book.entries)
    check(saved > count, f"only {saved} operations were acknowledged before {count} kills")
    return f"{count} kills, {saved} operations acknowledged"
