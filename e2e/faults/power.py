"""Power cuts: on every disk that one could leave, the database is sound and has all that was acknowledged before. See lossy.py."""


import re

from book import Account, Backup, Book, Deletion, Found, Import, State, Token
from check import check, check_none, equal, test
from client import Client
from place import LATEST, Place, dump, is_whole
from programs import until
from server import Serving, Visitor
import lossy
import old


# Of images with a lying disk, one in six or so has lost what was acknowledged.
LIES_MAX = 150


class Recorded:
    """What is done in a place, with its record. `marks` are the events that told of the end of each operation."""

    def __init__(self, place):
        self.place, self.record, self.operations, self.marks = place, lossy.Record(place.folder), [], []
        self.log = place.folder.with_suffix(".calls")

    def command(self, operation):
        before = len(self.record.events)
        done = self.place.attempt(*operation.arguments(), before=lossy.tracing(self.log))
        equal(done.returncode, 0, f"{operation.told()}: {done.stderr.strip()[-500:]}; exit status")
        self.record.add(self.log)
        told = [at for at, event in enumerate(self.record.events) if at >= before and event[0] == "told"]
        check(told, f"{operation.told()} told nobody of its end")
        self.operations.append(operation)
        self.marks.append(told[0])

    def serve(self, visitor, count):
        """One request after the other, so that the answers are in the order of the record."""
        with Serving(self.place, before=[*lossy.tracing(self.log), "-D"]) as server:
            visitor.sign_in(server.port)
            client, asked = Client(server.port), []
            for number in range(count):
                visitor.one(client, [visitor.file, visitor.entry, visitor.token, visitor.entry][number % 4])
                asked.append(client.asked)
            server.kill()
            ended = re.compile(rf"^{server.process.pid} +\+\+\+", re.MULTILINE)
            until(20, lambda: ended.search(self.log.read_text()), "the end of the record")
        self.record.add(self.log)
        answers = [at for at, event in enumerate(self.record.events) if event[0] == "told" and event[1].startswith(b"HTTP/1.1 ")]
        of_work = answers[len(answers) - asked[-1]:]
        for (operation, acknowledged, _), number in zip(visitor.book.entries, asked):
            check(acknowledged, f"{operation.told()} was not acknowledged")
            self.operations.append(operation)
            self.marks.append(of_work[number - 1])

    def judge(self, place, at):
        """What is wrong with a place as it is after the event."""
        book = Book()
        for operation, mark in zip(self.operations, self.marks):
            book.note(operation, mark < at)
        return book.problems(place) or self.judge_backup(place, at)

    def judge_backup(self, place, at):
        """The last one that was acknowledged, or a later one, has what was acknowledged before it began."""
        done = [number for number, operation in enumerate(self.operations) if isinstance(operation, Backup) and self.marks[number] < at]
        if not done:
            return []
        state = State(place.backups / self.operations[done[-1]].file.name)
        lost = [one for one in self.operations[:done[-1]] if not isinstance(one, Backup) and one.found(state) is not Found.WHOLE]
        return [f"{one.told()} is not in the backup made after it" for one in lost]


def images(world, recorded, count, lies=()):
    """So many at random points of the record: what is wrong with each that is not as it should be."""
    record, chance = recorded.record, world.chance
    moments = sorted(chance.randrange(len(record.events) + 1) for _ in range(count))
    disk, problems = lossy.Disk(record, lies), []
    for at, event in enumerate([*record.events, None]):
        while moments and moments[0] == at:
            moments.pop(0)
            place = written(world, recorded.place, disk.image(chance))
            wrong = place.ills() or recorded.judge(place, at)
            problems += [f"at event {at} of {len(record.events)}, in {place.folder}: {one}" for one in wrong[:1]]
            if lies or not wrong:
                world.drop(place.folder)
        if event is not None:
            disk.apply(event)
    return problems


def written(world, like, image):
    place = Place(like.binary, world.new_folder("image"))
    for name, content in image.items():
        file = place.folder / name
        file.touch(mode=0o600)
        file.write_bytes(content)
    return place


def told(recorded, count):
    return f"{count} images of {len(recorded.record.events)} events, {len(recorded.operations)} operations"


def of_commands(world):
    """Everything that writes, on a database that is there; the import is more than the log holds before it is moved into the file."""
    place = world.place("commands")
    for email in ("ana@example.com", "ben@example.com"):
        place.command(*Account(email).arguments())
    content = Import("ben@example.com", world.new_file(), 50)
    place.command(*content.arguments())
    ben = State(place.database).users["ben@example.com"]
    recorded = Recorded(place)
    for operation in (
            Token("ana@example.com", "first"), Import("ana@example.com", world.new_file(), world.length(400, 3_000)),
            Backup(place.backups / "kept.db"), Token("ana@example.com", "second"), Deletion("ben@example.com", ben, content),
            Import("ana@example.com", world.new_file(), 20), Backup(place.backups / "kept.db"), Account("cleo@example.com")):
        recorded.command(operation)
    return recorded


@test("after a power cut everything that a command acknowledged is there, and nothing by half")
def commands(world):
    recorded, count = of_commands(world), world.length(25, 200)
    check_none(images(world, recorded, count), "an image that is not as it should be")
    return told(recorded, count)


@test("a power cut during the first start leaves nothing that a second start cannot go on from")
def beginnings(world):
    recorded, count = Recorded(world.place("new")), world.length(10, 75)
    for operation in (Account("ana@example.com"), Token("ana@example.com", "first")):
        recorded.command(operation)
    check_none(images(world, recorded, count), "an image that is not as it should be")
    return told(recorded, count)


@test("after a power cut everything that a server acknowledged is there, and nothing by half")
def serving(world):
    place, count = world.place("served"), world.length(15, 125)
    visitor = Visitor.joining(place, world)
    recorded = Recorded(place)
    recorded.serve(visitor, world.length(12, 80))
    check_none(images(world, recorded, count), "an image that is not as it should be")
    return told(recorded, count)


class Migration(Recorded):
    """Of an old database; started again, the program goes on by itself."""

    def __init__(self, world, schema):
        super().__init__(old.place(world, f"schema-{schema}", schema))
        self.schema, self.before = schema, dump(self.place.database)
        self.expected = old.migrated(world, self.place)
        self.command(self)

    def arguments(self):
        return ("migrate",)

    def told(self):
        return f"the migration of schema {self.schema}"

    def judge(self, place, at):
        kept = place.data / f"dripline.db.schema-{self.schema}"
        if dump(place.database) != self.expected:
            return ["it is not as one that was left alone"]
        if not kept.exists() or not is_whole(kept) or dump(kept) != self.before:
            return ["the copy of the old state is missing, or is not as it was"]
        return []


@test("a migration that the power is cut in is done anew, with the same end")
def migrations(world):
    schemas = world.chance.sample(range(1, LATEST), world.length(1, 4))
    count = world.length(8, 25)
    for schema in schemas:
        check_none(images(world, Migration(world, schema), count), f"an image of schema {schema} that is not as it should be")
    return f"{count * len(schemas)} images of schemas {', '.join(map(str, sorted(schemas)))}"


@test("these tests notice a disk that forgets what it was told to keep")
def lies(world):
    recorded, told = of_commands(world), []
    for what in ("files", "folders"):
        count, problems, lost = 0, [], []
        while not lost and count < LIES_MAX:
            problems += images(world, recorded, world.length(10, 60), lies=(what,))
            lost = [problem for problem in problems if "is lost" in problem]
            count += world.length(10, 60)
        check(lost, f"without an fsync of {what} nothing that was acknowledged is lost in {count} images: {problems[:3]}")
        told.append(f"without an fsync of {what} {len(problems)} of {count} images are wrong, {len(lost)} for want of what was acknowledged")
    return "; ".join(told)
