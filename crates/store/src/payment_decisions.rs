//! What users said about payments that market data knows and nobody recorded.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = payment_decisions [user_id, portfolio_id, symbol, ex_date, currency, special] { user_id: Uuid }

    /// Without figures, the payment is not to be recorded.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Decision {
        pub portfolio_id: Uuid,
        pub symbol: String,
        pub ex_date: Date,
        pub currency: Currency,
        pub special: bool,
        pub pay_date: Option<Date>,
        pub paid_in: Option<Currency>,
        pub shares: Option<Decimal>,
        pub price: Option<Decimal>,
        pub amount: Option<Decimal>,
        pub fees: Option<Decimal>,
        pub tax: Option<Decimal>,
        pub net: Option<Decimal>,
        pub note: Option<String>,
        /// The purchase that reinvests it, if there is one.
        pub bought_shares: Option<Decimal>,
        pub bought_price: Option<Decimal>,
        pub bought_amount: Option<Decimal>,
    }
}

/// All of the user, in the order of their keys.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Decision>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// Replaces what was said about the same payment.
pub async fn put(tx: &mut Tx, user_id: Uuid, decision: &Decision) -> Result<(), Error> {
    tx.execute(&PUT, &decision.params_after([user_id.into()])).await.map(drop)
}

/// False if nothing was said about this payment.
pub async fn remove(tx: &mut Tx, user_id: Uuid, decision: &Decision) -> Result<bool, Error> {
    let Decision { portfolio_id, symbol, ex_date, currency, special, .. } = decision;
    let key = [user_id.into(), (*portfolio_id).into(), symbol.into(), (*ex_date).into(), currency.into(), (*special).into()];
    Ok(tx.execute(&REMOVE, &key).await? > 0)
}

pub async fn rename_symbol(tx: &mut Tx, user_id: Uuid, old: &str, new: &str) -> Result<(), Error> {
    tx.execute(&FORGET_DOUBLED, &[user_id.into(), old.into(), new.into()]).await?;
    tx.execute(&RENAME_SYMBOL, &[new.into(), user_id.into(), old.into()]).await.map(drop)
}

statements! {
    OF_USER = "SELECT * FROM payment_decisions WHERE user_id = $1 ORDER BY portfolio_id, symbol, ex_date, currency, special",
        [Uuid] => Decision;
    PUT = TABLE.upsert(), TABLE => ();
    REMOVE = "DELETE FROM payment_decisions WHERE user_id = $1 AND portfolio_id = $2 AND symbol = $3 AND ex_date = $4
        AND currency = $5 AND special = $6", [Uuid, Uuid, Text, Date, Text, Boolean] => ();
    FORGET_DOUBLED = "DELETE FROM payment_decisions WHERE user_id = $1 AND symbol = $2 AND EXISTS
        (SELECT 1 FROM payment_decisions other WHERE other.user_id = payment_decisions.user_id AND other.symbol = $3
        AND other.portfolio_id = payment_decisions.portfolio_id AND other.ex_date = payment_decisions.ex_date
        AND other.currency = payment_decisions.currency AND other.special = payment_decisions.special)", [Uuid, Text, Text] => ();
    RENAME_SYMBOL = "UPDATE payment_decisions SET symbol = $1 WHERE user_id = $2 AND symbol = $3", [Text, Uuid, Text] => ();
}
