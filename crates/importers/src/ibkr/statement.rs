//! The Activity Statement as CSV: sections of events, and one that explains the symbols in them.

use std::collections::HashMap;

use super::book::{Book, Statement};
use super::entry::{Entry, Part};
use super::sections::{Line, has_section, lines};
use super::wording;
use crate::{Opened, Parsed, Reason};

pub fn detect(file: &Opened) -> bool {
    has_section(file, &["Statement", "Account Information"])
        && has_section(
            file,
            &[
                "Trades",
                "Dividends",
                "Withholding Tax",
                "Corporate Actions",
                "Deposits & Withdrawals",
                "Cash Report",
                "Open Positions",
            ],
        )
        && !has_section(file, &["Transaction History"])
}

pub fn parse(file: &Opened) -> Parsed {
    let lines = lines(file);
    let symbols = Symbols::of(&lines);
    let mut book = Book { statements: vec![Statement::default()], orders_first: true, ..Book::default() };
    let mut totals = Vec::new();
    for line in &lines {
        if line.section == "Account Information" && line.row.cell(2) == "Base Currency" {
            book.base = Some(line.row.cell(3).to_owned());
        }
        let Some((part, kind)) = part_of(line.section) else { continue };
        if !book.parts.contains(&part) {
            book.parts.push(part);
        }
        match line.total {
            true => totals.push(line.row.line()),
            false => book.entries.push(entry(line, part, kind, &symbols)),
        }
    }
    if book.parts.is_empty() {
        return Parsed::refused(1, Reason::SectionsMissing { sections: "Trades, Dividends" });
    }
    let mut parsed = book.read();
    parsed.rows += totals.len() as u64;
    totals.into_iter().for_each(|line| parsed.skip(line, Reason::Total));
    parsed
}

/// The part that a section is, and the type of its rows.
fn part_of(section: &str) -> Option<(Part, &'static str)> {
    Some(match section {
        "Trades" => (Part::Trades, ""),
        "Dividends" => (Part::Cash, "Dividends"),
        "Payment In Lieu Of Dividends" | "Payments In Lieu Of Dividends" => (Part::Cash, "Payment In Lieu Of Dividends"),
        "Withholding Tax" => (Part::Cash, "Withholding Tax"),
        "871(m) Withholding" => (Part::Cash, "871(m) Withholding"),
        "Deposits & Withdrawals" => (Part::Cash, "Deposits & Withdrawals"),
        "Interest" | "Broker Interest Paid" | "Broker Interest Received" | "Bond Interest Received" => (Part::Cash, "Interest"),
        "Fees" | "Other Fees" | "Advisor Fees" => (Part::Cash, "Fees"),
        "Corporate Actions" => (Part::Corporate, ""),
        "Transfers" | "Incoming/Outgoing Transfers" => (Part::Transfers, ""),
        "Change in Dividend Accruals" => (Part::ChangeInAccruals, ""),
        "Open Dividend Accruals" => (Part::OpenAccruals, ""),
        _ => return None,
    })
}

fn entry(line: &Line<'_>, part: Part, kind: &str, symbols: &Symbols<'_>) -> Entry {
    let mut entry = Entry::new(line.row.line(), part, 0, line.decimals);
    entry.set("type", kind);
    for (name, cell) in line.cells() {
        match name {
            "datadiscriminator" => discriminate(cell, &mut entry),
            "tprice" => entry.set("tradeprice", cell),
            "commfee" => entry.set("ibcommission", cell),
            "qty" => entry.set("quantity", cell),
            "xferprice" => entry.set("transferprice", cell),
            "xferaccount" => entry.set("account", cell),
            "marketvalue" => entry.set("positionamount", cell),
            "account" => entry.set("accountid", cell),
            _ => entry.set(name, cell),
        }
    }
    let description = entry.text("description").unwrap_or_default().to_owned();
    if part == Part::Corporate
        && let Some((symbol, _, number)) = wording::subject(&description)
    {
        entry.set("symbol", symbol);
        entry.set("isin", number);
    }
    if part == Part::Cash
        && entry.text("symbol").is_none()
        && let Some(head) = wording::head(&description)
    {
        entry.set("symbol", head.symbol);
    }
    symbols.tell(&mut entry, part);
    entry
}

fn discriminate(word: &str, entry: &mut Entry) {
    match word {
        "Trade" => entry.set("levelofdetail", "EXECUTION"),
        "Trade Cancel" | "Cancel" => {
            entry.set("levelofdetail", "ORDER");
            entry.set("transactiontype", "TradeCancel");
        }
        _ => entry.set("levelofdetail", word),
    }
}

/// What the statement says about each symbol.
struct Symbols<'a> {
    known: HashMap<&'a str, Symbol<'a>>,
}

#[derive(Clone, Copy)]
struct Symbol<'a> {
    name: Option<&'a str>,
    id: Option<&'a str>,
    exchange: Option<&'a str>,
}

impl<'a> Symbols<'a> {
    fn of(lines: &[Line<'a>]) -> Symbols<'a> {
        let mut known = HashMap::new();
        for line in lines.iter().filter(|line| line.section == "Financial Instrument Information") {
            let symbol =
                Symbol { name: line.cell("description"), id: line.cell("securityid"), exchange: line.cell("listingexch") };
            // Several names of one share are in one cell.
            for one in line.cell("symbol").unwrap_or_default().split(',') {
                known.entry(one.trim()).or_insert(symbol);
            }
        }
        Symbols { known }
    }

    fn tell(&self, entry: &mut Entry, part: Part) {
        let Some(symbol) = entry.text("symbol").and_then(|symbol| self.known.get(symbol)).copied() else { return };
        entry.set("listingexchange", symbol.exchange.unwrap_or_default());
        entry.set("securityid", symbol.id.unwrap_or_default());
        if part != Part::Cash && part != Part::Corporate {
            entry.set("description", symbol.name.unwrap_or_default());
        }
    }
}
