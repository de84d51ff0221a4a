//! Dividends from market data: per share, as paid, not adjusted for later splits.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;

use crate::row::Columns;
use crate::table::{record, statements, table, words};
use crate::{Error, Tx};

words! {
    /// A special is a one-off dividend.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Kind {
        Regular = "regular",
        Special = "special",
    }
}

impl Kind {
    pub fn is_special(self) -> bool {
        self == Kind::Special
    }
}

impl From<bool> for Kind {
    fn from(special: bool) -> Kind {
        if special { Kind::Special } else { Kind::Regular }
    }
}

table! {
    TABLE = dividends [symbol, ex_date, currency, kind] { symbol: String }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Dividend {
        pub ex_date: Date,
        pub currency: Currency,
        pub kind: Kind,
        pub pay_date: Option<Date>,
        pub declared_date: Option<Date>,
        pub amount: Decimal,
        /// Where it comes from; `None` for the operator's files.
        pub provider: Option<String>,
    }
}

record! {
    /// A stock that goes ex-dividend on a day.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExDividend {
        pub ex_date: Date,
        pub symbol: String,
        pub name: Option<String>,
        pub sector: Option<String>,
    }
}

/// Adds a symbol's dividends, replacing those with the same ex-date, currency and kind.
pub async fn upsert(tx: &mut Tx, symbol: &str, dividends: &[Dividend]) -> Result<(), Error> {
    let rows: Vec<_> = dividends.iter().map(|dividend| dividend.params_after([symbol.into()])).collect();
    tx.execute_rows(&UPSERT, &rows).await.map(drop)
}

/// By ex-date, oldest first.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Dividend>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()]).await
}

/// Removes dividends by ex-date, currency and kind; returns how many were there.
pub async fn remove(tx: &mut Tx, symbol: &str, keys: &[(Date, Currency, Kind)]) -> Result<u64, Error> {
    let rows = keys.iter().map(|(ex_date, currency, kind)| [symbol.into(), ex_date.into(), currency.into(), kind.into()]);
    tx.execute_all(&REMOVE, rows).await
}

/// Stocks with an ex-date between two days (inclusive) that the operator tracks, or that at least this many users hold or watch.
/// One row per stock and day, sorted by day and symbol.
pub async fn calendar(tx: &mut Tx, from: Date, to: Date, holders_min: i64) -> Result<Vec<ExDividend>, Error> {
    tx.query(&CALENDAR, &[from.into(), to.into(), holders_min.into()]).await
}

statements! {
    UPSERT = TABLE.upsert(), TABLE => ();
    OF_SYMBOL = "SELECT * FROM dividends WHERE symbol = $1 ORDER BY ex_date, currency, kind", [Text] => Dividend;
    REMOVE = "DELETE FROM dividends WHERE symbol = $1 AND ex_date = $2 AND currency = $3 AND kind = $4",
        [Text, Date, Text, Text] => ();
    CALENDAR = "SELECT DISTINCT d.ex_date, d.symbol, s.name, s.sector FROM dividends d JOIN stocks s ON s.symbol = d.symbol
        WHERE d.ex_date >= $1 AND d.ex_date <= $2
        AND (s.tracked = TRUE OR EXISTS (SELECT 1 FROM followers f WHERE f.symbol = d.symbol AND f.people >= $3))
        ORDER BY d.ex_date, d.symbol", [Date, Date, Integer] => ExDividend;
}
