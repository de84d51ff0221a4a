//! The open positions of a book, each with its stock and what is withheld from it: where every answer about holdings starts.

use std::sync::Arc;

use ledger::{Decimal, Position};

use crate::Error;
use crate::book::Book;
use crate::profile::Profile;
use crate::stake::Stake;
use crate::withholding::Withholding;

pub(crate) struct Held {
    pub stake: Arc<Stake>,
    pub position: Position,
    /// None when market data does not know the symbol.
    pub profile: Option<Arc<Profile>>,
    /// Estimated, as a fraction.
    pub withholding: Decimal,
}

/// Of the selected portfolio or of all, in the order of their earliest entry.
pub(crate) async fn of(book: &mut Book<'_>) -> Result<Vec<Held>, Error> {
    let withholding = Withholding::of(book);
    let mut selected = Vec::new();
    for stake in book.stakes.clone() {
        if book.account.includes(stake.portfolio_id) {
            let profile = book.profile(&stake.symbol).await?;
            selected.push((stake, profile));
        }
    }
    let unread = selected.iter().filter(|(stake, profile)| book.is_unread(stake, profile.as_deref()));
    book.read(&unread.map(|(stake, _)| &**stake).collect::<Vec<_>>()).await?;
    let mut held = Vec::new();
    for (stake, profile) in selected {
        let Some(position) = book.position(&stake, profile.as_deref()).await? else { continue };
        let withholding = withholding.rate(&stake, profile.as_deref());
        held.push(Held { stake, position, profile, withholding });
    }
    Ok(held)
}
