//! The money of one row.

use ledger::{Decimal, QuoteUnit};

use super::Reader;
use crate::Reason;
use crate::generic::field::Field;
use crate::generic::mapping::Costs;
use crate::reading::{Row, fields};

/// In the row's unit.
pub struct Money<'r, 'm> {
    reader: &'r Reader<'m>,
    row: Row<'r>,
    pub unit: Option<QuoteUnit>,
}

impl<'r, 'm> Money<'r, 'm> {
    pub fn read(reader: &'r Reader<'m>, row: Row<'r>) -> Result<Money<'r, 'm>, Reason> {
        Ok(Money { reader, row, unit: reader.unit(row)? })
    }

    pub fn plain(&self, field: Field) -> Result<Option<Decimal>, Reason> {
        self.reader.columns.figure(self.row, field)
    }

    /// In whole units of the currency.
    pub fn in_currency(&self, field: Field) -> Result<Option<Decimal>, Reason> {
        let figure = self.plain(field)?.map(|figure| self.unit.map_or(figure, |unit| unit.normalise(figure)));
        match figure {
            Some(figure) if figure.scale() > fields::DECIMALS_MAX => {
                Err(Reason::TooManyDecimals { column: field.word().into(), max: fields::DECIMALS_MAX - 2 })
            }
            figure => Ok(figure),
        }
    }

    /// Positive if it was deducted.
    pub fn cost(&self, field: Field) -> Result<Option<Decimal>, Reason> {
        let turned = |cost: Decimal| match self.reader.costs {
            Costs::Negative if !cost.is_zero() => cost.saturating_mul(Decimal::NEGATIVE_ONE),
            _ => cost,
        };
        Ok(self.in_currency(field)?.map(turned))
    }

    /// For the other figures of a row with a price in pence: brokers write those in pounds, which the product shows.
    pub fn in_whole_units(&self, shares: Option<Decimal>, price: Option<Decimal>) -> Result<Money<'r, 'm>, Reason> {
        let pounds = Money { unit: self.unit.map(|unit| unit.currency.into()), reader: self.reader, row: self.row };
        let as_they_are = Money { unit: self.unit, reader: self.reader, row: self.row };
        let written = pounds.plain(Field::Amount)?.or(pounds.plain(Field::Net)?);
        let (Some(shares), Some(price), Some(written)) = (shares, price, written) else { return Ok(as_they_are) };
        let product = shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?.abs();
        // Even ten times off is nearer to pounds than to pence.
        let in_pounds = self.unit != pounds.unit && written.abs() < product.saturating_mul(Decimal::TEN);
        Ok(if in_pounds { pounds } else { as_they_are })
    }
}
