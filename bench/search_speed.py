"""Searches in the process, without HTTP: `cargo bench -p app --bench search`, over the real listings where they are beside the project."""
import subprocess

from memory import LISTINGS
from started import ROOT
from world import say


def measure(world, report):
    say("search: built for itself first")
    listings = [str(LISTINGS)] if LISTINGS.exists() else []
    done = subprocess.run(["cargo", "bench", "-q", "-p", "app", "--bench", "search", "--", *listings], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the search could not be measured: {done.stderr}")
    lines = done.stdout.splitlines()
    told = [line.replace(str(LISTINGS), "real ones") for line in lines if line and not line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    head, _, *sets = rows
    report.title("Search", "Time in the process, of ten sets of queries derived from the listings; a query's time is the median of five rounds.")
    report.table(head, sets)
    report.note(*told)
    report.figure("search", max(float(p99) for _, _, p99, _ in sets))
