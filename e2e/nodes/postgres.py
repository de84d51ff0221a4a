"""The tests' own PostgreSQL server: started, stopped hard, frozen, replicated, promoted."""

import os
import pathlib
import signal
import subprocess
import time

from programs import as_owner, database_owner, end, find, free_port, until

ADMIN, USER, DATABASE, PASSWORD = "postgres", "dripline", "dripline", "not-a-secret"
START_SECONDS_MAX = 30
# Without fsync nothing survives a power cut, which is not tested here; what a killed PostgreSQL has written, the kernel keeps.
SETTINGS = {
    "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "fsync": "off", "max_connections": "200",
    "shared_buffers": "'64MB'", "wal_keep_size": "'512MB'", "wal_retrieve_retry_interval": "'100ms'", "ssl": "off",
    "log_timezone": "'UTC'", "log_min_error_statement": "panic"}


class Postgres:
    def __init__(self, folder):
        self.folder, self.data, self.port, self.process = folder, folder / "data", free_port(), None
        self.owner = database_owner()
        self.frozen = []

    @classmethod
    def new(cls, folder):
        """A running primary with the service's empty database."""
        server = cls(folder)
        server.make_folder()
        (folder / "password").write_text(PASSWORD)
        if server.owner:
            os.chown(folder / "password", server.owner.pw_uid, server.owner.pw_gid)
        server.program("initdb", "-D", server.data, "-U", ADMIN, "-A", "scram-sha-256", f"--pwfile={folder / 'password'}",
                       "-E", "UTF8", "--no-locale", "-N")
        with open(server.data / "postgresql.conf", "a") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in SETTINGS.items())
        server.start()
        server.sql(f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'", "postgres")
        server.sql(f"CREATE DATABASE {DATABASE} OWNER {USER}", "postgres")
        return server

    def new_replica(self, folder):
        """A running streaming replica of this server."""
        replica = Postgres(folder)
        replica.make_folder()
        replica.program("pg_basebackup", "-h", "127.0.0.1", "-p", self.port, "-U", ADMIN, "-D", replica.data, "-R", "-X",
                        "stream", "-c", "fast", "--no-sync")
        replica.start()
        return replica

    def make_folder(self):
        self.folder.mkdir(mode=0o700)
        if self.owner:
            os.chown(self.folder, self.owner.pw_uid, self.owner.pw_gid)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [find("postgres"), "-D", self.data, "-p", str(self.port)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, **as_owner(self.owner))
        until(START_SECONDS_MAX, self.accepts_connections, f"PostgreSQL on port {self.port} (log: {self.folder / 'log'})")

    def accepts_connections(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"PostgreSQL exited with {self.process.returncode}: {(self.folder / 'log').read_text()[-2000:]}")
        command = self.psql("postgres", "-c", "SELECT 1")
        return subprocess.run(command, env=self.environment(), capture_output=True).returncode == 0

    def stop(self, hard=True):
        """`hard` is like `pg_ctl stop -m immediate`: every process exits at once, as in a crash."""
        self.thaw()
        end(self.process, signal.SIGQUIT if hard else signal.SIGINT)

    def freeze(self):
        """Suspends the server's processes: connections stay open, but nothing responds."""
        os.kill(self.process.pid, signal.SIGSTOP)
        self.frozen = [self.process.pid]
        for child in children_of(self.process.pid):
            os.kill(child, signal.SIGSTOP)
            self.frozen.append(child)

    def thaw(self):
        frozen, self.frozen = self.frozen, []
        for pid in frozen:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                continue

    def promote(self):
        self.program("pg_ctl", "promote", "-D", self.data, "-w", "-t", 30)

    def become_standby(self):
        """From its next start the server is read-only and follows no primary."""
        standby = self.data / "standby.signal"
        standby.touch()
        if self.owner:
            os.chown(standby, self.owner.pw_uid, self.owner.pw_gid)

    def sql(self, text, database=DATABASE):
        done = subprocess.run(self.psql(database, "-c", text), env=self.environment(), capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"{text}: {done.stderr.strip()}")
        return done.stdout.strip()

    def set(self, name, value):
        """Changes a setting of the running server and waits until it is in effect. None resets it."""
        self.sql(f"ALTER SYSTEM RESET {name}" if value is None else f"ALTER SYSTEM SET {name} = {value}")
        self.sql("SELECT pg_reload_conf()")
        time.sleep(0.1)

    def wait_for_replica(self, replica):
        written = self.sql("SELECT pg_current_wal_lsn()")
        reached = lambda: replica.sql(f"SELECT pg_last_wal_replay_lsn() >= '{written}'") == "t"
        until(20, reached, "the replica's copy of the last write")

    def psql(self, database, *arguments):
        return [find("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", ADMIN,
                "-d", database, *arguments]

    def environment(self):
        return {**os.environ, "PGPASSWORD": PASSWORD, "PGCONNECT_TIMEOUT": "5", "LC_ALL": "C",
                "PGOPTIONS": "-c default_transaction_read_only=off"}

    def program(self, name, *arguments):
        done = subprocess.run(
            [find(name), *map(str, arguments)], cwd=self.folder, env=self.environment(), capture_output=True, text=True,
            timeout=120, **as_owner(self.owner))
        if done.returncode:
            raise RuntimeError(f"{name} exited with {done.returncode}: {done.stderr.strip()[-2000:]}")


class Session:
    """Context manager: one administrator's connection, which holds its locks until it commits."""

    def __init__(self, server, database=DATABASE):
        self.process = subprocess.Popen(
            server.psql(database), env=server.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, bufsize=1)

    def __enter__(self):
        return self

    def run(self, text):
        """Returns the lines of the result."""
        self.process.stdin.write(f"{text};\n\\echo done\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == "done\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise RuntimeError(f"{text}: {lines}")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        end(self.process, signal.SIGTERM)


def children_of(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # The command name is in parentheses and may contain spaces; the parent is the second field after it.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found.append(int(stat.parent.name))
    return found


def url(*servers, database=DATABASE, port=None):
    """The database URL for the service; `port` is that of a proxy in front of the server."""
    hosts = ",".join(server.host for server in servers) if port is None else f"127.0.0.1:{port}"
    return f"postgres://{USER}:{PASSWORD}@{hosts}/{database}?sslmode=disable"
