//! `docs/reports/PAYERS.md` and `payers.csv`, generated from the figures.

use std::fmt::Write;
use std::path::Path;

use crate::causes::{self, Cause};
use crate::named::NAMED;
use crate::payer::Payer;
use crate::survey;

const WRITE: &str = "DRIPLINE_WRITE_PAYERS";

/// Compares a report with `text`, or writes it when asked to by the environment.
pub fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reports").join(name);
    if std::env::var_os(WRITE).is_some_and(|value| value == "1") {
        return std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let (mut old, mut new) = (committed.lines(), text.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => return,
            (old, new) => assert_eq!(old, new, "docs/reports/{name}, line {number}; {WRITE}=1 writes it anew"),
        }
    }
}

pub fn text(payers: &[Payer]) -> String {
    let mut text = include_str!("introduction.md").replace("{count}", &payers.len().to_string());
    text = text.replace("{funds}", &payers.iter().filter(|payer| payer.facts.fund).count().to_string());
    named(&mut text, payers);
    text.push_str(include_str!("rates.md"));
    listed(&mut text, causes::RATE);
    text.push_str(include_str!("growth.md"));
    listed(&mut text, causes::GROWTH);
    text.push_str(include_str!("noticed.md"));
    text
}

/// Every payer with its figures, the expected ones, and the causes of differences.
pub fn table(payers: &[Payer]) -> String {
    let mut text = String::from("symbol,first_ex_date,last_ex_date");
    survey::FIGURES.iter().for_each(|figure| write!(text, ",{figure},expected {figure}").unwrap());
    text.push_str(",causes\n");
    for payer in payers {
        let (first, last) = survey::first_and_last(payer);
        write!(text, "{},{first},{last}", payer.symbol).unwrap();
        for (figure, ours) in survey::ours(payer) {
            write!(text, ",{ours},{}", survey::plain(payer, figure)).unwrap();
        }
        let marks = [causes::RATE, causes::GROWTH].map(|causes| causes::mark(causes, &payer.symbol));
        writeln!(text, ",{}", marks.join(" ").trim()).unwrap();
    }
    text
}

fn named(text: &mut String, payers: &[Payer]) {
    text.push_str("| Symbol | Figure | Dripline | Expected | From | Why |\n|---|---|---:|---:|---|---|\n");
    for named in &NAMED {
        let payer = payers.iter().find(|payer| payer.symbol == named.symbol).unwrap();
        for (line, (figure, ours)) in named.lines.iter().zip(survey::ours(payer)).filter(|(line, _)| !line.why.is_empty()) {
            let cells = [named.symbol, figure, &ours, line.expected, line.from, line.why];
            writeln!(text, "| {} |", cells.join(" | ")).unwrap();
        }
    }
}

fn listed(text: &mut String, causes: &[Cause]) {
    for cause in causes {
        writeln!(text, "- **{}: {}** ({}). {}", cause.mark, cause.title, cause.symbols.join(", "), cause.text).unwrap();
    }
}
