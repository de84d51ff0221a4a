//! Money of one currency in another, with the rates that the report tells.

use std::collections::HashMap;

use ledger::{Decimal, QuoteUnit};

use super::book::{Book, day_digits};
use super::entry::{Entry, Part};
use super::instrument::{Instrument, no_share};
use crate::Reason;
use crate::reading::figure;

impl Book {
    /// The figure of one currency in the other, with the rates that the report has for the row's day.
    pub fn convert(&self, entry: &Entry, amount: Decimal, from: &str, into: &QuoteUnit) -> Result<Decimal, Reason> {
        let own = into.currency.code();
        if from == own {
            return Ok(amount);
        }
        let rates = || -> Option<(Decimal, Decimal)> {
            let statement = self.statements.get(entry.statement)?;
            let base = statement.base.as_deref()?;
            let to_base = |currency: &str| match currency == base {
                true => Some(Decimal::ONE),
                false => ["reportdate", "tradedate", "datetime"].iter().find_map(|name| {
                    let day = day_digits(entry.text(name)?);
                    let rate = statement.rates.get(&(day, currency.to_owned(), base.to_owned()))?;
                    figure("rate", rate, entry.decimals).ok()
                }),
            };
            let own_rate = entry.figure("fxratetobase").ok().flatten().or_else(|| to_base(own))?;
            Some((to_base(from)?, own_rate)).filter(|(_, rate)| !rate.is_zero())
        };
        let converted = rates().and_then(|(from, own)| amount.checked_mul(from)?.checked_div(own));
        converted
            .map(|amount| amount.round_dp(10).normalize())
            .ok_or_else(|| Reason::FeeRateMissing { from: from.into(), to: into.currency })
    }

    /// What one unit of the row's currency is in the one that the share trades in, where they differ and the report tells.
    pub fn rate(&self, entry: &Entry, share: &str, unit: &QuoteUnit) -> Option<Decimal> {
        let trading = self.trading.get(share).copied().flatten().filter(|trading| *trading != unit.currency)?;
        let base = self.statements.get(entry.statement)?.base.as_deref()?;
        let rate = entry.figure("fxratetobase").ok().flatten().filter(|rate| *rate > Decimal::ZERO)?;
        // Told for the row's unit, which may be a hundredth.
        let of_one = rate.checked_div(unit.normalise(Decimal::ONE))?.normalize();
        (trading.code() == base).then_some(of_one)
    }

    /// The base of each statement, and what each share trades in.
    pub fn learn_currencies(&mut self) {
        self.learn_bases();
        let mut trading = HashMap::new();
        for entry in self.entries.iter().filter(|entry| entry.part == Part::Trades && no_share(entry).is_none()) {
            if let (Some(share), Ok(unit)) = (Instrument::of(entry), entry.unit()) {
                let known = trading.entry(share.key).or_insert(Some(unit.currency));
                *known = known.filter(|known| *known == unit.currency);
            }
        }
        self.trading = trading;
    }

    /// Where no statement tells its base currency, it is the one that converts at exactly 1.
    fn learn_bases(&mut self) {
        let mut at_one: Vec<Vec<&str>> = vec![Vec::new(); self.statements.len()];
        for entry in &self.entries {
            let at_par = entry.figure("fxratetobase").is_ok_and(|rate| rate == Some(Decimal::ONE));
            if let (true, Some(currency), Some(found)) = (at_par, entry.text("currency"), at_one.get_mut(entry.statement))
                && !found.contains(&currency)
            {
                found.push(currency);
            }
        }
        let learned: Vec<Option<String>> = at_one
            .into_iter()
            .map(|found| match found.as_slice() {
                [one] => Some((*one).to_owned()),
                _ => None,
            })
            .collect();
        for (statement, learned) in self.statements.iter_mut().zip(learned) {
            statement.base = statement.base.take().or_else(|| self.base.clone()).or(learned);
        }
    }
}
