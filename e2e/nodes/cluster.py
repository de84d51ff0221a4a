"""The test environment: PostgreSQL with a replica, Redis, three nodes behind a load balancer, two accounts."""

import contextlib
import json
import subprocess

import account
from account import BUSY, PASSWORD, QUIET, TODAY
from haproxy import Haproxy
from load import Expected
from node import Node
from postgres import Postgres, url
from redis import Redis
from service import COMMAND_SECONDS_MAX, environment_for
from writer import Session

NODES = 3


class World:
    """Context manager. `primary` is the database that currently takes writes."""

    def __init__(self, binary, folder, soak, rng):
        self.binary, self.folder, self.soak, self.rng = binary, folder, soak, rng
        self.stack = contextlib.ExitStack()
        self.addresses = iter(range(1, 60_000))

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_):
        self.stack.close()

    def start(self):
        self.primary = Postgres.new(self.folder / "primary")
        self.stack.callback(lambda: self.primary.stop())
        self.replica = self.primary.new_replica(self.folder / "replica")
        self.stack.callback(lambda: self.replica.stop())
        self.redis = Redis(self.folder / "redis")
        self.redis.start()
        self.stack.callback(self.redis.stop)
        self.environment = {
            **environment_for(self.folder, TODAY), "DRIPLINE_REDIS_URL": self.redis.url, "DRIPLINE_DRAIN_SECONDS": "3",
            "DRIPLINE_TRUSTED_PROXIES": "127.0.0.1/32", "DRIPLINE_SECRET_KEY": "5e" * 32}
        self.fill()
        # One node knows only the primary, one knows both hosts, and one has to find the host that takes writes.
        hosts = [(self.primary,), (self.primary, self.replica), (self.replica, self.primary)]
        self.nodes = [self.node(f"node{at}", DRIPLINE_DATABASE_URL=url(*hosts[at])) for at in range(NODES)]
        self.proxy = Haproxy(self.folder / "haproxy", self.nodes)
        for node in self.nodes:
            node.environment["DRIPLINE_BASE_URL"] = f"http://127.0.0.1:{self.proxy.port}"
            node.start()
        self.proxy.start()
        self.stack.callback(self.proxy.stop)
        self.session = Session(self.nodes[0].port, BUSY, PASSWORD)
        self.quiet = Expected(self.nodes[0].port, account.PATHS, self.token)

    def fill(self):
        market, quiet, busy = self.folder / "market", self.folder / "quiet.csv", self.folder / "busy.csv"
        account.write_market(market)
        account.write_quiet_ledger(quiet)
        account.write_busy_ledger(busy)
        self.command("market", "load", market)
        for email, ledger in ((QUIET, quiet), (BUSY, busy)):
            self.command("user", "add", email, "--currency", "EUR", "--residence", "ES", "--password-stdin", stdin=PASSWORD)
            self.command("import", ledger, "--user", email)
        self.command("radar", "add", "N05", "N06", "--user", QUIET)
        self.command("portfolio", "share", "Slow", "--slug", "slow-and-steady", "--user", QUIET)
        self.token, self.busy_token = self.new_token("reading"), self.new_token("reading", BUSY)

    def node(self, name, **settings):
        """A node that is not started yet; it is killed when the environment closes."""
        node = Node(name, self.binary, {**self.environment, **settings}, self.folder)
        self.stack.callback(node.kill)
        return node

    def new_token(self, name, user=QUIET):
        return self.command("token", "create", "--user", user, "--name", name).strip()

    def token_id(self, name, user=QUIET):
        tokens = json.loads(self.command("token", "list", "--user", user, "--json"))
        return next(token["id"] for token in tokens if token["name"] == name and not token["revoked"])

    def exported(self):
        return self.command("export", "--user", BUSY)

    def new_address(self):
        """A client address that has sent no request yet."""
        number = next(self.addresses)
        return f"198.18.{number // 250}.{1 + number % 250}"

    def repair(self):
        """Restarts whatever a failed test left stopped, so that it does not affect the next test."""
        for part in (self.primary, self.replica, self.redis, *self.nodes):
            if part is self.primary:
                part.thaw()
            if part.process.poll() is not None:
                part.start()

    def length(self, short, soak):
        return soak if self.soak else short

    def command(self, *arguments, stdin=None, **settings):
        done = self.attempt(*arguments, stdin=stdin, **settings)
        if done.returncode:
            words = " ".join(map(str, arguments))
            raise RuntimeError(f"`dripline {words}` exited with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def attempt(self, *arguments, stdin=None, **settings):
        """Runs a command that may fail."""
        environment = {**self.environment, "DRIPLINE_DATABASE_URL": url(self.primary, self.replica), **settings}
        return subprocess.run(
            [self.binary, *map(str, arguments)], env=environment, input=stdin or "", capture_output=True, text=True,
            timeout=COMMAND_SECONDS_MAX)
