//! What recording an entry would do, and which of its fields are invalid.

use importers::{Record, fields};
use jiff::ToSpan;
use jiff::civil::Date;
use ledger::cash::{self, Given};
use ledger::{Currency, Decimal, Money};
use store::entries::Entry;

use super::doubts::Doubt;
use super::{Draft, Problem, Reason};

/// What would happen. Nothing was stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    pub problems: Vec<Problem>,
    /// The name of the stock.
    pub symbol_name: Option<String>,
    /// The given one, else the one that the stock trades in.
    pub currency: Option<Currency>,
    /// Gross: as given, else shares × price or, for a dividend with net and tax, their sum.
    pub amount: Option<Money>,
    /// The cash effect: as given, else gross with fees and tax.
    pub net: Option<Money>,
    /// What looks like a mistake, but may be correct.
    pub doubts: Vec<Doubt>,
    /// Shares in the portfolio at the end of the entry's day, once it is recorded.
    pub after: Option<Standing>,
    /// The same today, if that is later and different.
    pub today: Option<Standing>,
    /// Without the entry: today, or on its day if that is later.
    pub before: Option<Standing>,
    /// What a dividend buys.
    pub purchase: Option<Entry>,
    /// What the position pays without the entry and with it, if anything is known about that.
    pub pays: Option<[Pays; 2]>,
}

/// What is held at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub day: Date,
    pub shares: Decimal,
    /// `None` if nothing is held or the cost is unknown.
    pub average_cost: Option<Money>,
}

/// What a position pays in a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pays {
    /// Gross, in the preferred currency; `None` without an exchange rate.
    pub income: Option<Money>,
    /// In percent, two decimals; `None` if nothing is held or the cost is unknown.
    pub yield_on_cost_pct: Option<Decimal>,
}

/// As if read from a row of a file.
pub(super) fn record(draft: &Draft) -> Record {
    Record {
        symbol: Some(draft.symbol.trim().to_uppercase()),
        shares: draft.shares,
        price: draft.price,
        amount: draft.amount,
        fees: draft.fees,
        tax: draft.tax,
        net: draft.net,
        currency: draft.currency,
        fx_rate: draft.fx_rate,
        ratio: draft.ratio,
        ex_date: draft.ex_date,
        note: draft.note.as_deref().map(str::trim).filter(|note| !note.is_empty()).map(str::to_owned),
        ..Record::new(0, draft.date, draft.kind)
    }
}

/// Checks of the fields alone: each by the rules of a field in a file, and together by those of their type.
pub(crate) fn fields_of(record: &Record, today: Date) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut check = |field: &'static str, checked: Result<(), Reason>| {
        problems.extend(checked.err().map(|reason| Problem { field, reason }));
    };
    check("date", day("date", record.date, today));
    check("symbol", symbol_text(record.symbol.as_deref().unwrap_or_default()));
    for (field, figure) in [
        ("shares", record.shares),
        ("price", record.price),
        ("amount", record.amount),
        ("fees", record.fees),
        ("tax", record.tax),
        ("net", record.net),
        ("fx_rate", record.fx_rate),
    ] {
        check(field, figure.map_or(Ok(()), |figure| rule(fields::decimal(field, &figure.to_string()))));
    }
    check("ex_date", record.ex_date.map_or(Ok(()), |date| day("ex_date", date, today)));
    check("note", record.note.as_deref().map_or(Ok(()), |note| rule(fields::text("note", note, 1000))));
    if let Err(fault) = importers::check(record)
        && !problems.iter().any(|problem| problem.field == fault.field)
    {
        problems.push(Problem { field: fault.field, reason: Reason::Rule(fault.reason) });
    }
    problems
}

fn rule<T>(read: Result<T, importers::Reason>) -> Result<(), Reason> {
    read.map(drop).map_err(Reason::Rule)
}

fn symbol_text(symbol: &str) -> Result<(), Reason> {
    match symbol.is_empty() {
        true => Err(Reason::SymbolMissing),
        false => rule(fields::symbol("symbol", symbol)),
    }
}

/// A file may have future dates; somebody who types a date more than a year ahead has mistyped it.
fn day(field: &str, date: Date, today: Date) -> Result<(), Reason> {
    rule(fields::date(field, &date.to_string()))?;
    match date > today.saturating_add(1.year()) {
        true => Err(Reason::FutureDate { date }),
        false => Ok(()),
    }
}

pub(super) fn gross(record: &Record) -> Option<Decimal> {
    cash::gross(record.kind, given(record))
}

/// The cash effect, as far as the figures show it.
pub(super) fn net(record: &Record) -> Option<Decimal> {
    cash::net(record.kind, given(record))
}

fn given(record: &Record) -> Given {
    let Record { shares, price, amount, fees, tax, net, .. } = *record;
    Given { shares, price, amount, fees, tax, net }
}
