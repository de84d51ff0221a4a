"""The benchmarks' own PostgreSQL, with the durability that an operator wants: fsync, and commits that wait for it."""
import json
import os
import signal
import subprocess
import time

from environment import as_owner, database_owner, end, find, free_port, until

SETTINGS = {
    "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "fsync": "on", "synchronous_commit": "on",
    "shared_buffers": "'256MB'", "max_wal_size": "'4GB'", "max_connections": "100", "shared_preload_libraries": "'pg_stat_statements'",
    "pg_stat_statements.track": "none", "log_timezone": "'UTC'"}


class Postgres:
    def __init__(self, folder):
        self.folder, self.port, self.owner = folder, free_port(), database_owner()
        folder.mkdir(mode=0o700)
        if self.owner:
            os.chown(folder, self.owner.pw_uid, self.owner.pw_gid)
        subprocess.run([find("initdb"), "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL, **as_owner(self.owner))
        with open(folder / "data" / "postgresql.conf", "a") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in SETTINGS.items())
        with open(folder / "log", "wb") as log:
            self.process = subprocess.Popen([find("postgres"), "-D", folder / "data", "-p", str(self.port)], cwd=folder, stdout=log,
                                            stderr=log, **as_owner(self.owner))
        until(30, lambda: subprocess.run(self.psql("postgres", "-c", "SELECT 1"), capture_output=True).returncode == 0, "PostgreSQL")
        self.sql("CREATE EXTENSION pg_stat_statements")

    def psql(self, database, *arguments):
        return [find("psql"), "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
                "-d", database, *arguments]

    def sql(self, text, database="postgres"):
        return self.run(self.psql(database, "-c", text), text)

    def script(self, file, database):
        return self.run(self.psql(database, "-f", file), file)

    def run(self, command, what):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{str(what)[:300]}: {done.stderr}")
        return done.stdout.strip()

    def rows(self, text, database="postgres"):
        return json.loads(self.sql(f"SELECT coalesce(json_agg(r), '[]') FROM ({text}) r", database))

    def url(self, name):
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}?sslmode=disable"

    def new_database(self, name):
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def count_statements(self, on):
        self.sql(f"ALTER SYSTEM SET pg_stat_statements.track = {'top' if on else 'none'}")
        self.sql("SELECT pg_reload_conf()")
        time.sleep(0.2)
        self.sql("SELECT pg_stat_statements_reset()")

    def stop(self):
        end(self.process, signal.SIGINT)
