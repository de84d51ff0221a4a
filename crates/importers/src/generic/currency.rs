//! The currency of a table's figures.

use std::collections::HashSet;

use ledger::Currency;

use super::columns::Columns;
use super::field::Field;
use super::header::Header;
use super::looks::{unit, unit_beside};
use super::mapping::{DefaultCurrency, Mapping};
use super::names::without_currency;
use crate::Reason;

pub fn find_currency(header: &Header<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let Some(row) = header.sheet.row(header.at) else { return };
    let columns = Columns::of(header.sheet, row, mapping);
    let fields = [Field::Price, Field::Amount, Field::Net, Field::Fees, Field::Tax];
    let money: Vec<usize> = fields.iter().flat_map(|field| columns.indexes(*field)).copied().collect();
    let names = header.names();
    let in_name = |column: usize| names.get(column).and_then(|name| without_currency(name).1);
    if let Some(column) = columns.indexes(Field::Currency).first() {
        doubts.extend(other_currency(header, *column, &money, in_name));
        return;
    }
    let in_names: HashSet<Option<Currency>> = money.iter().map(|column| in_name(*column)).collect();
    if let [Some(currency)] = in_names.iter().collect::<Vec<_>>().as_slice() {
        mapping.currency = Some(DefaultCurrency::Of(*currency));
        return;
    }
    let priced: Vec<usize> = fields.iter().take(3).flat_map(|field| columns.indexes(*field)).copied().collect();
    let beside_all = priced.iter().any(|column| header.cells(*column).next().is_some())
        && priced.iter().all(|column| header.cells(*column).all(|cell| unit_beside(cell).is_some()));
    if !beside_all && !priced.is_empty() {
        doubts.push(Reason::WhichCurrency);
    }
}

/// A question about the first row in which another column has another currency.
fn other_currency(
    header: &Header<'_>,
    column: usize,
    money: &[usize],
    in_name: impl Fn(usize) -> Option<Currency>,
) -> Option<Reason> {
    let currency = |cell: &str| unit(cell).ok().map(|unit| unit.currency);
    let others: Vec<usize> = (0..header.names().len())
        .filter(|other| *other != column && header.cells(*other).next().is_some())
        .filter(|other| header.cells(*other).all(|cell| unit(cell).is_ok()))
        .collect();
    header.rows().find_map(|row| {
        let own = currency(row.cell(column))?;
        let beside = others.iter().find(|other| currency(row.cell(**other)).is_some_and(|currency| currency != own));
        let named = money.iter().find(|money| in_name(**money).is_some_and(|currency| currency != own));
        let columns = [header.call(column), header.call(*beside.or(named)?)].into();
        Some(Reason::CurrenciesDiffer { columns, line: row.line() })
    })
}
