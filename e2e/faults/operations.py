"""Operations on the service: whether each was acknowledged, and what must be in the database afterwards."""

import enum

import instance as instances


class Found(enum.Enum):
    NOTHING, COMPLETE, PARTIAL = "nothing", "complete", "partial"


class State:
    """The contents of a database file, read without the service."""

    def __init__(self, database):
        with instances.open_read_only(database) as connection:
            rows = lambda sql: connection.execute(sql).fetchall()
            self.users = dict(rows("SELECT email, id FROM users"))
            self.tokens = dict(rows("SELECT name, COUNT(*) FROM tokens GROUP BY name"))
            self.imports = {name: tuple(counts) for name, *counts in rows(
                "SELECT file_name, added, (SELECT COUNT(*) FROM entries e WHERE e.user_id = i.user_id AND e.import_id = i.id), "
                "(SELECT COUNT(*) FROM import_files f WHERE f.user_id = i.user_id AND f.import_id = i.id) FROM imports i")}
            self.notes = dict(rows("SELECT note, COUNT(*) FROM entries WHERE note IS NOT NULL GROUP BY note"))
            owned = [name for name, in rows(
                "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'user_id' "
                "AND t.name <> 'audit'")]
            self.owners = {owner for name in owned for owner, in rows(f"SELECT DISTINCT user_id FROM {name}")}


class Import:
    """The import of a ledger file; the note of every row is the file's name."""

    def __init__(self, email, file, rows):
        self.email, self.file, self.rows = email, file, rows
        lines = ["date,type,symbol,shares,price,currency,note,id"]
        lines += [f"20{10 + row % 15}-01-02,buy,W{row % 20:02},{row + 1}.25,10.5,EUR,{file.stem},{file.stem}-{row}" for row in range(rows)]
        file.write_text("\n".join(lines) + "\n")

    def arguments(self):
        return "import", self.file, "--user", self.email, "--json"

    def acknowledged(self, stdout, _):
        return f'"new":{self.rows}' in stdout

    def found(self, state):
        counts, rows = state.imports.get(self.file.name), state.notes.get(self.file.stem, 0)
        if counts is None and rows == 0:
            return Found.NOTHING
        return Found.COMPLETE if counts == (self.rows, self.rows, 1) and rows == self.rows else Found.PARTIAL

    def describe(self):
        return f"the import of {self.file.name}"


class Token:
    def __init__(self, email, name):
        self.email, self.name = email, name

    def arguments(self):
        return "token", "create", "--user", self.email, "--name", self.name

    def acknowledged(self, stdout, _):
        return stdout.startswith("drip_pat_")

    def found(self, state):
        return {0: Found.NOTHING, 1: Found.COMPLETE}.get(state.tokens.get(self.name, 0), Found.PARTIAL)

    def describe(self):
        return f"the token {self.name}"


class Users:
    """Creates a new account for every 20 tokens, because no account may have more than 25."""

    def __init__(self, world):
        self.world, self.email, self.used = world, None, 0

    def next(self, instance):
        if self.used % 20 == 0:
            self.email = self.world.new_name("user") + "@example.com"
            instance.command("user", "add", self.email)
        self.used += 1
        return self.email


class Account:
    def __init__(self, email):
        self.email = email

    def arguments(self):
        return "user", "add", self.email

    def acknowledged(self, stdout, _):
        return bool(stdout)

    def found(self, state):
        return Found.COMPLETE if self.email in state.users else Found.NOTHING

    def describe(self):
        return f"the account {self.email}"


class Deletion:
    """The deletion of an account that has an import."""

    def __init__(self, email, user_id, content):
        self.email, self.user_id, self.content = email, user_id, content

    def arguments(self):
        return "user", "delete", self.email, "--yes"

    def acknowledged(self, _, stderr):
        return " deleted." in stderr

    def found(self, state):
        if self.email not in state.users:
            deleted = self.user_id not in state.owners and self.content.found(state) is Found.NOTHING
            return Found.COMPLETE if deleted else Found.PARTIAL
        return Found.NOTHING if self.content.found(state) is Found.COMPLETE else Found.PARTIAL

    def describe(self):
        return f"the deletion of {self.email}"


class Backup:
    """A backup: the file under its name must be intact, whichever run wrote it."""

    def __init__(self, file):
        self.file = file

    def arguments(self):
        return "backup", self.file

    def acknowledged(self, _, stderr):
        return "Backup written and checked" in stderr

    def found_at(self, file):
        if not file.exists():
            return Found.NOTHING
        return Found.COMPLETE if instances.is_intact(file) else Found.PARTIAL

    def describe(self):
        return f"the backup {self.file.name}"


class Restore:
    def __init__(self, file):
        self.file = file

    def arguments(self):
        return "restore", self.file

    def acknowledged(self, _, stderr):
        return "Restored " in stderr

    def describe(self):
        return f"the restore of {self.file.name}"


class History:
    """Operations in the order they were requested. Acknowledged ones must be complete; each of the others must be complete or
    absent, and stay that way."""

    def __init__(self):
        self.entries = []

    def record(self, operation, acknowledged):
        self.entries.append([operation, acknowledged, None])

    def problems(self, instance):
        state, problems = State(instance.database), []
        for entry in self.entries:
            operation, acknowledged, before = entry
            found = operation.found_at(instance.backups / operation.file.name) if isinstance(operation, Backup) else operation.found(state)
            if found is Found.PARTIAL:
                problems.append(f"{operation.describe()} is only partly there")
            elif acknowledged and found is Found.NOTHING:
                problems.append(f"{operation.describe()} was acknowledged and is lost")
            elif before is Found.COMPLETE and found is Found.NOTHING:
                problems.append(f"{operation.describe()} was there and is lost")
            elif before is Found.NOTHING and found is Found.COMPLETE and not isinstance(operation, Backup):
                problems.append(f"{operation.describe()} was absent and appeared later")
            entry[2] = found
        return problems

    def complete_count(self):
        return sum(1 for _, _, found in self.entries if found is Found.COMPLETE)
