//! Stores rejected values for the operator.

use market::validation::Rejection;
use store::Tx;
use store::refreshes::Topic;
use store::rejected_values::{self, RejectedValue};

use crate::Error;

/// Makes these the only rejected values of the provider for the stock.
pub(super) async fn store_rejected(
    tx: &mut Tx,
    symbol: &str,
    topic: Topic,
    provider: &str,
    rejected: Vec<Rejection>,
    now: i64,
) -> Result<(), Error> {
    let rows: Vec<RejectedValue> = rejected
        .into_iter()
        .map(|one| RejectedValue {
            symbol: symbol.to_owned(),
            topic,
            provider: provider.to_owned(),
            field: one.field,
            value: one.value,
            reason: one.reason.to_stored(),
            seen_at: now,
        })
        .collect();
    rejected_values::replace(tx, symbol, topic, provider, &rows).await?;
    Ok(())
}
