//! `docs/reports/PAYERS.md`, generated from the figures.

use std::fmt::Write;
use std::path::Path;

use crate::causes::{self, Cause};
use crate::named::NAMED;
use crate::payer::Payer;
use crate::survey;

const WRITE: &str = "DRIPLINE_WRITE_PAYERS";

/// Compares the document with `text`, or writes it when asked to by the environment.
pub fn check(text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reports/PAYERS.md");
    if std::env::var_os(WRITE).is_some_and(|value| value == "1") {
        return std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let (mut old, mut new) = (committed.lines(), text.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => return,
            (old, new) => assert_eq!(old, new, "docs/reports/PAYERS.md, line {number}; {WRITE}=1 writes it anew"),
        }
    }
}

pub fn text(payers: &[Payer]) -> String {
    let mut text = include_str!("introduction.md").replace("{count}", &payers.len().to_string());
    named(&mut text, payers);
    text.push_str(include_str!("all.md"));
    all(&mut text, payers);
    text.push_str("\n### Causes: frequency and forward rate\n\n");
    listed(&mut text, causes::RATE);
    text.push_str(include_str!("growth.md"));
    growth(&mut text, payers);
    text.push_str("\n### Causes: streak and growth\n\n");
    listed(&mut text, causes::GROWTH);
    text.push_str(include_str!("noticed.md"));
    text
}

fn named(text: &mut String, payers: &[Payer]) {
    text.push_str("| Symbol | Data | Figure | Ours | Expected | From | Why |\n|---|---|---|---:|---:|---|---|\n");
    for named in &NAMED {
        let payer = payers.iter().find(|payer| payer.symbol == named.symbol).unwrap();
        for (line, (figure, ours)) in named.lines.iter().zip(survey::ours(payer)) {
            let (symbol, data) = if figure == survey::FIGURES[0] { (named.symbol, data(payer)) } else { ("", String::new()) };
            row(text, &[symbol, &data, figure, &ours, line.expected, line.from, line.why]);
        }
    }
}

fn all(text: &mut String, payers: &[Payer]) {
    text.push_str("| Symbol | Data | Frequency | Expected | Forward rate | Expected | Streak | cagr_5y | Cause |\n");
    text.push_str("|---|---|---|---|---:|---:|---:|---:|---|\n");
    for payer in payers {
        let [(frequency, our_frequency), (rate, our_rate), (_, streak), (_, growth)] = survey::ours(payer);
        let expected = |figure| survey::plain(payer, figure);
        let mark = causes::mark(causes::RATE, &payer.symbol);
        row(
            text,
            &[
                &payer.symbol,
                &data(payer),
                &our_frequency,
                &expected(frequency),
                &our_rate,
                &expected(rate),
                &streak,
                &growth,
                mark,
            ],
        );
    }
}

fn growth(text: &mut String, payers: &[Payer]) {
    text.push_str("| Symbol | Streak | Plain | cagr_5y | Plain | Cause |\n|---|---:|---:|---:|---:|---|\n");
    for payer in payers.iter().filter(|payer| survey::growth_differs(payer)) {
        let [_, _, (streak, our_streak), (growth, our_growth)] = survey::ours(payer);
        let plain = |figure| survey::plain(payer, figure);
        let mark = causes::mark(causes::GROWTH, &payer.symbol);
        row(text, &[&payer.symbol, &our_streak, &plain(streak), &our_growth, &plain(growth), mark]);
    }
}

fn listed(text: &mut String, causes: &[Cause]) {
    for cause in causes {
        writeln!(text, "- **{}: {}** ({}). {}", cause.mark, cause.title, cause.symbols.join(", "), cause.text).unwrap();
    }
}

fn row(text: &mut String, cells: &[&str]) {
    writeln!(text, "| {} |", cells.join(" | ")).unwrap();
}

/// First and last ex-date, by month.
fn data(payer: &Payer) -> String {
    let (first, last) = survey::first_and_last(payer);
    format!("{} – {}", first.strftime("%Y-%m"), last.strftime("%Y-%m"))
}
