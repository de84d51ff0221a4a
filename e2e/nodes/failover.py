"""Failover to the replica. Replication is synchronous, so everything acknowledged has reached the replica."""

import time

from check import check, equal, test
from programs import until
from watch import Watch


@test("when the replica is promoted and the old primary comes back read-only, no acknowledged transaction is lost and writes continue")
def promoted(world):
    old, new = world.primary, world.replica
    old.set("synchronous_standby_names", "'*'")
    until(10, lambda: old.sql("SELECT sync_state FROM pg_stat_replication") == "sync", "the synchronous replica")
    # The first node knows only the old primary, and stays without a database.
    with Watch(world, world.nodes[1:]) as watch:
        old.stop()
        outage = time.monotonic()
        time.sleep(0.5)
        old.become_standby()
        old.start()
        kept = count_entries(old)
        time.sleep(world.length(1, 5))
        promotion = time.monotonic()
        new.promote()
        world.primary, world.replica = new, old
        took = watch.wait_for_recovery()
        watch.wait_for_writes()
    watch.check_all_unavailable(outage + 0.2, promotion)
    watch.check()
    equal(count_entries(old), kept, "transactions on the old primary")
    check(count_entries(new) > kept, f"{count_entries(new)} transactions on the new primary, {kept} on the old one")
    stranded = world.nodes[0].get("/api/v1/me", world.token)
    equal(stranded.unavailable_problem(), None, "a node that knows only the old primary")
    return f"ready after {took:.2f} s; {watch.figures()}"


def count_entries(server):
    return int(server.sql("SELECT count(*) FROM entries"))
