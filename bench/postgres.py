"""A node on PostgreSQL: one long account compared with SQLite, many accounts, and an import. Standard library only."""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import account
from cluster import Postgres
from growth import Growth
from long_account import LongAccount
from machine import Meter, machine
from node import Node

IMPORTS = 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--users", default="1000,10000,100000")
    parser.add_argument("--entries", type=int, default=15000)
    parser.add_argument("--only", default="account,growth,imports")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.users.split(",")]
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        folder, binary = pathlib.Path(folder), pathlib.Path(arguments.binary).resolve()
        folder.chmod(0o711)
        (folder / "market").mkdir()
        account.write_market(folder / "market")
        postgres = Postgres(folder / "postgres")
        try:
            print(f"{machine()}, Linux {os.uname().release}, {postgres.sql('SHOW server_version')}, load {os.getloadavg()[0]:.1f}\n")
            if "account" in arguments.only:
                LongAccount(binary, folder, postgres, arguments.entries).run()
            if "growth" in arguments.only:
                Growth(binary, folder, postgres, sizes).run()
            if "imports" in arguments.only:
                measure_imports(binary, folder, postgres, arguments.entries)
            print(f"load at the end {os.getloadavg()[0]:.1f}")
        finally:
            postgres.stop()


def measure_imports(binary, folder, postgres, entries):
    """Imports the same file with the command line into a new account each time, on both databases in alternation."""
    nodes = {"SQLite": Node(binary, folder / "import-sqlite", postgres),
             "PostgreSQL": Node(binary, folder / "import-postgres", postgres, "imports")}
    ledger, results = folder / "import.csv", {side: [] for side in nodes}
    account.write_ledger(ledger, entries)
    for node in nodes.values():
        node.command("market", "load", folder / "market")
    for number in range(IMPORTS):
        for side, node in nodes.items():
            node.command("user", "add", f"{number}@example.com", "--residence", "ES")
            database, start = Meter(postgres.process.pid), time.perf_counter()
            process = subprocess.Popen([binary, "import", ledger, "--user", f"{number}@example.com"], env=node.environment, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            time.sleep(0.1)
            if status:
                raise SystemExit(f"the import exited with {status}")
            own = (usage.ru_utime + usage.ru_stime) * 1e6
            results[side].append((entries / seconds, own / entries, database.used() / entries))
    print(f"Import of {entries:,} rows, median of {IMPORTS}\n")
    print("| | rows/s | CPU µs per row, the command | PostgreSQL |\n|---|---:|---:|---:|")
    for side, runs in results.items():
        speed, own, database = (statistics.median(column) for column in zip(*runs))
        print(f"| {side} | {speed:,.0f} | {own:.1f} | {database:.1f} |")
    print()


if __name__ == "__main__":
    main()
