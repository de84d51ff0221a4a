"""Whether answers under load are ever stale: a revoked token that still works, an entry that the next request does not show."""
import json
import subprocess

import account
from load import CONNECTIONS, SCRIPT, Connection
from product import bearer
from started import end, find
from world import ENGINES, say

PATH = "/api/v1/income"


def measure(world, report):
    tries = 25 if world.quick else 60
    cells, stale = [], 0
    for engine in ENGINES:
        product, tokens = world.accounts(engine)
        say(f"revocation and freshness under load on {engine}")
        load = start_load(product, tokens["a"])
        try:
            revoked = sum(not revoked_at_once(product, number) for number in range(tries))
            unshown = sum(not shown_at_once(product, tokens["b"], number) for number in range(tries))
            if load.poll() is not None:
                raise SystemExit(f"wrk ended before the tries did: {load.communicate()[0][-500:]}")
        finally:
            end(load, 2)
        stale += revoked + unshown
        cells += [[f"revoked by `dripline token revoke`: the next request is 401, {engine}", str(tries), str(revoked)],
                  [f"imported by `dripline import`: the next request shows it, {engine}", str(tries), str(unshown)]]
    report.title("Never stale", "While 64 connections of wrk ask for `/income` of account A, another process changes something, and the next request that is sent "
                 "has to know. Each token had been used right before, on the same connection; each answer was in memory.")
    report.table(["", "tries", "stale"], cells)
    report.figure("stale", stale)
    if stale:
        report.fail(f"{stale} answers under load were stale: a revoked token that worked, or an entry that did not show")


def start_load(product, token):
    command = [find("wrk"), "-t2", f"-c{CONNECTIONS}", "-d1h", "-s", SCRIPT, "-H", f"Authorization: Bearer {token}", f"http://{product.address}{PATH}"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def revoked_at_once(product, number):
    """Two connections, so that both of the server's threads have met the token."""
    token = product.command("token", "create", "--user", "a@example.com", "--name", f"revoked-{number}")
    with Connection(product.address) as one, Connection(product.address) as other:
        for connection in (one, other):
            status, _, body, _ = connection.ask(PATH, bearer(token))
            if status != 200:
                raise SystemExit(f"a new token was answered with {status}: {body[:300]}")
        product.command("token", "revoke", token_id(product, f"revoked-{number}"))
        return [connection.ask(PATH, bearer(token))[0] for connection in (one, other)] == [401, 401]


def token_id(product, name):
    tokens = json.loads(product.command("token", "list", "--user", "a@example.com", "--json"))
    return next(token["id"] for token in tokens if token["name"] == name)


def shown_at_once(product, token, number):
    more = product.folder / "more.csv"
    account.write_one_more(more, 10_000 + number)
    with Connection(product.address) as one, Connection(product.address) as other:
        before = [connection.ask(PATH, bearer(token))[1]["etag"] for connection in (one, other)]
        product.command("import", more, "--user", "b@example.com")
        after = [connection.ask(PATH, bearer(token, before[0])) for connection in (one, other)]
        return all(status == 200 and headers["etag"] != before[0] for status, headers, _, _ in after)
