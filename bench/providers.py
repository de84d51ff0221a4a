"""Requests live prices and income while the provider fails in every way. Standard library only."""
import argparse
import http.client
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import service  # noqa: E402

STOCKS, REQUESTS = 40, 400
FAULTS = ["heal", "hang", "slow", "throttle", "cut", "html", "500", "json"]
EMAIL = "bench@example.com"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--replay", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        measure(arguments.binary, arguments.replay, pathlib.Path(folder))


def measure(binary, replay_binary, folder):
    replay = subprocess.Popen([replay_binary, str(STOCKS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = replay.stdout.readline().strip()
        environment = service.environment_for(folder, "2026-11-16")
        environment |= {"DRIPLINE_PROVIDER": "yahoo", "DRIPLINE_YAHOO_URL": f"{url}/yahoo", "DRIPLINE_YAHOO_BUDGET": "100000/1000000"}
        token = prepare(binary, environment, folder)
        with service.Server(binary, environment) as server:
            address = urllib.parse.urlsplit(server.url).netloc
            wait_for_data(binary, environment)
            print("| provider | live price p50 / p99 / max, ms | live | /income p50 / p99 / max, ms |\n|---|---:|---:|---:|")
            for fault in FAULTS:
                replay.stdin.write(fault + "\n")
                replay.stdin.flush()
                replay.stdout.readline()
                print(row(fault, address, token), flush=True)
            replay.stdin.write("heal\n")
            replay.stdin.flush()
            replay.stdout.readline()
            print(f"\nLive again {recovery_seconds(address, token):.0f} s after the last fault, without a restart.")
    finally:
        replay.stdin.close()
        replay.wait(10)


def prepare(binary, environment, folder):
    command = lambda *arguments: service.command(binary, environment, *arguments).strip()
    command("user", "add", EMAIL, "--currency", "USD")
    rows = "".join(f"2024-01-05,buy,S{number:04},10,30,USD\n" for number in range(STOCKS))
    ledger = folder / "ledger.csv"
    ledger.write_text("date,type,symbol,shares,price,currency\n" + rows)
    command("import", str(ledger), "--user", EMAIL)
    return command("token", "create", "--user", EMAIL, "--name", "bench")


def wait_for_data(binary, environment):
    import json

    for _ in range(600):
        work = json.loads(service.command(binary, environment, "market", "status", "--json"))["work"]
        if len(work) == 3 and all(one["never_done"] == 0 for one in work):
            return
        time.sleep(0.2)
    raise SystemExit("the first refresh did not finish")


def row(fault, address, token):
    prices, incomes, live = [], [], 0
    deadline = time.monotonic() + 30  # longer than any cache, so that the provider is asked repeatedly
    number = 0
    connection = http.client.HTTPConnection(address)
    while number < REQUESTS and time.monotonic() < deadline:
        elapsed, body = get(connection, f"/api/v1/stocks/S{number % STOCKS:04}", token)
        prices.append(elapsed)
        live += b'"live":true' in body
        incomes.append(get(connection, "/api/v1/income", token)[0])
        number += 1
        time.sleep(0.05)
    name = "healthy" if fault == "heal" else fault
    return f"| {name} | {figures(prices)} | {live} of {number} | {figures(incomes)} |"


def recovery_seconds(address, token):
    started = time.monotonic()
    connection = http.client.HTTPConnection(address)
    while time.monotonic() - started < 120:
        if b'"live":true' in get(connection, "/api/v1/stocks/S0000", token)[1]:
            return time.monotonic() - started
        time.sleep(0.5)
    raise SystemExit("no live price two minutes after the provider recovered")


def get(connection, path, token):
    started = time.perf_counter()
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        raise SystemExit(f"{path}: {response.status} {body[:200]}")
    return (time.perf_counter() - started) * 1000, body


def figures(times):
    times = sorted(times)
    at = lambda part: times[min(len(times) - 1, int(len(times) * part))]
    return f"{at(0.5):.1f} / {at(0.99):.1f} / {times[-1]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
