"""Old databases of every earlier schema, interrupted during their migration, and one that is too new."""

import shutil
import signal
import sqlite3
import time

from check import check, check_none, equal, test
from instance import LATEST, Instance, dump, is_intact
import old
import tracer


ATTEMPTS_MAX = 20


@test("a migration from any earlier schema that is killed or fails midway ends like an undisturbed one")
def disturbed(world):
    kills, failed = world.length(1, 15), 0
    for schema in range(1, LATEST):
        migration = InterruptedMigration(world, schema)
        for _ in range(kills):
            in_time = any(migration.kill() for _ in range(ATTEMPTS_MAX))
            check(in_time, f"no kill hit a migration of schema {schema} in time")
        for _ in range(world.length(1, 6)):
            failed += migration.fail()
        migration.finish()
    return f"schemas 1 to {LATEST - 1}: {kills * (LATEST - 1)} kills, {failed} failed calls"


class InterruptedMigration:
    def __init__(self, world, schema):
        self.world, self.rng, self.schema = world, world.rng, schema
        self.before = old.create(world, f"before-{schema}", schema)
        self.rows, self.expected = dump(self.before.database), old.migrated(world, self.before)
        self.instance = self.new_instance()
        self.kept = f"dripline.db.schema-{schema}"
        self.more = (self.kept, f"{self.kept}.partial", f"{self.kept}.partial-journal")
        began = time.monotonic()
        counts, done = tracer.count_calls(self.instance, ("migrate",), more=self.more)
        self.counts, self.length = counts, time.monotonic() - began
        equal(done.returncode, 0, f"a migration of schema {schema}: {done.stderr.strip()}; exit status")
        self.instance = self.new_instance()

    def new_instance(self):
        instance = Instance(self.world.binary, self.world.new_folder(f"schema-{self.schema}"))
        shutil.copy(self.before.database, instance.database)
        return instance

    def kill(self):
        """Returns whether the kill came in time."""
        call, number = tracer.choose_call(self.rng, self.counts)
        by_clock = self.rng.random() < 0.3
        before = [] if by_clock else tracer.inject_command(self.instance, call, f"signal=KILL:when={number}", self.more)
        process = self.instance.start("migrate", before=before)
        if by_clock:
            time.sleep(self.rng.uniform(0, self.length))
            process.kill()
        process.communicate(timeout=60)
        killed = process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
        check(killed or process.returncode == 0, f"a migration of schema {self.schema} exited with {process.returncode}")
        self.inspect(f"killed at {call} {number}" if not by_clock else "killed at a random time")
        return killed

    def fail(self):
        """Returns whether the migration failed; one that reports success must be complete."""
        call, number = tracer.choose_call(self.rng, self.counts)
        done = self.instance.attempt("migrate", before=tracer.inject_command(self.instance, call, f"error=EIO:when={number}", self.more))
        check(done.returncode in (0, 1), f"{call} {number} failed: exit status {done.returncode}: {done.stderr}")
        check(done.returncode == 0 or done.stderr.strip(), f"{call} {number} failed without an error message")
        self.inspect(f"with {call} {number} failed, exit status {done.returncode}", done.returncode == 0)
        return done.returncode != 0

    def inspect(self, when, certain=False):
        """Checks a copy, which must have the old schema with its rows or the new one with the expected rows. A finished migration
        is then completed and replaced by a new one."""
        when = f"schema {self.schema}, {when}"
        copy = self.instance.copy_to(self.world.new_folder("look"))
        with sqlite3.connect(copy.database) as connection:
            found, = connection.execute("PRAGMA user_version").fetchone()
            equal(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], f"{when}: integrity")
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
        check(found in (self.schema, LATEST) and not (certain and found == self.schema), f"{when}: schema {found}")
        expected = self.rows if found == self.schema else self.expected
        equal(dump(copy.database) == expected, True, f"{when}: the rows of schema {found} are as expected")
        kept = self.instance.data / self.kept
        check(not kept.exists() or is_intact(kept) and dump(kept) == self.rows, f"{when}: the copy of the old database is changed")
        self.world.drop(copy.folder)
        if found == LATEST:
            self.finish()
            self.instance = self.new_instance()

    def finish(self):
        """Completes the migration, and checks that no interrupted step left anything behind."""
        self.instance.command("migrate")
        check_none(self.instance.doctor_errors(), f"doctor error after migrating schema {self.schema}")
        equal(dump(self.instance.database) == self.expected, True, f"schema {self.schema}, migrated: the rows are as expected")
        check(dump(self.instance.data / self.kept) == self.rows, f"schema {self.schema}: the copy of the old database")
        equal(self.instance.leftover_files(), [], f"schema {self.schema}: leftover files")
        self.world.drop(self.instance.folder)


@test("every command refuses a newer schema, names both versions, and leaves the file unchanged")
def newer(world):
    instance = world.instance("newer")
    instance.command("user", "add", "ana@example.com")
    with sqlite3.connect(instance.database) as connection:
        connection.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA user_version = {LATEST + 1}")
    connection.close()
    before = instance.database.read_bytes()
    serve, backup = ["serve", "--listen", "127.0.0.1:0"], ["backup", instance.backups / "kept.db"]
    for arguments in (["migrate"], serve, ["doctor"], ["user", "list"], backup):
        done = instance.attempt(*arguments)
        output = f"`dripline {arguments[0]}`: {done.stderr.strip()}"
        equal(done.returncode, 1, f"{output}; exit status")
        check(f"schema {LATEST + 1}" in done.stderr and f"up to {LATEST}" in done.stderr, output)
        equal(instance.database.read_bytes() == before, True, f"{output}; the file is unchanged")
    done = world.instance("other").attempt("restore", instance.database)
    check(done.returncode == 1 and f"schema {LATEST + 1}" in done.stderr, f"`dripline restore`: {done.stderr.strip()}")
