"""Power cuts: whatever state one leaves the disk in, the database is intact and has everything acknowledged before. See lossy.py."""

import re

from check import check, check_none, equal, test
from client import Client
from instance import LATEST, Instance, dump, is_intact
from operations import Account, Backup, Deletion, Found, History, Import, State, Token
from programs import until
from server import Serving, Visitor
import lossy
import old


# About one in six images of a lying disk has lost something acknowledged.
LYING_IMAGES_MAX = 150


class Recorded:
    """Operations on an instance, and their record. `marks` are the indexes of the events that acknowledged each operation."""

    def __init__(self, instance):
        self.instance, self.record, self.operations, self.marks = instance, lossy.Record(instance.folder), [], []
        self.log = instance.folder.with_suffix(".calls")

    def command(self, operation):
        before = len(self.record.events)
        done = self.instance.attempt(*operation.arguments(), before=lossy.trace_command(self.log))
        equal(done.returncode, 0, f"{operation.describe()}: {done.stderr.strip()[-500:]}; exit status")
        self.record.add(self.log)
        outputs = [at for at, event in enumerate(self.record.events) if at >= before and event[0] == "output"]
        check(outputs, f"{operation.describe()} was not acknowledged")
        self.operations.append(operation)
        self.marks.append(outputs[0])

    def serve(self, visitor, count):
        """Sends one request after the other, so that the responses are in the order of the record."""
        with Serving(self.instance, before=[*lossy.trace_command(self.log), "-D"]) as server:
            visitor.sign_in(server.port)
            client, requests = Client(server.port), []
            for number in range(count):
                visitor.one(client, [visitor.file, visitor.entry, visitor.token, visitor.entry][number % 4])
                requests.append(client.asked)
            server.kill()
            ended = re.compile(rf"^{server.process.pid} +\+\+\+", re.MULTILINE)
            until(20, lambda: ended.search(self.log.read_text()), "the end of the trace")
        self.record.add(self.log)
        answers = [at for at, event in enumerate(self.record.events) if event[0] == "output" and event[1].startswith(b"HTTP/1.1 ")]
        work_answers = answers[len(answers) - requests[-1]:]
        for (operation, acknowledged, _), number in zip(visitor.history.entries, requests):
            check(acknowledged, f"{operation.describe()} was not acknowledged")
            self.operations.append(operation)
            self.marks.append(work_answers[number - 1])

    def judge(self, instance, at):
        """The problems of an instance in the state after an event."""
        history = History()
        for operation, mark in zip(self.operations, self.marks):
            history.record(operation, mark < at)
        return history.problems(instance) or self.judge_backup(instance, at)

    def judge_backup(self, instance, at):
        """The last acknowledged backup, or a later one, must have everything acknowledged before it started."""
        done = [number for number, operation in enumerate(self.operations) if isinstance(operation, Backup) and self.marks[number] < at]
        if not done:
            return []
        state = State(instance.backups / self.operations[done[-1]].file.name)
        lost = [one for one in self.operations[:done[-1]] if not isinstance(one, Backup) and one.found(state) is not Found.COMPLETE]
        return [f"{one.describe()} is not in the backup made after it" for one in lost]


def images(world, recorded, count, lies=()):
    """Creates `count` disk images at random points of the record, and returns the problems found in them."""
    record, rng = recorded.record, world.rng
    points = sorted(rng.randrange(len(record.events) + 1) for _ in range(count))
    disk, problems = lossy.Disk(record, lies), []
    for at, event in enumerate([*record.events, None]):
        while points and points[0] == at:
            points.pop(0)
            instance = write_image(world, recorded.instance, disk.image(rng))
            wrong = instance.doctor_errors() or recorded.judge(instance, at)
            problems += [f"at event {at} of {len(record.events)}, in {instance.folder}: {one}" for one in wrong[:1]]
            if lies or not wrong:
                world.drop(instance.folder)
        if event is not None:
            disk.apply(event)
    return problems


def write_image(world, like, image):
    instance = Instance(like.binary, world.new_folder("image"))
    for name, content in image.items():
        file = instance.folder / name
        file.touch(mode=0o600)
        file.write_bytes(content)
    return instance


def summary(recorded, count):
    return f"{count} images of {len(recorded.record.events)} events, {len(recorded.operations)} operations"


def record_commands(world):
    """All kinds of writing commands on an existing database; the import is large enough to trigger a checkpoint of the log."""
    instance = world.instance("commands")
    for email in ("ana@example.com", "ben@example.com"):
        instance.command(*Account(email).arguments())
    content = Import("ben@example.com", world.new_file(), 50)
    instance.command(*content.arguments())
    ben = State(instance.database).users["ben@example.com"]
    recorded = Recorded(instance)
    for operation in (
            Token("ana@example.com", "first"), Import("ana@example.com", world.new_file(), world.length(400, 3_000)),
            Backup(instance.backups / "kept.db"), Token("ana@example.com", "second"), Deletion("ben@example.com", ben, content),
            Import("ana@example.com", world.new_file(), 20), Backup(instance.backups / "kept.db"), Account("cleo@example.com")):
        recorded.command(operation)
    return recorded


@test("after a power cut, everything that a command acknowledged is there, and nothing is incomplete")
def commands(world):
    recorded, count = record_commands(world), world.length(25, 200)
    check_none(images(world, recorded, count), "wrong image")
    return summary(recorded, count)


@test("after a power cut during the first start, a second start always succeeds")
def beginnings(world):
    recorded, count = Recorded(world.instance("new")), world.length(10, 75)
    for operation in (Account("ana@example.com"), Token("ana@example.com", "first")):
        recorded.command(operation)
    check_none(images(world, recorded, count), "wrong image")
    return summary(recorded, count)


@test("after a power cut, everything that a server acknowledged is there, and nothing is incomplete")
def serving(world):
    instance, count = world.instance("served"), world.length(15, 125)
    visitor = Visitor.sign_up(instance, world)
    recorded = Recorded(instance)
    recorded.serve(visitor, world.length(12, 80))
    check_none(images(world, recorded, count), "wrong image")
    return summary(recorded, count)


class Migration(Recorded):
    """The migration of an old database; when started again, the service continues it by itself."""

    def __init__(self, world, schema):
        super().__init__(old.create(world, f"schema-{schema}", schema))
        self.schema, self.before = schema, dump(self.instance.database)
        self.expected = old.migrated(world, self.instance)
        self.command(self)

    def arguments(self):
        return ("migrate",)

    def describe(self):
        return f"the migration of schema {self.schema}"

    def judge(self, instance, at):
        kept = instance.data / f"dripline.db.schema-{self.schema}"
        if dump(instance.database) != self.expected:
            return ["the rows differ from those of an undisturbed migration"]
        if not kept.exists() or not is_intact(kept) or dump(kept) != self.before:
            return ["the copy of the old database is missing or changed"]
        return []


@test("a migration interrupted by a power cut is repeated, with the same result")
def migrations(world):
    schemas = world.rng.sample(range(1, LATEST), world.length(1, 4))
    count = world.length(8, 25)
    for schema in schemas:
        check_none(images(world, Migration(world, schema), count), f"wrong image of schema {schema}")
    return f"{count * len(schemas)} images of schemas {', '.join(map(str, sorted(schemas)))}"


@test("these tests detect a disk that loses data after an fsync")
def lies(world):
    recorded, figures = record_commands(world), []
    for what in ("files", "folders"):
        count, problems, lost = 0, [], []
        while not lost and count < LYING_IMAGES_MAX:
            problems += images(world, recorded, world.length(10, 60), lies=(what,))
            lost = [problem for problem in problems if "is lost" in problem]
            count += world.length(10, 60)
        check(lost, f"without fsync of {what}, {count} images lost nothing that was acknowledged: {problems[:3]}")
        figures.append(f"without fsync of {what}, {len(problems)} of {count} images are wrong, {len(lost)} lost something acknowledged")
    return "; ".join(figures)
