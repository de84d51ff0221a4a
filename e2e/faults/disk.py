"""A file system of its own, of 32 MB, that fills up or turns read-only."""

import errno
import os
import pathlib
import re
import subprocess

from book import Import
from check import Failed, check, check_none, equal, test
from client import Client
from place import Place
from programs import until
from server import Serving, Visitor

MEGABYTES = 32


class Mounted:
    """For the length of a `with`: a folder on a disk of its own."""

    def __init__(self, world):
        self.image, self.folder = world.folder / "image", world.folder / "mounted"
        self.folder.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(MEGABYTES * 1_000_000)
        tool("mkfs.ext4", "-q", "-F", "-m", "0", self.image)

    def __enter__(self):
        self.mount()
        return self

    def mount(self, options="errors=remount-ro"):
        tool("mount", "-o", f"loop,{options}", self.image, self.folder)

    def unmount(self):
        tool("umount", self.folder)

    def __exit__(self, *_):
        if self.folder.is_mount():
            self.unmount()

    def fill(self, free=0):
        """Until no more than about so many bytes are free."""
        with open(self.folder / "ballast", "ab", buffering=0) as ballast:
            try:
                while (left := self.free() - free) > 0:
                    ballast.write(bytes(min(left, 1_000_000)))
                    os.fsync(ballast.fileno())
            except OSError as error:
                equal(error.errno, errno.ENOSPC, "what fills a disk")

    def make_room(self):
        (self.folder / "ballast").unlink()

    def free(self):
        about = os.statvfs(self.folder)
        return about.f_bavail * about.f_frsize

    def device(self):
        found = re.search(rf"^(\S+) {re.escape(str(self.folder))} ", pathlib.Path("/proc/mounts").read_text(), re.MULTILINE)
        return pathlib.Path(found.group(1)).name

    def is_read_only(self):
        try:
            (self.folder / "tried").touch()
            return False
        except OSError as error:
            return error.errno == errno.EROFS

    def break_down(self):
        """As ext4 does when it finds itself in disorder: from one moment to the next it is read-only, for those who have files open, too."""
        pathlib.Path(f"/sys/fs/ext4/{self.device()}/trigger_fs_error").write_text("a test")
        until(5, self.is_read_only, "a read-only file system")


def tool(name, *arguments, fine=(0,)):
    path = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
    done = subprocess.run([name, *map(str, arguments)], capture_output=True, text=True, env=path)
    if done.returncode not in fine:
        needed = "a file system of its own needs root, a loop device and the Debian package e2fsprogs"
        raise Failed(f"{name} failed: {done.stderr.strip()}; {needed}")


def check_reads(server, token, when):
    for path in ("/api/v1/me", "/api/v1/holdings", "/api/v1/income"):
        answer = server.get(path, token)
        check(answer.status == 200, f"{when}: {answer.told()}")


def reading(place, visitor):
    return place.command("token", "create", "--user", visitor.email, "--name", "reading").strip()


@test("on a full disk files get a page with 507, other writes 503, and leave nothing; reads go on, and with space writes do")
def full(world):
    refused = 0
    with Mounted(world) as disk:
        place = Place(world.binary, disk.folder)
        visitor = Visitor.joining(place, world)
        token = reading(place, visitor)
        place.command(*Import(visitor.email, world.new_file(), 200).arguments())
        with Serving(place) as server:
            visitor.sign_in(server.port)
            client = Client(server.port)
            for turn in range(world.length(4, 30)):
                # Nothing free at first, then so much that a part of what is written still fits.
                free = 0 if turn == 0 else world.chance.randrange(0, 120_000)
                disk.fill(free)
                answers = [visitor.one(client, what) for what in (visitor.file, visitor.entry, visitor.token, visitor.file, visitor.file)]
                strange = [answer.told() for answer in answers if answer.status not in (200, 303, 503, 507)]
                check_none(strange, f"an answer that is neither yes nor 503 or 507, with {free} bytes free")
                refused += sum(answer.status in (503, 507) for answer in answers)
                if turn == 0:
                    equal([answer.status for answer in answers], [507, 503, 503, 507, 507], "answers with nothing free")
                    check(b"No space is left on the server" in answers[0].body, answers[0].told())
                    check_commands(place, visitor, world)
                check_reads(server, token, f"with {free} bytes free")
                disk.make_room()
                until(10, lambda: visitor.one(client, visitor.entry).status == 303, "a write after there was space")
                equal(visitor.one(client, visitor.file).status, 303, "an import after there was space")
                visitor.tidy(client)
                equal(server.get("/readyz").status, 200, "/readyz after there was space")
        check_none(place.ills() or visitor.book.problems(place), "a problem in the end")
    return f"{refused} writes refused, {sum(one[1] for one in visitor.book.entries)} kept"


def check_commands(place, visitor, world):
    token = ("token", "create", "--user", visitor.email, "--name", "none")
    for arguments in (Import(visitor.email, world.new_file(), 100).arguments(), token, ("backup", place.backups / "kept.db")):
        done = place.attempt(*arguments)
        told = f"`dripline {arguments[0]}` on a full disk: {done.stderr}"
        equal(done.returncode, 1, f"{told}; exit status")
        check("no space is left" in done.stderr.lower() and "free some" in done.stderr.lower(), told)
    equal(list(place.backups.iterdir()), [], "files of a backup that did not fit")


@test("a disk that turns read-only under a server is read from, writes are refused with 503, and once it is mended all is there")
def read_only(world):
    with Mounted(world) as disk:
        place = Place(world.binary, disk.folder)
        visitor = Visitor.joining(place, world)
        token = reading(place, visitor)
        with Serving(place) as server:
            visitor.sign_in(server.port)
            client = Client(server.port)
            for what in (visitor.file, visitor.entry, visitor.token):
                visitor.one(client, what)
            check(all(acknowledged for _, acknowledged, _ in visitor.book.entries), "not everything was acknowledged before")
            disk.break_down()
            for what in (visitor.entry, visitor.token, visitor.file):
                answer = visitor.one(client, what)
                equal(answer.status, 503, f"{answer.told()}; status")
            check_reads(server, token, "read-only")
            server.kill()
        disk.unmount()
        # With 1 it says that it has mended what it found.
        tool("e2fsck", "-f", "-y", disk.image, fine=(0, 1))
        disk.mount("ro")
        check_started_read_only(place, visitor, token)
        disk.unmount()
        disk.mount()
        with Serving(place) as server:
            client = Client(server.port)
            equal(visitor.one(client, visitor.entry).status, 303, "an entry on the mended disk")
        check_none(place.ills() or visitor.book.problems(place), "a problem on the mended disk")


def check_started_read_only(place, visitor, token):
    """With a log that a killed server left, there is something to read."""
    with Serving(place) as server:
        check_reads(server, token, "started on a read-only disk")
        client = Client(server.port)
        for what in (visitor.entry, visitor.token, visitor.file):
            answer = visitor.one(client, what)
            equal(answer.status, 503, f"started on a read-only disk: {answer.told()}; status")
        server.kill()
    done = place.attempt("token", "create", "--user", visitor.email, "--name", "none")
    check(done.returncode == 1 and str(place.database) in done.stderr and "; " in done.stderr, f"on a read-only disk: {done.stderr}")
