"""PgBouncer in transaction mode in front of PostgreSQL, as many operators run it."""

import os
import signal
import subprocess

from postgres import DATABASE, PASSWORD, USER
from programs import as_owner, end, find, free_port, until

CONFIG = """
[databases]
{database} = host=127.0.0.1 port={target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
"""


class Pgbouncer:
    def __init__(self, folder, server):
        self.folder, self.server, self.port, self.process = folder, server, free_port(), None
        folder.mkdir()
        config = CONFIG.format(database=DATABASE, target=server.port, port=self.port, folder=folder)
        for name, text in (("pgbouncer.ini", config), ("users", f'"{USER}" "{PASSWORD}"\n')):
            (folder / name).write_text(text)
        if server.owner:
            os.chown(folder, server.owner.pw_uid, server.owner.pw_gid)

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [find("pgbouncer"), str(self.folder / "pgbouncer.ini")], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, **as_owner(self.server.owner))
        until(10, self.accepts_connections, f"pgbouncer (log: {self.folder / 'log'})")

    def accepts_connections(self):
        environment = {**self.server.environment(), "PGSSLMODE": "disable"}
        # PgBouncer does not accept PostgreSQL's options.
        environment.pop("PGOPTIONS")
        command = [find("psql"), "-XAtq", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-d", DATABASE, "-c", "SELECT 1"]
        return subprocess.run(command, env=environment, capture_output=True).returncode == 0

    def stop(self):
        end(self.process, signal.SIGTERM)
