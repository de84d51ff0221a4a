"""The tests: each a sentence and a function of the world it runs in."""

TESTS = []


class Failed(AssertionError):
    pass


def test(sentence):
    def kept(function):
        TESTS.append((sentence, function))
        return function
    return kept


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
