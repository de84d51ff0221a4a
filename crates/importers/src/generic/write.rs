//! Writes the table for other trackers and spreadsheets: English titles, ISO dates, decimal points. It reads back as the same
//! records.

use ledger::{Decimal, Kind};

use super::field::Field;
use crate::Record;
use crate::reading::fields::{DECIMALS_MAX, DIGITS_MAX};
use crate::writing::formula::guarded;
use crate::writing::rows::Rows;

pub const COLUMNS: [(&str, Field); 18] = [
    ("Date", Field::Date),
    ("Type", Field::Type),
    ("Symbol", Field::Symbol),
    ("ISIN", Field::Isin),
    ("Name", Field::Name),
    ("Shares", Field::Shares),
    ("Price", Field::Price),
    ("Gross Amount", Field::Amount),
    ("Fees", Field::Fees),
    ("Taxes", Field::Tax),
    ("Net Amount", Field::Net),
    ("Currency", Field::Currency),
    ("Exchange Rate", Field::FxRate),
    ("Split Ratio", Field::Ratio),
    ("Ex-Date", Field::ExDate),
    ("Portfolio", Field::Portfolio),
    ("Note", Field::Note),
    ("ID", Field::Id),
];

pub fn write(records: &[Record]) -> Vec<u8> {
    let mut rows = Rows::default();
    rows.push(COLUMNS.iter().map(|(name, _)| *name));
    for record in records {
        rows.push(COLUMNS.iter().map(|(_, field)| cell(record, *field)));
    }
    rows.into_bytes()
}

fn cell(record: &Record, field: Field) -> String {
    let text = |text: &Option<String>| text.as_deref().map(guarded).unwrap_or_default();
    let figure = |figure: Option<Decimal>| figure.map(|figure| figure.to_string()).unwrap_or_default();
    match field {
        Field::Date => record.date.to_string(),
        Field::Type => word(record.kind).to_owned(),
        Field::Symbol => record.symbol.as_ref().or(record.ticker.as_ref()).map(|symbol| guarded(symbol)).unwrap_or_default(),
        Field::Isin => record.isin.clone().unwrap_or_default(),
        Field::Name => text(&record.name),
        Field::Shares => figure(record.shares),
        Field::Price => figure(record.price),
        Field::Amount => figure(record.amount.or_else(|| product(record.shares?, record.price?))),
        Field::Fees => figure(record.fees),
        Field::Tax => figure(record.tax),
        Field::Net => figure(record.net),
        Field::Currency => record.currency.map(|currency| currency.to_string()).unwrap_or_default(),
        Field::FxRate => figure(record.fx_rate),
        Field::Ratio => record.ratio.map(|ratio| ratio.to_string()).unwrap_or_default(),
        Field::ExDate => record.ex_date.map(|date| date.to_string()).unwrap_or_default(),
        Field::Portfolio => text(&record.portfolio),
        Field::Note => text(&record.note),
        Field::Id => text(&record.id),
        Field::Time | Field::Cusip => String::new(),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Buy => "Buy",
        Kind::Sell => "Sell",
        Kind::Dividend => "Dividend",
        Kind::Split => "Split",
        Kind::TransferIn => "Transfer In",
        Kind::TransferOut => "Transfer Out",
        Kind::ReturnOfCapital => "Return of Capital",
    }
}

/// Shares × price with all decimals; `None` if it cannot be written exactly.
pub fn product(shares: Decimal, price: Decimal) -> Option<Decimal> {
    let digits = shares.mantissa().checked_mul(price.mantissa())?;
    let exact = Decimal::try_from_i128_with_scale(digits, shares.scale() + price.scale()).ok()?;
    let in_bounds = exact.scale() <= DECIMALS_MAX && exact.trunc().abs().to_string().len() <= DIGITS_MAX;
    in_bounds.then_some(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_only_if_it_is_exact() {
        let exact = |shares: &str, price: &str| {
            product(shares.parse().unwrap(), price.parse().unwrap()).map(|product| product.to_string())
        };
        assert_eq!(exact("10", "25.05").as_deref(), Some("250.50"));
        assert_eq!(exact("0.0000000001", "0.0000000001"), None, "20 decimals");
        assert_eq!(exact("999999999", "999999999"), None, "18 digits");
        assert_eq!(exact("-2", "1.5").as_deref(), Some("-3.0"));
    }
}
