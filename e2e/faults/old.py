"""Databases of earlier schemas, with rows as people leave them: equal ones, missing values, odd letters, and many.

The rows are the service's own, of a database of today, put into the tables of before as far as these have their columns.
"""

import shutil
import sqlite3

from book import Import
from place import MIGRATIONS, Place, dump

APPLICATION_ID = 0x44524950
EMAILS = ["ana@example.com", "ünï.cödé+tag@example.com", "empty@example.com"]
ODD = ["", "'; DROP TABLE entries; --", "\u202eright to left", "e\u0301 and é", "🜚\U0001f9fe", "line\r\nbreak\ttab", "ﬀ ß İ ı", "x" * 500]
# Not before: an older row of `audit` has another hash, and later steps add rows to `versions`.
LATER = {"audit": 5, "versions": 2}


def place(world, name, schema):
    """A place whose database is of that schema."""
    made = Place(world.binary, world.folder / name)
    with sqlite3.connect(made.database) as connection:
        for step in sorted(MIGRATIONS.glob("*.sql"))[:schema]:
            connection.executescript(step.read_text())
        connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {schema}")
        connection.execute("ATTACH ? AS today", (str(today(world).database),))
        fill(connection, schema)
        soil(connection, world.length(3, 50))
        connection.commit()
    connection.close()
    made.database.chmod(0o600)
    return made


def today(world):
    """A database of the latest schema with a little of everything."""
    folder = world.folder / "today"
    known = folder.exists()
    made = Place(world.binary, folder)
    if known:
        return made
    market = world.folder / "market"
    market.mkdir()
    (market / "stocks.csv").write_text(
        "symbol,name,currency,exchange,type,country,price\nWOOL,Wool Mill,EUR,XETRA,EQUITY,DE,20\nTEA,,GBp,LSE,,GB,\n")
    (market / "dividends.csv").write_text("symbol,ex_date,pay_date,amount\nWOOL,2026-01-05,2026-01-20,0.5\nWOOL,2026-07-05,,0.5\n")
    (market / "fx.csv").write_text("date,currency,rate\n2026-11-13,GBP,0.80\n")
    made.command("market", "load", market)
    for email in EMAILS:
        made.command("user", "add", email, "--name", "Å\u0301 \u202e 🜚")
    for email in EMAILS[:2]:
        made.command(*Import(email, world.new_file(), 60).arguments())
        made.command("token", "create", "--user", email, "--name", "ﬁrst \u202e token")
        made.command("radar", "add", "WOOL", "TEA", "--user", email)
    made.command("portfolio", "add", "Ünder 🜚", "--user", EMAILS[0])
    made.command("invite", "create")
    return made


def fill(connection, schema):
    tables = [name for name, in connection.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
    for table in tables:
        columns = lambda database: [row[1] for row in connection.execute(f"PRAGMA {database}.table_info({table})")]
        both = ", ".join(f'"{name}"' for name in columns("main") if name in columns("today"))
        if schema >= LATER.get(table, 0):
            connection.execute(f"INSERT OR REPLACE INTO main.{table} ({both}) SELECT {both} FROM today.{table}")


def soil(connection, times):
    """Every entry so many times over, each under an identity of its own and with a note that is odd or missing."""
    columns = [row[1] for row in connection.execute("PRAGMA main.table_info(entries)")]
    changed = {
        "sequence": "sequence + 100000 * :time", "identity": "identity || '-' || :time", "note": ":note", "source_id": "NULL",
        "isin": "NULL"}
    picked = ", ".join(changed.get(name, f'"{name}"') for name in columns)
    for time in range(1, times + 1):
        odd = [*ODD, None][time % (len(ODD) + 1)]
        every = f"INSERT INTO main.entries SELECT {picked} FROM main.entries WHERE sequence < 100000"
        connection.execute(every, {"time": time, "note": odd})
    if connection.execute("SELECT 1 FROM main.sqlite_schema WHERE name = 'positions'").fetchone():
        connection.execute("UPDATE main.positions SET fold = NULL")
    connection.execute("UPDATE main.users SET name = NULL, residence = NULL WHERE email LIKE 'empty%'")
    connection.execute("UPDATE main.stocks SET name = NULL, exchange = NULL, isin = NULL, price = NULL WHERE symbol = 'TEA'")


def migrated(world, place):
    """What a copy of it is, once it was migrated without a disturbance."""
    copy = Place(world.binary, world.new_folder("undisturbed"))
    shutil.copy(place.database, copy.database)
    copy.command("migrate")
    rows = dump(copy.database)
    world.drop(copy.folder)
    return rows
