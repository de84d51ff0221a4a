"""Readers and writers at several nodes while the database is in trouble, and what they have to see."""

import contextlib
import time

from account import PRIVATE
from check import check, check_none
from load import Load
from programs import until
from writer import Writer, check_ledger

UNAVAILABLE_SECONDS_MAX = 2.0
RECOVERY_SECONDS_MAX = 5.0
START_SECONDS_MAX = 30


class Watch:
    """For the length of a `with`: at each node clients read the quiet account, one asks whether it is ready, and one writes.
    Every answer is right to the byte, or a 503 in its shape within two seconds; an acknowledged entry is kept, once."""

    def __init__(self, world, nodes, clients=2):
        self.world, self.nodes = world, nodes
        ports = [node.port for node in nodes]
        self.readers = Load(ports, [(path, world.token) for path in PRIVATE], self.judge, clients, pause=0.01)
        self.probes = Load(ports, [("/readyz", None)], self.judge_probe, 1, pause=0.05)
        self.pulses = Load(ports, [("/healthz", None)], judge_pulse, 1, pause=0.1)
        self.writers = [Writer(node.port, world.session) for node in nodes]

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for part in (self.readers, self.probes, self.pulses, *self.writers):
                stack.enter_context(part)
            time.sleep(0.5)
            until(START_SECONDS_MAX, lambda: len(self.readers.answers) > 5 * len(self.nodes), "the first answers")
            self.stack = stack.pop_all()
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def judge(self, answer):
        if answer.status == 200 and answer.seconds <= UNAVAILABLE_SECONDS_MAX:
            return self.world.quiet.differs(answer)
        return late_or_misshapen(answer)

    def judge_probe(self, answer):
        return None if answer.status == 200 and answer.body == b'{"status":"ready"}' else late_or_misshapen(answer)

    def recovered(self):
        """Waits until every node answers and says that it is ready; returns how long that took."""
        fine = lambda node: node.get("/readyz").status == 200 and node.get("/api/v1/me", self.world.token).status == 200
        began = time.monotonic()
        while not all(fine(node) for node in self.nodes):
            said = [node.get(path, self.world.token).told() for node in self.nodes for path in ("/readyz", "/api/v1/me")]
            check(time.monotonic() - began < RECOVERY_SECONDS_MAX, f"not ready after {RECOVERY_SECONDS_MAX} s:", *said)
            time.sleep(0.01)
        self.back = time.monotonic()
        return self.back - began

    def settle(self):
        """Lets everything go on for a while, and until everybody could write again."""
        time.sleep(0.5)
        deadline = time.monotonic() + RECOVERY_SECONDS_MAX
        while not all(writer.saved_since(self.back) for writer in self.writers) and time.monotonic() < deadline:
            time.sleep(0.05)

    def check(self):
        """After the `with`: nothing was wrong at any time, nothing failed before or after, and no acknowledged entry is lost."""
        for load in (self.readers, self.probes, self.pulses):
            check_none(load.problems, "a wrong answer")
        slow = [answer.told() for writer in self.writers for answer in writer.answers if answer.seconds > UNAVAILABLE_SECONDS_MAX]
        check_none(slow, f"a form that took over {UNAVAILABLE_SECONDS_MAX} s")
        before = self.readers.between(0, self.began)
        after = self.readers.since(self.back) + self.probes.since(self.back)
        check(len(before) > 5 and len(after) > 5, f"too few requests: {len(before)} before, {len(after)} after")
        check_none([answer.told() for answer in before + after if answer.status != 200], "a failure before or after")
        for writer in self.writers:
            check(writer.saved_since(self.back), "nothing could be written after the recovery:", last(writer))
        check_ledger(self.writers, self.world.exported())

    def check_all_unavailable(self, begin, end):
        """None got data, nor was one kept waiting, while there was no database."""
        answers = self.readers.between(begin, end) + self.probes.between(begin, end)
        check(len(answers) >= len(self.nodes), f"only {len(answers)} answers in {end - begin:.1f} s without a database")
        check_none([answer.told() for answer in answers if answer.status != 503], "an answer without a database")
        answers = [answer for writer in self.writers for answer in writer.answers]
        saved = [one.told() for one in answers if one.status == 303 and begin <= one.began and one.ended <= end]
        check_none(saved, "an entry acknowledged without a database")

    def figures(self):
        refused = [answer for _, answer in self.readers.answers if answer.status == 503]
        slowest = max((answer.seconds for answer in refused), default=0)
        saved, tried = (sum(len(getattr(writer, what)) for writer in self.writers) for what in ("saved", "tried"))
        reads = f"{len(self.readers.answers)} reads, {len(refused)} of them 503, the slowest {slowest:.2f} s"
        return f"{reads}; {saved} of {tried} writes saved"


def late_or_misshapen(answer):
    if answer.seconds > UNAVAILABLE_SECONDS_MAX:
        return f"late: {answer.told()}"
    return answer.unavailable()


def in_time_or_unavailable(answer):
    return None if answer.status == 200 and answer.seconds <= UNAVAILABLE_SECONDS_MAX else late_or_misshapen(answer)


def judge_pulse(answer):
    if answer.status != 200 or answer.body != b'{"status":"ok"}' or answer.seconds > UNAVAILABLE_SECONDS_MAX:
        return f"a living process: {answer.told()}"
    return None


def last(writer):
    return writer.answers[-1].told() if writer.answers else "no answer at all"
