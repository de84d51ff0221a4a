//! Rows of somebody's table → records, as a mapping says.

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind, QuoteUnit};

use super::columns::{Columns, unit, unit_beside};
use super::field::Field;
use super::mapping::{Costs, DefaultCurrency, Mapping, Meaning, Style};
use super::ratio::ratio;
use super::types::{meaning, ratio_of};
use super::{figures, words};
use crate::Record;
use crate::reading::{Order, Row, moment};

/// What a whole table is read with.
pub struct Reader<'m> {
    pub mapping: &'m Mapping,
    pub columns: Columns,
    pub costs: Costs,
    /// Sales have shares below zero in this file.
    pub sales_below_zero: bool,
    /// Money that leaves is below zero in this file.
    pub money_signed: bool,
}

pub enum Read {
    Record(Record),
    /// Tax withheld, for the dividend that stands elsewhere.
    Tax(Decimal, Record),
    Skip(String),
}

impl<'m> Reader<'m> {
    /// The error is a reason for the row's owner.
    pub fn read(&self, row: Row<'_>) -> Result<Read, String> {
        let columns = &self.columns;
        if (columns.width..row.len()).any(|at| !row.cell(at).is_empty()) {
            return Err(format!("this line has {} fields, the header {}", row.len(), columns.width));
        }
        let named = columns.names_an_instrument(row);
        let (date, time) = match self.moment(row) {
            Ok(moment) => moment,
            Err(_) if !named && (columns.text(row, Field::Type).is_none() || !columns.names_shares(row)) => {
                return Ok(Read::Skip("neither a day nor an instrument: a total, or a remark".to_owned()));
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

    fn moment(&self, row: Row<'_>) -> Result<(Date, Option<Time>), String> {
        let text = self.columns.text(row, Field::Date).ok_or("date is missing")?;
        let (date, time) = self.day("date", text)?;
        let clock = self
            .columns
            .text(row, Field::Time)
            .and_then(|clock| moment("time", &format!("2000-01-01 {clock}"), Order::DayFirst).ok());
        Ok((date, clock.and_then(|(_, time)| time).or(time)))
    }

    pub fn day(&self, name: &str, text: &str) -> Result<(Date, Option<Time>), String> {
        let read = |order| moment(name, text, order);
        match (self.mapping.dates, read(Order::DayFirst), read(Order::MonthFirst)) {
            (Some(order), ..) => read(order),
            (None, Ok(one), Ok(other)) if one == other => Ok(one),
            (None, Ok(_), Ok(_)) => {
                Err(format!("{name} {text} may be two days; add dates=day-first or dates=month-first to the mapping"))
            }
            (None, Ok(one), Err(_)) | (None, Err(_), Ok(one)) => Ok(one),
            (None, Err(reason), Err(_)) => Err(reason),
        }
    }

    /// The inner error is why the row is left out.
    fn kind(&self, row: Row<'_>, named: bool) -> Result<Result<Meaning, String>, String> {
        let columns = &self.columns;
        let word = columns.text(row, Field::Type);
        match (meaning(self.mapping, columns, row), word) {
            (Some(Meaning::Ignore), Some(word)) => Ok(Err(format!("\"{word}\" is not for a dividend ledger"))),
            (Some(Meaning::Ignore), None) => Ok(Err("not for a dividend ledger".to_owned())),
            (Some(Meaning::Tax), _) if !named => Ok(Err("tax that belongs to no instrument".to_owned())),
            (Some(meaning), _) => Ok(Ok(meaning)),
            (None, Some(word)) if !named && !columns.names_shares(row) => {
                Ok(Err(format!("\"{word}\" names neither an instrument nor shares")))
            }
            (None, Some(word)) => Err(format!(
                "what is the type \"{word}\"? add word:{word}=buy to the mapping, or sell, dividend, tax, split, transfer_in, \
                 transfer_out, return_of_capital, ignore"
            )),
            (None, None) if !named && !columns.names_shares(row) => {
                Ok(Err("neither a type nor an instrument: a total, or a remark".to_owned()))
            }
            (None, None) => {
                Err("the type is missing; add type=… or default=… to the mapping, or the type to the line".to_owned())
            }
        }
    }

    fn figures(&self, row: Row<'_>, meaning: Meaning, record: Record) -> Result<Read, String> {
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
        Ok(Read::Record(Record { ratio, ..record }))
    }

    fn by_sign(&self, row: Row<'_>, meaning: Meaning) -> Result<Kind, String> {
        let shares = self.columns.figure(row, Field::Shares)?.ok_or("shares are missing")?;
        let below = |figure: Decimal| figure < Decimal::ZERO;
        let money = || -> Result<Decimal, String> {
            let money = self
                .columns
                .figure(row, Field::Amount)?
                .map_or_else(|| self.columns.figure(row, Field::Net), |amount| Ok(Some(amount)))?;
            money.ok_or_else(|| "the amount is missing, whose sign tells a purchase from a sale".to_owned())
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

    /// The unit of the row's money: by its column, beside its figures, else the mapping's.
    pub fn unit(&self, row: Row<'_>) -> Result<Option<QuoteUnit>, String> {
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

fn ratio_in(reader: &Reader<'_>, text: &str, reverse: bool) -> Result<ledger::Ratio, String> {
    let order = match reader.mapping.style {
        Style::Dripline => Some(super::mapping::Ratios::NewFirst),
        _ => reader.mapping.ratios,
    };
    ratio(text, reverse, order, reader.columns.decimals)
}
