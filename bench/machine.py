"""The machine, and what processes use: CPU time of a process and its descendants, and memory."""
import datetime
import os
import pathlib
import subprocess


class Meter:
    """CPU time in µs of a process and its descendants, from now on."""

    def __init__(self, pid):
        self.pid, self.before, self.ended = pid, cpu_by_process(pid), cpu_of_ended(pid)

    def used(self):
        used = sum(cpu - self.before.get(pid, 0) for pid, cpu in cpu_by_process(self.pid).items())
        ended = cpu_of_ended(self.pid) - self.ended
        # Only known to a hundredth of a second, so it counts only if ended processes used a significant amount.
        return used + (ended if ended >= 50_000 else 0)


def cpu_by_process(pid):
    found = {}
    for each in family(pid):
        try:
            found[each] = cpu_of(each)
        except OSError:
            continue  # it has exited meanwhile
    return found


def family(pid):
    """The process and all its descendants."""
    found = [pid]
    for each in found:
        try:
            for task in pathlib.Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def cpu_of(pid):
    """CPU time of the process in µs, from its threads' nanoseconds if the kernel has them, else from clock ticks."""
    try:
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1000
    except OSError:
        return ticks(pid, 11)


def cpu_of_ended(pid):
    """CPU time of its children that have exited."""
    return ticks(pid, 13)


def ticks(pid, first):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[first]) + int(fields[first + 1])) * 1e6 / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """Resident memory in MB, in total and without pages of files."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    sizes = {name: int(size.split()[0]) * 1024 / 1e6 for name, size in (line.split(":", 1) for line in lines) if name in ("VmRSS", "RssAnon")}
    return sizes["VmRSS"], sizes["RssAnon"]


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return f"{datetime.date.today()}, {os.cpu_count()} × {model}"


def commit():
    root = pathlib.Path(__file__).resolve().parent.parent
    done = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown commit"
