#!/usr/bin/env python3
"""Generates clients from the description that the demo serves, compiles them, and calls every operation with each.

Prints the time of each step, and "N passed, N failed" last.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "e2e"))

from client import Client as HttpClient
from service import Failure, Server, environment_for, token_of

DAY = "2026-11-15"
STEP_SECONDS_MAX = 600
WORK = ROOT / ".cache/generated"
# Go takes nothing from the network.
ENVIRONMENT = {
    **os.environ, "PATH": f"{ROOT}/.cache/venv/bin:{os.environ['PATH']}", "CARGO_TARGET_DIR": "target",
    "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOCACHE": f"{WORK}/go-build"}

# What each driver prints: for an operation, its request and the figure of its answer.
FIGURES = {
    "getMe": ("me", "preferred_currency"),
    "listPortfolios": ("portfolios", "portfolios.0.name"),
    "listHoldings": ("holdings?portfolio=Core", "holdings.0.average_cost.amount"),
    "listDividends": ("dividends?symbol=KO&from=2026-01-01", "dividends.0.net.amount"),
    "getIncome": ("income?years=3&drip=true", "income_year.by_month.1.amount"),
    "listUpcoming": ("upcoming?days=90", "expected_net_total.amount"),
    "getStatus": ("status", "next.expected.amount"),
    "getValuation": ("valuation", "totals.gain.amount"),
    "getReceived": ("received?from=2026-01-01", "months.0.net.amount"),
    "listTransactions": ("transactions?type=dividend&limit=2", "next_cursor"),
    "getRadar": ("radar", "stocks.0.price.amount"),
    "whatIf": ("whatif?symbol=KO&shares=50", "added_net_income.amount"),
    "explainFigure": ("explain?figure=annual_income", "value"),
    "getCalendar": ("calendar?days=90", "stocks.0.ex_dividend_date"),
    "searchStocks": ("stocks?q=coca", "results.0.name"),
    "getStock": ("stocks/MSFT", "dividend.safety"),
    "getOpenApi": ("openapi.json", "openapi"),
    "getOpenApi31": ("openapi-3.1.json", "openapi"),
    "error": ("stocks/NONE", "error.code"),
}

# In generated code: a type for a month's number, a second type for null, and an argument for the header If-None-Match.
# Go's generator adds a Nullable type to each type by itself.
UNWANTED = r"\bN\d+\b|\bNullable[A-Z]\w*|\b[Ii]f_?[Nn]one_?[Mm]atch\w*|\bheader\??: (?!never)"
UNWANTED_IN_GO = UNWANTED.replace("Nullable", "NullableNullable")


class Client(NamedTuple):
    name: str
    generate: str
    compile: str
    call: str
    unwanted: str = UNWANTED


def openapi_generator(language, options):
    return f"openapi-generator-cli generate -i ../openapi.json -o client -g {language} --additional-properties {options}"


# Commands are run in the client's folder.
CLIENTS = (
    Client("openapi-typescript", "node_modules/.bin/openapi-typescript ../openapi.json -o client/schema.ts", "node_modules/.bin/tsc", "node call.js"),
    Client("openapi-python-client", "openapi-python-client generate --path ../openapi.json --output-path client --meta none",
           "python -m compileall -q client", "python call.py"),
    Client("openapi-generator-python", openapi_generator("python", "packageName=client"),
           "python -m compileall -q client/client", "env PYTHONPATH=client python call.py"),
    Client("openapi-generator-go",
           openapi_generator("go", "packageName=client") + " --git-host example.org --git-user-id dripline --git-repo-id client",
           "go build -o call .", "./call", UNWANTED_IN_GO),
    Client("openapi-generator-rust",
           openapi_generator("rust", "packageName=client,supportAsync=false,useChrono=false,reqwestDefaultFeatures="),
           "cargo build --locked --quiet", "target/debug/call"),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    parser.add_argument("names", nargs="*", metavar="CLIENT", help=", ".join(client.name for client in CLIENTS))
    options = parser.parse_args()
    results = []
    folder = Path(tempfile.mkdtemp(prefix="dripline-generated-"))
    try:
        with Server(options.binary, environment_for(folder, DAY), "demo") as server:
            token = token_of(server)
            expected = figures(server.url, token)
            for client in CLIENTS:
                if client.name in (options.names or client.name):
                    results += Trial(client, server.url, token).run(expected)
    except (Failure, OSError) as failure:
        print(f"FAIL {failure}")
        results.append(False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{sum(results)} passed, {results.count(False)} failed")
    sys.exit(0 if results and all(results) else 1)


def figures(url, token):
    """Saves the description, and returns the figure expected of each of its operations."""
    http = HttpClient(int(url.rsplit(":", 1)[1]))
    answers = {name: json.loads(http.get(f"/api/v1/{path}", token).body) for name, (path, _) in FIGURES.items()}
    described = {item["get"]["operationId"] for item in answers["getOpenApi"]["paths"].values()}
    if described != FIGURES.keys() - {"error"}:
        raise Failure(f"FIGURES and the description differ: {sorted(described ^ (FIGURES.keys() - {'error'}))}")
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "openapi.json").write_text(json.dumps(answers["getOpenApi"]))
    expected = {name: figure(answers[name], place) for name, (_, place) in FIGURES.items()}
    missing = [name for name, value in expected.items() if value is None]
    if missing:
        raise Failure(f"the demo has no figure for {missing}")
    return expected


def figure(answer, place):
    for step in place.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer.get(step)
    return answer


class Trial:
    """A client in its folder: the driver of this repository, and the generated code in `client`."""

    def __init__(self, client, url, token):
        self.client, self.url, self.token, self.folder = client, url, token, WORK / client.name

    def run(self, expected):
        try:
            self.prepare()
            self.step("generate", self.client.generate)
            plain = self.check_plain()
            self.step("compile", self.client.compile)
            output = self.step("call", f"{self.client.call} {self.url} {self.token}")
        except Failure as failure:
            print(f"FAIL {self.client.name}: {failure}", flush=True)
            return [False]
        got = dict(line.split(" ", 1) for line in output.splitlines() if " " in line)
        return [plain] + [self.check(f"{name} printed {got.get(name)}, not {value}", got.get(name) == value)
                          for name, value in expected.items()]

    def prepare(self):
        shutil.rmtree(self.folder / "client", ignore_errors=True)
        shutil.copytree(ROOT / "e2e/generated" / self.client.name, self.folder, dirs_exist_ok=True)
        lock = self.folder / "package-lock.json"
        copy = self.folder / "node_modules/.package-lock.copy"
        if lock.exists() and not (copy.exists() and copy.read_bytes() == lock.read_bytes()):
            self.step("install", "npm ci --ignore-scripts --no-audit --no-fund --loglevel=error")
            shutil.copy(lock, copy)

    def step(self, name, command):
        began = time.monotonic()
        try:
            done = subprocess.run(command.split(), cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=STEP_SECONDS_MAX)
        except FileNotFoundError as error:
            raise Failure(f"{error.filename} not found: run ./test generated, which installs it") from None
        except subprocess.TimeoutExpired:
            raise Failure(f"{name} took more than {STEP_SECONDS_MAX} s") from None
        if done.returncode:
            raise Failure(f"{name} exited with {done.returncode}: {(done.stdout + done.stderr).strip()[-3000:]}")
        print(f"     {self.client.name}: {name} {time.monotonic() - began:.1f} s", flush=True)
        return done.stdout

    def check_plain(self):
        sources = [path for path in (self.folder / "client").rglob("*") if path.suffix in (".ts", ".py", ".go", ".rs")]
        found = {match for path in sources for match in re.findall(self.client.unwanted, path.read_text())}
        return self.check(f"{len(sources)} files with {sorted(found)}", sources and not found)

    def check(self, problem, passed):
        if not passed:
            print(f"FAIL {self.client.name}: {problem}", flush=True)
        return bool(passed)


if __name__ == "__main__":
    main()
