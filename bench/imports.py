"""Imports a large broker file while another account's income is requested. Standard library only."""
import argparse
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import service  # noqa: E402

READER, IMPORTER = "reader@example.com", "importer@example.com"
STOCKS = 200


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--rows", type=int, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        measure(arguments.binary, arguments.rows, pathlib.Path(folder))


def measure(binary, rows, folder):
    environment = service.environment_for(folder, "2026-11-16")
    command = lambda *arguments: service.command(binary, environment, *arguments).strip()
    market = folder / "market"
    market.mkdir()
    stocks = "".join(f"S{number:03},Stock {number},USD,NYSE,EQUITY,US,50,1\n" for number in range(STOCKS))
    (market / "stocks.csv").write_text("symbol,name,currency,exchange,type,country,price,forward_rate\n" + stocks)
    (market / "fx.csv").write_text("date,currency,rate\n2019-01-02,USD,1.1\n")
    command("market", "load", str(market))
    for email in (READER, IMPORTER):
        command("user", "add", email, "--currency", "USD")
    small = folder / "small.csv"
    small.write_text("date,type,symbol,shares,price,currency\n" + "".join(f"2024-01-05,buy,S{n:03},10,30,USD\n" for n in range(40)))
    command("import", str(small), "--user", READER)
    token = command("token", "create", "--user", READER, "--name", "bench")
    large = folder / "large.csv"
    large.write_text(trading_212(rows))
    with service.Server(binary, environment) as server:
        address = urllib.parse.urlsplit(server.url).netloc
        at_rest = request_until(address, token, lambda started: time.monotonic() - started > 3)
        done = threading.Event()
        meanwhile = []
        requester = threading.Thread(target=lambda: meanwhile.extend(request_until(address, token, lambda _: done.is_set())))
        requester.start()
        first = run_import(binary, environment, large)
        second = run_import(binary, environment, large)
        done.set()
        requester.join()
    megabytes = large.stat().st_size / 1e6
    print(f"{rows:,} rows, {megabytes:.1f} MB, Trading 212\n")
    print("| | seconds | rows/s | peak memory, MiB | new | duplicates |\n|---|---:|---:|---:|---:|---:|")
    for name, (seconds, peak, report) in (("the file", first), ("the same file again", second)):
        print(f"| {name} | {seconds:.2f} | {rows / seconds:,.0f} | {peak / 1024:.0f} | {report['new']:,} | {report['existing']:,} |")
    print("\n| /income of another account, ms | p50 | p99 | max | requests |\n|---|---:|---:|---:|---:|")
    for name, times in (("at rest", at_rest), ("meanwhile", meanwhile)):
        times = sorted(times)
        at = lambda part: times[min(len(times) - 1, int(len(times) * part))]
        print(f"| {name} | {at(0.5):.2f} | {at(0.99):.2f} | {times[-1]:.2f} | {len(times):,} |")


def trading_212(rows):
    """Buys and dividends of many stocks, each with an id, as the broker writes them."""
    header = "Action,Time,ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total),Withholding tax,Currency (Withholding tax)"
    lines = [header]
    for number in range(rows):
        day = f"20{20 + number * 6 // rows:02}-{1 + number % 12:02}-{1 + number % 28:02} 10:{number % 60:02}:00"
        symbol = f"S{number % STOCKS:03}"
        name = f"Stock {number % STOCKS}"
        if number % 3 == 2:
            shares, price = 1 + number % 90, "0.25"
            total = shares * 25 * 85 / 10000
            lines.append(f"Dividend (Ordinary),{day},,{symbol},{name},D{number},{shares},{price},USD,1.00000,{total:.2f},USD,{shares * 25 * 15 / 10000:.2f},USD")
        else:
            shares = 1 + number % 90
            lines.append(f"Market buy,{day},,{symbol},{name},EOF{number},{shares},50.{number % 90:02},USD,1.00000,{shares * 50}.00,USD,,")
    return "\n".join(lines) + "\n"


def run_import(binary, environment, path):
    started = time.monotonic()
    process = subprocess.Popen([binary, "import", str(path), "--user", IMPORTER, "--json"], env=environment, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    report = json.loads(output)
    if status != 0 or report["errors"]:
        raise SystemExit(f"the import failed: {report['errors'][:3]}")
    return seconds, usage.ru_maxrss, report


def request_until(address, token, enough):
    connection = http.client.HTTPConnection(address)
    started, times = time.monotonic(), []
    while not enough(started):
        started_at = time.perf_counter()
        connection.request("GET", "/api/v1/income", headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise SystemExit(f"/income: {response.status} {body[:200]}")
        times.append((time.perf_counter() - started_at) * 1000)
        time.sleep(0.005)
    return times


if __name__ == "__main__":
    sys.exit(main())
