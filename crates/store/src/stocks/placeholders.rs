//! Symbols that ledgers name and market data has not confirmed: whose they are, and their end.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

/// Those that the user holds or watches, by symbol.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<String>, Error> {
    tx.query(&OF_USER, &[user_id.into()], |row| row.text(0)).await
}

/// Takes away those that nobody names any more, with every trace of having asked for them. Returns how many.
pub async fn forget_unused(tx: &mut Tx) -> Result<usize, Error> {
    let unused = tx.query(&UNUSED, &[], |row| row.text(0)).await?;
    for statement in [&FORGET_REFRESHES, &FORGET_HELD_BACK, &FORGET_PROVENANCE, &FORGET] {
        tx.execute_all(statement, unused.iter().map(|symbol| [symbol.as_str().into()])).await?;
    }
    Ok(unused.len())
}

statements! {
    OF_USER = "SELECT t.symbol FROM tracking t JOIN stocks s ON s.symbol = t.symbol
        WHERE t.user_id = $1 AND s.placeholder = TRUE ORDER BY t.symbol", [Uuid] => [Text];
    UNUSED = "SELECT symbol FROM stocks WHERE placeholder = TRUE AND tracked = FALSE
        AND symbol NOT IN (SELECT symbol FROM tracking) AND symbol NOT IN (SELECT symbol FROM entries)
        AND symbol NOT IN (SELECT symbol FROM radar) AND symbol NOT IN (SELECT symbol FROM accruals)
        AND NOT EXISTS (SELECT 1 FROM dividends d WHERE d.symbol = stocks.symbol)
        AND NOT EXISTS (SELECT 1 FROM splits p WHERE p.symbol = stocks.symbol)
        AND NOT EXISTS (SELECT 1 FROM prices c WHERE c.symbol = stocks.symbol) ORDER BY symbol", [] => [Text];
    FORGET = "DELETE FROM stocks WHERE symbol = $1 AND placeholder = TRUE", [Text] => [];
    FORGET_REFRESHES = "DELETE FROM refreshes WHERE symbol = $1", [Text] => [];
    FORGET_HELD_BACK = "DELETE FROM held_back WHERE symbol = $1", [Text] => [];
    FORGET_PROVENANCE = "DELETE FROM provenance WHERE symbol = $1", [Text] => [];
}
