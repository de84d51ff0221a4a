"""Redis stops and restarts while anonymous requests come in."""

import itertools
import time

from check import check, check_none, equal, test
from client import Client
from load import Load
from programs import until


@test("when Redis is killed, no anonymous request fails and each node applies its own limit; once Redis is back, the limit is shared")
def redis_gone(world):
    nodes = world.nodes[:2]
    with Anonymous(world, nodes) as load:
        equal([node.metric("dripline_limiter_shared") for node in nodes], [1.0, 1.0], "dripline_limiter_shared")
        time.sleep(0.3)
        world.redis.stop()
        until(3, lambda: all(node.metric("dripline_limiter_shared") == 0 for node in nodes), "dripline_limiter_shared 0")
        check_separate_limits(world, nodes)
        fallbacks = [node.metric("dripline_limiter_fallbacks_total") for node in nodes]
        check(all(fallbacks), f"dripline_limiter_fallbacks_total: {fallbacks}")
        world.redis.start()
        shared_after = until(10, lambda: all(node.metric("dripline_limiter_shared") == 1 for node in nodes), "dripline_limiter_shared 1")
        check_shared_limit(world, nodes)
    check_none(load.problems, "anonymous request that failed")
    slowest = max(answer.seconds for _, answer in load.answers)
    check(slowest < 1, f"a request took {slowest:.2f} s")
    return f"{len(load.answers)} requests, the slowest {slowest:.2f} s; shared again {shared_after:.2f} s after the restart"


class Anonymous(Load):
    """Clients that change their address every few requests, so that none exceeds the limit."""

    def __init__(self, world, nodes):
        self.world = world
        super().__init__([node.port for node in nodes], [("/api/v1/calendar", None)], failure, clients=2, pause=0.005)

    def ask(self, port, requests):
        client = Client(port)
        for at in itertools.count():
            if self.stopped.is_set():
                return client.close()
            address = self.world.new_address() if at % 20 == 0 else address
            self.record(port, client.get(requests[0][0], X_Forwarded_For=address))
            time.sleep(self.pause)


def failure(answer):
    return None if answer.status == 200 else answer.describe()


def check_separate_limits(world, nodes):
    address = world.new_address()
    for node in nodes:
        client = Client(node.port)
        statuses = [client.get("/api/v1/calendar", X_Forwarded_For=address).status for _ in range(61)]
        equal(statuses, [200] * 60 + [429], f"at {node.name} alone")


def check_shared_limit(world, nodes):
    address, clients = world.new_address(), [Client(node.port) for node in nodes]
    statuses = [clients[at % 2].get("/api/v1/calendar", X_Forwarded_For=address).status for at in range(62)]
    equal(statuses, [200] * 60 + [429] * 2, "over both nodes")
