//! Real exports, where the folder that holds them stands beside the repository: each is read with every row accounted for,
//! or refused with a reason.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands
#![allow(clippy::print_stdout)] // the table is what this test is for

use std::path::{Path, PathBuf};

use importers::Opened;

#[test]
fn every_row_of_a_real_export_is_accounted_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/broker-samples");
    println!("{:<75} {:<22} {:>5} {:>8} {:>6} {:>7} {:>6}", "file", "format", "rows", "records", "joined", "skipped", "errors");
    for path in files(&root) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let file = match Opened::open(&std::fs::read(&path).unwrap()) {
            Ok(file) => file,
            Err(problem) => {
                println!("{name:<75} {}", problem.reason);
                continue;
            }
        };
        let Some(format) = importers::detect(&file) else {
            println!("{name:<75} in no format known here");
            continue;
        };
        let parsed = format.read(&file);
        let joined: usize = parsed.records.iter().map(|record| record.joined.len()).sum();
        println!(
            "{name:<75} {:<22} {:>5} {:>8} {joined:>6} {:>7} {:>6}",
            format.name,
            parsed.rows,
            parsed.records.len(),
            parsed.skips.len(),
            parsed.errors.len()
        );
        for problem in parsed.refusal.iter().chain(&parsed.errors) {
            println!("    line {}: {}", problem.line, problem.reason);
        }
        assert!(parsed.adds_up(), "{name}");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|extension| extension != "md") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}
