//! Symbols in ledgers that market data has not confirmed: who uses them, and when they are deleted.

use uuid::Uuid;

use crate::table::statements;
use crate::{Error, Tx};

/// Those that the user holds or watches, by symbol.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<String>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// Those in ledgers, open or closed, by user: each with every name that its entries have.
pub async fn in_ledgers(tx: &mut Tx) -> Result<Vec<(Uuid, String, Option<String>)>, Error> {
    tx.query(&IN_LEDGERS, &[]).await
}

/// Those in the user's ledger, open or closed, by symbol.
pub async fn in_ledger(tx: &mut Tx, user_id: Uuid) -> Result<Vec<String>, Error> {
    tx.query(&IN_LEDGER, &[user_id.into()]).await
}

/// All symbols the user mentions, for [`forget_unused`] after the user is deleted.
pub async fn named_by(tx: &mut Tx, user_id: Uuid) -> Result<Vec<String>, Error> {
    tx.query(&NAMED_BY, &[user_id.into()]).await
}

/// Deletes those of the symbols that nobody mentions any more, and everything fetched for them. Returns how many.
pub async fn forget_unused(tx: &mut Tx, symbols: &[String]) -> Result<usize, Error> {
    let mut unused = Vec::new();
    for symbol in symbols {
        unused.extend(tx.query_one(&UNUSED, &[symbol.as_str().into()]).await?);
    }
    for statement in [&FORGET_REFRESHES, &FORGET_HELD_BACK, &FORGET_PROVENANCE, &FORGET] {
        tx.execute_all(statement, unused.iter().map(|symbol| [symbol.as_str().into()])).await?;
    }
    Ok(unused.len())
}

statements! {
    OF_USER = "SELECT t.symbol FROM tracking t JOIN stocks s ON s.symbol = t.symbol
        WHERE t.user_id = $1 AND s.placeholder = TRUE ORDER BY t.symbol", [Uuid] => String;
    IN_LEDGERS = "SELECT DISTINCT e.user_id, e.symbol, e.name FROM stocks s JOIN entries e ON e.symbol = s.symbol
        WHERE s.placeholder = TRUE ORDER BY e.user_id, e.symbol, e.name", [] => (Uuid, String, Option<String>);
    IN_LEDGER = "SELECT DISTINCT p.symbol FROM positions p JOIN stocks s ON s.symbol = p.symbol
        WHERE p.user_id = $1 AND s.placeholder = TRUE ORDER BY p.symbol", [Uuid] => String;
    NAMED_BY = "SELECT s.symbol FROM stocks s WHERE s.placeholder = TRUE AND s.symbol IN
        (SELECT e.symbol FROM entries e WHERE e.user_id = $1 UNION SELECT t.symbol FROM tracking t WHERE t.user_id = $1
        UNION SELECT r.symbol FROM radar r WHERE r.user_id = $1 UNION SELECT a.symbol FROM accruals a WHERE a.user_id = $1) ORDER BY s.symbol", [Uuid] => String;
    UNUSED = "SELECT symbol FROM stocks WHERE symbol = $1 AND placeholder = TRUE AND tracked = FALSE
        AND NOT EXISTS (SELECT 1 FROM tracking t WHERE t.symbol = $1) AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.symbol = $1)
        AND NOT EXISTS (SELECT 1 FROM radar r WHERE r.symbol = $1) AND NOT EXISTS (SELECT 1 FROM accruals a WHERE a.symbol = $1)
        AND NOT EXISTS (SELECT 1 FROM dividends d WHERE d.symbol = $1) AND NOT EXISTS (SELECT 1 FROM splits p WHERE p.symbol = $1)
        AND NOT EXISTS (SELECT 1 FROM prices c WHERE c.symbol = $1)", [Text] => String;
    FORGET = "DELETE FROM stocks WHERE symbol = $1 AND placeholder = TRUE", [Text] => ();
    FORGET_REFRESHES = "DELETE FROM refreshes WHERE symbol = $1", [Text] => ();
    FORGET_HELD_BACK = "DELETE FROM held_back WHERE symbol = $1", [Text] => ();
    FORGET_PROVENANCE = "DELETE FROM provenance WHERE symbol = $1", [Text] => ();
}
