//! Which instrument a row means, and what it trades in. Never guessed: what stays open is asked for.

use std::collections::HashMap;

use importers::Record;
use ledger::Currency;
use store::{Tx, stocks};

use super::Request;
use crate::Error;

/// Which stock a row means, and what it trades in.
pub(super) struct Instruments<'a> {
    request: &'a Request<'a>,
    currencies: HashMap<String, Option<Currency>>,
    /// By symbol or ISIN, for instruments that only this file knows.
    in_file: HashMap<String, Currency>,
}

impl<'a> Instruments<'a> {
    pub fn new(request: &'a Request<'a>, records: &[Record]) -> Instruments<'a> {
        Instruments { request, currencies: HashMap::new(), in_file: currencies_in_file(records) }
    }

    /// The inner error is a reason for the row's owner.
    pub async fn symbol(&self, tx: &mut Tx, record: &Record) -> Result<Result<String, String>, Error> {
        if let Some(symbol) = &record.symbol {
            return Ok(Ok(symbol.clone()));
        }
        let Some(isin) = &record.isin else { return Ok(Err("symbol and isin are both missing".to_owned())) };
        if let Some(symbol) = self.request.map.get(isin) {
            return Ok(Ok(symbol.clone()));
        }
        let known = stocks::by_isin(tx, isin).await?;
        Ok(match known.as_slice() {
            [one] => Ok(one.symbol.clone()),
            [] if self.request.keep_unresolved => Ok(isin.clone()),
            [] => Err(format!(
                "no stock is known under {isin}; say which it is with --map {isin}=SYMBOL, or keep it with --unresolved keep"
            )),
            many => {
                let symbols: Vec<&str> = many.iter().map(|stock| stock.symbol.as_str()).collect();
                Err(format!("{isin} is listed as {}; say which with --map {isin}=SYMBOL", symbols.join(", ")))
            }
        })
    }

    pub async fn currency(&mut self, tx: &mut Tx, symbol: &str, record: &Record) -> Result<Option<Currency>, Error> {
        if !self.currencies.contains_key(symbol) {
            let stock = stocks::by_symbol(tx, symbol).await?;
            self.currencies.insert(symbol.to_owned(), stock.map(|stock| stock.currency));
        }
        let in_file =
            || [Some(symbol), record.isin.as_deref()].into_iter().flatten().find_map(|key| self.in_file.get(key).copied());
        Ok(record.currency.or(self.currencies[symbol]).or_else(in_file))
    }

    pub fn unseen(&self, symbol: &str) -> bool {
        self.currencies.get(symbol).is_none_or(Option::is_none)
    }
}

/// The currency of each instrument's earliest row that names one.
fn currencies_in_file(records: &[Record]) -> HashMap<String, Currency> {
    let mut named: Vec<(&Record, Currency)> = records.iter().filter_map(|record| Some((record, record.currency?))).collect();
    named.sort_by_key(|(record, _)| record.date);
    let mut currencies = HashMap::new();
    for (record, currency) in named {
        for key in record.symbol.iter().chain(&record.isin) {
            currencies.entry(key.clone()).or_insert(currency);
        }
    }
    currencies
}
