"""The service on one database: its commands, its server and requests to it."""
import http.client
import signal
import subprocess
import time
import urllib.parse

import account
from environment import end
from machine import Meter

# A server that uses more CPU µs than this in a fifth of a second is busy.
BUSY = 5_000


class Product:
    def __init__(self, binary, folder, cluster=None, database=None):
        """With `cluster` and `database`, the service runs on PostgreSQL, in a new database of that name."""
        folder.mkdir(exist_ok=True)
        self.binary, self.folder, self.cluster, self.database, self.server = binary, folder, cluster, database, None
        # The loopback is a trusted proxy, so that one program can send requests for many clients.
        self.environment = {"DRIPLINE_DATA_DIR": str(folder / "data"), "DRIPLINE_NOW": f"{account.TODAY}T12:00:00Z", "DRIPLINE_BACKUP_EVERY": "off",
                            "DRIPLINE_TRUSTED_PROXIES": "127.0.0.0/8"}
        if cluster:
            self.environment["DRIPLINE_DATABASE_URL"] = cluster.new_database(database)

    @property
    def engine(self):
        return "PostgreSQL" if self.cluster else "SQLite"

    def command(self, *arguments, stdin=None):
        done = subprocess.run([self.binary, *arguments], env=self.environment, input=stdin, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"dripline {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout.strip()

    def add_user(self, email, ledger=None, password=None):
        """Creates an account, resident in Spain, with this ledger; returns its token."""
        self.command("user", "add", email, "--residence", "ES", *(["--password-stdin"] if password else []), stdin=password)
        if ledger:
            self.command("import", ledger, "--user", email)
        return self.command("token", "create", "--user", email, "--name", "bench")

    def vacuum(self):
        """After many writes: PostgreSQL cleans up now, not during a measurement."""
        if self.cluster:
            self.cluster.sql("VACUUM ANALYZE", self.database)
            self.cluster.sql("CHECKPOINT")

    def serve(self):
        self.server = subprocess.Popen([self.binary, "serve", "--listen", "127.0.0.1:0"], env=self.environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.server.stdout.readline().strip()
        if "http" not in line:
            raise SystemExit(f"dripline serve printed {line!r} instead of an address")
        self.address = urllib.parse.urlsplit(line[line.index("http"):]).netloc
        self.connection = http.client.HTTPConnection(self.address)
        self.wait_for_startup_check()

    def wait_for_startup_check(self):
        """A second after its start a server checks its database file, which must not count in a measurement."""
        if self.cluster:
            return
        time.sleep(1)
        used = None
        while used is None or used > BUSY:
            meter = Meter(self.server.pid)
            time.sleep(0.2)
            used = meter.used()

    def stop(self):
        end(self.server, signal.SIGTERM)
        self.server = None

    def ask(self, path, headers, method="GET", body=None, expected=200):
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status != expected:
            raise SystemExit(f"{path} returned {response.status} instead of {expected}: {text[:300]}")
        return response.headers["ETag"], text

    def meters(self):
        """Meters of the node, and of PostgreSQL if it uses one."""
        return Meter(self.server.pid), Meter(self.cluster.process.pid) if self.cluster else None


def bearer(token, etag=None):
    return {"Authorization": f"Bearer {token}", **({"If-None-Match": etag} if etag else {})}
