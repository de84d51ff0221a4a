"""The test registry: each test is a sentence and a function that takes the test environment."""

import time
import traceback

TESTS = []


class Failed(AssertionError):
    pass


def test(sentence):
    def register(function):
        TESTS.append((sentence, function))
        return function
    return register


def run_test(world, sentence, function, seed):
    """Runs a test, prints the result, and returns whether it passed."""
    began = time.monotonic()
    try:
        figures = function(world)
    except Exception as error:
        details = f"     {error}" if isinstance(error, (Failed, TimeoutError)) else traceback.format_exc()
        print(f"failed {sentence} ({time.monotonic() - began:.1f} s, seed {seed})\n{details}", flush=True)
        world.repair()
        return False
    print(f"ok {sentence} ({time.monotonic() - began:.1f} s)" + (f"\n   {figures}" if figures else ""), flush=True)
    return True


def check(condition, *message):
    if not condition:
        raise Failed(" ".join(str(part) for part in message))


def check_none(problems, what):
    """Fails with the first few problems."""
    if problems:
        few = "".join(f"\n       - {problem}" for problem in list(problems)[:5])
        raise Failed(f"{len(problems)} × {what}:{few}")


def equal(found, expected, what):
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")
