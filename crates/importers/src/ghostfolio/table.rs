//! The table (CSV), whose columns have several names.

use super::activity::{Activity, COLUMNS, read};
use crate::reading::{Line, Table};
use crate::{Opened, Parsed, Reason, rows};

pub fn detect(file: &Opened) -> bool {
    find(file).is_some()
}

/// Everything an activity needs, under Ghostfolio's own names: its data source, else names that others do not use, and no unknown
/// columns.
fn find(file: &Opened) -> Option<Table<'_>> {
    let table = Table::at(file.sheets.first()?, 0)?;
    let has = |column: &str| COLUMNS.words_for(column).iter().any(|name| table.has(name));
    let needed = ["date", "symbol", "currency", "quantity", "type", "price", "fee"];
    let is_known = |name: &str| name.is_empty() || COLUMNS.meaning(&name.to_lowercase()).is_some();
    let own_words = table.has("unitprice") || table.has("unit price") || table.has_all(&["code", "action"]);
    let fits = needed.into_iter().all(has) && (has("source") || (own_words && table.names().all(is_known)));
    fits.then_some(table)
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = find(file) else {
        return Parsed::refused(1, Reason::header_missing(&["date", "code", "currency", "price", "quantity", "action", "fee"]));
    };
    rows::parse(&table, |line| read(&activity(&line)?))
}

fn activity<'a>(line: &Line<'_, 'a>) -> Result<Activity<'a>, Reason> {
    let text = |column: &str| line.any(COLUMNS.words_for(column)).map(Into::into);
    let figure = |column: &str| line.any_figure(COLUMNS.words_for(column));
    let kind = line.any(COLUMNS.words_for("type"));
    // Ghostfolio ignores the sign; a negative dividend was reversed.
    let is_dividend = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("dividend"));
    let price = figure("price")?.map(|price| if is_dividend { price } else { price.abs() });
    Ok(Activity {
        line: line.number(),
        kind: kind.map(Into::into),
        date: text("date"),
        symbol: text("symbol"),
        source: text("source"),
        currency: text("currency"),
        quantity: figure("quantity")?.map(|quantity| quantity.abs()),
        price,
        fee: figure("fee")?.map(|fee| fee.abs()),
        account: line.any(COLUMNS.words_for("account")).map(str::to_owned),
        comment: text("comment"),
        id: line.text("id").map(Into::into),
        name: line.text("name").map(str::to_owned),
        in_table: true,
        ..Activity::default()
    })
}
