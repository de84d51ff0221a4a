"""A replica that lags or is down: every response is as current as the primary."""

import json
import time

from check import check, check_none, equal, test
from client import Client
from load import Load
from postgres import url
from writer import Writer


@test("while the replica lags, new tokens work, revoked ones do not, and ledgers and market data are as current as the primary")
def lagging(world):
    node = start_reader(world, "lagged")
    client = Client(node.port)
    token = world.new_token("before the lag")
    equal(client.get("/api/v1/calendar?days=120", token).status, 200, "before the lag")
    world.replica.sql("SELECT pg_wal_replay_pause()")
    try:
        for turn in range(world.length(3, 20)):
            check_tokens(world, client, turn)
            check_ledger_read(world, client)
            check_market(world, client, turn)
        behind = world.replica.sql("SELECT count(*) FROM entries")
        check(int(behind) < int(world.primary.sql("SELECT count(*) FROM entries")), "the replica did not lag")
    finally:
        world.replica.sql("SELECT pg_wal_replay_resume()")
    world.primary.wait_for_replica(world.replica)
    node.kill()


@test("when the replica is stopped hard, no request fails")
def replica_gone(world):
    node = start_reader(world, "orphaned")
    paths = ("/api/v1/calendar?days=120", "/api/v1/stocks?q=num", "/api/v1/stocks/N01", "/api/v1/income")
    requests = [(path, world.token) for path in paths]
    with Load([node.port], requests, world.quiet.difference, clients=3, pause=0.01) as load:
        time.sleep(0.5)
        world.replica.stop()
        time.sleep(world.length(1.5, 10))
        # A stock that is not cached is read from the primary.
        change_market(world, "YARD", 77)
        equal(Client(node.port).get("/api/v1/stocks/YARD", world.token).status, 200, "a stock that is not cached")
        world.replica.start()
        time.sleep(0.5)
    check_none(load.problems, "request that failed")
    slow = [answer.describe() for _, answer in load.answers if answer.seconds > 2]
    check_none(slow, "request that took more than 2 s")
    node.kill()
    return f"{len(load.answers)} requests, the slowest {max(answer.seconds for _, answer in load.answers):.2f} s"


def start_reader(world, name):
    return world.node(name, DRIPLINE_DATABASE_URL=url(world.primary), DRIPLINE_DATABASE_REPLICA_URL=url(world.replica)).start()


def check_tokens(world, client, turn):
    name = f"lag {turn}"
    token = world.new_token(name)
    equal(client.get("/api/v1/me", token).status, 200, "a token created just now")
    world.command("token", "revoke", world.token_id(name))
    equal(client.get("/api/v1/me", token).status, 401, "a token revoked just now")


def check_ledger_read(world, client):
    before = wool_shares(client, world.busy_token)
    equal(Writer(0, world.session).one(client).status, 303, "the form's status")
    check(wool_shares(client, world.busy_token) != before, f"the holding is still {before} after a write")


def wool_shares(client, token):
    holdings = json.loads(client.get("/api/v1/holdings", token).body)["holdings"]
    return next(one["shares"] for one in holdings if one["symbol"] == "WOOL")


def check_market(world, client, turn):
    symbol, price = f"Y{turn}Y", 100 + turn
    change_market(world, symbol, price)
    found = json.loads(client.get(f"/api/v1/stocks?q={symbol}", X_Forwarded_For=world.new_address()).body)
    equal([one["symbol"] for one in found["results"]][:1], [symbol], "the search for a stock loaded just now")
    for at in (price, price + 50):
        change_market(world, symbol, at)
        stock = client.get(f"/api/v1/stocks/{symbol}", X_Forwarded_For=world.new_address())
        equal(stock.status, 200, "a stock loaded just now")
        equal(json.loads(stock.body)["price"]["amount"], f"{at}.25", "its price")


def change_market(world, symbol, price):
    folder = world.folder / "changed-market"
    folder.mkdir(exist_ok=True)
    row = f"{symbol},Yellow Yard {symbol},EUR,XETRA,EQUITY,DE,{price}.25,2026-11-13T16:00:00Z"
    (folder / "stocks.csv").write_text(f"symbol,name,currency,exchange,type,country,price,price_as_of\n{row}\n")
    world.command("market", "load", folder)
