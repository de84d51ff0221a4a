//! Dividends from market data: per share, as paid, not adjusted for later splits.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dividend {
    pub ex_date: Date,
    pub currency: Currency,
    pub special: bool,
    pub pay_date: Option<Date>,
    pub declared_date: Option<Date>,
    pub amount: Decimal,
    /// Where it comes from; `None` for the operator's files.
    pub provider: Option<String>,
}

/// A stock that goes ex-dividend on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExDividend {
    pub ex_date: Date,
    pub symbol: String,
    pub name: Option<String>,
    pub sector: Option<String>,
}

/// Adds a symbol's dividends, replacing those with the same ex-date, currency and kind.
pub async fn upsert(tx: &mut Tx, symbol: &str, dividends: &[Dividend]) -> Result<(), Error> {
    let rows = dividends.iter().map(|dividend| {
        [
            symbol.into(),
            dividend.ex_date.into(),
            dividend.currency.code().into(),
            word(dividend.special).into(),
            dividend.pay_date.into(),
            dividend.declared_date.into(),
            dividend.amount.into(),
            dividend.provider.as_deref().into(),
        ]
    });
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// By ex-date, oldest first.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Dividend>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()], |row| {
        Ok(Dividend {
            ex_date: row.date(0)?,
            currency: row.currency(1)?,
            special: row.parse(2, special)?,
            pay_date: row.opt_date(3)?,
            declared_date: row.opt_date(4)?,
            amount: row.decimal(5)?,
            provider: row.opt_text(6)?,
        })
    })
    .await
}

/// Removes dividends by ex-date, currency and whether they are special; returns how many were there.
pub async fn remove(tx: &mut Tx, symbol: &str, keys: &[(Date, Currency, bool)]) -> Result<u64, Error> {
    let rows = keys
        .iter()
        .map(|(ex_date, currency, special)| [symbol.into(), (*ex_date).into(), currency.code().into(), word(*special).into()]);
    tx.execute_all(&REMOVE, rows).await
}

/// Stocks with an ex-date between two days (inclusive) that the operator tracks, or that at least this many users hold or watch.
/// One row per stock and day, sorted by day and symbol.
pub async fn calendar(tx: &mut Tx, from: Date, to: Date, holders_min: i64) -> Result<Vec<ExDividend>, Error> {
    tx.query(&CALENDAR, &[from.into(), to.into(), holders_min.into()], |row| {
        Ok(ExDividend { ex_date: row.date(0)?, symbol: row.text(1)?, name: row.opt_text(2)?, sector: row.opt_text(3)? })
    })
    .await
}

fn word(special: bool) -> &'static str {
    if special { "special" } else { "regular" }
}

fn special(word: &str) -> Option<bool> {
    match word {
        "special" => Some(true),
        "regular" => Some(false),
        _ => None,
    }
}

statements! {
    UPSERT = "INSERT INTO dividends (symbol, ex_date, currency, kind, pay_date, declared_date, amount, provider)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (symbol, ex_date, currency, kind)
        DO UPDATE SET pay_date = excluded.pay_date, declared_date = excluded.declared_date, amount = excluded.amount,
        provider = excluded.provider",
        [Text, Date, Text, Text, Date, Date, Decimal, Text] => [];
    OF_SYMBOL = "SELECT ex_date, currency, kind, pay_date, declared_date, amount, provider FROM dividends
        WHERE symbol = $1 ORDER BY ex_date, currency, kind",
        [Text] => [Date, Text, Text, Date, Date, Decimal, Text];
    REMOVE = "DELETE FROM dividends WHERE symbol = $1 AND ex_date = $2 AND currency = $3 AND kind = $4",
        [Text, Date, Text, Text] => [];
    CALENDAR = "SELECT DISTINCT d.ex_date, d.symbol, s.name, s.sector FROM dividends d JOIN stocks s ON s.symbol = d.symbol
        WHERE d.ex_date >= $1 AND d.ex_date <= $2
        AND (s.tracked = TRUE OR EXISTS (SELECT 1 FROM followers f WHERE f.symbol = d.symbol AND f.people >= $3))
        ORDER BY d.ex_date, d.symbol",
        [Date, Date, Integer] => [Date, Text, Text, Text];
}
