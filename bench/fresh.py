"""Whether responses under load are ever stale: a revoked token that still works, a transaction that the next request does not show."""
import json
import subprocess

import account
from environment import end, find
from load import CONNECTIONS, SCRIPT, Connection
from product import bearer
from world import ENGINES, log

PATH = "/api/v1/income"


def measure(world, report):
    attempts = 25 if world.quick else 60
    cells, stale = [], 0
    for engine in ENGINES:
        product, tokens = world.accounts(engine)
        log(f"revocation and freshness under load on {engine}")
        load = start_load(product, tokens["a"])
        try:
            revoked = sum(not revoked_at_once(product, number) for number in range(attempts))
            not_shown = sum(not shown_at_once(product, tokens["b"], number) for number in range(attempts))
            if load.poll() is not None:
                raise SystemExit(f"wrk exited before the measurement was over: {load.communicate()[0][-500:]}")
        finally:
            end(load, 2)
        stale += revoked + not_shown
        cells += [[f"{engine}: after `dripline token revoke`, the next request gets 401", str(attempts), str(revoked)],
                  [f"{engine}: after `dripline import`, the next request shows the transaction", str(attempts), str(not_shown)]]
    report.title("Never stale", "While 64 connections of wrk request `/income` of account A, another process changes something, and the next request must "
                 "reflect it. Each token was used right before on the same connection, and each response was in memory.")
    report.table(["change", "tries", "stale"], cells)
    report.figure("stale", stale)
    if stale:
        report.fail(f"{stale} responses under load were stale: a revoked token that worked, or a transaction that was not shown")


def start_load(product, token):
    command = [find("wrk"), "-t2", f"-c{CONNECTIONS}", "-d1h", "-s", SCRIPT, "-H", f"Authorization: Bearer {token}", f"http://{product.address}{PATH}"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def revoked_at_once(product, number):
    """Uses two connections, so that both of the server's threads have seen the token."""
    token = product.command("token", "create", "--user", "a@example.com", "--name", f"revoked-{number}")
    with Connection(product.address) as one, Connection(product.address) as other:
        for connection in (one, other):
            status, _, body, _ = connection.ask(PATH, bearer(token))
            if status != 200:
                raise SystemExit(f"a new token got {status}: {body[:300]}")
        product.command("token", "revoke", token_id(product, f"revoked-{number}"))
        return [connection.ask(PATH, bearer(token))[0] for connection in (one, other)] == [401, 401]


def token_id(product, name):
    tokens = json.loads(product.command("token", "list", "--user", "a@example.com", "--json"))
    return next(token["id"] for token in tokens if token["name"] == name)


def shown_at_once(product, token, number):
    extra = product.folder / "more.csv"
    account.write_one_more(extra, 10_000 + number)
    with Connection(product.address) as one, Connection(product.address) as other:
        before = [connection.ask(PATH, bearer(token))[1]["etag"] for connection in (one, other)]
        product.command("import", extra, "--user", "b@example.com")
        after = [connection.ask(PATH, bearer(token, before[0])) for connection in (one, other)]
        return all(status == 200 and headers["etag"] != before[0] for status, headers, _, _ in after)
