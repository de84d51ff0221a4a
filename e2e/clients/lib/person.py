"""How a client in Python speaks with the test that started it."""

import json
import sys

settings = json.loads(sys.argv[1])


def saw(**what):
    print(json.dumps(what), flush=True)


def opened(address):
    """Has the person open an address, and says where the browser arrived."""
    saw(open=address)
    return sys.stdin.readline().strip()
