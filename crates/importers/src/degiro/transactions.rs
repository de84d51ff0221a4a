//! DEGIRO's list of transactions (Transactions.csv): trades with their costs, including corporate actions.

use std::collections::HashMap;

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind};

use super::actions::{self, Leg};
use super::carried;
use super::columns::{self, Columns};
use super::costs;
use super::sorts::Action;
use crate::joining::fills::Fills;
use crate::reading::trade_text::{Figures, Side};
use crate::reading::{Order, Row, Words, day, fields, figure, label, moment, suffix};
use crate::{Opened, Parsed, Reason, Record};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));

pub fn detect(file: &Opened) -> bool {
    columns::transactions(file).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(columns) = columns::transactions(file) else {
        return Parsed::refused(1, Reason::header_missing(&["Date", "Time", "Product", "ISIN", "Quantity", "Price"]));
    };
    let mut parsed = Parsed::default();
    let mut trades: Vec<Trade> = Vec::new();
    let mut broken = None;
    for row in columns.rows() {
        parsed.rows += 1;
        let runs_on = columns.cell(row, "date").is_empty() && columns.cell(row, "quantity").is_empty();
        match (runs_on, broken, trades.last_mut()) {
            (true, Some(line), _) => parsed.skip(row.line(), Reason::Continues { line }),
            (true, None, Some(trade)) => trade.run_on(&columns, row),
            _ => match Trade::read(&columns, row) {
                Ok(Some(trade)) => {
                    broken = None;
                    trades.push(trade);
                }
                Ok(None) => {
                    broken = Some(row.line());
                    parsed.skip(row.line(), Reason::NoShares);
                }
                Err(reason) => {
                    broken = Some(row.line());
                    parsed.error(row.line(), reason);
                }
            },
        }
    }
    finish(trades, &mut parsed);
    parsed
}

struct Trade {
    record: Record,
    order: String,
    side: Side,
    figures: Figures,
}

fn finish(trades: Vec<Trade>, parsed: &mut Parsed) {
    let (ordered, others): (Vec<Trade>, Vec<Trade>) = trades.into_iter().partition(|trade| !trade.order.is_empty());
    let mut ids = Fills::default();
    for trade in ordered {
        let id = ids.id(&trade.order, trade.figures.shares, trade.figures.price);
        parsed.records.push(Record { id, ..trade.record });
    }
    // Without an order it is a corporate action if shares of the same value were removed and added in one minute, or were worth
    // nothing.
    let mut values: HashMap<(Date, Option<Time>, Decimal), (bool, bool)> = HashMap::new();
    let place = |trade: &Trade| {
        let value = trade.figures.shares.saturating_mul(trade.figures.price).round_dp(0);
        (trade.record.date, trade.record.time, value)
    };
    for trade in &others {
        let (bought, sold) = values.entry(place(trade)).or_default();
        *(if trade.side == Side::Buy { bought } else { sold }) = true;
    }
    let mut legs = Vec::new();
    for trade in others {
        let exchanged = values.get(&place(&trade)) == Some(&(true, true));
        if !exchanged && !trade.figures.price.is_zero() {
            parsed.records.push(trade.record);
            continue;
        }
        let (action, words) = match exchanged {
            true => (Action::Change, "shares exchanged without an order"),
            false => (Action::Other, "shares booked without an order or a price"),
        };
        let record = Record { shares: None, price: None, fees: None, currency: None, ..trade.record };
        legs.push(Leg { action, words: words.to_owned(), side: trade.side, figures: trade.figures, record });
    }
    let exchanges = actions::pair_up(legs, parsed);
    carried::carry(&mut parsed.records, &exchanges);
}

impl Trade {
    /// `None` if nothing was traded.
    fn read(columns: &Columns<'_>, row: Row<'_>) -> Result<Option<Trade>, Reason> {
        let cell = |column: &str| columns.cell(row, column);
        let number = |name: &str, text: &str| figure(name, text, columns.sheet.decimals);
        let date = day("date", cell("date"), Order::DayFirst)?;
        let time = moment("time", &format!("{date} {}", cell("time")), Order::DayFirst).ok().and_then(|(_, time)| time);
        let quantity = number("the quantity", cell("quantity"))?;
        if quantity.is_zero() {
            return Ok(None);
        }
        let (price, unit) = columns.money(row, "price");
        let unit = fields::unit("currency", unit.ok_or_else(|| Reason::missing("currency of the price"))?)?;
        let figures =
            Figures { shares: quantity.abs(), price: unit.normalise(number("the price", price)?), currency: unit.currency };
        let side = if quantity.is_sign_negative() { Side::Sell } else { Side::Buy };
        let (fees, note) = costs::read(columns, row, unit.currency)?;
        let record = Record {
            time,
            isin: fields::isin("isin", cell("isin")).ok(),
            suffix: suffix(&EXCHANGES, cell("exchange")),
            name: label(cell("product")),
            shares: Some(figures.shares),
            price: Some(figures.price),
            fees,
            currency: Some(unit.currency),
            note,
            ..Record::new(row.line(), date, if side == Side::Buy { Kind::Buy } else { Kind::Sell })
        };
        // In some files the id is in the untitled column after its own.
        let order = match cell("order") {
            "" => columns.beside(row, "order"),
            order => order,
        };
        Ok(Some(Trade { record, order: order.to_owned(), side, figures }))
    }

    fn run_on(&mut self, columns: &Columns<'_>, row: Row<'_>) {
        self.record.joined.push(row.line());
        self.order.push_str(columns.cell(row, "order"));
        let rest = columns.cell(row, "product");
        if !rest.is_empty() {
            self.record.name = label(&format!("{} {rest}", self.record.name.clone().unwrap_or_default()));
        }
    }
}
