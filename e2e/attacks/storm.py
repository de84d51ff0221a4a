"""All attacks at once: fifty attackers of every kind, each from its own address, while a user reads their income."""

import json
import os
import pathlib
import subprocess
import sys

from check import check, check_none, test
from others import Others
from writer import Session

HERE = pathlib.Path(__file__).resolve().parent
ACCOUNTS = 13
# 300 MB, which the long run of a release build must keep; more of an unoptimised program is in memory.
MEMORY_MIB_MAX, UNOPTIMISED_MEMORY_MIB_MAX = 286, 300
DISK_MIB_MAX = 1_024
P99_SECONDS_MAX = 0.25
PASSWORD = "seven purple anchors drift by"
PATHS = ("/api/v1/me", "/api/v1/income", "/api/v1/holdings", "/api/v1/upcoming", "/api/v1/dividends", "/api/v1/status",
         "/api/v1/valuation", "/api/v1/received", "/api/v1/transactions", "/api/v1/radar", "/", "/upcoming", "/holdings")


@test("with fifty attackers of every kind at once, a user notices nothing, and memory and disk stay within their limits")
def storm(world):
    seconds = world.length(20, 600)
    data = world.folder / "storm"
    settings = {"DRIPLINE_DATA_DIR": str(data), "DRIPLINE_SIGN_UP": "open"}
    accounts = create_accounts(world, settings)
    with world.service(**settings) as service:
        session = Session(service.port, "owner@example.com", PASSWORD)
        with Others(service, accounts.pop(0)["token"], paths=PATHS, cookie=session.cookie) as user:
            attackers = subprocess.Popen(
                [sys.executable, HERE / "attackers.py", str(service.port), str(seconds), str(world.seed)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.nice(15))  # Real attackers do not use the server's CPU.
            output, _ = attackers.communicate(json.dumps(accounts), timeout=seconds + 60)
            check(attackers.returncode == 0, "attackers.py exited with", attackers.returncode)
        peak = service.memory_mib("VmHWM")
        disk = sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) / (1 << 20)
        p99 = user.p99()
        figures = (f"the user: {len(user.seconds)} requests, p99 {p99 * 1000:.0f} ms, slowest {max(user.seconds) * 1000:.0f} ms; "
                   f"memory {peak:.0f} MiB; disk {disk:.0f} MiB; attackers {output.strip()}")
        check_none(user.problems, f"failed request of the user ({figures})")
        check(peak < world.length(UNOPTIMISED_MEMORY_MIB_MAX, MEMORY_MIB_MAX), f"the service used {peak:.0f} MiB of memory ({figures})")
        check(disk < DISK_MIB_MAX, f"the service used {disk:.0f} MiB of disk ({figures})")
        # The limit holds for a release build on a dedicated machine; the short run only looks for failures.
        check(not world.soak or p99 < P99_SECONDS_MAX, f"the user had to wait ({figures})")
    return figures


def create_accounts(world, settings):
    """Creates the accounts: the first is the user's, with the demo's data; the attackers' are empty."""
    files = world.folder / "storm-files"
    world.command("demo", "--write", str(files), **settings)
    accounts = []
    for number in range(ACCOUNTS + 1):
        email = f"attacker{number}@example.com" if number else "owner@example.com"
        world.command("user", "add", email, "--password-stdin", stdin=PASSWORD, **settings)
        token = world.command("token", "create", "--user", email, "--name", "storm", **settings).strip()
        accounts.append({"email": email, "password": PASSWORD, "token": token})
    world.command("market", "load", str(files), **settings)
    world.command("import", str(files / "ledger.csv"), "--user", "owner@example.com", "--unresolved", "keep", **settings)
    return accounts
