"""A folder with a database of the service, the commands that work on it, and what is found in it without them."""

import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess

from check import Failed
from service import COMMAND_SECONDS_MAX, environment_for

TODAY = "2026-11-15"
MIGRATIONS = pathlib.Path(__file__).resolve().parent.parent.parent / "crates/store/src/migrations/sqlite"
LATEST = len(list(MIGRATIONS.glob("*.sql")))


class Place:
    """`data` is the service's own, `backups` beside it is on the same disk."""

    def __init__(self, binary, folder):
        self.binary, self.folder, self.data, self.backups = binary, folder, folder / "data", folder / "backups"
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.backups.mkdir(exist_ok=True)
        self.database = self.data / "dripline.db"
        # Of a small disk little stays free.
        self.environment = {**environment_for(folder, TODAY), "DRIPLINE_DISK_RESERVE_MIB": "1"}

    def start(self, *arguments, before=()):
        return subprocess.Popen(
            [*before, self.binary, *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def attempt(self, *arguments, before=(), given=""):
        """A command that may fail."""
        return subprocess.run(
            [*before, self.binary, *map(str, arguments)], env=self.environment, input=given, capture_output=True, text=True,
            timeout=COMMAND_SECONDS_MAX)

    def command(self, *arguments, given=""):
        done = self.attempt(*arguments, given=given)
        if done.returncode:
            raise Failed(f"`dripline {' '.join(map(str, arguments))}` ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def ills(self):
        """What `dripline doctor` says is wrong; none for a database that is well. Its last connection leaves the file alone."""
        done = self.attempt("doctor", "--json")
        if done.returncode == 0:
            return []
        try:
            return [check["finding"] for check in json.loads(done.stdout) if check["verdict"] == "error"]
        except ValueError:
            return [f"doctor ended with {done.returncode}: {done.stderr.strip()[-500:]}"]

    def copy_to(self, folder):
        """As the disk has it now, without what is in memory alone."""
        shutil.copytree(self.folder, folder, ignore=lambda _, names: [name for name in names if name.endswith("-shm")])
        return Place(self.binary, folder)

    def left_over(self):
        """Files that nobody needs: of what was cut off, or of before."""
        known = {"dripline.db", "secret.key", *(f"dripline.db.schema-{number}" for number in range(1, LATEST))}
        return sorted(file.name for file in self.data.iterdir() if file.name not in known) + sorted(
            file.name for file in self.backups.iterdir() if file.suffix != ".db")


@contextlib.contextmanager
def opened(path):
    """A database file that no process has open, for reading. Python's SQLite is older than the service's and never writes to it."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
    try:
        yield connection
    finally:
        connection.close()


def dump(path):
    """Every row of every table, in an order of its own."""
    with opened(path) as connection:
        names = [name for name, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}


def is_whole(path):
    with opened(path) as connection:
        try:
            return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        except sqlite3.DatabaseError:
            return False
