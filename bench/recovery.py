"""From a database of many users to a backup and back to the first answer, step by step. Standard library only."""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import start
import users
from machine import commit, machine
from product import Product
from started import find
from world import World, say



def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--users", required=True)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--engines", default="SQLite,PostgreSQL")
    arguments = parser.parse_args()
    sizes, engines = [int(size) for size in arguments.users.split(",")], arguments.engines.split(",")
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        world = World(pathlib.Path(arguments.binary).resolve(), pathlib.Path(folder), quick=False)
        try:
            found = {(engine, size): MEASURED[engine](world, size, arguments.times) for size in sizes for engine in engines}
        finally:
            world.stop()
    print(f"{machine()}, Linux {os.uname().release}, {commit()}, load {load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end; "
          f"median of {arguments.times}\n")
    for engine in engines:
        tell(engine, sizes, found)


def embedded(world, size, times):
    """Seconds and CPU seconds by step."""
    product = world.crowd("SQLite", size)
    backup, steps = world.folder / f"{size}.db", {}
    for number in range(times):
        say(f"{size:,} users on SQLite, {number + 1} of {times}")
        backup.unlink(missing_ok=True)
        note(steps, "`dripline backup`", timed(product, "backup", backup))
        # It looks through all records, and finds that those of the copied users are not their own.
        note(steps, "`dripline restore --drill`", timed(product, "restore", "--drill", backup, fine=(0, 1)))
        again = Product(world.binary, world.folder / f"again-{size}-{number}")
        note(steps, "`dripline restore` into a new folder", timed(again, "restore", backup))
        note(steps, "start, to the first answer", (start.first_answer(again, users.token(7))[0] / 1000, 0))
        note(steps, "`dripline restore` in place of a database", timed(again, "restore", backup))
    note(steps, "size", (backup.stat().st_size / 1e6, 0))
    return steps


def server(world, size, times):
    product, cluster, steps = world.crowd("PostgreSQL", size), world.cluster(), {}
    dump, backup = world.folder / f"{size}.dump", world.folder / f"{size}-of-postgres.db"
    access = ["-h", "127.0.0.1", "-p", str(cluster.port), "-U", "postgres"]
    for number in range(times):
        say(f"{size:,} users on PostgreSQL, {number + 1} of {times}")
        for file in (dump, backup):
            file.unlink(missing_ok=True)
        note(steps, "`pg_dump -Fc`", run([find("pg_dump"), "-Fc", *access, "-f", dump, product.database]))
        again = Product(world.binary, world.folder / f"again-{size}-{number}-postgres", cluster, f"again_{size}_{number}")
        note(steps, "`pg_restore -j 2` into an empty database", run([find("pg_restore"), "-j", "2", *access, "-d", again.database, dump]))
        note(steps, "start, to the first answer", (start.first_answer(again, users.token(7))[0] / 1000, 0))
        note(steps, "`dripline backup`", timed(product, "backup", backup))
        copied = Product(world.binary, world.folder / f"copied-{size}-{number}-postgres", cluster, f"copied_{size}_{number}")
        note(steps, "`dripline copy` of that into an empty database", timed(copied, "copy", "--from", f"sqlite://{backup}"))
        for other in (again, copied):
            cluster.sql(f"DROP DATABASE {other.database} WITH (FORCE)")
    note(steps, "size", (int(cluster.sql(f"SELECT pg_database_size('{product.database}')")) / 1e6, 0))
    return steps


MEASURED = {"SQLite": embedded, "PostgreSQL": server}


def timed(product, *arguments, fine=(0,)):
    return run([product.binary, *arguments], product.environment, fine)


def run(command, environment=None, fine=(0,)):
    """Seconds, and CPU seconds of the command itself."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        raise SystemExit(f"{' '.join(map(str, command))}: {said.decode()}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


def note(steps, name, figures):
    say(f"{name}: {figures[0]:.2f} ({figures[1]:.2f} of CPU)")
    steps.setdefault(name, []).append(figures)


def tell(engine, sizes, found):
    print(f"| {engine}: seconds (of CPU) | " + " | ".join(f"{size:,} users" for size in sizes) + " |\n|---|" + "---:|" * len(sizes))
    for name in found[engine, sizes[0]]:
        cells = []
        for size in sizes:
            seconds, used = (statistics.median(column) for column in zip(*found[engine, size][name]))
            cells.append(f"{seconds:,.0f} MB" if name == "size" else f"{seconds:.2f}" + (f" ({used:.2f})" if used else ""))
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()


if __name__ == "__main__":
    main()
