"""Serves accounts of growing length and measures /income: cold, warm and unchanged. Standard library only."""
import argparse
import datetime
import http.client
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.parse

import account

COLD, WARM = 15, 2000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--entries", default="1500,5000,15000")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.entries.split(",")]
    with tempfile.TemporaryDirectory(prefix="dripline-bench-") as folder:
        bench = Bench(pathlib.Path(arguments.binary).resolve(), pathlib.Path(folder))
        print_table(sizes, bench.run(sizes))


class Bench:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.environment = {"DRIPLINE_DATA_DIR": str(folder / "data"), "DRIPLINE_NOW": f"{account.TODAY}T12:00:00Z"}

    def command(self, *arguments, given=None):
        done = subprocess.run([self.binary, *arguments], env=self.environment, input=given, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"dripline {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout.strip()

    def run(self, sizes):
        (self.folder / "market").mkdir()
        account.write_market(self.folder / "market")
        self.command("market", "load", self.folder / "market")
        tokens, results = {}, {size: {} for size in sizes}
        for size in sizes:
            email, ledger = f"{size}@example.com", self.folder / f"{size}.csv"
            account.write_ledger(ledger, size)
            self.command("user", "add", email, "--residence", "ES")
            start = time.perf_counter()
            self.command("import", ledger, "--user", email)
            results[size]["import, rows/s"] = size / (time.perf_counter() - start)
            tokens[size] = self.command("token", "create", "--user", email, "--name", "bench")
        server = subprocess.Popen([self.binary, "serve", "--listen", "127.0.0.1:0"], env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = urllib.parse.urlsplit(server.stdout.readline().strip()).netloc
            clients = {size: Client(address, tokens[size], server.pid) for size in sizes}
            for client in clients.values():
                client.get()
            self.measure_cold(sizes, clients, results)
            # In alternation, so that a busy neighbour of a moment does not hit one account only.
            runs = {size: {"warm": [], "304": []} for size in sizes}
            for _ in range(4):
                for size in sizes:
                    runs[size]["warm"].append(clients[size].many(WARM // 4))
                    runs[size]["304"].append(clients[size].many(WARM // 4, unchanged=True))
            for size in sizes:
                for kind, parts in runs[size].items():
                    results[size][f"{kind}, client µs"] = statistics.median(latency for latencies, _ in parts for latency in latencies)
                    results[size][f"{kind}, CPU µs"] = sum(cpu for _, cpu in parts) / WARM
                results[size]["body, bytes"] = len(clients[size].get()[1])
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        return results

    def measure_cold(self, sizes, clients, results):
        """The first request after a change of the account, made by another process as an operator would."""
        latencies, cpu = {size: [] for size in sizes}, {size: [] for size in sizes}
        more = self.folder / "more.csv"
        for number in range(COLD):
            for size in sizes:
                account.write_one_more(more, number)
                self.command("import", more, "--user", f"{size}@example.com")
                time.sleep(0.02)
                (latency,), used = clients[size].many(1)
                latencies[size].append(latency)
                cpu[size].append(used)
        for size in sizes:
            results[size]["cold, client µs"] = statistics.median(latencies[size])
            results[size]["cold, CPU µs"] = statistics.median(cpu[size])


class Client:
    """One keep-alive connection of one account."""

    def __init__(self, address, token, pid):
        self.connection = http.client.HTTPConnection(address)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.pid, self.etag = pid, None

    def get(self, unchanged=False):
        headers = dict(self.headers, **({"If-None-Match": self.etag} if unchanged else {}))
        self.connection.request("GET", "/api/v1/income", headers=headers)
        response = self.connection.getresponse()
        body = response.read()
        expected = 304 if unchanged else 200
        if response.status != expected:
            raise SystemExit(f"/income answered {response.status} instead of {expected}: {body[:300]}")
        self.etag = response.headers["ETag"]
        return response, body

    def many(self, count, unchanged=False):
        """Latencies in µs, and the server's CPU time for all of them in µs."""
        if unchanged:
            self.get()
        latencies, before = [], cpu_of(self.pid)
        for _ in range(count):
            start = time.perf_counter()
            self.get(unchanged)
            latencies.append((time.perf_counter() - start) * 1e6)
        return latencies, cpu_of(self.pid) - before


def cpu_of(pid):
    """CPU time of the process in µs: of its threads in nanoseconds where the kernel keeps them, else in clock ticks."""
    try:
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1000
    except OSError:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1e6 / os.sysconf("SC_CLK_TCK")


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return f"{datetime.date.today()}, {os.cpu_count()} × {model}"


def print_table(sizes, results):
    print(f"{machine()}, cold: median of {COLD}, warm and 304: {WARM} requests\n")
    print("| /income | " + " | ".join(f"{size:,} entries" for size in sizes) + " |")
    print("|---|" + "---:|" * len(sizes))
    for name in ["cold, CPU µs", "cold, client µs", "warm, CPU µs", "warm, client µs", "304, CPU µs", "304, client µs", "body, bytes", "import, rows/s"]:
        first = results[sizes[0]][name]
        cells = [f"{results[size][name]:,.0f}" + (f" (×{results[size][name] / first:.2f})" if size != sizes[0] else "") for size in sizes]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
