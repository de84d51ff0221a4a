"""The programs that tests start: where they are installed, free ports, the user they run as, and how to stop them."""

import glob
import os
import pwd
import random
import shutil
import socket
import subprocess
import time

PACKAGES = {
    "initdb": "postgresql-15", "postgres": "postgresql-15", "pg_ctl": "postgresql-15", "psql": "postgresql-client-15",
    "pg_basebackup": "postgresql-client-15", "redis-server": "redis-server", "haproxy": "haproxy", "pgbouncer": "pgbouncer",
    "openssl": "openssl"}
END_SECONDS_MAX = 20
# Below the kernel's ephemeral ports, so that a program that is down for a while finds its port still free.
PORTS = range(20_000, 32_000)


class Missing(Exception):
    pass


def find(name):
    """Looks in the newest PostgreSQL's own folder first: the commands Debian puts on the PATH are slow wrappers."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=version_of, reverse=True)
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/bin"]))
    if not found:
        raise Missing(f"{name} not found: install the Debian package {PACKAGES[name]}")
    return found


def version_of(folder):
    number = folder.split("/")[-2]
    return int(number) if number.isdigit() else 0


def free_port():
    for _ in range(1_000):
        port = random.choice(PORTS)
        with socket.socket() as candidate:
            try:
                candidate.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Missing("no free port between 20000 and 32000 on 127.0.0.1")


def database_owner():
    """The user to run PostgreSQL as, because it refuses to run as root. None: the current user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Missing("PostgreSQL does not run as root, and neither user postgres nor nobody exists")


def as_owner(owner):
    return {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


def until(seconds, condition, what):
    """Waits until `condition()` is true and returns how long that took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"timed out after {seconds} s waiting for {what}")
        time.sleep(0.01)
    return time.monotonic() - began


def end(process, signal_number):
    """Stops a process that the tests started, and waits for it to exit."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(signal_number)
    try:
        process.wait(END_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
