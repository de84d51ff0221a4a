//! The estimated foreign withholding of a position: the user's own experience first, then the tables.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Event, Fx};

use crate::lots::Lot;
use crate::profile::Profile;

pub(crate) struct Withholding<'a> {
    residence: Option<&'a str>,
    /// By symbol: what was withheld on the user's dividends of the last 24 months, over all portfolios.
    seen: HashMap<String, Seen>,
}

impl<'a> Withholding<'a> {
    pub fn new(residence: Option<&'a str>, lots: &[Lot], fx: &Fx, today: Date) -> Withholding<'a> {
        let since = today.saturating_sub(24.months());
        let mut sums: HashMap<String, Sum> = HashMap::new();
        for lot in lots {
            for entry in lot.entries.iter().filter(|entry| entry.date >= since && entry.date <= today) {
                // A net without its gross says nothing about a rate.
                let Event::Dividend(paid) = &entry.event else { continue };
                if !paid.gross_known {
                    continue;
                }
                // All of a symbol's payments are summed in the currency of the first one met.
                let sum = sums.entry(lot.symbol.clone()).or_insert_with(|| Sum::new(entry.currency));
                let into = |amount| fx.convert(amount, entry.currency, sum.currency, entry.date);
                let (Some(gross), Some(withheld)) = (into(paid.gross), into(paid.tax.unwrap_or_default())) else { continue };
                sum.seen.gross = sum.seen.gross.saturating_add(gross);
                sum.seen.withheld = sum.seen.withheld.saturating_add(withheld);
                sum.recorded |= paid.tax.is_some();
            }
        }
        let seen = sums.into_iter().filter(|(_, sum)| sum.recorded).map(|(symbol, sum)| (symbol, sum.seen)).collect();
        Withholding { residence, seen }
    }

    pub fn rate(&self, lot: &Lot, profile: Option<&Profile>) -> Decimal {
        let source = match profile {
            Some(profile) => profile.source_country(lot.isin.as_deref()),
            None => ledger::withholding::source_country(lot.isin.as_deref(), None, None),
        };
        ledger::withholding::estimate(source, self.residence, self.seen.get(&lot.symbol).copied())
    }
}

struct Sum {
    currency: Currency,
    seen: Seen,
    /// Whether a withholding was recorded on any of them; one of zero is one, too.
    recorded: bool,
}

impl Sum {
    fn new(currency: Currency) -> Sum {
        Sum { currency, seen: Seen { gross: Decimal::ZERO, withheld: Decimal::ZERO }, recorded: false }
    }
}
