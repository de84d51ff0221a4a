"""Nodes that are told to end under hundreds of requests a second, behind the proxy as deploy/ has it."""

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

# What a program that is not optimised can bear beside all that asks it. For one that is, DRIPLINE_NODES_RATE=500 is meant.
RATE, REACHED = int(os.environ.get("DRIPLINE_NODES_RATE", 150)), 0.9
# What the proxy needs to see that a node is there: two answers, a second apart.
SEEN_SECONDS = 3


@test("at hundreds of requests a second, a rolling restart behind the proxy of deploy/ fails none, and each node ends within ten seconds")
def rolling_restart_at_a_rate(world):
    with Proxy(world, "proxy-rolling", [node.port for node in world.nodes]) as proxy:
        with load(world, proxy) as paced, Writer(proxy.port, world.session, pause=0.1) as writer:
            time.sleep(1)
            for _ in range(world.length(1, 5)):
                for node in world.nodes:
                    check_exit(node)
                    node.start()
    check_all(paced, writer, world.exported())
    return f"{paced.figures()}; {len(writer.saved)} writes, none failed"


@test("at hundreds of requests a second, a second process takes over the embedded database from one that is told to end, and none fails")
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
        with load(world, proxy) as paced, Writer(proxy.port, world.session, pause=0.1) as writer:
            old, new = first, second
            for _ in range(world.length(1, 10)):
                time.sleep(1)
                new.start()
                time.sleep(SEEN_SECONDS)
                check_exit(old)
                old, new = new, old
            time.sleep(1)
    old.kill()
    check_all(paced, writer, world.command("export", "--user", "busy@example.com", **embedded))
    return f"{paced.figures()}; {len(writer.saved)} writes, none failed"


def load(world, proxy):
    return Paced(proxy.port, [(path, world.token) for path in PATHS if path != "/api/v1/openapi.json"], world.quiet.differs, RATE)


def check_all(paced, writer, exported):
    check_none(paced.problems, "a request that failed")
    check(paced.reached() >= paced.rate * REACHED, f"only {paced.reached():.0f} requests a second were answered; one was asked {paced.late:.1f} s late")
    check_ledger([writer], exported)
    check_none([note for note in writer.tried if note not in writer.saved], "a write that failed while a node ended")
    check(len(writer.saved) > 10, f"only {len(writer.saved)} entries saved")


class Proxy:
    """haproxy with its file of deploy/, but for TLS, for the length of a `with`."""

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
        # Two questions to each node, and the nodes that are not there are known.
        time.sleep(SEEN_SECONDS)
        until(10, self.runs, "haproxy")
        return self

    def runs(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"haproxy ended: {(self.folder / 'log').read_text()[-2000:]}")
        return True

    def __exit__(self, *_):
        end(self.process, signal.SIGTERM)
