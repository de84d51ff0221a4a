//! The rows of Swissquote's list, whose columns depend on the account's language.

use jiff::civil::{Date, Time};
use ledger::{Currency, Decimal, Kind, QuoteUnit};

use crate::reading::trade_text::Side;
use crate::reading::{Line, Order, Table, label, moment};
use crate::{Opened, Reason, Record};

pub struct Transaction {
    pub line: u64,
    pub date: Date,
    pub time: Option<Time>,
    pub order: String,
    pub kind: String,
    pub symbol: Option<String>,
    pub name: Option<String>,
    pub isin: Option<String>,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    pub costs: Decimal,
    pub accrued: Decimal,
    pub net: Option<Decimal>,
    pub currency: Option<Currency>,
    /// The price is in percent.
    pub percent: bool,
}

const DATE: &[&str] = &["date", "datum", "data"];
const ORDER: &[&str] = &["order #", "auftrag #", "ordre #", "n° ordre", "no ordre", "numéro d'ordre", "ordine #", "order no"];
const KIND: &[&str] = &["transaction", "transaktionen", "transaktion", "transactions", "transazione", "transazioni"];
const SYMBOL: &[&str] = &["symbol", "symbole", "simbolo"];
const NAME: &[&str] = &["name", "nom", "nome", "titel", "titre"];
const QUANTITY: &[&str] = &["quantity", "anzahl", "quantité", "quantite", "nombre", "quantità", "menge"];
const PRICE: &[&str] = &["unit price", "stückpreis", "prix unitaire", "prezzo unitario", "preis"];
const COSTS: &[&str] = &["costs", "kosten", "coûts", "couts", "frais", "costi"];
const ACCRUED: &[&str] = &["accrued interest", "aufgelaufene zinsen", "intérêts courus", "interets courus", "interessi maturati"];
const NET: &[&str] = &["net amount", "nettobetrag", "montant net", "importo netto"];
const NET_CURRENCY: &[&str] =
    &["net amount currency", "currency net amount", "währung nettobetrag", "monnaie montant net", "devise montant net"];
const BALANCE: &[&str] = &["balance", "saldo", "solde"];
const CURRENCY: &[&str] = &["currency", "währung", "monnaie", "devise", "valuta"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    // No other broker has quantity, unit price, costs and net amount in one header.
    let starts = ["isin"];
    file.sheets.iter().find_map(|sheet| Table::of(sheet, &starts)).filter(|table| {
        [DATE, ORDER, KIND, SYMBOL, QUANTITY, PRICE, COSTS, NET].iter().all(|names| names.iter().any(|name| table.has(name)))
    })
}

impl Transaction {
    pub fn read(line: &Line<'_, '_>) -> Result<Transaction, Reason> {
        let (date, time) = moment("date", line.any(DATE).ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
        let number = |names: &[&str]| -> Result<Option<Decimal>, Reason> {
            names.iter().find(|name| line.table.has(name)).map_or(Ok(None), |name| line.figure(name))
        };
        // In some files the balance is missing from a row, and the currency is in its place.
        let unit = [NET_CURRENCY, CURRENCY, BALANCE]
            .iter()
            .filter_map(|names| line.any(names))
            .find_map(|text| QuoteUnit::parse(text).ok());
        let money = |names: &[&str]| -> Result<Option<Decimal>, Reason> {
            Ok(number(names)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure))))
        };
        Ok(Transaction {
            line: line.number(),
            date,
            time,
            order: line.any(ORDER).unwrap_or_default().to_owned(),
            kind: line.any(KIND).unwrap_or_default().to_owned(),
            symbol: line.any(SYMBOL).and_then(label),
            name: line.any(NAME).and_then(label),
            isin: line.isin("isin"),
            quantity: number(QUANTITY)?,
            price: money(PRICE)?,
            costs: money(COSTS)?.unwrap_or_default(),
            accrued: money(ACCRUED)?.unwrap_or_default(),
            net: money(NET)?,
            currency: unit.map(|unit| unit.currency),
            percent: line.any(PRICE).is_some_and(|price| price.contains('%')),
        })
    }

    /// A name alone may be that of a shop.
    pub fn has_instrument(&self) -> bool {
        self.isin.is_some() || self.symbol.is_some()
    }

    /// Identifies the instrument within the file.
    pub fn instrument(&self) -> String {
        self.isin.clone().or_else(|| self.symbol.clone()).or_else(|| self.name.clone()).unwrap_or_default()
    }

    pub fn record(&self, kind: Kind) -> Result<Record, Reason> {
        Ok(Record {
            time: self.time,
            ticker: self.symbol.clone(),
            isin: self.isin.clone(),
            name: self.name.clone(),
            currency: Some(self.currency.ok_or_else(|| Reason::missing("currency"))?),
            ..Record::new(self.line, self.date, kind)
        })
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
