"""From a database of many users to a backup and back to the first response, step by step. Standard library only."""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import start
import users
from environment import find
from machine import commit, machine
from product import Product
from world import World, log


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
        print_table(engine, sizes, found)


def on_sqlite(world, size, times):
    """Seconds and CPU seconds, by step."""
    product = world.crowd("SQLite", size)
    backup, steps = world.folder / f"{size}.db", {}
    for number in range(times):
        log(f"{size:,} users on SQLite, {number + 1} of {times}")
        backup.unlink(missing_ok=True)
        add_step(steps, "`dripline backup`", timed(product, "backup", backup))
        # The drill checks all records, and reports that those of the copied users are not theirs.
        add_step(steps, "`dripline restore --drill`", timed(product, "restore", "--drill", backup, allowed=(0, 1)))
        restored = Product(world.binary, world.folder / f"again-{size}-{number}")
        add_step(steps, "`dripline restore` into a new folder", timed(restored, "restore", backup))
        add_step(steps, "start, to the first response", (start.first_response(restored, users.token(7))[0] / 1000, 0))
        add_step(steps, "`dripline restore` over an existing database", timed(restored, "restore", backup))
    add_step(steps, "size", (backup.stat().st_size / 1e6, 0))
    return steps


def on_postgres(world, size, times):
    product, cluster, steps = world.crowd("PostgreSQL", size), world.cluster(), {}
    dump, backup = world.folder / f"{size}.dump", world.folder / f"{size}-of-postgres.db"
    access = ["-h", "127.0.0.1", "-p", str(cluster.port), "-U", "postgres"]
    for number in range(times):
        log(f"{size:,} users on PostgreSQL, {number + 1} of {times}")
        for file in (dump, backup):
            file.unlink(missing_ok=True)
        add_step(steps, "`pg_dump -Fc`", run([find("pg_dump"), "-Fc", *access, "-f", dump, product.database]))
        restored = Product(world.binary, world.folder / f"again-{size}-{number}-postgres", cluster, f"again_{size}_{number}")
        add_step(steps, "`pg_restore -j 2` into an empty database", run([find("pg_restore"), "-j", "2", *access, "-d", restored.database, dump]))
        add_step(steps, "start, to the first response", (start.first_response(restored, users.token(7))[0] / 1000, 0))
        add_step(steps, "`dripline backup`", timed(product, "backup", backup))
        copied = Product(world.binary, world.folder / f"copied-{size}-{number}-postgres", cluster, f"copied_{size}_{number}")
        add_step(steps, "`dripline copy` of that into an empty database", timed(copied, "copy", "--from", f"sqlite://{backup}"))
        for other in (restored, copied):
            cluster.sql(f"DROP DATABASE {other.database} WITH (FORCE)")
    add_step(steps, "size", (int(cluster.sql(f"SELECT pg_database_size('{product.database}')")) / 1e6, 0))
    return steps


MEASURED = {"SQLite": on_sqlite, "PostgreSQL": on_postgres}


def timed(product, *arguments, allowed=(0,)):
    return run([product.binary, *arguments], product.environment, allowed)


def run(command, environment=None, allowed=(0,)):
    """Seconds, and CPU seconds of the command itself."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    stderr = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        raise SystemExit(f"{' '.join(map(str, command))}: {stderr.decode()}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime


def add_step(steps, name, figures):
    log(f"{name}: {figures[0]:.2f} ({figures[1]:.2f} of CPU)")
    steps.setdefault(name, []).append(figures)


def print_table(engine, sizes, found):
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
