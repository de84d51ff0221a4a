"""How a Python client communicates with the test that started it."""

import json
import sys

settings = json.loads(sys.argv[1])


def report(**values):
    print(json.dumps(values), flush=True)


def open_in_browser(address):
    """Has the user open an address, and returns where the browser arrived."""
    report(open=address)
    return sys.stdin.readline().strip()
