"""A separate file system of 32 MB that fills up or turns read-only."""

import errno
import os
import pathlib
import re
import subprocess

from check import Failed, check, check_none, equal, test
from client import Client
from instance import Instance
from operations import Import
from programs import until
from server import Serving, Visitor

MEGABYTES = 32


class MountedDisk:
    """Context manager: a folder on a separate file system."""

    def __init__(self, world):
        self.image, self.folder = world.folder / "image", world.folder / "mounted"
        self.folder.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(MEGABYTES * 1_000_000)
        run_tool("mkfs.ext4", "-q", "-F", "-m", "0", self.image)

    def __enter__(self):
        self.mount()
        return self

    def mount(self, options="errors=remount-ro"):
        run_tool("mount", "-o", f"loop,{options}", self.image, self.folder)

    def unmount(self):
        run_tool("umount", self.folder)

    def __exit__(self, *_):
        if self.folder.is_mount():
            self.unmount()

    def fill(self, free=0):
        """Fills the disk until about `free` bytes are left."""
        with open(self.folder / "ballast", "ab", buffering=0) as ballast:
            try:
                while (left := self.free() - free) > 0:
                    ballast.write(bytes(min(left, 1_000_000)))
                    os.fsync(ballast.fileno())
            except OSError as error:
                equal(error.errno, errno.ENOSPC, "the error when the disk is full")

    def free_space(self):
        (self.folder / "ballast").unlink()

    def free(self):
        about = os.statvfs(self.folder)
        return about.f_bavail * about.f_frsize

    def device(self):
        found = re.search(rf"^(\S+) {re.escape(str(self.folder))} ", pathlib.Path("/proc/mounts").read_text(), re.MULTILINE)
        return pathlib.Path(found.group(1)).name

    def is_read_only(self):
        try:
            (self.folder / "probe").touch()
            return False
        except OSError as error:
            return error.errno == errno.EROFS

    def break_down(self):
        """Turns the file system read-only at once, also for open files, as ext4 does when it finds an inconsistency."""
        pathlib.Path(f"/sys/fs/ext4/{self.device()}/trigger_fs_error").write_text("a test")
        until(5, self.is_read_only, "a read-only file system")


def run_tool(name, *arguments, expected=(0,)):
    path = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
    done = subprocess.run([name, *map(str, arguments)], capture_output=True, text=True, env=path)
    if done.returncode not in expected:
        needed = "mounting a file system needs root, a loop device and the Debian package e2fsprogs"
        raise Failed(f"{name} failed: {done.stderr.strip()}; {needed}")


def check_reads(server, token, when):
    for path in ("/api/v1/me", "/api/v1/holdings", "/api/v1/income"):
        answer = server.get(path, token)
        check(answer.status == 200, f"{when}: {answer.describe()}")


def create_token(instance, visitor):
    return instance.command("token", "create", "--user", visitor.email, "--name", "reading").strip()


@test("on a full disk, uploads get a 507 page and other writes a 503, and leave nothing; reads continue, and writes resume with free space")
def full(world):
    refused = 0
    with MountedDisk(world) as disk:
        instance = Instance(world.binary, disk.folder)
        visitor = Visitor.sign_up(instance, world)
        token = create_token(instance, visitor)
        instance.command(*Import(visitor.email, world.new_file(), 200).arguments())
        with Serving(instance) as server:
            visitor.sign_in(server.port)
            client = Client(server.port)
            for turn in range(world.length(4, 30)):
                # First no free space, then enough for part of what is written.
                free = 0 if turn == 0 else world.rng.randrange(0, 120_000)
                disk.fill(free)
                answers = [visitor.one(client, what) for what in (visitor.file, visitor.entry, visitor.token, visitor.file, visitor.file)]
                unexpected = [answer.describe() for answer in answers if answer.status not in (200, 303, 503, 507)]
                check_none(unexpected, f"response other than success, 503 or 507, with {free} bytes free")
                refused += sum(answer.status in (503, 507) for answer in answers)
                if turn == 0:
                    equal([answer.status for answer in answers], [507, 503, 503, 507, 507], "statuses without free space")
                    check(b"No space is left on the server" in answers[0].body, answers[0].describe())
                    check_commands(instance, visitor, world)
                check_reads(server, token, f"with {free} bytes free")
                disk.free_space()
                until(10, lambda: visitor.one(client, visitor.entry).status == 303, "a write once there is free space")
                equal(visitor.one(client, visitor.file).status, 303, "an import once there is free space")
                visitor.discard_unfinished(client)
                equal(server.get("/readyz").status, 200, "/readyz once there is free space")
        check_none(instance.doctor_errors() or visitor.history.problems(instance), "problem at the end")
    return f"{refused} writes refused, {sum(one[1] for one in visitor.history.entries)} kept"


def check_commands(instance, visitor, world):
    token = ("token", "create", "--user", visitor.email, "--name", "none")
    for arguments in (Import(visitor.email, world.new_file(), 100).arguments(), token, ("backup", instance.backups / "kept.db")):
        done = instance.attempt(*arguments)
        output = f"`dripline {arguments[0]}` on a full disk: {done.stderr}"
        equal(done.returncode, 1, f"{output}; exit status")
        said = done.stderr.lower()
        full = "no space is left" in said or "doesn’t have enough free disk space" in said
        check(full and "free some space" in said, output)
    equal(list(instance.backups.iterdir()), [], "files left by a backup that did not fit")


@test("when the disk turns read-only under a server, reads continue and writes get a 503; once it is repaired, nothing is missing")
def read_only(world):
    with MountedDisk(world) as disk:
        instance = Instance(world.binary, disk.folder)
        visitor = Visitor.sign_up(instance, world)
        token = create_token(instance, visitor)
        with Serving(instance) as server:
            visitor.sign_in(server.port)
            client = Client(server.port)
            for what in (visitor.file, visitor.entry, visitor.token):
                visitor.one(client, what)
            check(all(acknowledged for _, acknowledged, _ in visitor.history.entries), "not everything was acknowledged before the fault")
            disk.break_down()
            for what in (visitor.entry, visitor.token, visitor.file):
                answer = visitor.one(client, what)
                equal(answer.status, 503, f"{answer.describe()}; status")
            check_reads(server, token, "read-only")
            server.kill()
        disk.unmount()
        # Exit status 1: it found errors and repaired them.
        run_tool("e2fsck", "-f", "-y", disk.image, expected=(0, 1))
        disk.mount("ro")
        check_started_read_only(instance, visitor, token)
        disk.unmount()
        disk.mount()
        with Serving(instance) as server:
            client = Client(server.port)
            equal(visitor.one(client, visitor.entry).status, 303, "a transaction on the repaired disk")
        check_none(instance.doctor_errors() or visitor.history.problems(instance), "problem on the repaired disk")


def check_started_read_only(instance, visitor, token):
    """Starts with the log that a killed server left, so that there is something to recover."""
    with Serving(instance) as server:
        check_reads(server, token, "started on a read-only disk")
        client = Client(server.port)
        for what in (visitor.entry, visitor.token, visitor.file):
            answer = visitor.one(client, what)
            equal(answer.status, 503, f"started on a read-only disk: {answer.describe()}; status")
        server.kill()
    done = instance.attempt("token", "create", "--user", visitor.email, "--name", "none")
    check(done.returncode == 1 and str(instance.database) in done.stderr and ". " in done.stderr, f"on a read-only disk: {done.stderr}")
