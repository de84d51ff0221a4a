//! How the dividends of single stocks are reinvested, where it is not as in the rest of the portfolio.

use uuid::Uuid;

use crate::portfolios::Reinvest;
use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = reinvest_rules [user_id, portfolio_id, symbol] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Rule {
        pub portfolio_id: Uuid,
        pub symbol: String,
        pub reinvest: Reinvest,
    }
}

/// All of the user, by portfolio and symbol.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Rule>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// Replaces the one for the same stock.
pub async fn put(tx: &mut Tx, user_id: Uuid, rule: &Rule) -> Result<(), Error> {
    tx.execute(&PUT, &rule.params_after([user_id.into()])).await.map(drop)
}

pub async fn remove(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, symbol: &str) -> Result<(), Error> {
    tx.execute(&REMOVE, &[user_id.into(), portfolio_id.into(), symbol.into()]).await.map(drop)
}

/// Where the new symbol has a rule, that one stays.
pub async fn rename_symbol(tx: &mut Tx, user_id: Uuid, old: &str, new: &str) -> Result<(), Error> {
    tx.execute(&FORGET_DOUBLED, &[user_id.into(), old.into(), new.into()]).await?;
    tx.execute(&RENAME_SYMBOL, &[new.into(), user_id.into(), old.into()]).await.map(drop)
}

statements! {
    OF_USER = "SELECT * FROM reinvest_rules WHERE user_id = $1 ORDER BY portfolio_id, symbol", [Uuid] => Rule;
    PUT = TABLE.upsert(), TABLE => ();
    REMOVE = "DELETE FROM reinvest_rules WHERE user_id = $1 AND portfolio_id = $2 AND symbol = $3", [Uuid, Uuid, Text] => ();
    FORGET_DOUBLED = "DELETE FROM reinvest_rules WHERE user_id = $1 AND symbol = $2 AND EXISTS
        (SELECT 1 FROM reinvest_rules other WHERE other.user_id = reinvest_rules.user_id AND other.symbol = $3
        AND other.portfolio_id = reinvest_rules.portfolio_id)", [Uuid, Text, Text] => ();
    RENAME_SYMBOL = "UPDATE reinvest_rules SET symbol = $1 WHERE user_id = $2 AND symbol = $3", [Text, Uuid, Text] => ();
}
