//! The estimated foreign withholding of a position: the user's own experience first, then the tables.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Fx};

use crate::book::Book;
use crate::fold::{Paid, seen_since};
use crate::profile::Profile;
use crate::stake::Stake;

pub(crate) struct Withholding {
    residence: Option<String>,
    /// Of all portfolios, by symbol.
    stakes: Vec<Arc<Stake>>,
    fx: Arc<Fx>,
    today: Date,
}

impl Withholding {
    pub fn of(book: &Book<'_>) -> Withholding {
        let mut stakes = book.stakes.clone();
        stakes.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        Withholding { residence: book.account.user.residence.clone(), stakes, fx: book.fx.clone(), today: book.today }
    }

    pub fn rate(&self, stake: &Stake, profile: Option<&Profile>) -> Decimal {
        let source = match profile {
            Some(profile) => profile.source_country(stake.isin.as_deref()),
            None => ledger::withholding::source_country(stake.isin.as_deref(), None, None),
        };
        ledger::withholding::estimate(source, self.residence.as_deref(), self.seen(&stake.symbol))
    }

    /// What was withheld on the user's dividends of the last 24 months, over all portfolios.
    fn seen(&self, symbol: &str) -> Option<Seen> {
        let since = seen_since(self.today);
        let first = self.stakes.partition_point(|stake| *stake.symbol < *symbol);
        let same = self.stakes[first..].iter().take_while(|stake| stake.symbol == symbol);
        let recent = same.flat_map(|stake| &stake.dividends).filter(|paid| paid.date >= since && paid.date <= self.today);
        seen(&recent.collect::<Vec<_>>(), &self.fx)
    }
}

/// Sums over payments, when a withholding was recorded on any of them; one of zero is one, too.
fn seen(dividends: &[&Paid], fx: &Fx) -> Option<Seen> {
    if dividends.iter().all(|paid| paid.tax.is_none()) {
        return None;
    }
    // Payments in one currency are summed as they are; of several, all in euros, whichever came first.
    let first = dividends.first()?.currency;
    let common = if dividends.iter().all(|paid| paid.currency == first) { first } else { Currency::EUR };
    let mut seen = Seen { gross: Decimal::ZERO, withheld: Decimal::ZERO };
    for paid in dividends {
        let into = |amount| fx.convert(amount, paid.currency, common, paid.date);
        if let (Some(gross), Some(withheld)) = (into(paid.gross), into(paid.tax.unwrap_or_default())) {
            seen.gross = seen.gross.saturating_add(gross);
            seen.withheld = seen.withheld.saturating_add(withheld);
        }
    }
    Some(seen)
}
