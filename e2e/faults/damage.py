"""Files that are not as they were written: refused by name, neither served nor written to."""

import collections
import shutil
import sqlite3
import time

from book import Import
from check import check, check_none, equal, test
from client import Client
from place import Place, dump, opened
from programs import until
from server import Serving, Visitor
from service import Failure

REFUSAL_SECONDS_MAX = 15


def filled(world, name="sound"):
    place = world.place(name)
    place.command("user", "add", "ana@example.com")
    place.command(*Import("ana@example.com", world.new_file(), 400).arguments())
    place.command("token", "create", "--user", "ana@example.com", "--name", "reading")
    return place


def copied(world, place):
    copy = Place(world.binary, world.new_folder("copy"))
    shutil.copy(place.database, copy.database)
    return copy


def check_refused(place, words, *commands):
    """By every command, by name, and with nothing written."""
    before = place.database.read_bytes()
    for arguments in commands or (["doctor"], ["user", "list"], ["token", "create", "--user", "ana@example.com", "--name", "more"],
                                  ["serve", "--listen", "127.0.0.1:0"]):
        done = place.attempt(*arguments)
        told = f"`dripline {arguments[0]}`: {done.stderr.strip()} {done.stdout.strip()}"
        equal(done.returncode, 1, f"{told}; exit status")
        check(str(place.database) in told and words in told and "backup" in told, f"{told}; it does not say: {words}")
    check(place.database.read_bytes() == before, f"the file was changed: {words}")


@test("a flipped bit that SQLite can see is refused by name, and nothing is served or written")
def bits(world):
    sound = filled(world)
    rows, size, outcomes = dump(sound.database), sound.database.stat().st_size, collections.Counter()
    for _ in range(world.length(20, 400)):
        place, bit = copied(world, sound), world.chance.randrange(size * 8)
        with open(place.database, "r+b") as file:
            file.seek(bit // 8)
            byte = file.read(1)[0]
            file.seek(bit // 8)
            file.write(bytes([byte ^ 1 << bit % 8]))
        outcomes[judged(place, bit, rows)] += 1
        world.drop(place.folder)
    check(sum(count for what, count in outcomes.items() if "refused" in what), f"no flip was noticed: {dict(outcomes)}")
    return ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))


def judged(place, bit, rows):
    """What became of a flipped bit: whether it can be seen is what another SQLite says."""
    try:
        with opened(place.database) as connection:
            visible = connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]
        changed = visible or dump(place.database) != rows
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # The second where the damage is in what the first would say.
        visible = changed = True
    ills = place.ills()
    if not visible:
        return "without effect" if not changed and not ills else "found by doctor alone" if ills else "in a value, seen by nobody"
    check(ills, f"bit {bit} is flipped, and doctor says that all is well")
    before = place.database.read_bytes()
    done = place.attempt("token", "create", "--user", "ana@example.com", "--name", "more")
    if done.returncode == 1:
        check(str(place.database) in done.stderr, f"bit {bit}: {done.stderr}")
        check(place.database.read_bytes() == before, f"bit {bit}: a damaged file was changed")
        return "refused at the start"
    return check_given_up(place, bit)


def check_given_up(place, bit):
    """A look at the start ends early where the machine is slow: the rest is looked at while it is served."""
    server = Serving(place)
    try:
        with server:
            until(REFUSAL_SECONDS_MAX, lambda: server.get("/readyz").status == 503, f"a refusal of bit {bit}")
    except Failure:
        pass  # This time it was seen at the start.
    check(str(place.database) in "".join(server.output), f"bit {bit}: the file is not named: {server.output}")
    return "refused soon after the start"


@test("a server that meets damage serves and writes nothing any more, says so in its log, and is well again after a restore")
def met(world):
    place = world.place("served")
    visitor = Visitor.joining(place, world)
    place.command(*Import(visitor.email, world.new_file(), 400).arguments())
    token = place.command("token", "create", "--user", visitor.email, "--name", "reading").strip()
    place.command("backup", place.backups / "kept.db")
    with Serving(place) as server:
        visitor.sign_in(server.port)
        equal(server.get("/readyz").status, 200, "/readyz before")
        time.sleep(1.5)  # The first look of the server itself is over.
        with open(place.database, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (place.database.stat().st_size - 4096))
        damaged = place.database.read_bytes()
        equal(server.get("/api/v1/holdings", token).status, 500, "an answer from a damaged file")
        equal(server.get("/readyz").status, 503, "/readyz after")
        for path in ("/api/v1/me", "/api/v1/income", "/api/v1/stocks/W01"):
            equal(server.get(path, token).status, 500, f"{path} after")
        client = Client(server.port)
        answers = [visitor.one(client, what) for what in (visitor.entry, visitor.file)]
        check(all(answer.status >= 500 for answer in answers), "written after:", *(answer.told() for answer in answers))
        check(str(place.database) in "".join(server.output), f"the log does not name the file: {server.output}")
        server.kill()
    check(place.database.read_bytes() == damaged, "a damaged file was changed")
    place.command("restore", place.backups / "kept.db")
    check_none(place.ills(), "an ill after the restore")
    with Serving(place) as server:
        equal(server.get("/api/v1/holdings", token).status, 200, "holdings after the restore")


@test("a file that is cut short, another program's, no database or only a log is refused by name, and left as it is")
def others(world):
    sound = filled(world)
    size = sound.database.stat().st_size
    for length in (size // 2 // 4096 * 4096, size - 1_000, 5_000):
        place = copied(world, sound)
        with open(place.database, "r+b") as file:
            file.truncate(length)
        check_refused(place, "damaged")
    place = world.place("foreign")
    with sqlite3.connect(place.database) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    check_refused(place, "another program")
    place = world.place("text")
    place.database.write_text("these are not the pages of a database\n" * 100)
    check_refused(place, "not a database")
    place = killed(world, "log")
    place.database.write_bytes(b"")
    log = place.database.with_name("dripline.db-wal")
    before = log.read_bytes()
    check_refused(place, "log")
    check(before and log.read_bytes() == before, "the log was changed")


@test("an empty file is a new database; one without its log is sound and as of when the log was last emptied")
def emptied(world):
    place = world.place("empty")
    place.database.touch()
    equal(place.command("user", "list", "--json").strip(), "[]", "accounts of an empty file")
    place = killed(world, "without")
    for name in ("dripline.db-wal", "dripline.db-shm"):
        (place.data / name).unlink()
    check_none(place.ills(), "an ill of a file without its log")
    check("visitor" in place.command("user", "list"), "the account of before is gone")


@test("a restore beside a log and shared memory that a killed server left has the backup's rows and no others")
def stale(world):
    place = killed(world, "stale", backup=True)
    kept = dump(place.backups / "kept.db")
    check((place.data / "dripline.db-wal").stat().st_size > 0 and (place.data / "dripline.db-shm").exists(), "there is no log")
    place.command("restore", place.backups / "kept.db")
    check_none(place.ills(), "an ill after the restore")
    found = dump(place.database)
    # The key that the folder has is noted where the backup names none.
    del kept["encryption_keys"]
    different = [table for table in kept if kept[table] != found[table] and table not in ("users", "versions", "stocks")]
    equal(different, [], "tables that are not as in the backup")
    equal([len(found[table]) for table in kept], [len(kept[table]) for table in kept], "rows of tables")


def killed(world, name, backup=False):
    """A place whose server was killed with a log that has entries of its own."""
    place = world.place(name)
    visitor = Visitor.joining(place, world)
    if backup:
        place.command("backup", place.backups / "kept.db")
    with Serving(place) as server:
        visitor.sign_in(server.port)
        client = Client(server.port)
        for _ in range(5):
            equal(visitor.one(client, visitor.entry).status, 303, "an entry")
        server.kill()
    return place
