//! The estimated foreign withholding of a position: the user's own experience first, then the tables.

use std::collections::HashMap;

use jiff::ToSpan;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Dividend, Entry, Event, Fx};

use crate::book::Book;
use crate::lots::Lot;
use crate::profile::Profile;

pub(crate) struct Withholding {
    residence: Option<String>,
    /// By symbol: what was withheld on the user's dividends of the last 24 months, over all portfolios.
    seen: HashMap<String, Seen>,
}

impl Withholding {
    pub fn of(book: &Book<'_>) -> Withholding {
        let today = book.today;
        let since = today.saturating_sub(24.months());
        let mut paid: HashMap<String, Vec<(&Entry, &Dividend)>> = HashMap::new();
        for lot in &book.lots {
            for entry in lot.entries.iter().filter(|entry| entry.date >= since && entry.date <= today) {
                // A net without its gross says nothing about a rate.
                if let Event::Dividend(dividend) = &entry.event
                    && dividend.gross_known
                {
                    paid.entry(lot.symbol.clone()).or_default().push((entry, dividend));
                }
            }
        }
        let seen = paid.into_iter().filter_map(|(symbol, dividends)| Some((symbol, seen(&dividends, &book.fx)?)));
        Withholding { residence: book.account.user.residence.clone(), seen: seen.collect() }
    }

    pub fn rate(&self, lot: &Lot, profile: Option<&Profile>) -> Decimal {
        let source = match profile {
            Some(profile) => profile.source_country(lot.isin.as_deref()),
            None => ledger::withholding::source_country(lot.isin.as_deref(), None, None),
        };
        ledger::withholding::estimate(source, self.residence.as_deref(), self.seen.get(&lot.symbol).copied())
    }
}

/// Sums over payments, when a withholding was recorded on any of them; one of zero is one, too.
fn seen(dividends: &[(&Entry, &Dividend)], fx: &Fx) -> Option<Seen> {
    if dividends.iter().all(|(_, dividend)| dividend.tax.is_none()) {
        return None;
    }
    // Payments in one currency are summed as they are; of several, all in euros, whichever came first.
    let first = dividends.first()?.0.currency;
    let common = if dividends.iter().all(|(entry, _)| entry.currency == first) { first } else { Currency::EUR };
    let mut seen = Seen { gross: Decimal::ZERO, withheld: Decimal::ZERO };
    for (entry, dividend) in dividends {
        let into = |amount| fx.convert(amount, entry.currency, common, entry.date);
        if let (Some(gross), Some(withheld)) = (into(dividend.gross), into(dividend.tax.unwrap_or_default())) {
            seen.gross = seen.gross.saturating_add(gross);
            seen.withheld = seen.withheld.saturating_add(withheld);
        }
    }
    Some(seen)
}
