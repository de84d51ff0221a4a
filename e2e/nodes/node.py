"""One `dripline serve` process of several: started, killed, or terminated as an operator does."""

import re
import signal
import subprocess

from client import Client
from programs import end, free_port, until

READY_SECONDS_MAX = 20


class Node:
    def __init__(self, name, binary, environment, folder):
        self.name, self.binary, self.port, self.metrics_port, self.process = name, binary, free_port(), free_port(), None
        self.log = folder / f"{name}.log"
        self.environment = {
            **environment, "DRIPLINE_DATA_DIR": str(folder / f"{name}-data"),
            "DRIPLINE_METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}"}

    def start(self, **changed):
        """Returns once the node is ready."""
        self.environment |= changed
        self.launch()
        until(READY_SECONDS_MAX, self.is_ready, f"the node {self.name} (log: {self.log})")
        return self

    def launch(self):
        """Does not wait until the node is ready."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}"], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)

    def is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the node {self.name} exited with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        return self.get("/readyz").status == 200

    def get(self, path, token=None, **headers):
        """Sends a request on a new connection."""
        client = Client(self.port)
        try:
            return client.get(path, token, **headers)
        finally:
            client.close()

    def metric(self, name):
        """None if there is no such metric."""
        client = Client(self.metrics_port)
        try:
            text = client.get("/metrics").body.decode()
        finally:
            client.close()
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        return float(found.group(1)) if found else None

    def terminate(self):
        """Sends SIGTERM, as an operator does, and returns the exit status; waits no longer than `end` does."""
        end(self.process, signal.SIGTERM)
        return self.process.returncode

    def kill(self):
        end(self.process, signal.SIGKILL)

