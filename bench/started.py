"""Programs that are started here: found, given ports, and ended as the tests of several nodes do it."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "e2e"))
import programs  # noqa: E402
from programs import Missing, as_owner, database_owner, end, find, free_port, until  # noqa: E402, F401

programs.PACKAGES |= {"nginx": "nginx-light", "wrk": "wrk", "node": "nodejs", "npm": "npm", "pg_dump": "postgresql-client-15",
                      "pg_restore": "postgresql-client-15"}
# What is installed for a measurement, and kept for the next one.
CACHE = ROOT / ".cache" / "bench"
