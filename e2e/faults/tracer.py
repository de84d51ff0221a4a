"""Uses strace to count the system calls on an instance's files, to make one fail, or to kill the process at one."""

import collections
import re
import shutil

PACKAGE = "strace"
# Calls that change a file or its folder. An open does not, but it can fail.
CHANGES = ("pwrite64", "write", "ftruncate", "fsync", "fdatasync", "rename", "unlink")


def find():
    found = shutil.which("strace")
    if not found:
        raise SystemExit(f"strace not found: install the Debian package {PACKAGE}")
    return found


def files_of(instance, *more):
    """Options that restrict strace to the database, its logs and copies."""
    names = ["dripline.db", "dripline.db-wal", "dripline.db-journal", *more]
    names += [f"dripline.db.restore{suffix}" for suffix in ("", "-journal", ".partial", ".partial-journal")]
    copies = [instance.backups / name for name in ("kept.db", "kept.db.partial", "kept.db.partial-journal")]
    files = [*(instance.data / name for name in names), *copies, instance.data, instance.backups]
    return [word for file in files for word in ("-P", str(file))]


def count_calls(instance, arguments, calls=CHANGES, more=()):
    """How often a command makes each call on the instance's files, in the thread that makes most of them."""
    log = instance.folder / "calls"
    before = [find(), "-f", "-o", str(log), *files_of(instance, *more), "-e", f"trace={','.join(calls)}"]
    done = instance.attempt(*arguments, before=before)
    by_thread = collections.defaultdict(collections.Counter)
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"(\d+) +(\w+)\(", line)
        if call:
            by_thread[call.group(1)][call.group(2)] += 1
    log.unlink()
    counts = collections.Counter()
    for thread in by_thread.values():
        counts |= thread
    return counts, done


def inject_command(instance, call, what, more=()):
    """The strace command line to put before a command; `what` is, for example, error=EIO:when=3 or signal=KILL:when=3."""
    return [find(), "-f", "-o", "/dev/null", *files_of(instance, *more), "-e", f"trace={call}", "-e", f"inject={call}:{what}"]


def choose_call(rng, counts):
    """A random call, as name and number. Half of the time every call is equally likely, half of the time every name, because most
    calls are writes before a commit, and the few others happen around and after it."""
    call = rng.choice(sorted(counts.elements()) if rng.random() < 0.5 else sorted(counts))
    return call, rng.randint(1, counts[call])
