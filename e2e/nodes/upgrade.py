"""Two versions of the service on one database, as in a rolling upgrade. The newer one is simulated by changing the schema."""

import concurrent.futures
import time

from account import PATHS
from check import check, check_none, equal, test
from load import Load
from postgres import DATABASE, USER, Session, url
from writer import Writer, check_ledger

# What a later version may do to the tables while this one serves: add what this one can do without. One statement at a time: a
# transaction that holds one table's lock while it waits for another's blocks everyone.
LATER = [
    "ALTER TABLE entries ADD COLUMN later TEXT", "ALTER TABLE tokens ADD COLUMN later BIGINT NOT NULL DEFAULT 7",
    "ALTER TABLE users ADD COLUMN later TEXT", "ALTER TABLE stocks ADD COLUMN later TEXT",
    "CREATE TABLE later (user_id UUID NOT NULL, thing TEXT)", "UPDATE schema_version SET version = version + 1"]
REVERT = [
    "UPDATE schema_version SET version = version - 1", "DROP TABLE later",
    *(f"ALTER TABLE {table} DROP COLUMN later" for table in ("entries", "tokens", "users", "stocks"))]


TABLES = """SELECT string_agg(table_name || column_name || data_type, ',' ORDER BY table_name, ordinal_position)
            FROM information_schema.columns WHERE table_schema = 'public'"""


@test("processes that start at once on an empty database create its tables once, and all of them succeed")
def first_start(world):
    world.primary.sql(f"CREATE DATABASE fresh OWNER {USER}", "postgres")
    migrate = lambda _: world.attempt("migrate", DRIPLINE_DATABASE_URL=url(world.primary, database="fresh"))
    with Session(world.primary, "fresh") as session, concurrent.futures.ThreadPoolExecutor(8) as pool:
        # Blocks them until all have seen the empty database.
        session.run("BEGIN")
        session.run("LOCK TABLE pg_class IN SHARE MODE")
        starting = [pool.submit(migrate, at) for at in range(8)]
        time.sleep(1)
        session.run("COMMIT")
        ended = [one.result() for one in starting]
    check_none([one.stderr.strip() for one in ended if one.returncode], "`dripline migrate` that failed")
    equal(world.primary.sql(TABLES, "fresh"), world.primary.sql(TABLES, DATABASE), "the tables of the new database")
    equal(world.primary.sql("SELECT count(*) FROM schema_version", "fresh"), "1", "rows of schema_version")


@test("while a later version extends the tables, nodes of this version keep serving and writing, and a new one can join")
def beside_a_later_version(world):
    requests = [(path, world.token) for path in PATHS]
    writer = Writer(world.nodes[1].port, world.session)
    try:
        with Load([node.port for node in world.nodes], requests, world.quiet.difference, pause=0.01) as load, writer:
            time.sleep(0.3)
            for step in LATER:
                world.primary.sql(step)
            changed = time.monotonic()
            new_node = world.node("joining", DRIPLINE_DATABASE_URL=url(world.primary)).start()
            equal(world.quiet.difference(new_node.get("/api/v1/income", world.token)), None, "the node that joined")
            new_node.kill()
            time.sleep(0.5)
    finally:
        for step in REVERT:
            world.primary.sql(step)
    check_none(load.problems, "wrong response")
    check_none([answer.describe() for answer in writer.answers if answer.status != 303], "write that failed")
    check(writer.saved_since(changed), "nothing was written after the change")
    check_ledger([writer], world.exported())


@test("a schema that is too new is refused, naming both versions, and left unchanged, while running nodes carry on")
def too_new(world):
    known, beside = world.primary.sql("SELECT version, oldest_beside FROM schema_version").split("|")
    world.primary.sql("UPDATE schema_version SET version = 997, oldest_beside = 996")
    try:
        refused = world.attempt("user", "list")
        equal(refused.returncode, 1, "the exit status")
        equal(world.attempt("serve", "--listen", "127.0.0.1:0").returncode, 1, "the exit status of `dripline serve`")
        equal(world.quiet.difference(world.nodes[0].get("/api/v1/income", world.token)), None, "a running node")
        check("997" in refused.stderr and known in refused.stderr, "the message does not name both versions:", refused.stderr)
        equal(world.primary.sql("SELECT version, oldest_beside FROM schema_version"), "997|996", "the schema's versions")
    finally:
        world.primary.sql(f"UPDATE schema_version SET version = {known}, oldest_beside = {beside}")
    world.command("user", "list")
