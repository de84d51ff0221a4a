"""Three nodes at work at once: what one of them does, all of them know; and one that goes is not missed."""

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
            shown = {(answer.status, answer.etag, answer.body) for answer in answers}
            if len(shown) != 1 or not answers[0].etag:
                problems.append(f"{path}: {[(answer.status, answer.etag, len(answer.body)) for answer in answers]}")
        problems += [f"{path}: {again.told()}" for again in unchanged(world, clients, path) if again.status != 304]
    check_none(problems, "a difference between nodes")


def unchanged(world, clients, path):
    etag = clients[0].get(path, world.token).etag
    return [client.get(path, world.token, If_None_Match=etag) for client in clients[1:]]


@test("what is written at one node stands in the next answer of every other")
def read_your_writes(world):
    clients = [Client(node.port) for node in world.nodes]
    seen = {clients[0].get("/api/v1/holdings", world.busy_token).body}
    for turn in range(world.length(12, 300)):
        answer = Writer(0, world.session).one(clients[turn % 3])
        equal(answer.status, 303, "the form's answer")
        holdings = [client.get("/api/v1/holdings", world.busy_token) for client in clients]
        equal([one.status for one in holdings], [200] * 3, "the nodes' answers")
        bodies = {one.body for one in holdings}
        check(len(bodies) == 1, f"turn {turn}: the nodes' holdings differ")
        check(not bodies & seen, f"turn {turn}: the holdings are those of before the write")
        seen |= bodies


@test("a token that was revoked is refused by every node from the next request on, under load")
def revoked_at_once(world):
    token, requests = world.new_token("lost"), [(path, world.token) for path in PRIVATE]
    counted, wanted = Counted(world, token), world.length(1_500, 10_000)
    with Load([node.port for node in world.nodes], requests, world.quiet.differs, pause=0.005) as load, counted:
        time.sleep(0.5)
        revoked = world.attempt("token", "revoke", world.token_id("lost"))
        acknowledged = time.monotonic()
        equal(revoked.returncode, 0, f"`dripline token revoke`: {revoked.stderr}")
        counted.until(acknowledged, wanted)
    before, after = counted.between(0, acknowledged), counted.since(acknowledged)
    check(any(answer.status == 200 for answer in before), "the token never worked")
    check(len(after) >= wanted, f"only {len(after)} requests after it")
    check_none([answer.told() for answer in after if answer.status != 401], "a request with a revoked token that was not refused")
    for node in world.nodes:
        answer = Client(node.port).ask("POST", "/mcp", token, MCP_HEADERS, json.dumps(LIST_TOOLS))
        equal(answer.status, 401, "/mcp with a revoked token")
    check_none(load.problems, "another token's wrong answer")
    return f"{len(after)} requests after the revocation, all 401"


class Counted(Load):
    """The revoked token's own requests, at all nodes."""

    def __init__(self, world, token):
        requests = [("/api/v1/me", token), ("/api/v1/holdings", token)]
        super().__init__([node.port for node in world.nodes], requests, lambda answer: None)

    def until(self, moment, wanted):
        deadline = time.monotonic() + 120
        while len(self.since(moment)) < wanted and time.monotonic() < deadline:
            time.sleep(0.05)


@test("sixty anonymous requests a minute are one limit over all nodes")
def one_limit(world):
    clients = [Client(node.port) for node in world.nodes]
    address = world.new_address()
    ask = lambda at: clients[at % 3].get("/api/v1/calendar", X_Forwarded_For=address)
    equal([ask(at).status for at in range(60)], [200] * 60, "the first sixty")
    for at in range(60, 66):
        refused = ask(at)
        equal(refused.status, 429, f"request {at + 1}, at node {at % 3}")
        check(1 <= int(refused.headers["retry-after"]) <= 60, "Retry-After:", refused.headers["retry-after"])
        equal(json.loads(refused.body)["error"]["code"], "rate_limited", "its code")
    other = clients[0].get("/api/v1/calendar", X_Forwarded_For=world.new_address())
    equal(other.status, 200, "another address")


@test("sixty anonymous requests at once, from threads at all nodes, are let through, and not one more")
def one_limit_at_once(world):
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


@test("a node that is killed is not noticed behind a load balancer")
def killed(world):
    with through_proxy(world) as load, Writer(world.proxy.port, world.session) as writer:
        for _ in range(world.length(1, 10)):
            node = world.chance.choice(world.nodes)
            time.sleep(0.7)
            node.kill()
            time.sleep(0.7)
            node.start()
    check_none(load.problems, "a request that failed")
    check(len(load.answers) > 100, f"only {len(load.answers)} requests")
    check(len(writer.saved) > 1, f"only {len(writer.saved)} entries saved")
    check_none(writer.problems(world.exported()), "an entry that is not as it was acknowledged")
    return f"{len(load.answers)} requests, none failed; {len(writer.saved)} of {len(writer.tried)} writes saved"


@test("a rolling restart is not noticed behind a load balancer, and each node ends within ten seconds")
def rolling_restart(world):
    with through_proxy(world) as load, Writer(world.proxy.port, world.session) as writer:
        for _ in range(world.length(1, 5)):
            for node in world.nodes:
                check_exit(node)
                node.start()
    check_none(load.problems, "a request that failed")
    check(len(load.answers) > 300, f"only {len(load.answers)} requests")
    check_ledger([writer], world.exported())
    lost = [note for note in writer.tried if note not in writer.saved]
    check_none(lost, "a write that failed during a restart that was announced")
    return f"{len(load.answers)} requests and {len(writer.saved)} writes, none failed"


def through_proxy(world):
    requests = [(path, world.token) for path in PATHS if path not in ("/api/v1/openapi.json",)]
    return Load([world.proxy.port], requests, world.quiet.differs, clients=4, pause=0.002)


def check_exit(node):
    began, statuses = time.monotonic(), []
    probing = threading.Thread(target=probe, args=(node, statuses))
    probing.start()
    status = node.terminate()
    took = time.monotonic() - began
    probing.join()
    equal(status, 0, f"the exit status of {node.name}")
    check(took <= EXIT_SECONDS_MAX, f"{node.name} took {took:.1f} s to end")
    check(503 in statuses and 200 not in statuses, f"/readyz of a node that was told to end said {statuses[:10]}")


def probe(node, statuses):
    """On a connection that was there before, until it is closed."""
    client = Client(node.port)
    time.sleep(0.1)
    while node.process.poll() is None:
        statuses.append(client.get("/readyz").status)
        time.sleep(0.1)
