//! Converts between currencies with the rates of the report.

use std::collections::HashMap;

use ledger::{Decimal, QuoteUnit};

use super::book::{Book, day_digits};
use super::entry::{Entry, Part};
use super::instrument::{Instrument, no_share};
use crate::Reason;
use crate::reading::figure;

impl Book {
    /// Converts an amount with the report's rates for the row's day.
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

    /// The share's trading currency per unit of the row's currency, if they differ and the report has the rate.
    pub fn rate(&self, entry: &Entry, share: &str, unit: &QuoteUnit) -> Option<Decimal> {
        let trading = self.trading.get(share).copied().flatten().filter(|trading| *trading != unit.currency)?;
        let base = self.statements.get(entry.statement)?.base.as_deref()?;
        let rate = entry.figure("fxratetobase").ok().flatten().filter(|rate| *rate > Decimal::ZERO)?;
        // Stated for the row's unit, which may be a hundredth.
        let of_one = rate.checked_div(unit.normalise(Decimal::ONE))?.normalize();
        (trading.code() == base).then_some(of_one)
    }

    /// The base currency of each statement, and the trading currency of each share.
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

    /// If no statement names its base currency, it is the one with a rate of exactly 1.
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
