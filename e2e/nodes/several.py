"""Three nodes at once: all of them see what one of them does, and one can go down unnoticed."""

import json
import threading
import time

from account import PATHS, PRIVATE
from check import check, check_none, equal, test
from client import Client
from load import Load
from writer import Writer, check_ledger

EXIT_SECONDS_MAX = 10
MCP_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@test("bodies and ETags are the same on every node, and one node's ETag is a 304 on another")
def same_everywhere(world):
    clients = [Client(node.port) for node in world.nodes]
    problems = []
    for path in PATHS:
        for token in (world.token, None):
            answers = [client.get(path, token, X_Forwarded_For=world.new_address()) for client in clients]
            distinct = {(answer.status, answer.etag, answer.body) for answer in answers}
            if len(distinct) != 1 or not answers[0].etag:
                problems.append(f"{path}: {[(answer.status, answer.etag, len(answer.body)) for answer in answers]}")
        problems += [f"{path}: {response.describe()}" for response in conditional_requests(world, clients, path) if response.status != 304]
    check_none(problems, "difference between nodes")


def conditional_requests(world, clients, path):
    etag = clients[0].get(path, world.token).etag
    return [client.get(path, world.token, If_None_Match=etag) for client in clients[1:]]


@test("a write at one node is visible in the next response of every other node")
def read_your_writes(world):
    clients = [Client(node.port) for node in world.nodes]
    seen = {clients[0].get("/api/v1/holdings", world.busy_token).body}
    for turn in range(world.length(12, 300)):
        answer = Writer(0, world.session).one(clients[turn % 3])
        equal(answer.status, 303, "the form's status")
        holdings = [client.get("/api/v1/holdings", world.busy_token) for client in clients]
        equal([one.status for one in holdings], [200] * 3, "the nodes' statuses")
        bodies = {one.body for one in holdings}
        check(len(bodies) == 1, f"turn {turn}: the nodes' holdings differ")
        check(not bodies & seen, f"turn {turn}: the holdings are those from before the write")
        seen |= bodies


@test("a revoked token is refused by every node from the next request on, under load")
def revoked_at_once(world):
    token, requests = world.new_token("lost"), [(path, world.token) for path in PRIVATE]
    revoked_load, required = RevokedLoad(world, token), world.length(1_500, 10_000)
    with Load([node.port for node in world.nodes], requests, world.quiet.difference, pause=0.005) as load, revoked_load:
        time.sleep(0.5)
        revoked = world.attempt("token", "revoke", world.token_id("lost"))
        acknowledged = time.monotonic()
        equal(revoked.returncode, 0, f"`dripline token revoke`: {revoked.stderr}")
        revoked_load.wait_for(acknowledged, required)
    before, after = revoked_load.between(0, acknowledged), revoked_load.since(acknowledged)
    check(any(answer.status == 200 for answer in before), "the token never worked")
    check(len(after) >= required, f"only {len(after)} requests after the revocation")
    check_none([answer.describe() for answer in after if answer.status != 401], "request with a revoked token that was not refused")
    for node in world.nodes:
        answer = Client(node.port).ask("POST", "/mcp", token, MCP_HEADERS, json.dumps(LIST_TOOLS))
        equal(answer.status, 401, "/mcp with a revoked token")
    check_none(load.problems, "wrong response to another token")
    return f"{len(after)} requests after the revocation, all 401"


class RevokedLoad(Load):
    """Requests with the token that is revoked, at all nodes."""

    def __init__(self, world, token):
        requests = [("/api/v1/me", token), ("/api/v1/holdings", token)]
        super().__init__([node.port for node in world.nodes], requests, lambda answer: None)

    def wait_for(self, moment, required):
        deadline = time.monotonic() + 120
        while len(self.since(moment)) < required and time.monotonic() < deadline:
            time.sleep(0.05)


@test("the limit of sixty anonymous requests a minute is shared by all nodes")
def shared_limit(world):
    clients = [Client(node.port) for node in world.nodes]
    address = world.new_address()
    ask = lambda at: clients[at % 3].get("/api/v1/calendar", X_Forwarded_For=address)
    equal([ask(at).status for at in range(60)], [200] * 60, "the first sixty requests")
    for at in range(60, 66):
        refused = ask(at)
        equal(refused.status, 429, f"request {at + 1}, at node {at % 3}")
        check(1 <= int(refused.headers["retry-after"]) <= 60, "Retry-After:", refused.headers["retry-after"])
        equal(json.loads(refused.body)["error"]["code"], "rate_limited", "the error code")
    other = clients[0].get("/api/v1/calendar", X_Forwarded_For=world.new_address())
    equal(other.status, 200, "another address")


@test("of many anonymous requests at once at all nodes, exactly sixty are let through")
def shared_limit_at_once(world):
    address, statuses = world.new_address(), []
    def ask(port):
        client = Client(port)
        statuses.extend(client.get("/api/v1/stocks/N01", X_Forwarded_For=address).status for _ in range(20))
    threads = [threading.Thread(target=ask, args=(node.port,)) for node in world.nodes for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal((statuses.count(200), statuses.count(429)), (60, 60), "let through and refused")


@test("killing a node goes unnoticed behind a load balancer")
def killed(world):
    with through_proxy(world) as load, Writer(world.proxy.port, world.session) as writer:
        for _ in range(world.length(1, 10)):
            node = world.rng.choice(world.nodes)
            time.sleep(0.7)
            node.kill()
            time.sleep(0.7)
            node.start()
    check_none(load.problems, "request that failed")
    check(len(load.answers) > 100, f"only {len(load.answers)} requests")
    check(len(writer.saved) > 1, f"only {len(writer.saved)} transactions saved")
    check_none(writer.problems(world.exported()), "transaction that differs from what was acknowledged")
    return f"{len(load.answers)} requests, none failed; {len(writer.saved)} of {len(writer.tried)} writes saved"


@test("a rolling restart goes unnoticed behind a load balancer, and each node exits within ten seconds")
def rolling_restart(world):
    with through_proxy(world) as load, Writer(world.proxy.port, world.session) as writer:
        for _ in range(world.length(1, 5)):
            for node in world.nodes:
                check_exit(node)
                node.start()
    check_none(load.problems, "request that failed")
    check(len(load.answers) > 300, f"only {len(load.answers)} requests")
    check_ledger([writer], world.exported())
    lost = [note for note in writer.tried if note not in writer.saved]
    check_none(lost, "write that failed during a graceful restart")
    return f"{len(load.answers)} requests and {len(writer.saved)} writes, none failed"


def through_proxy(world):
    requests = [(path, world.token) for path in PATHS if path not in ("/api/v1/openapi.json",)]
    return Load([world.proxy.port], requests, world.quiet.difference, clients=4, pause=0.002)


def check_exit(node):
    began, statuses = time.monotonic(), []
    prober = threading.Thread(target=probe, args=(node, statuses))
    prober.start()
    status = node.terminate()
    took = time.monotonic() - began
    prober.join()
    equal(status, 0, f"the exit status of {node.name}")
    check(took <= EXIT_SECONDS_MAX, f"{node.name} took {took:.1f} s to exit")
    check(503 in statuses and 200 not in statuses, f"/readyz of a terminating node returned {statuses[:10]}")


def probe(node, statuses):
    """Polls on a connection opened before the signal, until the node exits."""
    client = Client(node.port)
    time.sleep(0.1)
    while node.process.poll() is None:
        statuses.append(client.get("/readyz").status)
        time.sleep(0.1)
