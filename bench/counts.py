"""Counts instructions of the benches called `counts`, and holds them to their baselines. Standard library only."""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

BASELINES = pathlib.Path(__file__).with_suffix(".json")
TOLERANCE_PCT = 10
# Hash maps are seeded by chance, which moves some counts by a few in a thousand. A baseline so near is as good as a new one.
NEAR_PCT = 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true", help="make what is counted now the baselines")
    parser.add_argument("--built", type=pathlib.Path, help="what cargo told about the build")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    kept = json.loads(BASELINES.read_text()) if BASELINES.exists() else {"compiler": None, "instructions": {}}
    counts, broken = count(arguments.built.read_text() if arguments.built else build())
    if arguments.record:
        return record(counts, broken, kept["instructions"])
    return check(counts, broken, kept)


def build():
    """With what ./test builds with, so that nothing is built twice."""
    sysroot = told("rustc", "--print", "sysroot").strip()
    linter = {"RUSTC_WORKSPACE_WRAPPER": f"{sysroot}/bin/clippy-driver", "CLIPPY_ARGS": "-Dwarnings__CLIPPY_HACKERY__"}
    os.environ.update(linter, CARGO_PROFILE_DEV_DEBUG="none")
    targets = ["--workspace", "--bench", "counts", "--bin", "counts"]
    return told("cargo", "build", "--quiet", *targets, "--message-format=json-render-diagnostics")


def told(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else sys.exit(f"{' '.join(command)} failed")


def count(messages):
    """Instructions by name, and what went wrong by package."""
    benches, runner = executables(messages)
    counts, broken = {}, {}
    with tempfile.TemporaryDirectory(prefix="dripline-counts-") as folder:
        # A bench looks for its runner by this name.
        os.symlink(runner, f"{folder}/gungraun-runner")
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        for package, bench in sorted(benches.items()):
            status, lines, failure = run(bench, environment)
            counts.update((name, int(number)) for name, number in (line.rsplit(" ", 1) for line in lines))
            if status != 0:
                broken[package] = failure
    return counts, broken


def executables(messages):
    benches, runner = {}, None
    for message in map(json.loads, messages.splitlines()):
        target = message.get("target", {})
        if message["reason"] != "compiler-artifact" or target["name"] != "counts":
            continue
        if target["kind"] == ["bench"]:
            benches[pathlib.Path(message["manifest_path"]).parent.name] = message["executable"]
        elif target["kind"] == ["bin"] and not message["profile"]["test"]:
            runner = message["executable"]
    return (benches, runner) if benches and runner else sys.exit("the build has no benches called counts, or nothing to run them")


def run(bench, environment):
    # A session of its own: what it starts is stopped with it.
    process = subprocess.Popen([bench, "--bench"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        output, failure = process.communicate()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, output.splitlines(), failure.strip()


def record(counts, broken, baselines):
    for package, failure in broken.items():
        print(f"!! {package}: {failure}")
    if broken:
        print("nothing is recorded")
        return 1
    near = lambda name: name in baselines and abs(counts[name] - baselines[name]) * 100 <= baselines[name] * NEAR_PCT
    instructions = {name: baselines[name] if near(name) else counts[name] for name in sorted(counts)}
    changed = sum(baselines.get(name) != instructions[name] for name in instructions)
    gone = len(baselines.keys() - counts.keys())
    BASELINES.write_text(json.dumps({"compiler": compiler(), "instructions": instructions}, indent=2) + "\n")
    print(f"{len(instructions)} baselines in bench/counts.json, {changed} of them new or changed, {gone} gone")
    return 0


def check(counts, broken, kept):
    baselines, passed = kept["instructions"], 0
    failures = [f"{package}: {failure}" for package, failure in broken.items()]
    for name in sorted(counts.keys() | baselines.keys()):
        if name not in counts and name.split("/")[0] in broken:
            continue
        said, fine = judged(counts.get(name), baselines.get(name))
        if fine:
            passed += 1
            print(f"{name}: {said}")
        else:
            failures.append(f"{name}: {said}")
    for failure in failures:
        print(f"!! {failure}")
    if failures:
        print("Where that is meant: bench/counts --record, and commit bench/counts.json.")
    if failures and kept["compiler"] != compiler():
        print(f"The baselines are of {kept['compiler']}, and this is {compiler()}.")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def judged(counted, baseline):
    """What there is to say, and whether it may be so."""
    if counted is None:
        return "a baseline, and nothing to count", False
    if baseline is None:
        return f"{counted:,} instructions, and no baseline", False
    said = f"{counted:,} instructions, {counted / baseline:.2f} times its baseline of {baseline:,}"
    if counted * 100 < baseline * (100 - TOLERANCE_PCT):
        said += "; to hold it there: bench/counts --record"
    return said, counted * 100 <= baseline * (100 + TOLERANCE_PCT)


def compiler():
    return told("rustc", "--version").strip()


if __name__ == "__main__":
    sys.exit(main())
