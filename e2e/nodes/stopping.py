"""Nodes that are terminated under hundreds of requests per second, behind the proxy as configured in deploy/."""

import os
import re
import signal
import subprocess
import time

import rendered
from account import PATHS
from check import check, check_none, equal, test
from paced import Paced
from programs import end, find, free_port, until
from several import check_exit
from writer import Writer, check_ledger

# The default is what a debug build can handle beside its clients. For a release build, set DRIPLINE_NODES_RATE=500.
RATE, RATE_REACHED_MIN = int(os.environ.get("DRIPLINE_NODES_RATE", 150)), 0.9
# How long the proxy needs to detect a node: two health checks, a second apart.
DETECTION_SECONDS = 3


@test("at hundreds of requests per second, a rolling restart behind the proxy of deploy/ fails none, and each node exits within ten seconds")
def rolling_restart_at_a_rate(world):
    with Proxy(world, "proxy-rolling", [node.port for node in world.nodes]) as proxy:
        with start_load(world, proxy) as paced, Writer(proxy.port, world.session, pause=0.1) as writer:
            time.sleep(1)
            for _ in range(world.length(1, 5)):
                for node in world.nodes:
                    check_exit(node)
                    node.start()
    check_all(paced, writer, world.exported())
    return f"{paced.figures()}; {len(writer.saved)} writes, none failed"


@test("at hundreds of requests per second, a second process takes over the embedded database from a terminating one, and none fails")
def handed_over(world):
    copy, home = world.folder / "everything.db", str(world.folder / "embedded")
    world.command("backup", copy)
    embedded = {"DRIPLINE_DATABASE_URL": "", "DRIPLINE_DATA_DIR": home}
    world.command("restore", copy, **embedded)
    base = world.nodes[0].environment["DRIPLINE_BASE_URL"]
    first, second = (world.node(name, DRIPLINE_DATABASE_URL="", DRIPLINE_BASE_URL=base) for name in ("first", "second"))
    for node in (first, second):
        node.environment["DRIPLINE_DATA_DIR"] = home
    first.start()
    with Proxy(world, "proxy-embedded", [first.port, second.port, second.port]) as proxy:
        with start_load(world, proxy) as paced, Writer(proxy.port, world.session, pause=0.1) as writer:
            old, new = first, second
            for _ in range(world.length(1, 10)):
                time.sleep(1)
                new.start()
                time.sleep(DETECTION_SECONDS)
                check_exit(old)
                old, new = new, old
            time.sleep(1)
    old.kill()
    check_all(paced, writer, world.command("export", "--user", "busy@example.com", **embedded))
    return f"{paced.figures()}; {len(writer.saved)} writes, none failed"


def start_load(world, proxy):
    return Paced(proxy.port, [(path, world.token) for path in PATHS if path != "/api/v1/openapi.json"], world.quiet.difference, RATE)


def check_all(paced, writer, exported):
    check_none(paced.problems, "request that failed")
    check(paced.rate_reached() >= paced.rate * RATE_REACHED_MIN, f"only {paced.rate_reached():.0f} requests per second were answered; one was sent {paced.late:.1f} s late")
    check_ledger([writer], exported)
    check_none([note for note in writer.tried if note not in writer.saved], "write that failed while a node was terminating")
    check(len(writer.saved) > 10, f"only {len(writer.saved)} transactions saved")


class Proxy:
    """Context manager: HAProxy with its configuration from deploy/, but without TLS."""

    def __init__(self, world, name, ports):
        self.folder, self.ports, self.port = world.folder / name, ports, free_port()

    def __enter__(self):
        self.folder.mkdir()
        files = rendered.Files(str(self.folder), "none.pem", "none.pem", "none.key")
        program, *words = rendered.haproxy(files, self.ports, free_port(), self.port)
        config = self.folder / "haproxy.cfg"
        text, found = re.subn(r"^(    bind \S+) ssl .*$", r"\1", config.read_text(), flags=re.M)
        equal(found, 1, "addresses with TLS in haproxy.cfg")
        config.write_text(text)
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen([find(program), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        # After two health checks the proxy knows which nodes are down.
        time.sleep(DETECTION_SECONDS)
        until(10, self.is_running, "haproxy")
        return self

    def is_running(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"haproxy exited: {(self.folder / 'log').read_text()[-2000:]}")
        return True

    def __exit__(self, *_):
        end(self.process, signal.SIGTERM)
