"""Nodes that record dividends on their payment dates, and are killed while they do."""

import collections
import csv
import datetime
import io
import time
from decimal import Decimal

from account import CURRENCIES, PASSWORD, SYMBOLS
from check import check, equal, test
from node import READY_SECONDS_MAX
from postgres import USER, url
from programs import until

DATABASE = "recording"
USERS = [f"user{number}@example.com" for number in range(6)]
BOUGHT, FIRST_DAY = datetime.date(2023, 1, 10), datetime.date(2023, 1, 12)
DAYS_A_ROUND = 14
# Without those in pence, whose payments are less than a penny a share.
STOCKS = [(number, symbol) for number, symbol in enumerate(SYMBOLS) if CURRENCIES[number % 3][0] != "GBp"]
# A node records as soon as it starts. In half of the rounds it is killed once it has the lease, in the others before, while or after.
SECONDS_BEFORE_DEATH = (0.1, 1.6)
SECONDS_TO_RECORD_MAX = 5
HELD = "SELECT count(*) FROM leases WHERE name = 'automatic' AND held_until > 0"
NONE = collections.Counter()


@test("two nodes on one database, killed again and again while they record dividends, record each payment once")
def recorded_once(world):
    database = set_up(world)
    day, while_recording, rows = FIRST_DAY, 0, [0]
    for round in range(world.length(15, 50)):
        day += datetime.timedelta(DAYS_A_ROUND)
        nodes = [world.node(f"recording{at}", **database, DRIPLINE_NOW=f"{day}T12:00:00Z") for at in range(2)]
        for node in nodes:
            node.launch()
        if round % 4 < 2:
            wait_for_lease(world)
        else:
            time.sleep(world.rng.uniform(*SECONDS_BEFORE_DEATH))
        for node in world.rng.sample(nodes, 2):
            node.kill()
        while_recording += int(world.primary.sql(HELD, DATABASE))
        # As if the dead node had been silent for long enough.
        world.primary.sql("DELETE FROM leases", DATABASE)
        rows.append(int(world.primary.sql("SELECT count(*) FROM entries WHERE source LIKE 'automatic%'", DATABASE)))
        check(rows[-1] <= due(day) * len(USERS), f"round {round}: {rows[-1]} dividends are recorded, more than were paid")
    grew = sum(after > before for before, after in zip(rows, rows[1:]))
    check(while_recording, "no node was killed while it recorded")
    check(grew > 1, "nothing was recorded before the last round")

    node = world.node("recording", **database, DRIPLINE_NOW=f"{day}T12:00:00Z").start()
    all_recorded = lambda: recorded_by(world, database, USERS[-1]).total() >= due(day)
    until(READY_SECONDS_MAX, all_recorded, "the last user's dividends")
    for user in USERS:
        recorded = recorded_by(world, database, user)
        equal((recorded - expected(day), expected(day) - recorded), (NONE, NONE), f"{user}'s dividends too many and missing")
    node.kill()
    return f"{2 * (len(rows) - 1)} nodes killed, {while_recording} pairs while one recorded; {rows[-1]} dividends before the last start"


def wait_for_lease(world):
    """Returns as soon as a node has the lease, because recording takes only a moment. If none is seen with it, returns after a while."""
    end = time.monotonic() + SECONDS_TO_RECORD_MAX
    while world.primary.sql(HELD, DATABASE) == "0" and time.monotonic() < end:
        pass


def set_up(world):
    world.primary.sql(f"CREATE DATABASE {DATABASE} OWNER {USER}", "postgres")
    settings = {"DRIPLINE_DATABASE_URL": url(world.primary, database=DATABASE), "DRIPLINE_REDIS_URL": ""}
    then = {**settings, "DRIPLINE_NOW": f"{FIRST_DAY}T12:00:00Z"}
    ledger = world.folder / "purchases.csv"
    bought = [f"{BOUGHT},buy,{symbol},{shares_of(number)},20,{CURRENCIES[number % 3][0]},Core" for number, symbol in STOCKS]
    ledger.write_text("\n".join(["date,type,symbol,shares,price,currency,portfolio", *bought]) + "\n")
    world.command("market", "load", world.folder / "market", **then)
    for user in USERS:
        world.command("user", "add", user, "--currency", "EUR", "--residence", "ES", "--password-stdin", stdin=PASSWORD, **then)
        world.command("import", ledger, "--user", user, **then)
        world.command("portfolio", "automatic", "Core", "record", "--user", user, **then)
    return settings


def shares_of(number):
    return 10 + number


def payments(day):
    """What the market of account.py pays for these purchases up to a day: stock, payment date and amount."""
    for number, symbol in STOCKS:
        for year in range(BOUGHT.year, day.year + 1):
            for month in range(1 + number % 3, 13, 3):
                paid = datetime.date(year, month, 27)
                if paid <= day:
                    per_share = 40 + 2 * (year - 2020)
                    yield symbol, str(paid), shares_of(number) * per_share


def due(day):
    return len(list(payments(day)))


def expected(day):
    return collections.Counter(payments(day))


def recorded_by(world, settings, user):
    """The dividends of an account, in hundredths."""
    rows = csv.DictReader(io.StringIO(world.command("export", "--user", user, **settings)))
    dividends = (row for row in rows if row["type"] == "dividend")
    return collections.Counter((row["symbol"], row["date"], Decimal(row["amount"]) * 100) for row in dividends)
