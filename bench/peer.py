"""Typical services for comparison: peers/express and peers/fastapi, on the same PostgreSQL as the product."""
import os
import shutil
import signal
import subprocess
import sys

from environment import CACHE, ROOT, Missing, end, find, free_port, until
from load import Connection
from machine import Meter
from product import bearer
from world import log

FOLDER = ROOT / "bench" / "peers"


def start(world, product, token, path, body):
    """The peers that can be installed here, serving this response for the token; and why the others are left out."""
    file = world.folder / "peer.json"
    file.write_bytes(body)
    started, left_out = [], []
    for name, command in [("Express, PostgreSQL", express), ("FastAPI, PostgreSQL", fastapi)]:
        try:
            command_line, folder = command()
        except (Missing, OSError, subprocess.CalledProcessError) as error:
            left_out.append(f"{name} is left out: {error} {getattr(error, 'stderr', '') or ''}".strip())
            log(left_out[-1])
            continue
        started.append(world.stop_at_end(Peer(name, command_line, folder, product, file)))
        started[-1].wait(token, path)
    return started, left_out


class Peer:
    def __init__(self, name, command_line, folder, product, body):
        self.name, self.cluster, port = name, product.cluster, free_port()
        self.address = f"127.0.0.1:{port}"
        environment = {"PATH": os.environ["PATH"], "PORT": str(port), "BODY": str(body), "NODE_ENV": "production",
                       "DATABASE_URL": product.cluster.url(product.database)}
        self.process = subprocess.Popen([word.format(port=port) for word in command_line], cwd=folder, env=environment, stdout=subprocess.DEVNULL)

    def wait(self, token, path):
        def answers():
            try:
                with Connection(self.address) as connection:
                    status, headers, _, _ = connection.ask(path, bearer(token))
                    self.etag = headers.get("etag")
                    return status == 200
            except OSError:
                return False
        until(30, answers, self.name)

    def meters(self):
        return Meter(self.process.pid), Meter(self.cluster.process.pid)

    def stop(self):
        end(self.process, signal.SIGTERM)


def express():
    """Two processes of Node, started by its cluster module."""
    folder = CACHE / "express"
    with Installed(folder, FOLDER / "express" / "package-lock.json") as missing:
        if missing:
            shutil.copytree(FOLDER / "express", folder, ignore=shutil.ignore_patterns("node_modules"))
            run([find("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], folder)
    shutil.copy(FOLDER / "express" / "server.js", folder)
    return [find("node"), "server.js"], folder


def fastapi():
    """Two workers of uvicorn, with its fast loop and parser."""
    folder, requirements = CACHE / "fastapi", FOLDER / "fastapi" / "requirements.txt"
    with Installed(folder, requirements) as missing:
        if missing:
            run([sys.executable, "-m", "venv", folder], ROOT)
            run([folder / "bin" / "pip", "install", "-q", "-r", requirements], ROOT)
    shutil.copy(FOLDER / "fastapi" / "service.py", folder)
    uvicorn = str(folder / "bin" / "uvicorn")
    return [uvicorn, "service:app", "--workers", "2", "--port", "{port}", "--no-access-log", "--log-level", "error"], folder


class Installed:
    """Context manager: whether packages must be installed into a folder. Success is recorded until the list of packages changes."""

    def __init__(self, folder, packages):
        self.folder, self.packages, self.marker = folder, packages.read_bytes(), folder / "installed"

    def __enter__(self):
        missing = not self.marker.exists() or self.marker.read_bytes() != self.packages
        if missing:
            log(f"installing packages into {self.folder.relative_to(ROOT)}")
            shutil.rmtree(self.folder, ignore_errors=True)
        return missing

    def __exit__(self, failed, *_):
        if not failed:
            self.marker.write_bytes(self.packages)


def run(command, folder):
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
