//! A row of the history, whichever year its header is from.

use ledger::{Currency, Decimal, Kind, QuoteUnit};

use super::columns::{Columns, Priced};
use crate::Record;
use crate::reading::{Line, Order, fields, moment};

const SHARES: &str = "no. of shares";
const UNIT: &str = "currency (price / share)";

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Money {
    pub figure: Decimal,
    pub currency: Currency,
}

pub struct Cells<'c, 't, 'a> {
    columns: &'c Columns<'t, 'a>,
    line: Line<'t, 'a>,
    /// By how many columns the figures stand further right than the header says.
    shift: usize,
}

impl<'c, 't, 'a> Cells<'c, 't, 'a> {
    pub fn of(columns: &'c Columns<'t, 'a>, line: Line<'t, 'a>) -> Cells<'c, 't, 'a> {
        Cells { columns, line, shift: shift(line).unwrap_or(0) }
    }

    pub fn number(&self) -> u64 {
        self.line.number()
    }

    /// What does not move: everything before the figures.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.line.text(name)
    }

    pub fn has_instrument(&self) -> bool {
        ["isin", "ticker"].iter().any(|name| self.text(name).is_some())
    }

    pub fn isin(&self) -> Option<String> {
        self.text("isin").and_then(|isin| fields::isin("isin", isin).ok())
    }

    pub fn ticker(&self) -> Option<String> {
        self.text("ticker").and_then(fields::short)
    }

    pub fn is_in_pence(&self) -> bool {
        self.unit_text().is_some_and(|unit| matches!(unit, "GBX" | "GBp"))
    }

    pub fn record(&self, kind: Kind) -> Result<Record, String> {
        let written = self.line.any(&["time (utc)", "time"]).ok_or("time is missing")?;
        let (date, time) = moment("time", written, Order::DayFirst)?;
        Ok(Record {
            time,
            ticker: self.ticker(),
            isin: self.isin(),
            name: self.text("name").and_then(fields::short),
            id: self.id().and_then(fields::short),
            ..Record::new(self.number(), date, kind)
        })
    }

    pub fn note(&self) -> Option<String> {
        if self.shift > 0 { None } else { self.text("notes").and_then(fields::short) }
    }

    fn id(&self) -> Option<&'a str> {
        match (self.shift, self.columns.table.place(SHARES)) {
            // What pushed the figures aside is the note and the id.
            (1.., Some(shares)) => Some(self.line.row.cell(shares + self.shift - 1)).filter(|id| !id.is_empty()),
            _ => self.text("id"),
        }
    }

    pub fn shares(&self) -> Result<Option<Decimal>, String> {
        self.figure(SHARES).map(|shares| shares.map(|shares| shares.abs()))
    }

    /// Per share, in whole units of its currency.
    pub fn price(&self) -> Result<Option<Money>, String> {
        let (Some(price), Some(unit)) = (self.figure("price / share")?, self.unit_text()) else { return Ok(None) };
        let unit = QuoteUnit::parse(unit).map_err(|unknown| format!("currency (price / share) {unknown}"))?;
        Ok(Some(Money { figure: unit.normalise(price), currency: unit.currency }))
    }

    pub fn exchange_rate(&self) -> Result<Option<Decimal>, String> {
        Ok(self.figure("exchange rate")?.filter(|rate| *rate > Decimal::ZERO))
    }

    pub fn total(&self) -> Result<Option<Money>, String> {
        self.columns.total.as_ref().map_or(Ok(None), |column| self.money(column, None))
    }

    /// What came of a dividend.
    pub fn paid(&self) -> Result<Option<Money>, String> {
        let is_net = |total: &&Priced| total.name != "gross total";
        let column = self.columns.net_total.as_ref().or(self.columns.total.as_ref().filter(is_net));
        column.map_or(Ok(None), |column| self.money(column, None))
    }

    /// What was declared of a dividend, in the years that tell it beside what came.
    pub fn declared(&self) -> Result<Option<Money>, String> {
        match self.columns.total.as_ref().filter(|total| total.name == "gross total") {
            Some(column) => self.money(column, None),
            None => Ok(None),
        }
    }

    pub fn tax(&self) -> Result<Option<Money>, String> {
        self.columns.tax.as_ref().map_or(Ok(None), |column| self.money(column, None))
    }

    /// The ones that are stated, each above zero or zero.
    pub fn fees(&self) -> Result<Vec<Money>, String> {
        if self.shift > 0 {
            return Ok(Vec::new());
        }
        let account = self.total()?.map(|total| total.currency);
        let stated = self.columns.fees.iter().filter_map(|column| self.money(column, account).transpose());
        stated.map(|fee| fee.map(|fee| Money { figure: fee.figure.abs(), ..fee })).collect()
    }

    fn money(&self, column: &Priced, otherwise: Option<Currency>) -> Result<Option<Money>, String> {
        let Some(figure) = self.line.figure_at(column.place + self.shift, &column.name)? else { return Ok(None) };
        let cell = column.code_place.map(|place| self.line.row.cell(place + self.shift)).filter(|code| !code.is_empty());
        let code = column.code.as_deref().or(cell);
        let unit = match (code, otherwise) {
            (Some(code), _) => QuoteUnit::parse(code).map_err(|unknown| format!("currency of {} {unknown}", column.name))?,
            (None, Some(currency)) => currency.into(),
            (None, None) => return Err(format!("the currency of {} is missing", column.name)),
        };
        Ok(Some(Money { figure: unit.normalise(figure), currency: unit.currency }))
    }

    fn figure(&self, name: &str) -> Result<Option<Decimal>, String> {
        self.columns.table.place(name).map_or(Ok(None), |place| self.line.figure_at(place + self.shift, name))
    }

    fn unit_text(&self) -> Option<&'a str> {
        let place = self.columns.table.place(UNIT)?;
        Some(self.line.row.cell(place + self.shift)).filter(|unit| !unit.is_empty())
    }
}

/// Rows of corporate actions stand in the order of a later header: note and id come before the figures.
fn shift(line: Line<'_, '_>) -> Option<usize> {
    let (shares, unit) = (line.table.place(SHARES)?, line.table.place(UNIT)?);
    let fits = |by: usize| {
        let figure = line.figure_at(shares + by, SHARES);
        matches!(figure, Ok(Some(_))) && QuoteUnit::parse(line.row.cell(unit + by)).is_ok()
    };
    (0..=2).find(|by| fits(*by))
}
