//! The likeliest answers to questions about a table, to be offered first: never taken without the user.

use ledger::Decimal;

use super::columns::Columns;
use super::field::Field;
use super::header::Header;
use super::looks::unit;
use super::mapping::Mapping;
use super::text::escaped;
use crate::Reason;
use crate::reading::{Decimals, figure};

/// As a setting; `None` if nothing speaks for one.
pub fn answer(doubt: &Reason, header: &Header<'_>, mapping: &Mapping) -> Option<String> {
    match doubt {
        Reason::GrossOrNet { name, .. } | Reason::AmountUnclear { name, .. } => {
            let (field, _) = mapping.columns.iter().find(|(field, column)| field.is_money() && column.as_str() == &**name)?;
            Some(format!("{}={}", field.word(), escaped(name)))
        }
        Reason::DateOrder { .. } => {
            let order = if is_in_dollars(header) { "month-first" } else { "day-first" };
            Some(format!("dates={order}"))
        }
        Reason::DecimalMark { .. } => decimals(header, mapping).map(|mark| format!("decimals={mark}")),
        Reason::NoTypeColumn if mapping.has(Field::Shares) && mapping.has(Field::Price) => Some("default=buy".to_owned()),
        Reason::NoTypeColumn if !mapping.has(Field::Shares) => Some("default=dividend".to_owned()),
        Reason::RatioOrder { .. } => Some("ratios=new-first".to_owned()),
        Reason::WhichCurrency => Some("default-currency=traded".to_owned()),
        Reason::WhichDate { columns } => columns.first().map(|column| format!("date={}", escaped(column))),
        _ => None,
    }
}

/// Dates of the United States have the month first.
fn is_in_dollars(header: &Header<'_>) -> bool {
    let mut codes = header.column(Field::Currency).into_iter().flat_map(|column| header.cells(column)).peekable();
    codes.peek().is_some() && codes.all(|code| unit(code).is_ok_and(|unit| unit.currency.code() == "USD"))
}

/// The mark with which shares × price is the amount.
fn decimals(header: &Header<'_>, mapping: &Mapping) -> Option<&'static str> {
    let row = header.sheet.row(header.at)?;
    let columns = Columns::of(header.sheet, row, mapping);
    let money = columns.indexes(Field::Amount).first().or(columns.indexes(Field::Net).first())?;
    let (shares, price) = (columns.indexes(Field::Shares).first()?, columns.indexes(Field::Price).first()?);
    let fitting = |decimals: Decimals| {
        let read = |cell: &str| figure("figure", cell, decimals).ok().map(|figure| figure.abs());
        let fits = |row: &crate::reading::Row<'_>| {
            let sum = read(row.cell(*shares)).zip(read(row.cell(*price))).and_then(|(shares, price)| shares.checked_mul(price));
            let near = |(sum, money): (Decimal, Decimal)| {
                sum.saturating_sub(money).abs() <= money.saturating_mul(Decimal::new(2, 2)) && !money.is_zero()
            };
            sum.zip(read(row.cell(*money))).is_some_and(near)
        };
        header.rows().filter(fits).count()
    };
    match (fitting(Decimals::Point), fitting(Decimals::Comma)) {
        (point, comma) if point > comma => Some("point"),
        (point, comma) if comma > point => Some("comma"),
        _ => None,
    }
}
