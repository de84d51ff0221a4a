//! The rows of an account statement. A long text continues in the row below, which has no date.

use jiff::civil::{Date, Time};
use ledger::{Currency, Decimal, Kind};

use super::columns::Columns;
use crate::reading::{Order, Row, day, fields, figure, label, moment};
use crate::{Parsed, Reason, Record};

#[derive(Clone, Debug)]
pub struct Entry {
    pub line: u64,
    /// Rows in which its text continues.
    pub continued: Vec<u64>,
    pub date: Date,
    pub time: Option<Time>,
    pub value_date: Date,
    pub product: String,
    pub isin: String,
    pub description: String,
    /// For a currency exchange.
    pub rate: Option<Decimal>,
    pub amount: Option<Decimal>,
    pub currency: Option<Currency>,
    pub order: String,
}

/// The readable rows; the others become errors of `parsed`, which counts them all.
pub fn read(columns: &Columns<'_>, parsed: &mut Parsed) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // If a row cannot be read, neither can the rows in which it continues.
    let mut broken = None;
    for row in columns.rows() {
        parsed.rows += 1;
        let runs_on = columns.cell(row, "date").is_empty() && columns.cell(row, "time").is_empty();
        match (runs_on, broken, entries.last_mut()) {
            (true, Some(line), _) => parsed.skip(row.line(), Reason::PartOfError { line }),
            (true, None, Some(entry)) => entry.run_on(columns, row),
            _ => match Entry::read(columns, row) {
                Ok(entry) => {
                    broken = None;
                    entries.push(entry);
                }
                Err(reason) => {
                    broken = Some(row.line());
                    parsed.error(row.line(), reason);
                }
            },
        }
    }
    entries
}

impl Entry {
    fn read(columns: &Columns<'_>, row: Row<'_>) -> Result<Entry, Reason> {
        let cell = |column: &str| columns.cell(row, column);
        let date = day("date", cell("date"), Order::DayFirst)?;
        let time = moment("time", &format!("{date} {}", cell("time")), Order::DayFirst).ok().and_then(|(_, time)| time);
        let value_date = match cell("value date") {
            "" => date,
            text => day("value date", text, Order::DayFirst)?,
        };
        let number = |name: &str, text: &str| match text {
            "" => Ok(None),
            text => figure(name, text, columns.sheet.decimals).map(Some),
        };
        let (amount, currency) = columns.money(row, "change");
        Ok(Entry {
            line: row.line(),
            continued: Vec::new(),
            date,
            time,
            value_date,
            product: cell("product").to_owned(),
            isin: cell("isin").to_owned(),
            description: cell("description").to_owned(),
            rate: number("FX", cell("rate"))?,
            amount: number("the amount", amount)?,
            currency: currency.map(|code| fields::currency("currency", code)).transpose()?,
            order: cell("order").to_owned(),
        })
    }

    fn run_on(&mut self, columns: &Columns<'_>, row: Row<'_>) {
        self.continued.push(row.line());
        for (text, column) in [(&mut self.product, "product"), (&mut self.description, "description")] {
            let rest = columns.cell(row, column);
            if !rest.is_empty() {
                *text = format!("{text} {rest}");
            }
        }
        self.isin.push_str(columns.cell(row, "isin"));
        self.order.push_str(columns.cell(row, "order"));
    }

    pub fn isin(&self) -> Option<String> {
        fields::isin("isin", &self.isin).ok()
    }

    /// Identifies the instrument within the file; empty for bookings without one.
    pub fn instrument(&self) -> &str {
        if self.isin.is_empty() { &self.product } else { &self.isin }
    }

    pub fn money(&self) -> Result<(Decimal, Currency), Reason> {
        let amount = self.amount.ok_or_else(|| Reason::missing("amount"))?;
        Ok((amount, self.currency.ok_or_else(|| Reason::missing("currency of the amount"))?))
    }

    pub fn record(&self, kind: Kind) -> Record {
        Record {
            joined: self.continued.clone(),
            time: self.time,
            isin: self.isin(),
            name: label(&self.product),
            ..Record::new(self.line, self.date, kind)
        }
    }

    pub fn skip(&self, parsed: &mut Parsed, reason: Reason) {
        parsed.skip(self.line, reason);
        self.skip_rest(parsed);
    }

    pub fn error(&self, parsed: &mut Parsed, reason: Reason) {
        parsed.error(self.line, reason);
        self.skip_rest(parsed);
    }

    fn skip_rest(&self, parsed: &mut Parsed) {
        for line in &self.continued {
            parsed.skip(*line, Reason::Continues { line: self.line });
        }
    }

    pub fn lines(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.line).chain(self.continued.iter().copied())
    }
}
