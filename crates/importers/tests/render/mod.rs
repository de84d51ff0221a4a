//! Renders a parsed file as readable lines: its rows and what became of each.

use std::fmt::Write;

use importers::{Accrual, Parsed, Record};

pub fn render(parsed: &Parsed) -> String {
    let mut lines: Vec<(u64, String)> = parsed.records.iter().map(|record| (record.line, render_record(record))).collect();
    lines.extend(parsed.skips.iter().map(|problem| (problem.line, format!("skipped: {}", problem.reason))));
    lines.extend(parsed.errors.iter().map(|problem| (problem.line, format!("error: {}", problem.reason))));
    let mut text = format!("{} rows\n", parsed.rows);
    if let Some(problem) = &parsed.refusal {
        writeln!(text, "{}: the file is refused: {}", problem.line, problem.reason).unwrap();
    }
    lines.sort_by_key(|(line, _)| *line);
    for (line, row) in lines {
        writeln!(text, "{line}: {row}").unwrap();
    }
    for accrual in parsed.accruals.iter().flatten() {
        writeln!(text, "{}", render_accrual(accrual)).unwrap();
    }
    text
}

fn render_record(record: &Record) -> String {
    let mut text = format!("{} {}", record.date, record.kind.word());
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            write!(text, " {name}={value}").unwrap();
        }
    };
    add("symbol", record.symbol.clone());
    add("ticker", record.ticker.clone());
    add("suffix", record.suffix.map(|suffix| format!("\"{suffix}\"")));
    add("isin", record.isin.clone());
    add("cusip", record.cusip.clone());
    add("name", record.name.clone());
    add("shares", record.shares.map(|figure| figure.to_string()));
    add("price", record.price.map(|figure| figure.to_string()));
    add("amount", record.amount.map(|figure| figure.to_string()));
    add("fees", record.fees.map(|figure| figure.to_string()));
    add("tax", record.tax.map(|figure| figure.to_string()));
    add("net", record.net.map(|figure| figure.to_string()));
    add("currency", record.currency.map(|currency| currency.to_string()));
    add("quoted", record.quoted.then(|| "yes".to_owned()));
    add("fx_rate", record.fx_rate.map(|figure| figure.to_string()));
    add("ratio", record.ratio.map(|ratio| ratio.to_string()));
    add("worked_out", record.ratio_worked_out.then(|| "yes".to_owned()));
    add("ex_date", record.ex_date.map(|date| date.to_string()));
    add("reinvestment", record.reinvestment.map(|number| number.to_string()));
    add("portfolio", record.portfolio.clone());
    add("source", record.source.clone());
    add("id", record.id.clone());
    add("note", record.note.clone());
    if !record.joined.is_empty() {
        let lines: Vec<String> = record.joined.iter().map(u64::to_string).collect();
        write!(text, " with {}", lines.join(", ")).unwrap();
    }
    text
}

fn render_accrual(accrual: &Accrual) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let pay_date = accrual.pay_date.map_or("-".to_owned(), |date| date.to_string());
    let per_share = accrual.per_share.map_or("-".to_owned(), |figure| figure.to_string());
    format!(
        "to come ({}): {} {} ex {} pay {pay_date} shares={} per_share={per_share} gross={} tax={} net={} {}",
        accrual.line,
        text(&accrual.ticker),
        text(&accrual.isin),
        accrual.ex_date,
        accrual.shares,
        accrual.gross,
        accrual.tax,
        accrual.net,
        accrual.currency
    )
}
