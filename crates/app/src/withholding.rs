//! The estimated foreign withholding of a position: the user's own experience first, then the tables.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Fx};

use crate::book::Book;
use crate::fold::{Dividends, Paid, Sum, seen_since};
use crate::profile::Profile;
use crate::stake::Stake;

pub(crate) struct Withholding {
    residence: Option<String>,
    /// Of all portfolios, by symbol.
    stakes: Vec<Arc<Stake>>,
    fx: Arc<Fx>,
    today: Date,
    since: Date,
}

impl Withholding {
    pub fn of(book: &Book<'_>) -> Withholding {
        let mut stakes = book.stakes.clone();
        stakes.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        let (residence, today) = (book.account.user.residence.clone(), book.today);
        Withholding { residence, stakes, fx: book.fx.clone(), today, since: seen_since(today) }
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
        let first = self.stakes.partition_point(|stake| *stake.symbol < *symbol);
        let same = self.stakes[first..].iter().take_while(|stake| stake.symbol == symbol).map(|stake| &stake.dividends);
        let mut paying = same.filter(|dividends| !dividends.is_empty()).peekable();
        paying.peek()?;
        match paying.clone().map(|dividends| dividends.sum_since(self.since)).reduce(|a, b| a?.and(b?)).flatten() {
            Some(Sum { gross, withheld, recorded, .. }) => recorded.then_some(Seen { gross, withheld }),
            None => {
                let mut each: Vec<Paid> = paying.flat_map(Dividends::each).collect();
                each.retain(|paid| paid.date >= self.since && paid.date <= self.today);
                seen(&each, &self.fx)
            }
        }
    }
}

/// Sums over payments, when a withholding was recorded on any of them; one of zero is one, too.
fn seen(dividends: &[Paid], fx: &Fx) -> Option<Seen> {
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
