"""Searches in the process, without HTTP: `cargo bench -p app --bench search`, over real listings if they are next to the project."""
import subprocess

from environment import ROOT
from memory import LISTINGS
from world import log


def measure(world, report):
    log("search: building")
    listings = [str(LISTINGS)] if LISTINGS.exists() else []
    done = subprocess.run(["cargo", "bench", "-q", "-p", "app", "--bench", "search", "--", *listings], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the search benchmark failed: {done.stderr}")
    lines = done.stdout.splitlines()
    notes = [line.replace(str(LISTINGS), "real ones") for line in lines if line and not line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    head, _, *sets = rows
    report.title("Search", "Time in the process, for ten sets of queries derived from the listings; a query's time is the median of five rounds.")
    report.table(head, sets)
    report.note(*notes)
    report.figure("search", max(float(p99) for _, _, p99, _ in sets))
