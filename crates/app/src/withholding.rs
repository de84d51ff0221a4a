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
        let mut sums: HashMap<String, (Seen, bool)> = HashMap::new();
        for lot in lots {
            let reference = lot.entries.first().map_or(Currency::EUR, |entry| entry.currency);
            for entry in lot.entries.iter().filter(|entry| entry.date >= since && entry.date <= today) {
                // A net without its gross says nothing about a rate.
                let Event::Dividend(paid) = &entry.event else { continue };
                if !paid.gross_known {
                    continue;
                }
                let into_reference = |amount| fx.convert(amount, entry.currency, reference, entry.date);
                let (Some(gross), Some(withheld)) = (into_reference(paid.gross), into_reference(paid.tax.unwrap_or_default()))
                else {
                    continue;
                };
                let (seen, recorded) =
                    sums.entry(lot.symbol.clone()).or_insert((Seen { gross: Decimal::ZERO, withheld: Decimal::ZERO }, false));
                seen.gross = seen.gross.saturating_add(gross);
                seen.withheld = seen.withheld.saturating_add(withheld);
                *recorded |= paid.tax.is_some();
            }
        }
        let seen = sums.into_iter().filter(|(_, (_, recorded))| *recorded).map(|(symbol, (seen, _))| (symbol, seen)).collect();
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
