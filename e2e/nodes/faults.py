"""The database goes, hangs, changes its place or sheds its connections: nobody gets a wrong answer or waits, and what was
acknowledged is kept. Nodes come back by themselves."""

import threading
import time

from account import BUSY
from check import check, check_none, equal, test
from load import Load
from postgres import USER, Session, url
from watch import Watch, in_time_or_unavailable

# Requests that were on their way when the database went may still have their answer.
ON_THE_WAY_SECONDS = 0.2


@test("while PostgreSQL is down every answer is a 503 within two seconds, and after its start the nodes are ready within five")
def stopped(world):
    return without_database(world, world.primary.stop, world.primary.start, world.length(3, 10))


@test("while PostgreSQL is frozen every answer is a 503 within two seconds, and after it the nodes are ready within five")
def frozen(world):
    return without_database(world, world.primary.freeze, world.primary.thaw, world.length(6, 30))


def without_database(world, take, give_back, seconds):
    pids = [node.process.pid for node in world.nodes]
    with Watch(world, world.nodes) as watch:
        take()
        gone = time.monotonic()
        time.sleep(seconds)
        end = time.monotonic()
        give_back()
        took = watch.recovered()
        watch.settle()
    watch.check_all_unavailable(gone + ON_THE_WAY_SECONDS, end)
    watch.check()
    equal([node.process.pid for node in world.nodes if node.process.poll() is None], pids, "the nodes' processes")
    return f"ready after {took:.2f} s; {watch.figures()}"


@test("while the database ends our connections ten times a second answers are right or a 503, and at once right again after it")
def terminated(world):
    every = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{USER}'"
    ended, deadline = 0, None
    with Watch(world, world.nodes) as watch, Session(world.primary) as session:
        deadline = time.monotonic() + world.length(5, 30)
        while time.monotonic() < deadline:
            ended += session.run(every).count("t")
            time.sleep(0.1)
        took = watch.recovered()
        watch.settle()
    watch.check()
    check(ended > 20, f"only {ended} connections were ended")
    check(took < 1, f"the nodes were right again only after {took:.2f} s")
    right = sum(answer.status == 200 for answer in watch.readers.between(watch.began, deadline))
    check(right > 0, "nothing was answered between the terminations")
    return f"{ended} connections ended, {right} reads right meanwhile; {watch.figures()}"


@test("when a table is locked and the few connections wait for it, nobody waits for longer than two seconds")
def table_locked(world):
    return locked(world, "LOCK TABLE entries IN ACCESS EXCLUSIVE MODE")


@test("when somebody has a user's turn to write and does not end, nobody waits for longer than two seconds")
def turn_taken(world):
    of_busy = f"SELECT ('x' || right(replace(id::text, '-', ''), 16))::bit(64)::bigint FROM users WHERE email = '{BUSY}'"
    return locked(world, f"SELECT pg_advisory_xact_lock(({of_busy}))")


def locked(world, lock):
    node = world.node(f"small{len(lock)}", DRIPLINE_DATABASE_URL=url(world.primary), DRIPLINE_DATABASE_CONNECTIONS="2").start()
    busy = [("/api/v1/holdings", world.busy_token), ("/api/v1/income", world.busy_token)]
    with Watch(world, [node], clients=6) as watch, Load([node.port], busy, in_time_or_unavailable, clients=3, pause=0.01) as load:
        with Session(world.primary) as session:
            session.run("BEGIN")
            session.run(lock)
            began = time.monotonic()
            crowd = [threading.Thread(target=watch.writers[0].write) for _ in range(4)]
            for thread in crowd:
                thread.start()
            time.sleep(4)
            end = time.monotonic()
            session.run("COMMIT")
        took = watch.recovered()
        watch.settle()
    for thread in crowd:
        thread.join()
    check_none(load.problems, "a wrong answer about the account that is written to")
    watch.check()
    during = [answer for answer in watch.writers[0].answers if began <= answer.began and answer.ended <= end]
    refused = [answer for answer in during if answer.status == 503]
    check(refused, "no write was refused meanwhile")
    check(all(answer.headers.get("retry-after", "").isdigit() for answer in refused), "a 503 without Retry-After")
    node.kill()
    slowest = max(answer.seconds for answer in refused)
    return f"right again after {took:.2f} s, {len(refused)} writes refused, the slowest after {slowest:.2f} s"


@test("a primary that turns read-only refuses writes with a 503 and takes them again when it is the primary again")
def read_only(world):
    with Watch(world, world.nodes) as watch:
        world.primary.set("default_transaction_read_only", "on")
        turned = time.monotonic()
        time.sleep(1.5)
        end = time.monotonic()
        world.primary.set("default_transaction_read_only", None)
        took = watch.recovered()
        watch.settle()
    watch.check()
    during = [answer for writer in watch.writers for answer in writer.answers if turned <= answer.began and answer.ended <= end]
    statuses = [answer.status for answer in during]
    check(statuses and set(statuses) == {503}, f"writes meanwhile: {statuses[:20]}")
    return f"{len(during)} writes refused meanwhile, all ready after {took:.2f} s"
