"""The replica takes the primary's place. Replication is synchronous, as whoever wants to lose nothing sets it up: what is
acknowledged has reached the replica."""

import time

from check import check, equal, test
from programs import until
from watch import Watch


@test("when the replica is promoted and the old primary comes back read-only, no acknowledged entry is lost and writing goes on")
def promoted(world):
    old, new = world.primary, world.replica
    old.set("synchronous_standby_names", "'*'")
    until(10, lambda: old.sql("SELECT sync_state FROM pg_stat_replication") == "sync", "the synchronous replica")
    # The first node knows the old primary only, and stays without a database.
    with Watch(world, world.nodes[1:]) as watch:
        old.stop()
        gone = time.monotonic()
        time.sleep(0.5)
        old.become_standby()
        old.start()
        kept = entries(old)
        time.sleep(world.length(1, 5))
        end = time.monotonic()
        new.promote()
        world.primary, world.replica = new, old
        took = watch.recovered()
        watch.settle()
    watch.check_all_unavailable(gone + 0.2, end)
    watch.check()
    equal(entries(old), kept, "entries at the old primary")
    check(entries(new) > kept, f"{entries(new)} entries at the new primary, {kept} at the old one")
    stranded = world.nodes[0].get("/api/v1/me", world.token)
    equal(stranded.unavailable(), None, "a node that knows the old primary only")
    return f"ready after {took:.2f} s; {watch.figures()}"


def entries(server):
    return int(server.sql("SELECT count(*) FROM entries"))
