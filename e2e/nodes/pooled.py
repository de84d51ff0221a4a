"""The service behind a connection pooler in transaction mode."""

import time

from account import PATHS
from check import check, check_none, equal, test
from load import Load
from pgbouncer import Pgbouncer
from postgres import url
from writer import Writer, check_ledger


@test("through a pooler in transaction mode, every response is the same, and writes work")
def pooled(world):
    pooler = Pgbouncer(world.folder / "pgbouncer", world.primary)
    pooler.start()
    world.stack.callback(pooler.stop)
    settings = {"DRIPLINE_DATABASE_URL": url(port=pooler.port), "DRIPLINE_DATABASE_POOLER": "transaction"}
    node = world.node("pooled", DRIPLINE_BASE_URL=world.nodes[0].environment["DRIPLINE_BASE_URL"], **settings).start()
    requests = [(path, world.token) for path in PATHS]
    # The first search of a node waits for its index.
    for path, token in requests:
        node.get(path, token)
    # More clients than the pooler has connections, so that connections change hands.
    with Load([node.port], requests, world.quiet.difference, clients=6) as load, Writer(node.port, world.session) as writer:
        time.sleep(world.length(1.5, 20))
    check_none(load.problems, "wrong response")
    check(len(load.answers) > 100, f"only {len(load.answers)} requests")
    check(len(writer.saved) > 1, f"only {len(writer.saved)} of {len(writer.tried)} transactions saved")
    check_ledger([writer], world.exported())
    equal(world.command("user", "list", **settings), world.command("user", "list"), "`dripline user list`")
    node.kill()
    return f"{len(load.answers)} requests, {len(writer.saved)} of {len(writer.tried)} writes saved"
