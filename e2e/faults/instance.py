"""A folder with a database of the service: commands that work on it, and ways to read it without them."""

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


class Instance:
    """`data` is the service's data folder; `backups` is next to it, on the same disk."""

    def __init__(self, binary, folder):
        self.binary, self.folder, self.data, self.backups = binary, folder, folder / "data", folder / "backups"
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.backups.mkdir(exist_ok=True)
        self.database = self.data / "dripline.db"
        # The default reserve is too large for the tests' small disks.
        self.environment = {**environment_for(folder, TODAY), "DRIPLINE_DISK_RESERVE_MIB": "1"}

    def start(self, *arguments, before=()):
        return subprocess.Popen(
            [*before, self.binary, *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def attempt(self, *arguments, before=(), stdin=""):
        """Runs a command that may fail."""
        return subprocess.run(
            [*before, self.binary, *map(str, arguments)], env=self.environment, input=stdin, capture_output=True, text=True,
            timeout=COMMAND_SECONDS_MAX)

    def command(self, *arguments, stdin=""):
        done = self.attempt(*arguments, stdin=stdin)
        if done.returncode:
            raise Failed(f"`dripline {' '.join(map(str, arguments))}` exited with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def doctor_errors(self):
        """The errors that `dripline doctor` reports; empty if there are none. Its last connection does not change the file."""
        done = self.attempt("doctor", "--json")
        if done.returncode == 0:
            return []
        try:
            return [check["finding"] for check in json.loads(done.stdout) if check["verdict"] == "error"]
        except ValueError:
            return [f"doctor exited with {done.returncode}: {done.stderr.strip()[-500:]}"]

    def copy_to(self, folder):
        """Copies what is on the disk now, without shared memory."""
        shutil.copytree(self.folder, folder, ignore=lambda _, names: [name for name in names if name.endswith("-shm")])
        return Instance(self.binary, folder)

    def leftover_files(self):
        """Files that should not be there, left by an interrupted or earlier operation."""
        known = {"dripline.db", "secret.key", *(f"dripline.db.schema-{number}" for number in range(1, LATEST))}
        return sorted(file.name for file in self.data.iterdir() if file.name not in known) + sorted(
            file.name for file in self.backups.iterdir() if file.suffix != ".db")


@contextlib.contextmanager
def open_read_only(path):
    """Opens a database file that no process has open, read-only: Python's SQLite is older than the service's and must not write to it."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
    try:
        yield connection
    finally:
        connection.close()


def dump(path):
    """Every row of every table, sorted."""
    with open_read_only(path) as connection:
        names = [name for name, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}


def is_intact(path):
    with open_read_only(path) as connection:
        try:
            return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        except sqlite3.DatabaseError:
            return False
