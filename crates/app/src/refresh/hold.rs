//! Keeps what was not believed where the operator sees it.

use market::validation::Held;
use store::Tx;
use store::refreshes::Topic;
use store::rejected_values::{self, RejectedValue};

use crate::Error;

/// These, and no others, are what this provider says of the stock and is not believed in.
pub(super) async fn hold(
    tx: &mut Tx,
    symbol: &str,
    topic: Topic,
    provider: &str,
    held: Vec<Held>,
    now: i64,
) -> Result<(), Error> {
    let rows: Vec<RejectedValue> = held
        .into_iter()
        .map(|held| RejectedValue {
            symbol: symbol.to_owned(),
            topic,
            provider: provider.to_owned(),
            field: held.field,
            value: held.value,
            reason: held.reason,
            seen_at: now,
        })
        .collect();
    rejected_values::replace(tx, symbol, topic, provider, &rows).await?;
    Ok(())
}
