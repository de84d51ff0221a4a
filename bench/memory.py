"""Resident memory with all symbols in the search index, after a thousand users' requests, and after every token was used."""
import csv
import random
import time

import users
from environment import ROOT
from load import Side, burst, run
from machine import resident
from product import bearer
from world import log

SYMBOLS, ACTIVE = 112_144, 1_000
LISTINGS = ROOT.parent / "shared" / "data" / "universe" / "universe_100k.csv"
SEARCHES = ["coca", "johnson and", "S150", "bank of amrica", "siemens"]


def measure(world, report):
    crowd = world.crowd("SQLite", world.crowd_size)
    product = world.copy(crowd, "memory")
    market = world.folder / "listings"
    market.mkdir()
    kind = write_listings(market / "stocks.csv")
    product.command("market", "load", market)
    log(f"memory, {kind}")
    product.serve()
    steps = [("started", sizes(product))]
    search(product)
    steps.append((f"{SYMBOLS:,} symbols searched", sizes(product)))
    burst(product.address, [("/api/v1/income", bearer(users.token(number))) for number in spread(world, ACTIVE)])
    steps.append((f"{ACTIVE:,} users have requested `/income`", sizes(product)))
    use_all_tokens(world, product)
    steps.append((f"{world.crowd_size - 1:,} tokens used for `/stocks/S150`", sizes(product)))
    load(world, product)
    steps.append(("all of them have requested `/income`, 64 at a time", sizes(product)))
    report.title("Memory", f"MB (10⁶ bytes) of one process on a SQLite database of {world.crowd_size:,} users, {kind}. Without pages of files: neither the "
                 "program's nor the database's.")
    report.table(["", "resident", "without pages of files"], [[name, f"{total:.1f}", f"{own:.1f}"] for name, (total, own) in steps])
    report.figure("memory", steps[2][1][0])
    report.figure("tokens", max(0, steps[3][1][0] - steps[2][1][0]))


def sizes(product):
    time.sleep(1)  # background work is done by then
    return resident(product.server.pid)


def search(product):
    """The first search builds the index."""
    for number in range(40):
        product.ask(f"/api/v1/stocks?q={SEARCHES[number % len(SEARCHES)].replace(' ', '+')}", {"X-Forwarded-For": f"10.9.9.{number}"})
        time.sleep(0.05)


def spread(world, count):
    return range(1, world.crowd_size, max(1, (world.crowd_size - 1) // count))[:count]


def use_all_tokens(world, product):
    """Requests something that is the same for all users, so that no response is cached per user."""
    numbers = list(range(1, world.crowd_size))
    for at in range(0, len(numbers), 10_000):
        burst(product.address, [("/api/v1/stocks/S150", bearer(users.token(number))) for number in numbers[at:at + 10_000]])


def load(world, product):
    lines = world.folder / "everybody.txt"
    lines.write_text("".join(f"Authorization: Bearer {users.token(number)}\n" for number in range(1, world.crowd_size)))
    run(Side(product.engine, product.address, product.meters, "/api/v1/income", {}, 200, lines=lines, uneven=True), 2 * world.seconds)


def write_listings(path):
    """The listings next to the project if there are any, or as many made-up ones; the accounts' symbols, S000 to S299, do not change."""
    if LISTINGS.exists():
        with open(LISTINGS, newline="") as file:
            rows = [(row["symbol"], row["name"], row["currency"] or "USD", row["exchange"], row["type"]) for row in csv.DictReader(file)]
        kind = f"{len(rows):,} real listings"
    else:
        rng, words = random.Random(3), ["North", "Star", "Iron", "River", "Trust", "Power", "Bank", "Foods", "Metal", "Capital", "Energy", "Labs"]
        rows = [(f"M{number:06}", f"{' '.join(rng.sample(words, 3))} {number}", "USD", "NYSE", "EQUITY") for number in range(SYMBOLS)]
        kind = f"{SYMBOLS:,} made-up listings"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["symbol", "name", "currency", "exchange", "type"])
        writer.writerows(rows)
    return kind
