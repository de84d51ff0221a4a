//! The open positions of a book, each with its stock and what is withheld from it: where every answer about holdings starts.

use std::sync::Arc;

use ledger::{Decimal, Position};

use crate::Error;
use crate::book::Book;
use crate::lots::Lot;
use crate::profile::Profile;
use crate::withholding::Withholding;

pub(crate) struct Held {
    pub lot: Arc<Lot>,
    pub position: Position,
    /// None when market data does not know the symbol.
    pub profile: Option<Arc<Profile>>,
    /// Estimated, as a fraction.
    pub withholding: Decimal,
}

/// Of the selected portfolio or of all, in the order of their earliest entry.
pub(crate) async fn of(book: &mut Book<'_>) -> Result<Vec<Held>, Error> {
    let withholding = Withholding::of(book);
    let mut held = Vec::new();
    for lot in book.lots.clone() {
        if !book.account.includes(lot.portfolio_id) {
            continue;
        }
        let profile = book.profile(&lot.symbol).await?;
        let Some(position) = lot.position(profile.as_deref(), &book.fx, book.today)? else { continue };
        let withholding = withholding.rate(&lot, profile.as_deref());
        held.push(Held { lot, position, profile, withholding });
    }
    Ok(held)
}
