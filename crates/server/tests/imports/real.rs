//! Real exports, if their folder is next to the repository: imported, or refused with a reason.

use crate::account::{Account, adds_up};
use crate::files::real;

#[test]
fn every_real_export_is_imported_or_refused_with_a_reason() {
    let (mut taken, mut refused) = (0, 0);
    println!(
        "| file | format | rows | new | part of them | skipped | errors | first reason |\n|---|---|---:|---:|---:|---:|---:|---|"
    );
    for (name, bytes) in real() {
        let account = Account::new();
        let report = match account.import(&bytes, None) {
            Ok(report) => report,
            Err(reason) => {
                println!("| {name} | – | – | – | – | – | – | {reason} |");
                continue;
            }
        };
        assert!(adds_up(&report), "{name}: {report:?}");
        let reason =
            report.errors.first().map(|problem| format!("line {}: {:?}", problem.line, problem.reason)).unwrap_or_default();
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {reason} |",
            report.format,
            report.rows,
            report.new,
            report.joined,
            report.skips.len(),
            report.errors.len()
        );
        let again = account.import(&bytes, None).unwrap();
        match report.errors.is_empty() {
            true => {
                taken += 1;
                assert_eq!((again.new, again.existing), (0, report.new + report.joined + report.existing), "{name}");
                account.answers();
            }
            false => refused += 1,
        }
    }
    println!("{taken} taken, {refused} refused with a reason");
}
