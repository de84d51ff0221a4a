//! Upcoming payments announced by a broker. Each statement lists all payments of its portfolio; only the latest counts.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    STATEMENTS = statements [user_id, import_id] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq)]
    pub struct Statement {
        pub import_id: Uuid,
        pub portfolio_id: Uuid,
        pub as_of: Date,
    }
}

table! {
    TABLE = accruals [user_id, import_id, position] { user_id: Uuid, import_id: Uuid, position: i64 }

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
}

pub async fn add(tx: &mut Tx, user_id: Uuid, statement: &Statement, accruals: &[Accrual]) -> Result<(), Error> {
    tx.execute(&ADD_STATEMENT, &statement.params_after([user_id.into()])).await?;
    let rows: Vec<_> = (1_i64..)
        .zip(accruals)
        .map(|(position, accrual)| accrual.params_after([user_id.into(), statement.import_id.into(), position.into()]))
        .collect();
    tx.execute_rows(&ADD, &rows).await.map(drop)
}

/// The user's statements, the latest first: by date, then the last imported.
pub async fn statements(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Statement>, Error> {
    tx.query(&STATEMENTS_OF_USER, &[user_id.into()]).await
}

pub async fn of_statement(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
    tx.query(&OF_STATEMENT, &[user_id.into(), import_id.into()]).await
}

/// Deletes the statement of an import, if there is one.
pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<(), Error> {
    tx.execute(&DELETE, &[user_id.into(), import_id.into()]).await?;
    tx.execute(&DELETE_STATEMENT, &[user_id.into(), import_id.into()]).await.map(drop)
}

pub async fn rename_symbol(tx: &mut Tx, user_id: Uuid, old: &str, new: &str) -> Result<(), Error> {
    tx.execute(&RENAME_SYMBOL, &[new.into(), user_id.into(), old.into()]).await.map(drop)
}

statements! {
    ADD_STATEMENT = STATEMENTS.insert(), STATEMENTS => ();
    ADD = TABLE.insert(), TABLE => ();
    STATEMENTS_OF_USER = "SELECT * FROM statements WHERE user_id = $1 ORDER BY as_of DESC, import_id DESC", [Uuid] => Statement;
    OF_STATEMENT = "SELECT * FROM accruals WHERE user_id = $1 AND import_id = $2 ORDER BY position", [Uuid, Uuid] => Accrual;
    DELETE = "DELETE FROM accruals WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => ();
    DELETE_STATEMENT = "DELETE FROM statements WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => ();
    RENAME_SYMBOL = "UPDATE accruals SET symbol = $1 WHERE user_id = $2 AND symbol = $3", [Text, Uuid, Text] => ();
}
