"""Readers and writers at several nodes during a database fault, and what they must see."""

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
    """Context manager: at each node, clients read the quiet account, one checks readiness, one checks liveness, and one writes.
    Every response must be right, byte for byte, or a well-formed 503 within two seconds; an acknowledged transaction is kept, once."""

    def __init__(self, world, nodes, clients=2):
        self.world, self.nodes = world, nodes
        ports = [node.port for node in nodes]
        self.readers = Load(ports, [(path, world.token) for path in PRIVATE], self.judge, clients, pause=0.01)
        self.readiness_probes = Load(ports, [("/readyz", None)], self.judge_readiness, 1, pause=0.05)
        self.liveness_probes = Load(ports, [("/healthz", None)], judge_liveness, 1, pause=0.1)
        self.writers = [Writer(node.port, world.session) for node in nodes]

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for part in (self.readers, self.readiness_probes, self.liveness_probes, *self.writers):
                stack.enter_context(part)
            time.sleep(0.5)
            until(START_SECONDS_MAX, lambda: len(self.readers.answers) > 5 * len(self.nodes), "the first responses")
            self.stack = stack.pop_all()
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def judge(self, answer):
        if answer.status == 200 and answer.seconds <= UNAVAILABLE_SECONDS_MAX:
            return self.world.quiet.difference(answer)
        return late_or_malformed(answer)

    def judge_readiness(self, answer):
        return None if answer.status == 200 and answer.body == b'{"status":"ready"}' else late_or_malformed(answer)

    def wait_for_recovery(self):
        """Waits until every node responds and is ready; returns how long that took."""
        is_up = lambda node: node.get("/readyz").status == 200 and node.get("/api/v1/me", self.world.token).status == 200
        began = time.monotonic()
        while not all(is_up(node) for node in self.nodes):
            responses = [node.get(path, self.world.token).describe() for node in self.nodes for path in ("/readyz", "/api/v1/me")]
            check(time.monotonic() - began < RECOVERY_SECONDS_MAX, f"not ready after {RECOVERY_SECONDS_MAX} s:", *responses)
            time.sleep(0.01)
        self.recovered_at = time.monotonic()
        return self.recovered_at - began

    def wait_for_writes(self):
        """Keeps the load going for a while, and until every writer has succeeded again."""
        time.sleep(0.5)
        deadline = time.monotonic() + RECOVERY_SECONDS_MAX
        while not all(writer.saved_since(self.recovered_at) for writer in self.writers) and time.monotonic() < deadline:
            time.sleep(0.05)

    def check(self):
        """Call it after the `with`: no response was ever wrong, nothing failed before or after the fault, and no acknowledged
        transaction is lost."""
        for load in (self.readers, self.readiness_probes, self.liveness_probes):
            check_none(load.problems, "wrong response")
        slow = [answer.describe() for writer in self.writers for answer in writer.answers if answer.seconds > UNAVAILABLE_SECONDS_MAX]
        check_none(slow, f"form that took more than {UNAVAILABLE_SECONDS_MAX} s")
        before = self.readers.between(0, self.began)
        after = self.readers.since(self.recovered_at) + self.readiness_probes.since(self.recovered_at)
        check(len(before) > 5 and len(after) > 5, f"too few requests: {len(before)} before, {len(after)} after")
        check_none([answer.describe() for answer in before + after if answer.status != 200], "failure before or after the fault")
        for writer in self.writers:
            check(writer.saved_since(self.recovered_at), "no write succeeded after the recovery:", last_response(writer))
        check_ledger(self.writers, self.world.exported())

    def check_all_unavailable(self, begin, end):
        """Without a database nobody got data, and nobody was kept waiting."""
        answers = self.readers.between(begin, end) + self.readiness_probes.between(begin, end)
        check(len(answers) >= len(self.nodes), f"only {len(answers)} responses in {end - begin:.1f} s without a database")
        check_none([answer.describe() for answer in answers if answer.status != 503], "response other than 503 without a database")
        answers = [answer for writer in self.writers for answer in writer.answers]
        saved = [one.describe() for one in answers if one.status == 303 and begin <= one.began and one.ended <= end]
        check_none(saved, "transaction acknowledged without a database")

    def figures(self):
        refused = [answer for _, answer in self.readers.answers if answer.status == 503]
        slowest = max((answer.seconds for answer in refused), default=0)
        saved, tried = (sum(len(getattr(writer, what)) for writer in self.writers) for what in ("saved", "tried"))
        reads = f"{len(self.readers.answers)} reads, {len(refused)} of them 503, the slowest {slowest:.2f} s"
        return f"{reads}; {saved} of {tried} writes saved"


def late_or_malformed(answer):
    if answer.seconds > UNAVAILABLE_SECONDS_MAX:
        return f"late: {answer.describe()}"
    return answer.unavailable_problem()


def in_time_or_unavailable(answer):
    return None if answer.status == 200 and answer.seconds <= UNAVAILABLE_SECONDS_MAX else late_or_malformed(answer)


def judge_liveness(answer):
    if answer.status != 200 or answer.body != b'{"status":"ok"}' or answer.seconds > UNAVAILABLE_SECONDS_MAX:
        return f"liveness probe: {answer.describe()}"
    return None


def last_response(writer):
    return writer.answers[-1].describe() if writer.answers else "no response at all"
