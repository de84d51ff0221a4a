//! Upcoming payments announced by a broker. Each statement lists all payments of its portfolio; only the latest counts.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub import_id: Uuid,
    pub portfolio_id: Uuid,
    pub as_of: Date,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Accrual {
    pub symbol: String,
    pub name: Option<String>,
    pub currency: Currency,
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub shares: Decimal,
    pub per_share: Option<Decimal>,
    pub gross: Decimal,
    pub tax: Decimal,
    pub net: Decimal,
}

pub async fn add(tx: &mut Tx, user_id: Uuid, statement: &Statement, accruals: &[Accrual]) -> Result<(), Error> {
    let params = [user_id.into(), statement.import_id.into(), statement.portfolio_id.into(), statement.as_of.into()];
    tx.execute(&ADD_STATEMENT, &params).await?;
    let rows = (1_i64..).zip(accruals).map(|(position, accrual)| {
        [
            user_id.into(),
            statement.import_id.into(),
            position.into(),
            accrual.symbol.as_str().into(),
            accrual.name.as_deref().into(),
            accrual.currency.code().into(),
            accrual.ex_date.into(),
            accrual.pay_date.into(),
            accrual.shares.into(),
            accrual.per_share.into(),
            accrual.gross.into(),
            accrual.tax.into(),
            accrual.net.into(),
        ]
    });
    tx.execute_all(&ADD, rows).await.map(drop)
}

/// The user's statements, the latest first: by date, then the last imported.
pub async fn statements(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Statement>, Error> {
    tx.query(&STATEMENTS_OF_USER, &[user_id.into()], |row| {
        Ok(Statement { import_id: row.uuid(0)?, portfolio_id: row.uuid(1)?, as_of: row.date(2)? })
    })
    .await
}

pub async fn of_statement(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
    tx.query(&OF_STATEMENT, &[user_id.into(), import_id.into()], accrual).await
}

/// Deletes the statement of an import, if there is one.
pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<(), Error> {
    tx.execute(&DELETE, &[user_id.into(), import_id.into()]).await?;
    tx.execute(&DELETE_STATEMENT, &[user_id.into(), import_id.into()]).await.map(drop)
}

pub async fn rename_symbol(tx: &mut Tx, user_id: Uuid, old: &str, new: &str) -> Result<(), Error> {
    tx.execute(&RENAME_SYMBOL, &[new.into(), user_id.into(), old.into()]).await.map(drop)
}

fn accrual(row: &Row<'_>) -> Result<Accrual, Error> {
    Ok(Accrual {
        symbol: row.text(0)?,
        name: row.opt_text(1)?,
        currency: row.currency(2)?,
        ex_date: row.date(3)?,
        pay_date: row.opt_date(4)?,
        shares: row.decimal(5)?,
        per_share: row.opt_decimal(6)?,
        gross: row.decimal(7)?,
        tax: row.decimal(8)?,
        net: row.decimal(9)?,
    })
}

const ACCRUAL: &[Type] = &[
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Date,
    Type::Date,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
];

statements! {
    ADD_STATEMENT = "INSERT INTO statements (user_id, import_id, portfolio_id, as_of) VALUES ($1, $2, $3, $4)",
        [Uuid, Uuid, Uuid, Date] => [];
    ADD = "INSERT INTO accruals
        (user_id, import_id, position, symbol, name, currency, ex_date, pay_date, shares, per_share, gross, tax, net)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        [Uuid, Uuid, Integer, Text, Text, Text, Date, Date, Decimal, Decimal, Decimal, Decimal, Decimal] => [];
    STATEMENTS_OF_USER = "SELECT import_id, portfolio_id, as_of FROM statements WHERE user_id = $1
        ORDER BY as_of DESC, import_id DESC", [Uuid] => [Uuid, Uuid, Date];
    OF_STATEMENT = "SELECT symbol, name, currency, ex_date, pay_date, shares, per_share, gross, tax, net FROM accruals
        WHERE user_id = $1 AND import_id = $2 ORDER BY position", [Uuid, Uuid] => ACCRUAL;
    DELETE = "DELETE FROM accruals WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
    DELETE_STATEMENT = "DELETE FROM statements WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
    RENAME_SYMBOL = "UPDATE accruals SET symbol = $1 WHERE user_id = $2 AND symbol = $3", [Text, Uuid, Text] => [];
}
