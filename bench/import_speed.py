"""A broker's file of many rows through the command line: read and planned only, and stored."""
import os
import statistics
import subprocess
import time

from imports import STOCKS, trading_212
from world import ENGINES, say

ROWS = 100_000


def measure(world, report):
    rows, times = (20_000, 2) if world.quick else (ROWS, 5)
    file = world.folder / "large.csv"
    file.write_text(trading_212(rows))
    products = {engine: prepared(world, engine) for engine in ENGINES}
    found = {}
    for number in range(times):
        for engine, product in products.items():
            say(f"import, {number + 1} of {times} on {engine}")
            email = f"{number}@example.com"
            product.command("user", "add", email, "--currency", "USD")
            for kind, words in [("planned (`--dry-run`)", ["--dry-run"]), ("stored", [])]:
                found.setdefault((kind, engine), []).append(run(product, file, email, words))
    report.title("Import", f"A made-up Trading 212 history of {rows:,} rows and {STOCKS} stocks into a new account, start of the process included; median of {times}.")
    cells, figures = [], {}
    for (kind, engine), runs in found.items():
        seconds, cpu = (statistics.median(column) for column in zip(*runs))
        figures[kind, engine] = rows / seconds
        cells.append([f"{kind}, {engine}", f"{rows / seconds:,.0f}", f"{rows / cpu:,.0f}", f"{cpu / rows * 1e6:.1f}"])
    report.table(["", "rows/s", "rows a second of CPU", "CPU µs a row, the command"], cells)
    report.figure("parsed", figures["planned (`--dry-run`)", "SQLite"])
    report.figure("stored", figures["stored", "SQLite"])


def prepared(world, engine):
    product = world.product(engine, "imported")
    market = world.folder / "imported-market"
    market.mkdir(exist_ok=True)
    # Those of the account's market, S000 to S199, all in one currency.
    rows = "".join(f"S{number:03},Stock {number},USD,NYSE,EQUITY,US,50,1\n" for number in range(STOCKS))
    (market / "stocks.csv").write_text("symbol,name,currency,exchange,type,country,price,forward_rate\n" + rows)
    product.command("market", "load", market)
    return product


def run(product, file, email, words):
    """Seconds on the clock, and of CPU of the command."""
    begun = time.monotonic()
    process = subprocess.Popen([product.binary, "import", file, "--user", email, *words], env=product.environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import ended with {status}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime
