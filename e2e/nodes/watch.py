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
    Every answer is right to the byte, or a 503 in its shape, within two seconds beside what answers take before the trouble; an
    acknowledged entry is kept, once."""

    def __init__(self, world, nodes, clients=2):
        self.world, self.nodes, self.seconds_max = world, nodes, START_SECONDS_MAX
        ports = [node.port for node in nodes]
        self.readers = Load(ports, [(path, world.token) for path in PRIVATE], self.judge, clients, pause=0.01)
        self.probes = Load(ports, [("/readyz", None)], self.judge_probe, 1, pause=0.05)
        self.pulses = Load(ports, [("/healthz", None)], self.judge_pulse, 1, pause=0.1)
        self.writers = [Writer(node.port, world.session) for node in nodes]

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for part in (self.readers, self.probes, self.pulses, *self.writers):
                stack.enter_context(part)
            until(START_SECONDS_MAX, lambda: len(self.readers.answers) > 5 * len(self.nodes), "the first answers")
            warm = time.monotonic()
            time.sleep(0.5)
            self.calm = self.recovered()
            # What a busy machine takes for an answer is not the database's.
            self.seconds_max = UNAVAILABLE_SECONDS_MAX + max((answer.seconds for answer in self.readers.since(warm)), default=0)
            self.stack = stack.pop_all()
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def judge(self, answer):
        return self.late(answer) or (self.world.quiet.differs(answer) if answer.status == 200 else answer.unavailable())

    def judge_probe(self, answer):
        ready = answer.status == 200 and answer.body == b'{"status":"ready"}'
        return self.late(answer) or (None if ready else answer.unavailable())

    def judge_pulse(self, answer):
        lives = answer.status == 200 and answer.body == b'{"status":"ok"}'
        return self.late(answer) or (None if lives else f"a living process: {answer.told()}")

    def judge_other(self, answer):
        """Of an account that changes meanwhile."""
        return self.late(answer) or (None if answer.status == 200 else answer.unavailable())

    def late(self, answer):
        return f"late: {answer.told()}" if answer.seconds > self.seconds_max else None

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

    def at_once(self):
        """How long it may take until nodes with nothing to recover from are found well, on a machine that has other work, too."""
        return max(1, 3 * self.calm)

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
        slow = [told for writer in self.writers for told in map(self.late, writer.answers) if told]
        check_none(slow, f"a form that took over {self.seconds_max:.2f} s")
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


def last(writer):
    return writer.answers[-1].told() if writer.answers else "no answer at all"
