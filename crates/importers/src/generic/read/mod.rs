//! Rows of a user's table → records, as a mapping says.

mod figures;
mod instrument;
mod money;

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind, QuoteUnit};

use super::columns::Columns;
use super::field::Field;
use super::looks::{unit, unit_beside};
use super::mapping::{Costs, DefaultCurrency, Mapping, Meaning, Style};
use super::ratio::ratio;
use super::types::{meaning, ratio_of};
use super::words;
use crate::reading::{Order, Row, moment};
use crate::rows::Read;
use crate::{Reason, Record};

/// Everything needed to read a table.
pub struct Reader<'m> {
    pub mapping: &'m Mapping,
    pub columns: Columns,
    pub costs: Costs,
    /// Sales have negative shares in this file.
    pub sales_below_zero: bool,
    /// Money paid is negative in this file.
    pub money_signed: bool,
}

impl<'m> Reader<'m> {
    pub fn read(&self, row: Row<'_>) -> Result<Read, Reason> {
        let columns = &self.columns;
        if (columns.width..row.len()).any(|at| !row.cell(at).is_empty()) {
            return Err(Reason::FieldCount { fields: row.len(), header: columns.width });
        }
        let named = columns.names_an_instrument(row);
        let (date, time) = match self.moment(row) {
            Ok(moment) => moment,
            Err(_) if !named && (columns.text(row, Field::Type).is_none() || !columns.names_shares(row)) => {
                return Ok(Read::Skip(Reason::Remark));
            }
            Err(reason) => return Err(reason),
        };
        let kind = match self.kind(row, named)? {
            Ok(kind) => kind,
            Err(skip) => return Ok(Read::Skip(skip)),
        };
        let record = self.instrument(row, Record { time, ..Record::new(row.line(), date, Kind::Buy) })?;
        self.figures(row, kind, record)
    }

    fn moment(&self, row: Row<'_>) -> Result<(Date, Option<Time>), Reason> {
        let text = self.columns.text(row, Field::Date).ok_or_else(|| Reason::missing("date"))?;
        let (date, time) = self.day("date", text)?;
        let clock = self
            .columns
            .text(row, Field::Time)
            .and_then(|clock| moment("time", &format!("2000-01-01 {clock}"), Order::DayFirst).ok());
        Ok((date, clock.and_then(|(_, time)| time).or(time)))
    }

    pub fn day(&self, name: &str, text: &str) -> Result<(Date, Option<Time>), Reason> {
        let read = |order| moment(name, text, order);
        match (self.mapping.dates, read(Order::DayFirst), read(Order::MonthFirst)) {
            (Some(order), ..) => read(order),
            (None, Ok(one), Ok(other)) if one == other => Ok(one),
            (None, Ok((date, _)), Ok(_)) => Err(Reason::DateOrder { text: text.into(), date }),
            (None, Ok(one), Err(_)) | (None, Err(_), Ok(one)) => Ok(one),
            (None, Err(reason), Err(_)) => Err(reason),
        }
    }

    /// The inner error is the reason why the row is skipped.
    fn kind(&self, row: Row<'_>, named: bool) -> Result<Result<Meaning, Reason>, Reason> {
        let columns = &self.columns;
        let word = columns.text(row, Field::Type);
        match (meaning(self.mapping, columns, row), word) {
            (Some(Meaning::Ignore), _) => Ok(Err(Reason::IgnoredType)),
            (Some(Meaning::Tax), _) if !named => Ok(Err(Reason::TaxWithoutDividend)),
            (Some(meaning), _) => Ok(Ok(meaning)),
            (None, Some(_)) if !named && !columns.names_shares(row) => Ok(Err(Reason::NoShares)),
            (None, Some(word)) => Err(Reason::UnknownWord { word: word.into(), line: row.line() }),
            (None, None) if !named && !columns.names_shares(row) => Ok(Err(Reason::Remark)),
            (None, None) => Err(Reason::missing("type")),
        }
    }

    fn figures(&self, row: Row<'_>, meaning: Meaning, record: Record) -> Result<Read, Reason> {
        let kind = match meaning {
            Meaning::Kind(kind) => kind,
            Meaning::Tax => return figures::tax(self, row, record),
            meaning => self.by_sign(row, meaning)?,
        };
        let record = Record { kind, ..record };
        let record = match (self.mapping.style, kind) {
            (Style::Dripline, _) => figures::as_written(self, row, record)?,
            (_, Kind::Split) => record,
            (_, Kind::Dividend | Kind::ReturnOfCapital) => figures::dividend(self, row, record)?,
            _ => figures::trade(self, row, record, matches!(meaning, Meaning::Kind(_)))?,
        };
        let reverse = self.columns.text(row, Field::Type).is_some_and(words::is_reverse);
        let ratio = match (self.mapping.style, kind) {
            (Style::Dripline, _) => self.columns.text(row, Field::Ratio),
            (_, Kind::Split) => ratio_of(&self.columns, row),
            _ => None,
        };
        let ratio = ratio.map(|text| ratio_in(self, text, reverse)).transpose()?;
        let record = Record { ratio, ..record };
        Ok(if kind == Kind::Dividend { Read::dividend(key(&record), record) } else { record.into() })
    }

    fn by_sign(&self, row: Row<'_>, meaning: Meaning) -> Result<Kind, Reason> {
        let shares = self.columns.figure(row, Field::Shares)?.ok_or_else(|| Reason::missing("shares"))?;
        let below = |figure: Decimal| figure < Decimal::ZERO;
        let money = || -> Result<Decimal, Reason> {
            let money = self
                .columns
                .figure(row, Field::Amount)?
                .map_or_else(|| self.columns.figure(row, Field::Net), |amount| Ok(Some(amount)))?;
            money.ok_or_else(|| Reason::missing("amount"))
        };
        Ok(match meaning {
            Meaning::Transfer if below(shares) => Kind::TransferOut,
            Meaning::Transfer => Kind::TransferIn,
            Meaning::ByAmount => {
                if below(money()?) {
                    Kind::Buy
                } else {
                    Kind::Sell
                }
            }
            _ if below(shares) => Kind::Sell,
            _ => Kind::Buy,
        })
    }

    /// The unit of the row's money: from its column, next to its figures, else from the mapping.
    pub fn unit(&self, row: Row<'_>) -> Result<Option<QuoteUnit>, Reason> {
        if let Some(text) = self.columns.text(row, Field::Currency) {
            return unit(text).map(Some);
        }
        let beside = match self.columns.has(Field::Currency) {
            true => None,
            false => {
                [Field::Price, Field::Amount, Field::Net].iter().find_map(|field| unit_beside(self.columns.text(row, *field)?))
            }
        };
        Ok(beside.or(match self.mapping.currency {
            Some(DefaultCurrency::Of(currency)) => Some(currency.into()),
            Some(DefaultCurrency::Traded) | None => None,
        }))
    }
}

fn ratio_in(reader: &Reader<'_>, text: &str, reverse: bool) -> Result<ledger::Ratio, Reason> {
    let order = match reader.mapping.style {
        Style::Dripline => Some(super::mapping::Ratios::NewFirst),
        _ => reader.mapping.ratios,
    };
    ratio(text, reverse, order, reader.columns.decimals)
}

/// What a dividend and its tax have in common.
fn key(record: &Record) -> String {
    let names = [&record.isin, &record.symbol, &record.ticker, &record.cusip, &record.name];
    let instrument = names.into_iter().flatten().next();
    format!("{instrument:?} {} {:?} {:?}", record.date, record.currency, record.portfolio)
}
