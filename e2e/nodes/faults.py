"""The database stops, hangs, turns read-only or drops its connections: nobody gets a wrong response or has to wait, acknowledged
transactions are kept, and the nodes recover by themselves."""

import threading
import time

from account import BUSY
from check import check, check_none, equal, test
from load import Load
from postgres import USER, Session, url
from watch import Watch, in_time_or_unavailable

# Requests in flight when the database stopped may still be answered.
IN_FLIGHT_SECONDS = 0.2


@test("while PostgreSQL is down, every response is a 503 within two seconds; the nodes are ready within five seconds of its restart")
def stopped(world):
    return without_database(world, world.primary.stop, world.primary.start, world.length(3, 10))


@test("while PostgreSQL is frozen, every response is a 503 within two seconds; the nodes are ready within five seconds afterwards")
def frozen(world):
    return without_database(world, world.primary.freeze, world.primary.thaw, world.length(6, 30))


def without_database(world, stop, restart, seconds):
    pids = [node.process.pid for node in world.nodes]
    with Watch(world, world.nodes) as watch:
        stop()
        outage = time.monotonic()
        time.sleep(seconds)
        end = time.monotonic()
        restart()
        took = watch.wait_for_recovery()
        watch.wait_for_writes()
    watch.check_all_unavailable(outage + IN_FLIGHT_SECONDS, end)
    watch.check()
    equal([node.process.pid for node in world.nodes if node.process.poll() is None], pids, "the nodes' processes")
    return f"ready after {took:.2f} s; {watch.figures()}"


@test("while the database drops our connections ten times a second, responses are right or a 503, and right again at once afterwards")
def terminated(world):
    terminate_all = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{USER}'"
    dropped, deadline = 0, None
    with Watch(world, world.nodes) as watch, Session(world.primary) as session:
        deadline = time.monotonic() + world.length(5, 30)
        while time.monotonic() < deadline:
            dropped += session.run(terminate_all).count("t")
            time.sleep(0.1)
        took = watch.wait_for_recovery()
        watch.wait_for_writes()
    watch.check()
    check(dropped > 20, f"only {dropped} connections were dropped")
    check(took < 1, f"the nodes took {took:.2f} s to recover")
    right = sum(answer.status == 200 for answer in watch.readers.between(watch.began, deadline))
    check(right > 0, "no read succeeded between the terminations")
    return f"{dropped} connections dropped, {right} successful reads meanwhile; {watch.figures()}"


@test("when a table is locked and a small connection pool waits for it, nobody waits longer than two seconds")
def table_locked(world):
    return with_lock_held(world, "LOCK TABLE entries IN ACCESS EXCLUSIVE MODE")


@test("when a user's write lock is held and never released, nobody waits longer than two seconds")
def write_lock_held(world):
    lock_key = f"SELECT ('x' || right(replace(id::text, '-', ''), 16))::bit(64)::bigint FROM users WHERE email = '{BUSY}'"
    return with_lock_held(world, f"SELECT pg_advisory_xact_lock(({lock_key}))")


def with_lock_held(world, lock):
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
        took = watch.wait_for_recovery()
        watch.wait_for_writes()
    for thread in crowd:
        thread.join()
    check_none(load.problems, "wrong response about the account that is written to")
    watch.check()
    during = [answer for answer in watch.writers[0].answers if began <= answer.began and answer.ended <= end]
    refused = [answer for answer in during if answer.status == 503]
    check(refused, "no write was refused while the lock was held")
    check(all(answer.headers.get("retry-after", "").isdigit() for answer in refused), "a 503 without Retry-After")
    node.kill()
    slowest = max(answer.seconds for answer in refused)
    return f"recovered after {took:.2f} s, {len(refused)} writes refused, the slowest after {slowest:.2f} s"


@test("a primary that turns read-only refuses writes with a 503 and accepts them again when it is writable")
def read_only(world):
    with Watch(world, world.nodes) as watch:
        world.primary.set("default_transaction_read_only", "on")
        read_only_since = time.monotonic()
        time.sleep(1.5)
        end = time.monotonic()
        world.primary.set("default_transaction_read_only", None)
        took = watch.wait_for_recovery()
        watch.wait_for_writes()
    watch.check()
    during = [answer for writer in watch.writers for answer in writer.answers if read_only_since <= answer.began and answer.ended <= end]
    statuses = [answer.status for answer in during]
    check(statuses and set(statuses) == {503}, f"responses to writes while read-only: {statuses[:20]}")
    return f"{len(during)} writes refused while read-only, all nodes ready after {took:.2f} s"
