//! The estimated foreign withholding tax of a position: from the user's own dividends first, then from the tables.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Fx};

use crate::book::Book;
use crate::book::holding::Holding;
use crate::book::position_snapshot::{Dividends, Paid, Sum, seen_since};
use crate::market::profile::Profile;

pub(crate) struct Withholding {
    residence: Option<String>,
    /// In all portfolios, by symbol.
    holdings: Vec<Arc<Holding>>,
    fx: Arc<Fx>,
    today: Date,
    since: Date,
}

impl Withholding {
    pub fn of(book: &Book<'_>) -> Withholding {
        let mut holdings = book.holdings.clone();
        holdings.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        let (residence, today) = (book.account.user.residence.clone(), book.today);
        Withholding { residence, holdings, fx: book.fx.clone(), today, since: seen_since(today) }
    }

    pub fn rate(&self, holding: &Holding, profile: Option<&Profile>) -> Decimal {
        let source = match profile {
            Some(profile) => profile.source_country(holding.isin.as_deref()),
            None => ledger::withholding::source_country(holding.isin.as_deref(), None, None),
        };
        ledger::withholding::estimate(source, self.residence.as_deref(), self.seen(&holding.symbol))
    }

    /// What was withheld from the user's dividends of the last 24 months, in all portfolios.
    fn seen(&self, symbol: &str) -> Option<Seen> {
        let first = self.holdings.partition_point(|holding| *holding.symbol < *symbol);
        let same = self.holdings[first..].iter().take_while(|holding| holding.symbol == symbol).map(|holding| &holding.dividends);
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

/// Sums over the payments, if a withholding was recorded on any of them, even zero.
fn seen(dividends: &[Paid], fx: &Fx) -> Option<Seen> {
    if dividends.iter().all(|paid| paid.tax.is_none()) {
        return None;
    }
    // Payments in one currency are summed directly; if there are several, all are converted to euros.
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
