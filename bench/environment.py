"""Finding, starting and stopping programs, with the helpers of the end-to-end tests."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "e2e"))
import programs  # noqa: E402
from programs import Missing, as_owner, database_owner, end, find, free_port, until  # noqa: E402, F401

programs.PACKAGES |= {"nginx": "nginx-light", "wrk": "wrk", "node": "nodejs", "npm": "npm", "pg_dump": "postgresql-client-15",
                      "pg_restore": "postgresql-client-15"}
# Packages installed for a measurement and kept for the next one.
CACHE = ROOT / ".cache" / "bench"
