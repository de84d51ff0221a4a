//! The version of each stock, which shows whether something computed from it is outdated.

use rust_decimal::Decimal;

use crate::table::statements;
use crate::{Error, Tx};

/// Rises with each change of the stock, its dividends, splits or prices; `None` if the stock is unknown.
pub async fn version(tx: &mut Tx, symbol: &str) -> Result<Option<i64>, Error> {
    tx.query_one(&VERSION, &[symbol.into()]).await
}

/// Belongs in the same transaction as every write of the stocks' dividends, splits or prices.
pub async fn mark_changed(tx: &mut Tx, symbols: &[&str]) -> Result<(), Error> {
    tx.execute_all(&MARK_CHANGED, symbols.iter().map(|symbol| [(*symbol).into()])).await.map(drop)
}

/// Sets the price unless it is unchanged or older. True if anything changed.
pub async fn set_price(tx: &mut Tx, symbol: &str, price: Decimal, as_of: i64) -> Result<bool, Error> {
    Ok(tx.execute(&SET_PRICE, &[price.into(), as_of.into(), symbol.into()]).await? > 0)
}

statements! {
    VERSION = "SELECT version FROM stocks WHERE symbol = $1", [Text] => i64;
    MARK_CHANGED = "UPDATE stocks SET version = version + 1 WHERE symbol = $1", [Text] => ();
    SET_PRICE = "UPDATE stocks SET price = $1, price_as_of = $2, version = version + 1
        WHERE symbol = $3 AND (price_as_of IS NULL OR price_as_of <= $2)
        AND (price IS NULL OR price <> $1 OR price_as_of IS NULL OR price_as_of <> $2)",
        [Decimal, Integer, Text] => ();
}
