"""Runs the `dripline` binary: its commands, and its server as a context manager."""

import os
import re
import signal
import subprocess
import threading
import time

START_SECONDS_MAX = 60
COMMAND_SECONDS_MAX = 120


def environment_for(folder, today):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("DRIPLINE_")}
    return {**clean, "DRIPLINE_DATA_DIR": str(folder / "data"), "DRIPLINE_NOW": f"{today}T12:00:00Z", "NO_COLOR": "1"}


class Failure(Exception):
    pass


def command(binary, environment, *arguments):
    try:
        done = subprocess.run(
            [binary, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=COMMAND_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        raise Failure(f"`dripline {' '.join(arguments)}` took more than {COMMAND_SECONDS_MAX} s") from None
    if done.returncode:
        raise Failure(f"`dripline {' '.join(arguments)}` exited with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


class Server:
    """Context manager: `dripline serve` (or `demo`) on a free port."""

    def __init__(self, binary, environment, verb="serve", before=()):
        self.process = subprocess.Popen(
            [*before, binary, verb, "--listen", "127.0.0.1:0"], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output, self.url, self.ready = [], None, threading.Event()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.output.append(line)
            found = re.search(r"http://127\.0\.0\.1:[1-9]\d*", line)
            if found and not self.url:
                self.url = found.group()
                self.ready.set()
        self.ready.set()

    def __enter__(self):
        self.ready.wait(START_SECONDS_MAX)
        if not self.url:
            self.stop()
            raise Failure("`dripline serve` printed no address: " + "".join(self.output)[-2000:])
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def token_of(server):
    """The token of the demo."""
    for _ in range(100):
        found = re.search(r"drip_pat_[0-9A-Za-z]{36}", "".join(server.output))
        if found:
            return found.group()
        time.sleep(0.05)
    raise Failure("`dripline demo` printed no token")
