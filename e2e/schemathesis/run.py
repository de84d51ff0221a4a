#!/usr/bin/env python3
"""Serves an account with the `dripline` binary, on SQLite and on PostgreSQL, and tests its API against its own OpenAPI description.

Each request goes to both through `mirror.py`, which checks that the responses are the same, so what schemathesis finds in one set of
responses holds for the other."""

import argparse
import json
import os
import shutil
import signal
import secrets
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import account
from mirror import Mirror
from programs import find
from service import Failure, Server, command, environment_for

RUN_SECONDS_MAX = 3600
PHASES = "examples,coverage,fuzzing,stateful"
DOCUMENTS = {"openapi.json": OpenAPIV30SpecValidator, "openapi-3.1.json": OpenAPIV31SpecValidator}

PRIVATE = {
    "me", "portfolios", "holdings", "dividends", "income", "upcoming", "explain", "whatif", "status", "valuation", "received",
    "transactions", "radar"}


class Verdict(NamedTuple):
    passed: bool
    cases: int = 0


def main():
    options = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # So that the `with` blocks stop the servers too.
    folder = Path(tempfile.mkdtemp(prefix="dripline-schemathesis-"))
    verdicts = []
    try:
        with Mirror() as mirror, database(options.postgres) as address:
            environment = {
                **environment_for(folder, account.TODAY), "DRIPLINE_TRUSTED_PROXIES": "127.0.0.1/32", "DRIPLINE_BASE_URL": mirror.url}
            token = set_up(options.binary, environment, folder)
            command(options.binary, environment, "copy", "--to", address)
            other = {**environment, "DRIPLINE_DATA_DIR": str(folder / "other"), "DRIPLINE_DATABASE_URL": address}
            with Server(options.binary, environment) as on_sqlite, Server(options.binary, other) as on_postgres:
                mirror.set_servers(on_sqlite.url, on_postgres.url)
                verdicts += [valid_document(mirror.url, name, validator) for name, validator in DOCUMENTS.items()]
                runs = [("openapi.json", token), ("openapi.json", None), ("openapi-3.1.json", token)]
                for seed, (document, who) in enumerate(runs, options.seed):
                    verdicts.append(conforms(mirror.url, folder, options.examples, seed, document, who))
                verdicts += [has_enough_cases(verdicts, options.cases), same_on_both(mirror), detects_difference(mirror, options.binary, environment, folder, token)]
    except (Failure, OSError, subprocess.TimeoutExpired) as failure:
        print(f"FAIL {failure}")
        verdicts.append(Verdict(False))
    passed = sum(verdict.passed for verdict in verdicts)
    failed = len(verdicts) - passed
    if failed:
        print(f"     files kept in {folder}")
    else:
        shutil.rmtree(folder)
    print(f"{sum(verdict.cases for verdict in verdicts)} cases executed")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--examples", type=int, default=60, help="random cases per operation in each run")
    parser.add_argument("--cases", type=int, default=1, help="minimum number of cases on each engine")
    parser.add_argument(
        "--postgres", default=os.environ.get("DRIPLINE_TEST_POSTGRES"), help="URL of a server whose user may create databases")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first run; the next ones count up")
    options = parser.parse_args()
    if not options.postgres:
        parser.error("set --postgres or DRIPLINE_TEST_POSTGRES to a PostgreSQL server")
    return options


@contextmanager
def database(server):
    """The URL of a new database, which is dropped at the end."""
    name = f"try_{secrets.token_hex(8)}"
    sql = lambda text: subprocess.run([find("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", server, "-c", text], check=True)
    sql(f"CREATE DATABASE {name}")
    try:
        yield f"{server.rsplit('/', 1)[0]}/{name}"
    finally:
        sql(f"DROP DATABASE {name} WITH (FORCE)")


def set_up(binary, environment, folder):
    """Runs the commands an operator would; returns the token."""
    market, ledger = account.write(folder)
    call = lambda *arguments: command(binary, environment, *map(str, arguments))
    call("user", "add", account.USER, "--name", "Ann", "--currency", "EUR", "--residence", "ES")
    token = call("token", "create", "--user", account.USER, "--name", "schemathesis").strip()
    call("market", "load", market)
    call("import", ledger, "--user", account.USER)
    call("radar", "add", *account.RADAR, "--user", account.USER)
    name, slug = account.SHARED
    call("portfolio", "share", name, "--slug", slug, "--user", account.USER)
    return token


def valid_document(url, name, validator):
    with urllib.request.urlopen(f"{url}/api/v1/{name}") as response:
        document = json.load(response)
    errors = list(validator(document).iter_errors())
    for error in errors:
        print(f"     {'/'.join(map(str, error.absolute_path))}: {error.message[:600]}")
    print(f"{'FAIL' if errors else 'pass'} {name}: OpenAPI {document['openapi']}, {len(errors)} errors", flush=True)
    return Verdict(not errors)


def conforms(url, folder, examples, seed, document, token):
    """Passes if no check failed and the responses were worth checking."""
    report, statuses = folder / "report.json", folder / "statuses.json"
    for stale in (report, statuses):
        stale.unlink(missing_ok=True)
    arguments = [
        Path(sys.executable).with_name("st"), "--config-file", HERE / "schemathesis.toml", "run", f"{url}/api/v1/{document}",
        "--checks", "all", "--phases", PHASES, "--max-examples", str(examples), "--seed", str(seed), "--no-color",
        "--output-sanitize", "false", "--report-json-path", report, *(["-H", f"Authorization: Bearer {token}"] if token else [])]
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"), "PYTHONDONTWRITEBYTECODE": "1",
        "TRY_ANONYMOUS": "no" if token else "yes", "TRY_STATUSES": str(statuses),
        "TRY_PORTFOLIOS": json.dumps(account.PORTFOLIOS)}
    done = subprocess.run(
        arguments, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=RUN_SECONDS_MAX)
    if not report.exists() or not statuses.exists():
        raise Failure(f"schemathesis exited with {done.returncode}: {(done.stdout + done.stderr)[-4000:]}")
    found = json.loads(report.read_text())
    wrong = [] if done.returncode == 0 and found["complete"] else [f"schemathesis exited with {done.returncode}"]
    wrong += unexpected_refusals(found, token)
    if wrong:
        print(done.stdout, done.stderr)
    cases = found["test_cases"]["generated"] - found["test_cases"]["without_checks"]
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(json.loads(statuses.read_text()).items()))
    print(f"{'FAIL' if wrong else 'pass'} {document} {'with' if token else 'without'} a token: {cases} cases in "
          f"{found['running_time']:.0f} s ({answers}){''.join(f'; {one}' for one in wrong)}", flush=True)
    return Verdict(not wrong, cases)


def has_enough_cases(verdicts, cases_min):
    cases = sum(verdict.cases for verdict in verdicts)
    print(f"{'pass' if cases >= cases_min else 'FAIL'} {cases} cases on each engine, at least {cases_min} required", flush=True)
    return Verdict(cases >= cases_min)


def same_on_both(mirror):
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(mirror.statuses.items()))
    print(f"{'FAIL' if mirror.different else 'pass'} SQLite and PostgreSQL: {mirror.requests} requests to both ({answers}), "
          f"{mirror.different} with different responses", flush=True)
    for difference in mirror.differences:
        print(f"     {difference}")
    return Verdict(not mirror.different)


def detects_difference(mirror, binary, environment, folder, token):
    """Adds a transaction on one side only: the mirror must detect it, or nothing was compared."""
    before, ledger = mirror.different, folder / "more.csv"
    ledger.write_text(account.EXTRA_LEDGER, encoding="utf-8")
    command(binary, environment, "import", str(ledger), "--user", account.USER)
    request = urllib.request.Request(f"{mirror.url}/api/v1/holdings", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        response.read()
    detected = mirror.different - before == 1
    print(f"{'pass' if detected else 'FAIL'} an extra transaction on SQLite only is {'' if detected else 'not '}detected", flush=True)
    return Verdict(detected)


def unexpected_refusals(found, token):
    """With a token no operation may refuse everything; without one the private ones, and only they, must."""
    refusing = {label.split("/")[-1] for label in found["warnings"]["missing_auth"]}
    expected = set() if token else PRIVATE
    return [f"only 401 from {', '.join(sorted(refusing)) or 'none'}"] if refusing != expected else []


if __name__ == "__main__":
    main()
