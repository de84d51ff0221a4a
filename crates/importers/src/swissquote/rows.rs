//! The rows of Swissquote's list, whose columns depend on the account's language.

use ledger::{Currency, Decimal, Kind, QuoteUnit};

use crate::reading::trade_text::Side;
use crate::reading::{Line, Order, Table, Words, label, moment};
use crate::{Opened, Reason, Record};

pub struct Transaction {
    /// Its line, day and instrument.
    pub record: Record,
    pub order: String,
    pub kind: String,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    pub costs: Decimal,
    pub accrued: Decimal,
    pub net: Option<Decimal>,
    pub currency: Option<Currency>,
    /// The price is in percent.
    pub percent: bool,
}

static COLUMNS: Words = Words::new(include_str!("columns.txt"));

pub fn table(file: &Opened) -> Option<Table<'_>> {
    // No other broker has quantity, unit price, costs and net amount in one header.
    let starts = ["isin"];
    file.sheets.iter().find_map(|sheet| Table::of(sheet, &starts)).filter(|table| {
        let needed = ["date", "order", "kind", "symbol", "quantity", "price", "costs", "net"];
        needed.iter().all(|column| COLUMNS.words_for(column).iter().any(|name| table.has(name)))
    })
}

impl Transaction {
    pub fn read(line: &Line<'_, '_>) -> Result<Transaction, Reason> {
        let text = |column: &str| line.any(COLUMNS.words_for(column));
        let number = |column: &str| -> Result<Option<Decimal>, Reason> {
            COLUMNS.words_for(column).iter().find(|name| line.table.has(name)).map_or(Ok(None), |name| line.figure(name))
        };
        let (date, time) = moment("date", text("date").ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
        // In some files the balance is missing from a row, and the currency is in its place.
        let units = ["net currency", "currency", "balance"].into_iter().filter_map(text);
        let unit = units.filter_map(|text| QuoteUnit::parse(text).ok()).next();
        let money = |column: &str| -> Result<Option<Decimal>, Reason> {
            Ok(number(column)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure))))
        };
        Ok(Transaction {
            record: Record {
                time,
                ticker: text("symbol").and_then(label),
                isin: line.isin("isin"),
                name: text("name").and_then(label),
                ..Record::new(line.number(), date, Kind::Buy)
            },
            order: text("order").unwrap_or_default().to_owned(),
            kind: text("kind").unwrap_or_default().to_owned(),
            quantity: number("quantity")?,
            price: money("price")?,
            costs: money("costs")?.unwrap_or_default(),
            accrued: money("accrued")?.unwrap_or_default(),
            net: money("net")?,
            currency: unit.map(|unit| unit.currency),
            percent: text("price").is_some_and(|price| price.contains('%')),
        })
    }

    /// A name alone may be that of a shop.
    pub fn has_instrument(&self) -> bool {
        self.record.isin.is_some() || self.record.ticker.is_some()
    }

    /// The instrument and the day, which the rows of one event have in common.
    pub fn key(&self) -> String {
        let name = [&self.record.isin, &self.record.ticker, &self.record.name].into_iter().flatten().next();
        format!("{} {}", name.map(String::as_str).unwrap_or_default(), self.record.date)
    }

    pub fn record(&self, kind: Kind) -> Result<Record, Reason> {
        let currency = Some(self.currency.ok_or_else(|| Reason::missing("currency"))?);
        Ok(Record { kind, currency, ..self.record.clone() })
    }

    pub fn shares(&self) -> Result<Decimal, Reason> {
        let shares = self.quantity.ok_or_else(|| Reason::missing("quantity"))?.abs();
        if shares.is_zero() { Err(Reason::SharesNotPositive { shares }) } else { Ok(shares) }
    }

    /// Per share, in whole units: pence are distinguished from pounds by the net amount.
    pub fn price(&self, side: Side) -> Result<(Decimal, bool), Reason> {
        let price = self.price.ok_or_else(|| Reason::missing("unit price"))?.abs();
        let shares = self.shares()?;
        let costs = if side == Side::Buy { self.costs.abs() } else { Decimal::ZERO.saturating_sub(self.costs.abs()) };
        let fits = |price: Decimal| {
            let total = shares.saturating_mul(price).saturating_add(costs);
            self.net.is_none_or(|net| {
                let tolerance = net.abs().saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
                total.saturating_sub(net.abs()).abs() <= tolerance
            })
        };
        match price.checked_div(Decimal::ONE_HUNDRED) {
            _ if fits(price) => Ok((price, true)),
            Some(pence) if fits(pence) => Ok((pence, true)),
            _ => Ok((price, false)),
        }
    }
}
