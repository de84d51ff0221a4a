"""The tests: each a sentence and a function of the world it runs in."""

import time
import traceback

TESTS = []


class Failed(AssertionError):
    pass


def test(sentence):
    def kept(function):
        TESTS.append((sentence, function))
        return function
    return kept


def tried(world, sentence, function, seed):
    """Runs a test and prints what came of it; whether it passed."""
    began = time.monotonic()
    try:
        figures = function(world)
    except Exception as error:
        told = f"     {error}" if isinstance(error, (Failed, TimeoutError)) else traceback.format_exc()
        print(f"failed {sentence} ({time.monotonic() - began:.1f} s, seed {seed})\n{told}", flush=True)
        world.mend()
        return False
    print(f"ok {sentence} ({time.monotonic() - began:.1f} s)" + (f"\n   {figures}" if figures else ""), flush=True)
    return True


def check(holds, *told):
    if not holds:
        raise Failed(" ".join(str(part) for part in told))


def check_none(problems, what):
    """The first few of many problems say enough."""
    if problems:
        few = "".join(f"\n       - {problem}" for problem in list(problems)[:5])
        raise Failed(f"{len(problems)} × {what}:{few}")


def equal(found, expected, what):
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")
