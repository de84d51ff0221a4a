"""A model of a disk that loses power, built from a trace of what a program did to its files.

The trace is strace's: every call that changes a file or a folder, and the calls that send an acknowledgement. A write is durable once
an fsync of that file, started after the write, has returned; a file name is durable once an fsync of its folder has returned.
Everything else is random. Each later write may be present, missing, or torn at 512-byte sectors, even if an earlier one is missing.
A file that grew may contain zeros or garbage where no data arrived. A creation, rename or removal may have happened or not, in any
order that keeps the order of those that concern the same name. Shared memory (-shm) is never kept. Sectors are written completely or
not at all, and the disk does not lie about an fsync.
"""

import collections
import re

import tracer

SECTOR = 512
FILES = ("openat", "close", "pwrite64", "write", "writev", "ftruncate", "fsync", "fdatasync", "rename", "unlink")
ACKNOWLEDGING = ("accept4", "sendto")
# Calls that the model does not support: it raises an error if one concerns a file on the disk.
UNSUPPORTED = ("open", "creat", "renameat", "renameat2", "unlinkat", "link", "linkat", "truncate", "pwritev", "pwritev2", "fallocate",
           "copy_file_range", "sendfile", "splice", "sync_file_range", "dup", "dup2", "dup3")
OUTPUTS = (1, 2)


def trace_command(log):
    """The strace command line to put before a command; it writes the trace to the log."""
    return [tracer.find(), "-f", "-xx", "-s", "10000000", "-o", str(log), "-e", f"trace={','.join(FILES + ACKNOWLEDGING + UNSUPPORTED)}"]


class Record:
    """What one or several processes, one after the other, did to the files in a folder, as a list of events.

    ("write", file, offset, bytes), ("truncate", file, length), ("create", name, file), ("rename", name, name), ("unlink", name),
    ("sync", key, file or folder) when an fsync starts, ("synced", key) when it has returned, and ("output", bytes).
    """

    def __init__(self, folder):
        self.folder, self.events = str(folder), []
        self.start = {
            str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.endswith("-shm")}
        self.folders = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_dir()}
        # Files have numbers, because their names change. The initial files come first.
        self.files = dict(zip(self.start, range(len(self.start))))
        self.next_file = len(self.files)

    def add(self, log):
        """Adds the trace of the next process."""
        process = Process(self)
        unfinished = {}
        with open(log, encoding="ascii") as lines:
            for line in lines:
                thread, _, rest = line.rstrip("\n").partition(" ")
                rest = rest.lstrip()
                if rest.endswith("<unfinished ...>"):
                    unfinished[thread] = rest.removesuffix("<unfinished ...>").rstrip()
                    process.begin(unfinished[thread], thread)
                elif rest.startswith("<... "):
                    process.end(unfinished.pop(thread) + rest.partition("resumed>")[2], thread)
                elif re.match(r"\w+\(", rest):
                    process.begin(rest, thread)
                    process.end(rest, thread)

    def name_of(self, path):
        """The name of a path in the folder; None for any other path."""
        return path[len(self.folder) + 1:] if path.startswith(self.folder + "/") and not path.endswith("-shm") else None


class Process:
    """Interprets the calls of one process, and tracks its open files and their positions."""

    def __init__(self, record):
        self.record, self.open, self.positions, self.sockets = record, {}, collections.Counter(), set(OUTPUTS)

    def begin(self, text, thread):
        call, _, arguments = text.partition("(")
        number = re.match(r"\d+", arguments)
        if call == "close" and number:
            self.open.pop(int(number.group()), None)
            self.sockets -= {int(number.group())} - set(OUTPUTS)
        elif call in ("fsync", "fdatasync") and number and int(number.group()) in self.open:
            self.record.events.append(("sync", thread, self.open[int(number.group())]))
        elif call in ("write", "writev", "sendto") and number and int(number.group()) in self.sockets:
            self.record.events.append(("output", b"".join(strings(arguments))))

    def end(self, text, thread):
        call_made = re.fullmatch(r"(\w+)\((.*)\) += (-?\d+|\?).*", text)
        if not call_made or call_made.group(3).startswith(("-", "?")):
            return
        call, arguments, returned = call_made.group(1), call_made.group(2), int(call_made.group(3))
        if call == "openat":
            self.open_file(arguments, returned)
        elif call == "accept4":
            self.sockets.add(returned)
        elif call in ("rename", "unlink"):
            self.rename_or_unlink(call, [self.record.name_of(path.decode()) for path in strings(arguments)])
        elif call in UNSUPPORTED:
            self.reject(call, arguments)
        elif call != "close":
            number = int(re.match(r"\d+", arguments).group())
            if number in self.open and self.open[number] is not None:
                self.apply_call(call, number, arguments, returned, thread)

    def open_file(self, arguments, number):
        name = self.record.name_of(strings(arguments)[0].decode())
        events, files = self.record.events, self.record.files
        self.open.pop(number, None)
        if name in self.record.folders:
            self.open[number] = ("folder", name)
        if name is None or name in self.record.folders:
            return
        if name not in files:
            files[name] = self.record.next_file
            self.record.next_file += 1
            events.append(("create", name, files[name]))
        if "O_TRUNC" in arguments:
            events.append(("truncate", files[name], 0))
        self.open[number], self.positions[number] = files[name], 0

    def rename_or_unlink(self, call, names):
        if names == [None] * len(names):
            return
        files = self.record.files
        if None in names:
            raise ValueError(f"{call} between this disk and another one: {names}")
        if call == "unlink":
            files.pop(names[0], None)
        else:
            files[names[1]] = files.pop(names[0])
        self.record.events.append((call, *names))

    def apply_call(self, call, number, arguments, returned, thread):
        file, events = self.open[number], self.record.events
        if call in ("fsync", "fdatasync"):
            events.append(("synced", thread))
        elif isinstance(file, tuple):
            raise ValueError(f"{call} on a folder")
        elif call == "pwrite64":
            events.append(("write", file, int(arguments.rsplit(", ", 1)[1]), strings(arguments)[0][:returned]))
        elif call in ("write", "writev"):
            events.append(("write", file, self.positions[number], b"".join(strings(arguments))[:returned]))
            self.positions[number] += returned
        elif call == "ftruncate":
            events.append(("truncate", file, int(arguments.rsplit(", ", 1)[1])))

    def reject(self, call, arguments):
        number = re.match(r"\d+", arguments)
        paths = [path for path in strings(arguments) if self.record.name_of(path.decode(errors="replace")) is not None]
        if paths or number and isinstance(self.open.get(int(number.group())), int):
            raise ValueError(f"the model does not support {call}: {arguments[:200]}")


def strings(arguments):
    return [bytes.fromhex(text.replace("\\x", "")) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]


class Disk:
    """The disk after some of the events. `lies` names what an fsync does not make durable, files or folders, to model an
    unreliable disk."""

    def __init__(self, record, lies=()):
        self.lies, self.output, self.syncs = lies, [], {}
        self.kept = {number: content for number, content in enumerate(record.start.values())}
        self.since = collections.defaultdict(list)
        self.names, self.renames = dict(zip(record.start, range(len(record.start)))), []

    def apply(self, event):
        kind, *about = event
        if kind in ("write", "truncate"):
            self.since[about[0]].append((kind, *about[1:]))
        elif kind in ("create", "rename", "unlink"):
            self.renames.append(event)
        elif kind == "output":
            self.output.append(about[0])
        elif kind == "sync":
            key, what = about
            self.syncs[key] = (what, len(self.renames if isinstance(what, tuple) else self.since[what]))
        else:
            self.synced(*self.syncs.pop(about[0]))

    def synced(self, what, count):
        if ("folders" if isinstance(what, tuple) else "files") in self.lies:
            return
        if isinstance(what, tuple):
            durable = [is_in_folder(event, what[1]) for event in self.renames[:count]] + [False] * (len(self.renames) - count)
            for event, _ in filter(lambda one: one[1], zip(self.renames, durable)):
                rename(self.names, event)
            self.renames = [event for event, is_durable in zip(self.renames, durable) if not is_durable]
            return
        content = bytearray(self.kept.get(what, b""))
        for change in self.since[what][:count]:
            apply_change(content, change)
        self.kept[what] = bytes(content)
        del self.since[what][:count]

    def image(self, rng):
        """The disk's contents when the power comes back: bytes by name."""
        keep, tear = rng.choice((0, 0.1, 0.5, 0.9, 1)), rng.choice((0, 0, 0.3, 1))
        garbage = rng.random() < 0.3
        names, missing = dict(self.names), set()
        for event in self.renames:
            about = {name for name in event[1:] if isinstance(name, str)}
            if about & missing or rng.random() >= keep:
                missing |= about
            else:
                rename(names, event)
        return {name: self.content(file, rng, keep, tear, garbage) for name, file in names.items()}

    def content(self, file, rng, keep, tear, garbage):
        content = bytearray(self.kept.get(file, b""))
        durable_length, arrived = len(content), set()
        for change in self.since[file]:
            if rng.random() >= keep:
                continue
            for part in random_sectors(change, rng) if rng.random() < tear else [change]:
                apply_change(content, part)
                if part[0] == "write":
                    arrived.update(range(part[1] // SECTOR, (part[1] + len(part[2]) - 1) // SECTOR + 1))
        if garbage:
            for sector in range(-(-durable_length // SECTOR), len(content) // SECTOR):
                if sector not in arrived:
                    content[sector * SECTOR:(sector + 1) * SECTOR] = rng.randbytes(SECTOR)
        return bytes(content)


def is_in_folder(event, folder):
    return all(name.rpartition("/")[0] == folder for name in event[1:] if isinstance(name, str))


def rename(names, event):
    if event[0] == "create":
        names[event[1]] = event[2]
    elif event[0] == "unlink":
        names.pop(event[1], None)
    elif event[1] in names:
        names[event[2]] = names.pop(event[1])


def apply_change(content, change):
    if change[0] == "truncate":
        del content[change[1]:]
        content.extend(bytes(change[1] - len(content)))
        return
    offset, written = change[1:]
    content.extend(bytes(max(0, offset - len(content))))
    content[offset:offset + len(written)] = written


def random_sectors(change, rng):
    """A random selection of the write's sectors."""
    if change[0] == "truncate":
        return [change]
    offset, written = change[1:]
    parts, at = [], 0
    while at < len(written):
        length = min(len(written) - at, SECTOR - (offset + at) % SECTOR)
        if rng.random() < 0.5:
            parts.append(("write", offset + at, written[at:at + length]))
        at += length
    return parts
