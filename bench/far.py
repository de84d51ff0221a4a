"""Imports into a local PostgreSQL, and into one that is 5 ms away in each direction. Standard library only."""
import argparse
import asyncio
import os
import pathlib
import subprocess
import tempfile
import threading
import time

from cluster import Postgres
from imports import STOCKS, trading_212
from machine import Meter, machine
from product import Product

DELAY_SECONDS = 0.005


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--rows", default="10000,100000")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dripline-far-") as folder:
        folder = pathlib.Path(folder)
        os.chmod(folder, 0o755)
        postgres = Postgres(folder / "postgres")
        try:
            print(machine(), "\n")
            measure(arguments.binary, folder, postgres, [int(rows) for rows in arguments.rows.split(",")])
        finally:
            postgres.process.terminate()
            postgres.process.wait()


def measure(binary, folder, postgres, numbers):
    product, link = Product(binary, folder / "node", postgres, "far"), DelayedLink(postgres.port)
    market = folder / "market"
    market.mkdir()
    stocks = "".join(f"S{number:03},Stock {number},USD,NYSE,EQUITY,US,50,1\n" for number in range(STOCKS))
    (market / "stocks.csv").write_text("symbol,name,currency,exchange,type,country,price,forward_rate\n" + stocks)
    product.command("market", "load", market)
    print("| rows | PostgreSQL | seconds | rows/s | CPU µs per row, the command | PostgreSQL | waits |\n|---:|---|---:|---:|---:|---:|---:|")
    for rows in numbers:
        file = folder / "file.csv"
        file.write_text(trading_212(rows))
        for where in ("local", "5 ms away"):
            user = f"{rows}-{where[0]}@example.com"
            product.command("user", "add", user, "--currency", "USD")
            url = product.environment["DRIPLINE_DATABASE_URL"]
            environment = product.environment | ({} if where == "local" else {"DRIPLINE_DATABASE_URL": url.replace(f":{postgres.port}/", f":{link.port}/")})
            before, database, start = link.waits, Meter(postgres.process.pid), time.perf_counter()
            process = subprocess.Popen([binary, "import", file, "--user", user], env=environment, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            time.sleep(0.1)
            if status:
                print(f"| {rows:,} | {where} | failed after {seconds:.1f} s | | | | {link.waits - before} |")
                continue
            own = (usage.ru_utime + usage.ru_stime) * 1e6
            waits = link.waits - before if where != "local" else "–"
            print(f"| {rows:,} | {where} | {seconds:.2f} | {rows / seconds:,.0f} | {own / rows:.1f} | {database.used() / rows:.1f} | {waits} |", flush=True)


class DelayedLink:
    """A proxy that forwards bytes with a delay, and counts how often the client has to wait for a response."""

    def __init__(self, port):
        self.waits, self.port, ready = 0, None, threading.Event()

        async def serve():
            server = await asyncio.start_server(lambda reader, writer: self.forward(reader, writer, port), "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        ready.wait()

    async def forward(self, reader, writer, port):
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)
        # The first message has no type byte; all others start with their type and length.
        client_messages, server_messages, pending = Messages(b"SQ", b"!"), Messages(b"Z", b""), [1]
        self.waits += 1

        def sent(data):
            requests = client_messages.count(data)
            self.waits += bool(requests and not pending[0])
            pending[0] += requests

        def arrived(data):
            pending[0] -= server_messages.count(data)

        await asyncio.gather(delayed(reader, to_writer, sent, lambda _: None), delayed(to_reader, writer, lambda _: None, arrived))


async def delayed(reader, writer, sent, arrived):
    queue, loop = asyncio.Queue(), asyncio.get_running_loop()

    async def write():
        while (item := await queue.get()) is not None:
            due, data = item
            await asyncio.sleep(max(0, due - loop.time()))
            arrived(data)
            writer.write(data)
            await writer.drain()
        writer.close()

    writing = asyncio.create_task(write())
    try:
        while data := await reader.read(1 << 18):
            sent(data)
            queue.put_nowait((loop.time() + DELAY_SECONDS, data))
    except ConnectionError:
        pass
    queue.put_nowait(None)
    await asyncio.gather(writing, return_exceptions=True)


class Messages:
    def __init__(self, letters, head):
        self.letters, self.rest, self.skip = letters, head, 0

    def count(self, data):
        data, found, at = self.rest + data, 0, self.skip
        while at + 5 <= len(data):
            found += data[at] in self.letters
            at += 1 + int.from_bytes(data[at + 1:at + 5], "big")
        self.rest, self.skip = data[at:] if at < len(data) else b"", max(0, at - len(data))
        return found


if __name__ == "__main__":
    main()
