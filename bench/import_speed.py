"""Imports a large broker file with the command line: parsed and planned only, and stored."""
import os
import statistics
import subprocess
import time

from imports import STOCKS, trading_212
from world import ENGINES, log

ROWS = 100_000


def measure(world, report):
    rows, times = (20_000, 2) if world.quick else (ROWS, 5)
    file = world.folder / "large.csv"
    file.write_text(trading_212(rows))
    products = {engine: create_product(world, engine) for engine in ENGINES}
    found = {}
    for number in range(times):
        for engine, product in products.items():
            log(f"import, {number + 1} of {times} on {engine}")
            email = f"{number}@example.com"
            product.command("user", "add", email, "--currency", "USD")
            for kind, options in [("planned (`--dry-run`)", ["--dry-run"]), ("stored", [])]:
                found.setdefault((kind, engine), []).append(run(product, file, email, options))
    report.title("Import", f"A made-up Trading 212 history of {rows:,} rows and {STOCKS} stocks into a new account, including process start; median of {times}.")
    cells, figures = [], {}
    for (kind, engine), runs in found.items():
        seconds, cpu = (statistics.median(column) for column in zip(*runs))
        figures[kind, engine] = rows / seconds
        cells.append([f"{kind}, {engine}", f"{rows / seconds:,.0f}", f"{rows / cpu:,.0f}", f"{cpu / rows * 1e6:.1f}"])
    report.table(["", "rows/s", "rows per CPU second", "CPU µs per row, the command"], cells)
    report.figure("parsed", figures["planned (`--dry-run`)", "SQLite"])
    report.figure("stored", figures["stored", "SQLite"])


def create_product(world, engine):
    product = world.product(engine, "imported")
    market = world.folder / "imported-market"
    market.mkdir(exist_ok=True)
    # The symbols of the account's market, S000 to S199, all in one currency.
    rows = "".join(f"S{number:03},Stock {number},USD,NYSE,EQUITY,US,50,1\n" for number in range(STOCKS))
    (market / "stocks.csv").write_text("symbol,name,currency,exchange,type,country,price,forward_rate\n" + rows)
    product.command("market", "load", market)
    return product


def run(product, file, email, options):
    """Elapsed seconds, and CPU seconds of the command."""
    started = time.monotonic()
    process = subprocess.Popen([product.binary, "import", file, "--user", email, *options], env=product.environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import exited with {status}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime
