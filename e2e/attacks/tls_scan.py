"""The service's TLS, as a scanner sees it."""

import json
import subprocess
import sys

from check import check, check_none, equal, test


@test("a TLS scan finds Mozilla's intermediate configuration and no known weakness")
def tls_scan(world):
    report = world.folder / "sslyze.json"
    with world.encrypted() as service:
        done = subprocess.run(
            [sys.executable, "-m", "sslyze", f"localhost:{service.port}", "--mozilla_config=intermediate", "--certinfo",
             f"--certinfo_ca_file={world.authority}", "--json_out", str(report)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        check(service.is_running(), "the service is not running")
    output = (done.stdout + done.stderr)[-3000:]
    equal(done.returncode, 0, f"exit status of sslyze, which printed {output}")
    [server] = json.loads(report.read_text())["server_scan_results"]
    found = server["scan_result"]
    accepted = lambda name: [suite["cipher_suite"]["name"] for suite in found[name]["result"]["accepted_cipher_suites"]]
    old = [name for name in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1") for _ in accepted(f"{name}_cipher_suites")]
    check_none(old, "obsolete protocol version that is accepted")
    suites = accepted("tls_1_2_cipher_suites") + accepted("tls_1_3_cipher_suites")
    check_none([name for name in suites if "GCM" not in name and "CHACHA20" not in name], "unwanted cipher suite")
    check(len(suites) >= 5, f"only {suites}")
    return f"{len(suites)} suites: {', '.join(suites)}"
