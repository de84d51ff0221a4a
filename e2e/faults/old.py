"""Databases of earlier schemas with realistic rows: duplicates, missing values, unusual characters, and many of them.

The rows come from a database of the latest schema, copied into the old tables as far as these have the columns.
"""

import shutil
import sqlite3

from instance import MIGRATIONS, Instance, dump
from operations import Import

APPLICATION_ID = 0x44524950
EMAILS = ["ana@example.com", "ünï.cödé+tag@example.com", "empty@example.com"]
UNUSUAL = ["", "'; DROP TABLE entries; --", "\u202eright to left", "e\u0301 and é", "🜚\U0001f9fe", "line\r\nbreak\ttab", "ﬀ ß İ ı", "x" * 500]
# The first schema into which a table's rows are copied: older rows of `audit` have another hash, and later steps add rows to `versions`.
FIRST_SCHEMA = {"audit": 5, "versions": 2}


def create(world, name, schema):
    """An instance whose database has that schema."""
    instance = Instance(world.binary, world.folder / name)
    with sqlite3.connect(instance.database) as connection:
        for step in sorted(MIGRATIONS.glob("*.sql"))[:schema]:
            connection.executescript(step.read_text())
        connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {schema}")
        connection.execute("ATTACH ? AS today", (str(today(world).database),))
        fill(connection, schema)
        add_unusual_rows(connection, world.length(3, 50))
        connection.commit()
    connection.close()
    instance.database.chmod(0o600)
    return instance


def today(world):
    """A database of the latest schema with a little of everything."""
    folder = world.folder / "today"
    existed = folder.exists()
    instance = Instance(world.binary, folder)
    if existed:
        return instance
    market = world.folder / "market"
    market.mkdir()
    (market / "stocks.csv").write_text(
        "symbol,name,currency,exchange,type,country,price\nWOOL,Wool Mill,EUR,XETRA,EQUITY,DE,20\nTEA,,GBp,LSE,,GB,\n")
    (market / "dividends.csv").write_text("symbol,ex_date,pay_date,amount\nWOOL,2026-01-05,2026-01-20,0.5\nWOOL,2026-07-05,,0.5\n")
    (market / "fx.csv").write_text("date,currency,rate\n2026-11-13,GBP,0.80\n")
    instance.command("market", "load", market)
    for email in EMAILS:
        instance.command("user", "add", email, "--name", "Å\u0301 \u202e 🜚")
    for email in EMAILS[:2]:
        instance.command(*Import(email, world.new_file(), 60).arguments())
        instance.command("token", "create", "--user", email, "--name", "ﬁrst \u202e token")
        instance.command("radar", "add", "WOOL", "TEA", "--user", email)
    instance.command("portfolio", "add", "Ünder 🜚", "--user", EMAILS[0])
    instance.command("invite", "create")
    return instance


def fill(connection, schema):
    tables = [name for name, in connection.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
    for table in tables:
        columns = lambda database: [row[1] for row in connection.execute(f"PRAGMA {database}.table_info({table})")]
        shared = ", ".join(f'"{name}"' for name in columns("main") if name in columns("today"))
        if schema >= FIRST_SCHEMA.get(table, 0):
            connection.execute(f"INSERT OR REPLACE INTO main.{table} ({shared}) SELECT {shared} FROM today.{table}")


def add_unusual_rows(connection, times):
    """Copies every transaction `times` times, each with its own identity and an unusual or missing note."""
    columns = [row[1] for row in connection.execute("PRAGMA main.table_info(entries)")]
    changed = {
        "sequence": "sequence + 100000 * :time", "identity": "identity || '-' || :time", "note": ":note", "source_id": "NULL",
        "isin": "NULL"}
    selected = ", ".join(changed.get(name, f'"{name}"') for name in columns)
    for time in range(1, times + 1):
        note = [*UNUSUAL, None][time % (len(UNUSUAL) + 1)]
        copy_all = f"INSERT INTO main.entries SELECT {selected} FROM main.entries WHERE sequence < 100000"
        connection.execute(copy_all, {"time": time, "note": note})
    if connection.execute("SELECT 1 FROM main.sqlite_schema WHERE name = 'positions'").fetchone():
        connection.execute("UPDATE main.positions SET fold = NULL")
    connection.execute("UPDATE main.users SET name = NULL, residence = NULL WHERE email LIKE 'empty%'")
    connection.execute("UPDATE main.stocks SET name = NULL, exchange = NULL, isin = NULL, price = NULL WHERE symbol = 'TEA'")


def migrated(world, instance):
    """The rows of a copy after an undisturbed migration."""
    copy = Instance(world.binary, world.new_folder("undisturbed"))
    shutil.copy(instance.database, copy.database)
    copy.command("migrate")
    rows = dump(copy.database)
    world.drop(copy.folder)
    return rows
