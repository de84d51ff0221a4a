//! A row of the history, with the header of any year.

use ledger::{Currency, Decimal, Kind, QuoteUnit};

use super::columns::{Columns, EXCHANGE_RATE, PRICE, Priced, SHARES};
use crate::reading::{Line, Order, fields, moment};
use crate::{Reason, Record};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Money {
    pub figure: Decimal,
    pub currency: Currency,
}

pub struct Cells<'c, 'a> {
    columns: &'c Columns,
    line: Line<'c, 'a>,
    /// By how many columns the figures are shifted to the right of their titles.
    shift: usize,
    /// The shares, already parsed to detect the shift, if they show it.
    shares: Option<Decimal>,
}

impl<'c, 'a> Cells<'c, 'a> {
    pub fn of(columns: &'c Columns, line: Line<'c, 'a>) -> Cells<'c, 'a> {
        let (shift, shares) = shares(columns, line).unzip();
        Cells { columns, line, shift: shift.unwrap_or(0), shares }
    }

    pub fn number(&self) -> u64 {
        self.line.number()
    }

    pub fn action(&self) -> Option<&'a str> {
        self.text(self.columns.action)
    }

    pub fn has_instrument(&self) -> bool {
        [self.columns.isin, self.columns.ticker].iter().any(|place| self.text(*place).is_some())
    }

    pub fn isin(&self) -> Option<String> {
        self.text(self.columns.isin).and_then(|isin| fields::isin("isin", isin).ok())
    }

    pub fn ticker(&self) -> Option<String> {
        self.text(self.columns.ticker).and_then(fields::short)
    }

    pub fn is_in_pence(&self) -> bool {
        self.unit_text().is_some_and(|unit| matches!(unit, "GBX" | "GBp"))
    }

    pub fn record(&self, kind: Kind) -> Result<Record, Reason> {
        let written = self.columns.times.iter().find_map(|place| self.text(*place)).ok_or_else(|| Reason::missing("time"))?;
        let (date, time) = moment("time", written, Order::DayFirst)?;
        Ok(Record {
            time,
            ticker: self.ticker(),
            isin: self.isin(),
            name: self.text(self.columns.name).and_then(fields::short),
            id: self.id().and_then(fields::short),
            ..Record::new(self.number(), date, kind)
        })
    }

    pub fn note(&self) -> Option<String> {
        if self.shift > 0 { None } else { self.text(self.columns.notes).and_then(fields::short) }
    }

    fn id(&self) -> Option<&'a str> {
        match (self.shift, self.columns.shares) {
            // The note and the id have shifted the figures.
            (1.., Some(shares)) => self.line.text_at(shares + self.shift - 1),
            _ => self.text(self.columns.id),
        }
    }

    pub fn shares(&self) -> Result<Option<Decimal>, Reason> {
        let shares = self.shares.map_or_else(|| self.figure(self.columns.shares, SHARES), |shares| Ok(Some(shares)))?;
        Ok(shares.map(|shares| shares.abs()))
    }

    /// Per share, in whole units of its currency.
    pub fn price(&self) -> Result<Option<Money>, Reason> {
        let (Some(price), Some(unit)) = (self.figure(self.columns.price, PRICE)?, self.unit_text()) else { return Ok(None) };
        let unit = fields::unit("currency (price / share)", unit)?;
        Ok(Some(Money { figure: unit.normalise(price), currency: unit.currency }))
    }

    pub fn exchange_rate(&self) -> Result<Option<Decimal>, Reason> {
        Ok(self.figure(self.columns.exchange_rate, EXCHANGE_RATE)?.filter(|rate| *rate > Decimal::ZERO))
    }

    pub fn total(&self) -> Result<Option<Money>, Reason> {
        self.columns.total.as_ref().map_or(Ok(None), |column| self.money(column, None))
    }

    /// The dividend received.
    pub fn paid(&self) -> Result<Option<Money>, Reason> {
        let is_net = |total: &&Priced| total.name != "gross total";
        let column = self.columns.net_total.as_ref().or(self.columns.total.as_ref().filter(is_net));
        column.map_or(Ok(None), |column| self.money(column, None))
    }

    /// The dividend declared, in the years that have it in addition to what was received.
    pub fn declared(&self) -> Result<Option<Money>, Reason> {
        match self.columns.total.as_ref().filter(|total| total.name == "gross total") {
            Some(column) => self.money(column, None),
            None => Ok(None),
        }
    }

    pub fn tax(&self) -> Result<Option<Money>, Reason> {
        self.columns.tax.as_ref().map_or(Ok(None), |column| self.money(column, None))
    }

    /// All stated fees, each zero or positive; in the account's currency if they have none.
    pub fn fees(&self, account: Option<Currency>) -> Result<Vec<Money>, Reason> {
        if self.shift > 0 {
            return Ok(Vec::new());
        }
        let stated = self.columns.fees.iter().filter_map(|column| self.money(column, account).transpose());
        stated.map(|fee| fee.map(|fee| Money { figure: fee.figure.abs(), ..fee })).collect()
    }

    fn money(&self, column: &Priced, otherwise: Option<Currency>) -> Result<Option<Money>, Reason> {
        let Some(figure) = self.line.figure_at(column.place + self.shift, &column.name)? else { return Ok(None) };
        let cell = column.code_place.and_then(|place| self.line.text_at(place + self.shift));
        let code = column.code.as_deref().or(cell);
        let currency_column = || format!("currency ({})", column.name);
        let unit = match (code, otherwise) {
            (Some(code), _) => fields::unit(&currency_column(), code)?,
            (None, Some(currency)) => currency.into(),
            (None, None) => return Err(Reason::missing(currency_column())),
        };
        Ok(Some(Money { figure: unit.normalise(figure), currency: unit.currency }))
    }

    /// For columns that are not shifted: everything before the figures.
    fn text(&self, place: Option<usize>) -> Option<&'a str> {
        place.and_then(|place| self.line.text_at(place))
    }

    fn figure(&self, place: Option<usize>, name: &str) -> Result<Option<Decimal>, Reason> {
        place.map_or(Ok(None), |place| self.line.figure_at(place + self.shift, name))
    }

    fn unit_text(&self) -> Option<&'a str> {
        self.columns.unit.and_then(|place| self.line.text_at(place + self.shift))
    }
}

/// The row's shares, and by how many columns they are shifted. Rows of corporate actions use the order of a later header: note
/// and id come before the figures.
fn shares(columns: &Columns, line: Line<'_, '_>) -> Option<(usize, Decimal)> {
    let (shares, unit) = (columns.shares?, columns.unit?);
    (0..=2).find_map(|by| {
        let figure = line.figure_at(shares + by, SHARES).ok()??;
        QuoteUnit::parse(line.row.cell(unit + by)).is_ok().then_some((by, figure))
    })
}
