"""strace, as it is used here: to count system calls on the files of a place, to make one fail, to kill at one."""

import collections
import re
import shutil

PACKAGE = "strace"
# What changes files or their folder. An open alone does not, but can fail.
CHANGES = ("pwrite64", "write", "ftruncate", "fsync", "fdatasync", "rename", "unlink")


def find():
    found = shutil.which("strace")
    if not found:
        raise SystemExit(f"strace is missing: install the Debian package {PACKAGE}")
    return found


def files_of(place, *more):
    """Only calls on these are seen: those of the database, of its logs and of copies."""
    names = ["dripline.db", "dripline.db-wal", "dripline.db-journal", *more]
    names += [f"dripline.db.restore{suffix}" for suffix in ("", "-journal", ".partial", ".partial-journal")]
    copies = [place.backups / name for name in ("kept.db", "kept.db.partial", "kept.db.partial-journal")]
    files = [*(place.data / name for name in names), *copies, place.data, place.backups]
    return [word for file in files for word in ("-P", str(file))]


def counted(place, arguments, calls=CHANGES, more=()):
    """How often a command makes each of the calls on the files of the place, in the thread that makes most of them."""
    log = place.folder / "calls"
    before = [find(), "-f", "-o", str(log), *files_of(place, *more), "-e", f"trace={','.join(calls)}"]
    done = place.attempt(*arguments, before=before)
    by_thread = collections.defaultdict(collections.Counter)
    for line in log.read_text(errors="replace").splitlines():
        made = re.match(r"(\d+) +(\w+)\(", line)
        if made:
            by_thread[made.group(1)][made.group(2)] += 1
    log.unlink()
    counts = collections.Counter()
    for thread in by_thread.values():
        counts |= thread
    return counts, done


def injecting(place, call, what, more=()):
    """Before a command: `what` is such as error=EIO:when=3 or signal=KILL:when=3."""
    return [find(), "-f", "-o", "/dev/null", *files_of(place, *more), "-e", f"trace={call}", "-e", f"inject={call}:{what}"]


def chosen(chance, counts):
    """One of all the calls: its name and its number. Half of the time each call is as likely, half of the time each name: most are
    writes before a commit, and the few others come around and after it."""
    call = chance.choice(sorted(counts.elements()) if chance.random() < 0.5 else sorted(counts))
    return call, chance.randint(1, counts[call])
