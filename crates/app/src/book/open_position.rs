//! The open positions of a book, each with its stock and withholding tax: the starting point of all answers about holdings.

use std::sync::Arc;

use ledger::{Decimal, Position};

use crate::Error;
use crate::book::Book;
use crate::book::holding::Holding;
use crate::book::withholding::Withholding;
use crate::market::profile::Profile;

pub(crate) struct OpenPosition {
    pub holding: Arc<Holding>,
    pub position: Position,
    /// `None` if there is no market data for the symbol.
    pub profile: Option<Arc<Profile>>,
    /// Estimated, as a fraction.
    pub withholding: Decimal,
}

/// Of the selected portfolio or all, in the order of their earliest entry.
pub(crate) async fn load(book: &mut Book<'_>) -> Result<Vec<OpenPosition>, Error> {
    let withholding = Withholding::of(book);
    let mut selected = Vec::new();
    for holding in book.holdings.clone() {
        if book.account.includes(holding.portfolio_id) {
            let profile = book.profile(&holding.symbol).await?;
            selected.push((holding, profile));
        }
    }
    let unread = selected.iter().filter(|(holding, profile)| book.is_unread(holding, profile.as_deref()));
    book.read(&unread.map(|(holding, _)| &**holding).collect::<Vec<_>>()).await?;
    let mut held = Vec::new();
    for (holding, profile) in selected {
        let Some(position) = book.position(&holding, profile.as_deref()).await? else { continue };
        let withholding = withholding.rate(&holding, profile.as_deref());
        held.push(OpenPosition { holding, position, profile, withholding });
    }
    Ok(held)
}
