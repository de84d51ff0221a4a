//! Counts the instructions of gungraun's benchmarks under Valgrind, a line each. A benchmark starts it under the name of gungraun's
//! own runner, which would take minutes to build and draws in licences that are not permissive; `bench/counts` arranges that.
#![allow(clippy::print_stdout)]

use std::io::{BufReader, stdin};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use bincode_next::{config, serde::decode_from_reader};
use gungraun_runner::api::{BenchRunMode, LibraryBenchmarkBench, LibraryBenchmarkGroups};

/// Whose way of talking to a runner this is. Another one may differ.
const GUNGRAUN: &str = "0.20.0";

/// What a benchmark's function is wrapped in; outside of it nothing is counted. A closure in the function has a name that
/// matches, too: to enter it would end the count.
const COUNTED: &str = "--toggle-collect=*::__gungraun_wrapper_mod::*";

fn main() -> ExitCode {
    match count() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn count() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, version, "--lib-bench", _, package, _, _, _, _, program, _] =
        arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        bail!("this is started by benchmarks, which bench/counts starts");
    };
    ensure!(version == GUNGRAUN, "the benchmark is one of gungraun {version}, and {GUNGRAUN} is understood here");
    let groups: LibraryBenchmarkGroups = decode_from_reader(BufReader::new(stdin().lock()), config::legacy())?;
    for (group, benchmarks) in groups.groups.iter().map(|group| &group.library_benchmarks).enumerate() {
        for (function, benches) in benchmarks.iter().map(|benchmark| &benchmark.benches).enumerate() {
            for (place, bench) in benches.iter().enumerate() {
                let name = name(package, bench);
                let count = instructions(program, [group, function, place]).with_context(|| name.clone())?;
                println!("{name} {count}");
            }
        }
    }
    Ok(())
}

fn name(package: &str, bench: &LibraryBenchmarkBench) -> String {
    let function = &bench.function_name;
    bench.id.as_ref().map_or_else(|| format!("{package}/{function}"), |id| format!("{package}/{function}/{id}"))
}

fn instructions(program: &str, place: [usize; 3]) -> Result<u64> {
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", COUNTED, program, "--gungraun-run"])
        .arg(BenchRunMode::Default.id())
        .args(place.map(|index| format!("{index:05}")))
        .env_clear() // whatever else is set may change what is done
        .envs(std::env::vars_os().filter(|(name, _)| name == "PATH"))
        .stdin(Stdio::null())
        .output()
        .context("valgrind did not start; install the package valgrind")?;
    let report = String::from_utf8_lossy(&valgrind.stderr);
    ensure!(valgrind.status.success(), "{}\n{report}", valgrind.status);
    let count = report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    count.filter(|count| *count > 0).with_context(|| format!("nothing was counted\n{report}"))
}
