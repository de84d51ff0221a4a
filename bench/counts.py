"""Counts the instructions of the benches named `counts` and compares them with their baselines. Standard library only."""
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
# Hash maps are seeded randomly, which changes some counts by a few per mille. A baseline this close is kept.
NEAR_PCT = 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true", help="record the current counts as baselines")
    parser.add_argument("--built", type=pathlib.Path, help="cargo's messages from the build")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    recorded = json.loads(BASELINES.read_text()) if BASELINES.exists() else {"compiler": None, "instructions": {}}
    counts, broken = count(arguments.built.read_text() if arguments.built else build())
    if arguments.record:
        return record(counts, broken, recorded["instructions"])
    return check(counts, broken, recorded)


def build():
    """Builds with the same settings as ./test, so that nothing is built twice."""
    sysroot = output_of("rustc", "--print", "sysroot").strip()
    linter = {"RUSTC_WORKSPACE_WRAPPER": f"{sysroot}/bin/clippy-driver", "CLIPPY_ARGS": "-Dwarnings__CLIPPY_HACKERY__"}
    os.environ.update(linter, CARGO_PROFILE_DEV_DEBUG="none")
    targets = ["--workspace", "--bench", "counts", "--bin", "counts"]
    return output_of("cargo", "build", "--quiet", *targets, "--message-format=json-render-diagnostics")


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else sys.exit(f"{' '.join(command)} failed")


def count(messages):
    """Instructions by name, and errors by package."""
    benches, runner = executables(messages)
    counts, broken = {}, {}
    with tempfile.TemporaryDirectory(prefix="dripline-counts-") as folder:
        # A bench finds its runner by this name.
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
    return (benches, runner) if benches and runner else sys.exit("the build has no benches named counts, or no runner for them")


def run(bench, environment):
    # In a new session, so that its child processes are stopped with it.
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
        print("nothing was recorded")
        return 1
    is_near = lambda name: name in baselines and abs(counts[name] - baselines[name]) * 100 <= baselines[name] * NEAR_PCT
    instructions = {name: baselines[name] if is_near(name) else counts[name] for name in sorted(counts)}
    changed = sum(baselines.get(name) != instructions[name] for name in instructions)
    removed = len(baselines.keys() - counts.keys())
    BASELINES.write_text(json.dumps({"compiler": compiler(), "instructions": instructions}, indent=2) + "\n")
    print(f"{len(instructions)} baselines in bench/counts.json, {changed} of them new or changed, {removed} removed")
    return 0


def check(counts, broken, recorded):
    baselines, passed = recorded["instructions"], 0
    failures = [f"{package}: {failure}" for package, failure in broken.items()]
    for name in sorted(counts.keys() | baselines.keys()):
        if name not in counts and name.split("/")[0] in broken:
            continue
        message, ok = compare(counts.get(name), baselines.get(name))
        if ok:
            passed += 1
            print(f"{name}: {message}")
        else:
            failures.append(f"{name}: {message}")
    for failure in failures:
        print(f"!! {failure}")
    if failures:
        print("If the change is intended, run bench/counts --record and commit bench/counts.json.")
    if failures and recorded["compiler"] != compiler():
        print(f"The baselines were recorded with {recorded['compiler']}; this is {compiler()}.")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def compare(counted, baseline):
    """A message, and whether the count is acceptable."""
    if counted is None:
        return "there is a baseline, but no benchmark", False
    if baseline is None:
        return f"{counted:,} instructions, but no baseline", False
    message = f"{counted:,} instructions, {counted / baseline:.2f} times its baseline of {baseline:,}"
    if counted * 100 < baseline * (100 - TOLERANCE_PCT):
        message += "; to lower the baseline, run bench/counts --record"
    return message, counted * 100 <= baseline * (100 + TOLERANCE_PCT)


def compiler():
    return output_of("rustc", "--version").strip()


if __name__ == "__main__":
    sys.exit(main())
