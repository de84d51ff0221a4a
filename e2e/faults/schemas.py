"""Old databases: of every earlier schema, disturbed in the middle of their migration, and one that is too new."""

import shutil
import signal
import sqlite3
import time

from check import check, check_none, equal, test
from place import LATEST, Place, dump, is_whole
import old
import tracer


TRIES_MAX = 20


@test("a database of every earlier schema, killed or failed in the middle of its migration, ends as one that was left alone")
def disturbed(world):
    kills, failed = world.length(1, 15), 0
    for schema in range(1, LATEST):
        migration = Disturbed(world, schema)
        for _ in range(kills):
            in_time = any(migration.kill() for _ in range(TRIES_MAX))
            check(in_time, f"no kill of a migration of schema {schema} came in time")
        for _ in range(world.length(1, 6)):
            failed += migration.fail()
        migration.finish()
    return f"schemas 1 to {LATEST - 1}: {kills * (LATEST - 1)} kills, {failed} failed calls"


class Disturbed:
    def __init__(self, world, schema):
        self.world, self.chance, self.schema = world, world.chance, schema
        self.before = old.place(world, f"before-{schema}", schema)
        self.rows, self.expected = dump(self.before.database), old.migrated(world, self.before)
        self.place = self.anew()
        self.kept = f"dripline.db.schema-{schema}"
        self.more = (self.kept, f"{self.kept}.partial", f"{self.kept}.partial-journal")
        began = time.monotonic()
        counts, done = tracer.counted(self.place, ("migrate",), more=self.more)
        self.counts, self.length = counts, time.monotonic() - began
        equal(done.returncode, 0, f"a migration of schema {schema}: {done.stderr.strip()}; exit status")
        self.place = self.anew()

    def anew(self):
        place = Place(self.world.binary, self.world.new_folder(f"schema-{self.schema}"))
        shutil.copy(self.before.database, place.database)
        return place

    def kill(self):
        """Whether it came in time."""
        call, number = tracer.chosen(self.chance, self.counts)
        by_clock = self.chance.random() < 0.3
        before = [] if by_clock else tracer.injecting(self.place, call, f"signal=KILL:when={number}", self.more)
        process = self.place.start("migrate", before=before)
        if by_clock:
            time.sleep(self.chance.uniform(0, self.length))
            process.kill()
        process.communicate(timeout=60)
        killed = process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
        check(killed or process.returncode == 0, f"a migration of schema {self.schema} ended with {process.returncode}")
        self.look(f"killed at {call} {number}" if not by_clock else "killed by the clock")
        return killed

    def fail(self):
        """Whether the migration could not go on; one that says that it is done is done."""
        call, number = tracer.chosen(self.chance, self.counts)
        done = self.place.attempt("migrate", before=tracer.injecting(self.place, call, f"error=EIO:when={number}", self.more))
        check(done.returncode in (0, 1), f"{call} {number} failed: exit status {done.returncode}: {done.stderr}")
        check(done.returncode == 0 or done.stderr.strip(), f"{call} {number} failed, and nobody was told")
        self.look(f"with {call} {number} failed, exit status {done.returncode}", done.returncode == 0)
        return done.returncode != 0

    def look(self, when, certain=False):
        """The old schema with its rows or the new one with the same, as a copy shows without changing anything; then on, or anew."""
        when = f"schema {self.schema}, {when}"
        copy = self.place.copy_to(self.world.new_folder("look"))
        with sqlite3.connect(copy.database) as connection:
            found, = connection.execute("PRAGMA user_version").fetchone()
            equal(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], f"{when}: integrity")
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
        check(found in (self.schema, LATEST) and not (certain and found == self.schema), f"{when}: schema {found}")
        expected = self.rows if found == self.schema else self.expected
        equal(dump(copy.database) == expected, True, f"{when}: the rows of schema {found} are as expected")
        kept = self.place.data / self.kept
        check(not kept.exists() or is_whole(kept) and dump(kept) == self.rows, f"{when}: the copy of the old state is not as it was")
        self.world.drop(copy.folder)
        if found == LATEST:
            self.finish()
            self.place = self.anew()

    def finish(self):
        """To the end, and nothing is left of what was cut off."""
        self.place.command("migrate")
        check_none(self.place.ills(), f"an ill of what was schema {self.schema}")
        equal(dump(self.place.database) == self.expected, True, f"schema {self.schema}, migrated: the rows are as expected")
        check(dump(self.place.data / self.kept) == self.rows, f"schema {self.schema}: the copy of the old state")
        equal(self.place.left_over(), [], f"schema {self.schema}: files in the way")
        self.world.drop(self.place.folder)


@test("a newer schema is refused with both numbers, by every command, and left as it is")
def newer(world):
    place = world.place("newer")
    place.command("user", "add", "ana@example.com")
    with sqlite3.connect(place.database) as connection:
        connection.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA user_version = {LATEST + 1}")
    connection.close()
    before = place.database.read_bytes()
    serve, backup = ["serve", "--listen", "127.0.0.1:0"], ["backup", place.backups / "kept.db"]
    for arguments in (["migrate"], serve, ["doctor"], ["user", "list"], backup):
        done = place.attempt(*arguments)
        told = f"`dripline {arguments[0]}`: {done.stderr.strip()}"
        equal(done.returncode, 1, f"{told}; exit status")
        check(f"schema {LATEST + 1}" in done.stderr and f"up to {LATEST}" in done.stderr, told)
        equal(place.database.read_bytes() == before, True, f"{told}; the file is as it was")
    done = world.place("other").attempt("restore", place.database)
    check(done.returncode == 1 and f"schema {LATEST + 1}" in done.stderr, f"`dripline restore`: {done.stderr.strip()}")
