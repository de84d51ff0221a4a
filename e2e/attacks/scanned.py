"""Its TLS, as others see it."""

import json
import subprocess
import sys

from check import check, check_none, equal, test


@test("a scan of its TLS finds nothing beside Mozilla's intermediate configuration, and no known weakness")
def scanned(world):
    report = world.folder / "sslyze.json"
    with world.encrypted() as service:
        done = subprocess.run(
            [sys.executable, "-m", "sslyze", f"localhost:{service.port}", "--mozilla_config=intermediate", "--certinfo",
             f"--certinfo_ca_file={world.authority}", "--json_out", str(report)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        check(service.lives(), "the service has ended")
    told = (done.stdout + done.stderr)[-3000:]
    equal(done.returncode, 0, f"the end of sslyze, which said {told}")
    [server] = json.loads(report.read_text())["server_scan_results"]
    found = server["scan_result"]
    accepted = lambda name: [suite["cipher_suite"]["name"] for suite in found[name]["result"]["accepted_cipher_suites"]]
    old = [name for name in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1") for _ in accepted(f"{name}_cipher_suites")]
    check_none(old, "an old version that is spoken")
    suites = accepted("tls_1_2_cipher_suites") + accepted("tls_1_3_cipher_suites")
    check_none([name for name in suites if "GCM" not in name and "CHACHA20" not in name], "a suite that is not wanted")
    check(len(suites) >= 5, f"only {suites}")
    return f"{len(suites)} suites: {', '.join(suites)}"
