//! What a row of a file says about its instrument.

use importers::{Accrual, Record};
use ledger::Currency;

#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub symbol: Option<&'a str>,
    pub isin: Option<&'a str>,
    pub cusip: Option<&'a str>,
    pub ticker: Option<&'a str>,
    pub suffix: Option<&'static str>,
    pub name: Option<&'a str>,
    pub currency: Option<Currency>,
}

impl<'a> Named<'a> {
    pub fn by(record: &'a Record) -> Named<'a> {
        Named {
            symbol: record.symbol.as_deref(),
            isin: record.isin.as_deref(),
            cusip: record.cusip.as_deref(),
            ticker: record.ticker.as_deref(),
            suffix: record.suffix,
            name: record.name.as_deref(),
            currency: record.currency,
        }
    }

    pub fn by_accrual(accrual: &'a Accrual) -> Named<'a> {
        Named {
            symbol: None,
            isin: accrual.isin.as_deref(),
            cusip: accrual.cusip.as_deref(),
            ticker: accrual.ticker.as_deref(),
            suffix: accrual.suffix,
            name: accrual.name.as_deref(),
            currency: Some(accrual.currency),
        }
    }

    /// Replaces `text` with all its names; the result is equal for rows that mean the same instrument.
    pub fn put_names(&self, text: &mut Vec<u8>) {
        text.clear();
        for name in [self.symbol, self.isin, self.cusip, self.ticker, self.suffix, self.name] {
            // Prefixed with the length, so that names cannot run together.
            text.extend_from_slice(&name.map_or(u32::MAX, |name| name.len() as u32).to_le_bytes());
            text.extend_from_slice(name.unwrap_or_default().as_bytes());
        }
    }

    /// The ticker with its exchange in our own notation, if the file has both.
    pub fn listing(&self) -> Option<String> {
        Some(importers::listing(self.ticker?, self.suffix?))
    }

    pub fn key(&self) -> String {
        let by_ticker = || self.listing().or_else(|| self.ticker.map(|ticker| importers::listing(ticker, "")));
        let written = self.isin.or(self.cusip).map(str::to_owned);
        let key = written.or_else(by_ticker).or(self.symbol.map(str::to_owned)).or(self.name.map(str::to_owned));
        key.unwrap_or_default().to_uppercase()
    }

    /// All keys that an answer may use for it, the best first.
    pub fn keys(&self) -> Vec<String> {
        let written = [self.isin, self.cusip, self.ticker, self.name].into_iter().flatten().map(str::to_uppercase);
        std::iter::once(self.key()).chain(written).collect()
    }

    /// ISINs in the row, or derived from its CUSIP.
    pub fn isins(&self) -> Vec<String> {
        match (self.isin, self.cusip) {
            (Some(isin), _) => vec![isin.to_owned()],
            (None, Some(cusip)) => ["US", "CA"].iter().filter_map(|country| importers::isin_of(country, cusip)).collect(),
            (None, None) => Vec::new(),
        }
    }
}

/// The symbol of an unmatched instrument: its ISIN, else its ticker or name without spaces.
pub(crate) fn kept_symbol(key: &str) -> String {
    let plain: String =
        key.chars().map(|letter| if letter.is_whitespace() || letter.is_control() { '-' } else { letter }).collect();
    plain.chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use importers::Kind;
    use jiff::civil::date;

    #[test]
    fn different_tickers_and_names_never_make_the_same_key() {
        let called = |ticker: Option<&str>, name: Option<&str>| {
            let (ticker, name) = (ticker.map(str::to_owned), name.map(str::to_owned));
            let record = Record { ticker, name, ..Record::new(1, date(2024, 1, 2), Kind::Buy) };
            let mut text = vec![7];
            Named::by(&record).put_names(&mut text);
            text
        };
        let different = [
            called(Some("AB"), Some("C")),
            called(Some("A"), Some("BC")),
            called(None, Some("ABC")),
            called(Some(""), Some("ABC")),
        ];
        assert_eq!(HashSet::from(different.clone()).len(), different.len());
        assert_eq!(called(Some("AB"), Some("C")), different[0]);
    }
}
