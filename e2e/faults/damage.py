"""Damaged files: refused with their path, neither served nor written to."""

import collections
import shutil
import sqlite3
import time

from check import check, check_none, equal, test
from client import Client
from instance import Instance, dump, open_read_only
from operations import Import
from programs import until
from server import Serving, Visitor
from service import Failure

REFUSAL_SECONDS_MAX = 15


def create_filled(world, name="sound"):
    instance = world.instance(name)
    instance.command("user", "add", "ana@example.com")
    instance.command(*Import("ana@example.com", world.new_file(), 400).arguments())
    instance.command("token", "create", "--user", "ana@example.com", "--name", "reading")
    return instance


def copy_of(world, instance):
    copy = Instance(world.binary, world.new_folder("copy"))
    shutil.copy(instance.database, copy.database)
    return copy


def check_refused(instance, words, *commands):
    """Every command refuses the file, names it, and writes nothing to it."""
    before = instance.database.read_bytes()
    for arguments in commands or (["doctor"], ["user", "list"], ["token", "create", "--user", "ana@example.com", "--name", "more"],
                                  ["serve", "--listen", "127.0.0.1:0"]):
        done = instance.attempt(*arguments)
        output = f"`dripline {arguments[0]}`: {done.stderr.strip()} {done.stdout.strip()}"
        equal(done.returncode, 1, f"{output}; exit status")
        check(str(instance.database) in output and words in output and "backup" in output, f"{output}; it does not say: {words}")
    check(instance.database.read_bytes() == before, f"the file was changed: {words}")


@test("a file with a flipped bit that SQLite detects is refused with its path, and nothing is served or written")
def bits(world):
    intact = create_filled(world)
    rows, size, outcomes = dump(intact.database), intact.database.stat().st_size, collections.Counter()
    for _ in range(world.length(20, 400)):
        instance, bit = copy_of(world, intact), world.rng.randrange(size * 8)
        with open(instance.database, "r+b") as file:
            file.seek(bit // 8)
            byte = file.read(1)[0]
            file.seek(bit // 8)
            file.write(bytes([byte ^ 1 << bit % 8]))
        outcomes[effect_of(instance, bit, rows)] += 1
        world.drop(instance.folder)
    check(sum(count for what, count in outcomes.items() if "refused" in what), f"no flip was noticed: {dict(outcomes)}")
    return ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))


def effect_of(instance, bit, rows):
    """The effect of a flipped bit; whether it is detectable is decided by Python's SQLite."""
    try:
        with open_read_only(instance.database) as connection:
            visible = connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]
        changed = visible or dump(instance.database) != rows
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # The second if the damage is in the error message itself.
        visible = changed = True
    doctor_errors = instance.doctor_errors()
    if not visible:
        return "without effect" if not changed and not doctor_errors else "found only by doctor" if doctor_errors else "in a value, undetected"
    check(doctor_errors, f"bit {bit} is flipped, but doctor reports no error")
    before = instance.database.read_bytes()
    done = instance.attempt("token", "create", "--user", "ana@example.com", "--name", "more")
    if done.returncode == 1:
        check(str(instance.database) in done.stderr, f"bit {bit}: {done.stderr}")
        check(instance.database.read_bytes() == before, f"bit {bit}: a damaged file was changed")
        return "refused at startup"
    return check_refused_while_serving(instance, bit)


def check_refused_while_serving(instance, bit):
    """On a slow machine the check at startup stops early and continues while the server runs."""
    server = Serving(instance)
    try:
        with server:
            until(REFUSAL_SECONDS_MAX, lambda: server.get("/readyz").status == 503, f"a refusal of bit {bit}")
    except Failure:
        pass  # This time it was detected at startup.
    check(str(instance.database) in "".join(server.output), f"bit {bit}: the file is not named: {server.output}")
    return "refused soon after startup"


@test("a server that finds damage stops serving and writing, logs it, and works again after a restore")
def met(world):
    instance = world.instance("served")
    visitor = Visitor.sign_up(instance, world)
    instance.command(*Import(visitor.email, world.new_file(), 400).arguments())
    token = instance.command("token", "create", "--user", visitor.email, "--name", "reading").strip()
    instance.command("backup", instance.backups / "kept.db")
    with Serving(instance) as server:
        visitor.sign_in(server.port)
        equal(server.get("/readyz").status, 200, "/readyz before")
        time.sleep(1.5)  # The server's own startup check is over by then.
        with open(instance.database, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (instance.database.stat().st_size - 4096))
        damaged = instance.database.read_bytes()
        equal(server.get("/api/v1/holdings", token).status, 500, "a response from a damaged file")
        equal(server.get("/readyz").status, 503, "/readyz after")
        for path in ("/api/v1/me", "/api/v1/income", "/api/v1/stocks/W01"):
            equal(server.get(path, token).status, 500, f"{path} after")
        client = Client(server.port)
        answers = [visitor.one(client, what) for what in (visitor.entry, visitor.file)]
        check(all(answer.status >= 500 for answer in answers), "writes after the damage:", *(answer.describe() for answer in answers))
        check(str(instance.database) in "".join(server.output), f"the log does not name the file: {server.output}")
        server.kill()
    check(instance.database.read_bytes() == damaged, "a damaged file was changed")
    instance.command("restore", instance.backups / "kept.db")
    check_none(instance.doctor_errors(), "doctor error after the restore")
    with Serving(instance) as server:
        equal(server.get("/api/v1/holdings", token).status, 200, "holdings after the restore")


@test("a file that is truncated, another program's, not a database or only a log is refused with its path and left unchanged")
def others(world):
    intact = create_filled(world)
    size = intact.database.stat().st_size
    for length in (size // 2 // 4096 * 4096, size - 1_000, 5_000):
        instance = copy_of(world, intact)
        with open(instance.database, "r+b") as file:
            file.truncate(length)
        check_refused(instance, "damaged")
    instance = world.instance("foreign")
    with sqlite3.connect(instance.database) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    check_refused(instance, "another program")
    instance = world.instance("text")
    instance.database.write_text("these are not the pages of a database\n" * 100)
    check_refused(instance, "not a Dripline database")
    instance = create_killed(world, "log")
    instance.database.write_bytes(b"")
    log = instance.database.with_name("dripline.db-wal")
    before = log.read_bytes()
    check_refused(instance, "log")
    check(before and log.read_bytes() == before, "the log was changed")


@test("an empty file is a new database; a file without its log is intact, as of the last checkpoint")
def emptied(world):
    instance = world.instance("empty")
    instance.database.touch()
    equal(instance.command("user", "list", "--json").strip(), "[]", "accounts of an empty file")
    instance = create_killed(world, "without")
    for name in ("dripline.db-wal", "dripline.db-shm"):
        (instance.data / name).unlink()
    check_none(instance.doctor_errors(), "doctor error in a file without its log")
    check("visitor" in instance.command("user", "list"), "the existing account is gone")


@test("a restore next to the log and shared memory of a killed server has exactly the backup's rows")
def stale(world):
    instance = create_killed(world, "stale", backup=True)
    kept = dump(instance.backups / "kept.db")
    check((instance.data / "dripline.db-wal").stat().st_size > 0 and (instance.data / "dripline.db-shm").exists(), "there is no log")
    instance.command("restore", instance.backups / "kept.db")
    check_none(instance.doctor_errors(), "doctor error after the restore")
    found = dump(instance.database)
    # A restore records the folder's key if the backup has none.
    del kept["encryption_keys"]
    different = [table for table in kept if kept[table] != found[table] and table not in ("users", "versions", "stocks")]
    equal(different, [], "tables that differ from the backup")
    equal([len(found[table]) for table in kept], [len(kept[table]) for table in kept], "rows of tables")


def create_killed(world, name, backup=False):
    """An instance whose server was killed while its log held transactions."""
    instance = world.instance(name)
    visitor = Visitor.sign_up(instance, world)
    if backup:
        instance.command("backup", instance.backups / "kept.db")
    with Serving(instance) as server:
        visitor.sign_in(server.port)
        client = Client(server.port)
        for _ in range(5):
            equal(visitor.one(client, visitor.entry).status, 303, "a transaction")
        server.kill()
    return instance
