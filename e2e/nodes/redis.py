"""The tests' own Redis, without persistence."""

import signal
import socket
import subprocess

from programs import end, find, free_port, until


class Redis:
    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        folder.mkdir()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [find("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                 "--dir", str(self.folder)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        until(10, self.answers, "Redis")

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self, hard=True):
        end(self.process, signal.SIGKILL if hard else signal.SIGTERM)
