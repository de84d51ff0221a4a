//! A row's cells, as all row types read them.

use jiff::civil::{Date, DateTime, Time};
use ledger::Decimal;

use super::meaning::Meaning;
use crate::joining::{negative_purchase, sum};
use crate::reading::{Line, Order, fields, moment};
use crate::{Kind, Reason, Record};

#[derive(Clone, Copy)]
pub struct Row<'t, 'a>(pub Line<'t, 'a>);

impl<'a> Row<'_, 'a> {
    pub fn kind(&self) -> &'a str {
        self.0.text("type").unwrap_or_default()
    }

    /// Older files lack the column; there, everything without an ISIN, or with one that Trade Republic made up, is crypto.
    pub fn class(&self) -> &'a str {
        let symbol = self.0.text("symbol").unwrap_or_default();
        match self.0.text("asset_class") {
            Some(class) => class,
            None if symbol.starts_with("XF000") || (1..=6).contains(&symbol.len()) => "CRYPTO",
            None => "",
        }
    }

    pub fn names_something(&self) -> bool {
        self.0.text("symbol").is_some() || self.0.text("shares").is_some()
    }

    /// Instrument, date and currency; the caller adds the figures.
    pub fn record(&self, kind: Kind) -> Result<Record, Reason> {
        let (date, time) = self.day()?;
        let symbol = self.0.text("symbol");
        let isin = symbol.and_then(|symbol| fields::isin("symbol", symbol).ok());
        let ticker = if isin.is_none() { symbol.map(|symbol| fields::symbol("symbol", symbol)).transpose()? } else { None };
        let currency = self.0.text("currency").map(|code| fields::currency("currency", code)).transpose()?;
        Ok(Record {
            time,
            ticker,
            isin,
            name: self.0.text("name").and_then(fields::short),
            currency,
            id: self.0.text("transaction_id").map(|id| fields::text("transaction_id", id, 200)).transpose()?,
            ..Record::new(self.0.number(), date, kind)
        })
    }

    /// The booking date; the time only if it is of that day, because corrections are entered later.
    fn day(&self) -> Result<(Date, Option<Time>), Reason> {
        let entered = self.0.text("datetime").map(|text| moment("datetime", text, Order::DayFirst)).transpose()?;
        let booked = self.0.text("date").map(|text| moment("date", text, Order::DayFirst)).transpose()?;
        match (booked, entered) {
            (Some((day, _)), Some((entered, time))) if day == entered => Ok((day, time)),
            (Some((day, _)), _) => Ok((day, None)),
            (None, Some(entered)) => Ok(entered),
            (None, None) => Err(Reason::missing("datetime")),
        }
    }

    /// For the order of events: when it was entered, else its day.
    pub fn moment(&self) -> Result<DateTime, Reason> {
        let text = self.0.text("datetime").or(self.0.text("date")).ok_or_else(|| Reason::missing("datetime"))?;
        let (day, time) = moment("datetime", text, Order::DayFirst)?;
        Ok(day.to_datetime(time.unwrap_or_default()))
    }

    /// The number without the zeros that pad it to six or ten decimals.
    pub fn figure(&self, name: &str) -> Result<Option<Decimal>, Reason> {
        Ok(self.0.figure(name)?.map(|figure| {
            let mut plain = figure.normalize();
            if plain.scale() < 2 {
                plain.rescale(2.min(figure.scale()));
            }
            plain
        }))
    }

    pub fn figure_needed(&self, name: &str) -> Result<Decimal, Reason> {
        self.figure(name)?.ok_or_else(|| Reason::missing(name))
    }

    /// What the broker deducted, which it writes as a negative number; positive is a refund.
    pub fn deducted(&self, name: &str) -> Result<Option<Decimal>, Reason> {
        Ok(self.0.figure(name)?.map(|figure| if figure.is_zero() { figure } else { -figure }))
    }

    /// Trade Republic books the tax on a fund's assumed income as earnings of zero.
    pub fn is_assumed_income(&self) -> Result<bool, Reason> {
        Ok(self.kind() == "EARNINGS" && self.0.figure("amount")?.is_none_or(|amount| amount.is_zero()))
    }
}

pub fn trade(row: Row<'_, '_>, meaning: Meaning) -> Result<Record, Reason> {
    let kind = if meaning == Meaning::Buy { Kind::Buy } else { Kind::Sell };
    let (fee, tax) = (row.deducted("fee")?, row.deducted("tax")?);
    // Tax on a buy is a transaction tax, part of its cost; on a sale it is tax on the gain.
    let (fees, tax) = match kind {
        Kind::Buy => (sum(fee, tax), None),
        _ => (fee, tax),
    };
    Ok(Record {
        shares: Some(negative_purchase::shares_moved(kind, row.figure_needed("shares")?)?),
        price: row.figure("price")?,
        amount: Some(row.figure_needed("amount")?.abs()),
        fees,
        tax,
        note: (meaning == Meaning::Redemption).then(|| format!("{}: the shares were redeemed", row.kind())),
        ..row.record(kind)?
    })
}

/// `amount` is the gross. Gross and tax are in the account's currency, and the tax in no other, so the euros are kept: the three
/// figures add up, and the original amount goes into a note. The rate is not used, because the file does not say in which
/// currency the share trades.
///
/// The tax is everything Trade Republic withheld, foreign and German together: the file does not separate them. It is recorded as
/// withheld, because it is what was missing from the payment.
pub fn dividend(row: Row<'_, '_>) -> Result<Record, Reason> {
    let stated = match (row.0.figure("original_amount")?, row.0.text("original_currency")) {
        (Some(amount), Some(currency)) => Some(format!("stated as {} {currency}", amount.normalize())),
        _ => None,
    };
    let special = (!matches!(row.kind(), "DIVIDEND" | "DISTRIBUTION")).then(|| row.kind().to_lowercase().replace('_', " "));
    let note: Vec<String> = special.into_iter().chain(stated).collect();
    Ok(Record {
        shares: row.figure("shares")?.map(|shares| shares.abs()),
        amount: Some(row.figure_needed("amount")?),
        fees: row.deducted("fee")?,
        tax: row.deducted("tax")?,
        note: (!note.is_empty()).then(|| note.join(", ")),
        ..row.record(Kind::Dividend)?
    })
}
