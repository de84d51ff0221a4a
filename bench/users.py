"""Fills a database with many users: SQL copies of one that the program itself created, with other stocks."""
import hashlib
import sqlite3
import uuid
import zlib

import account
from product import bearer

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# The users' stocks are shifted by multiples of seven, so that a copy's have the same currency and country; nobody has S000, which has split.
POSITIONS, WATCHED, SPREAD = range(1, 11), range(11, 16), 40
NOW = 1_794_744_000_000_000
# Columns that differ in a copied row. Tables that this version does not have are skipped.
OWN = {
    "users": {"id": "m.user_id", "email": "m.email", "email_key": "m.email", "owner": "FALSE"},
    "portfolios": {"user_id": "m.user_id", "id": "m.portfolio_id"},
    "entries": {"import_id": "NULL"}, "positions": {}, "radar": {}, "tracking": {}, "audit": {},
    "tokens": {"hash": "m.token", "id": "m.token_id"}}
MOVED = "substr(CAST(1000 + CAST(substr(e.symbol, 2) AS INTEGER) + m.shift AS TEXT), 2, 3)"
EVERYWHERE = {"user_id": "m.user_id", "portfolio_id": "m.portfolio_id", "symbol": f"'S' || {MOVED}"}
AFTER = f"""
    INSERT INTO sessions (hash, id, user_id, state, created_at, seen_at, confirmed_at, agent, address)
        SELECT session, session_id, user_id, 'open', {NOW}, {NOW}, {NOW}, 'bench', '127.0.0.1' FROM many;
    DELETE FROM followers;
    INSERT INTO followers (symbol, people) SELECT symbol, count(*) FROM tracking GROUP BY symbol;
    DROP TABLE many;"""


def seed(product, size):
    """Creates `size` users with 20 entries, 10 positions and 5 watchlist stocks each, from the existing market. Numbered from 0; the
    first one is the model."""
    ledger = product.folder / "one.csv"
    write_ledger(ledger)
    product.add_user("u0@example.com", ledger)
    product.command("radar", "add", *(f"S{number:03}" for number in WATCHED), "--user", "u0@example.com")
    (into_postgres if product.cluster else into_sqlite)(product, size)
    product.vacuum()


def check(product, number):
    """Checks that a copy is complete: the program finds its ten positions and their income."""
    _, body = product.ask("/api/v1/income", bearer(token(number)))
    if body.count(b'"symbol"') != len(POSITIONS):
        raise SystemExit(f"the copied user has {body.count(b'symbol')} positions: does OWN list all tables? {body[:300]}")
    return body


def write_ledger(path):
    rows = [f"2024-0{1 + at // 5}-1{at % 5},buy,S{number:03},{10 + at},{30 + at}.5,,,{account.market_of(number)[0]}" for at, number in enumerate(POSITIONS)]
    rows += [f"2025-0{1 + at // 5}-1{at % 5},dividend,S{number:03},,,{10 + at}.2,1.53,{account.market_of(number)[0]}" for at, number in enumerate(POSITIONS)]
    path.write_text("date,type,symbol,shares,price,amount,tax,currency\n" + "\n".join(rows) + "\n")


def copies(columns_of):
    """The statements that copy each table, the same on both databases."""
    for table, own in OWN.items():
        columns = columns_of(table)
        if columns:
            chosen = {column: f"e.{column}" for column in columns} | {name: value for name, value in EVERYWHERE.items() if name in columns} | own
            yield f"CREATE TEMPORARY TABLE model AS SELECT * FROM {table}"
            yield f"INSERT INTO {table} ({', '.join(chosen)}) SELECT {', '.join(chosen.values())} FROM many m CROSS JOIN model e"
            yield "DROP TABLE model"


def into_sqlite(product, size):
    database = sqlite3.connect(product.folder / "data" / "dripline.db", isolation_level=None)
    database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; CREATE TABLE many (n INTEGER PRIMARY KEY, email TEXT, "
                           "shift INTEGER, user_id TEXT, portfolio_id TEXT, token_id TEXT, session_id TEXT, token BLOB, session BLOB); BEGIN")
    database.executemany("INSERT INTO many VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", people(size))
    for statement in copies(lambda table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]):
        database.execute(statement)
    database.execute("COMMIT")
    database.executescript("BEGIN;" + AFTER + "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def into_postgres(product, size):
    cluster, name = product.cluster, product.database
    rows, script = product.folder / "many.tsv", product.folder / "seed.sql"
    with open(rows, "w") as file:
        for *columns, token_hash, session_hash in people(size):
            file.write("\t".join(map(str, columns)) + f"\t\\\\x{token_hash.hex()}\t\\\\x{session_hash.hex()}\n")
    attributes = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('{}') AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
    statements = copies(lambda table: cluster.sql(attributes.format(table), name).split())
    script.write_text("SET session_replication_role = replica;\n"  # do not check foreign keys
                      "CREATE UNLOGGED TABLE many (n BIGINT, email TEXT, shift INT, user_id UUID, portfolio_id UUID, token_id UUID, "
                      f"session_id UUID, token BYTEA, session BYTEA);\n\\copy many from '{rows}'\n" + ";\n".join(statements) + ";" + AFTER)
    cluster.script(script, name)


def people(size):
    for n in range(1, size):
        ids = [str(uuid.UUID(int=(1_700_000_000_000 + n * 10 + what) << 80 | 7 << 76 | 2 << 62 | n << 8 | what)) for what in range(4)]
        yield n, f"u{n}@example.com", 7 * (n % SPREAD), *ids, sha256(token(n)), sha256(session(n))


def sha256(text):
    return hashlib.sha256(text.encode()).digest()


def token(number):
    """The token of a copy: random characters and the checksum that the program expects."""
    text = "".join(ALPHABET[byte % 62] for byte in sha256(f"token {number}")[:30])
    rest, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = ALPHABET[digit] + digits
    return f"drip_pat_{text}{digits}"


def session(number):
    return f"session{number:036}"
