//! Combines several providers: each request goes to the one that does it best, and to the next if that one has no answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::Decimal;

use crate::ability::{Ability, Grade};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::http_client::{Health, Urgency};
use crate::provider::{Announcement, Ask, Dividend, Match, Profile, Provider, Quote, Rate, Split};
use crate::validation;

/// The configured providers, in the operator's order of preference.
#[derive(Clone, Default)]
pub struct Market {
    providers: Vec<Arc<dyn Provider>>,
}

const GROUPS_MAX: usize = 10;
/// Every provider has it, in every plan.
const TEST_SYMBOL: &str = "AAPL";

/// An answer and its provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    pub provider: &'static str,
    pub answer: T,
}

#[derive(Debug, Default)]
pub struct Quotes {
    pub found: Vec<Found<Quote>>,
    /// Symbols that at least one provider reports as unknown, if no provider failed.
    pub unknown: Vec<String>,
    /// Symbols without an answer because a provider failed.
    pub failed: BTreeMap<String, Failure>,
}

impl Market {
    pub(crate) fn new(providers: Vec<Arc<dyn Provider>>) -> Market {
        Market { providers }
    }

    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// Whether any provider can do it at all.
    pub fn can(&self, ability: Ability) -> bool {
        self.best_first(ability).next().is_some()
    }

    /// How many symbols one request for quotes may have.
    pub fn quotes_at_once(&self) -> usize {
        self.best_first(Ability::Quotes).next().map_or(1, |provider| provider.quotes_max())
    }

    /// How many quotes per day the budgets of all providers allow together.
    pub fn quotes_a_day(&self) -> u64 {
        let able = self.best_first(Ability::Quotes);
        able.map(|provider| u64::from(provider.http_client().health().budget.per_day) * provider.quotes_max() as u64).sum()
    }

    pub fn health(&self) -> Vec<Health> {
        self.providers.iter().map(|provider| provider.http_client().health()).collect()
    }

    /// Sets how much of today's budget was already used, before a restart or by other processes.
    pub fn resume(&self, provider: &str, used_today: u32) {
        self.providers.iter().filter(|one| one.name() == provider).for_each(|one| one.http_client().set_used_today(used_today));
    }

    /// Whether each provider answers and accepts its key: asks it for one quote, or else for rates. What the answer says does not
    /// matter.
    pub async fn test(&self, today: Date) -> Result<(), Failure> {
        let mut faults = Vec::new();
        for provider in &self.providers {
            let answer = match provider.grade(Ability::Quotes) {
                Grade::None => provider.rates(today).await.map(drop),
                Grade::Fair | Grade::Good => provider.quotes(&[TEST_SYMBOL.to_owned()], Urgency::Live).await.map(drop),
            };
            if let Err(fault) = answer
                && !matches!(fault, Fault::Unknown | Fault::Unsupported(_))
            {
                faults.push((provider.name().to_owned(), fault));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Failure { faults }) }
    }

    pub async fn quotes(&self, symbols: &[String], urgency: Urgency) -> Quotes {
        let mut quotes = Quotes::default();
        let mut open: Vec<String> = symbols.to_vec();
        let mut faults: BTreeMap<String, Vec<(String, Fault)>> = BTreeMap::new();
        for provider in self.best_first(Ability::Quotes) {
            // A provider that takes few symbols per request must not use up its day on what another failed to deliver.
            let affordable = provider.quotes_max().max(1) * GROUPS_MAX;
            let mut still_open = open.split_off(open.len().min(affordable));
            for group in open.chunks(provider.quotes_max().max(1)) {
                let (found, fault) = match provider.quotes(group, urgency).await {
                    Ok(found) => (found, Fault::Unknown),
                    Err(fault) => (Vec::new(), fault),
                };
                for symbol in group {
                    match found.iter().find(|quote| quote.symbol == *symbol) {
                        Some(quote) => quotes.found.push(Found { provider: provider.name(), answer: quote.clone() }),
                        None => {
                            faults.entry(symbol.clone()).or_default().push((provider.name().to_owned(), fault.clone()));
                            still_open.push(symbol.clone());
                        }
                    }
                }
            }
            open = still_open;
        }
        for symbol in open {
            let failure = Failure { faults: faults.remove(&symbol).unwrap_or_default() };
            if failure.is_unknown() {
                quotes.unknown.push(symbol);
            } else {
                quotes.failed.insert(symbol, failure);
            }
        }
        quotes
    }

    /// Profiles, the best first; a second one only if the first has gaps.
    pub async fn profiles(&self, symbol: &str) -> Result<Vec<Found<Profile>>, Failure> {
        let mut found: Vec<Found<Profile>> = Vec::new();
        let mut faults = Vec::new();
        for provider in self.best_first(Ability::Profile) {
            match provider.profile(symbol).await {
                Ok(answer) => found.push(Found { provider: provider.name(), answer }),
                Err(fault) => faults.push((provider.name().to_owned(), fault)),
            }
            if found.len() >= 2 || found.first().is_some_and(|first| first.answer.is_full()) {
                break;
            }
        }
        if found.is_empty() { Err(Failure { faults }) } else { Ok(found) }
    }

    pub async fn dividends(&self, symbol: &str, since: Date) -> Result<Found<Vec<Dividend>>, Failure> {
        self.first(Ability::Dividends, |provider| provider.dividends(symbol, since)).await
    }

    pub async fn splits(&self, symbol: &str, since: Date) -> Result<Found<Vec<Split>>, Failure> {
        self.first(Ability::Splits, |provider| provider.splits(symbol, since)).await
    }

    pub async fn closes(&self, symbol: &str, since: Date) -> Result<Found<Vec<(Date, Decimal)>>, Failure> {
        self.first(Ability::Closes, |provider| provider.closes(symbol, since)).await
    }

    /// No provider knows the ISIN of all its stocks, so an empty result is not final.
    pub async fn search(&self, text: &str) -> Result<Found<Vec<Match>>, Failure> {
        let goes_on = validation::isin(text).is_some();
        let (mut nothing, mut faults) = (None, Vec::new());
        for provider in self.best_first(Ability::Search) {
            match provider.search(text).await {
                Ok(answer) if answer.is_empty() && goes_on => {
                    nothing.get_or_insert(Found { provider: provider.name(), answer });
                }
                Ok(answer) => return Ok(Found { provider: provider.name(), answer }),
                Err(fault) => faults.push((provider.name().to_owned(), fault)),
            }
        }
        nothing.ok_or(Failure { faults })
    }

    pub async fn calendar(&self, from: Date, to: Date) -> Result<Found<Vec<Announcement>>, Failure> {
        self.first(Ability::Calendar, |provider| provider.calendar(from, to)).await
    }

    pub async fn rates(&self, since: Date) -> Result<Found<Vec<Rate>>, Failure> {
        self.first(Ability::Rates, |provider| provider.rates(since)).await
    }

    async fn first<'a, T>(&'a self, ability: Ability, ask: impl Fn(&'a dyn Provider) -> Ask<'a, T>) -> Result<Found<T>, Failure> {
        let mut faults = Vec::new();
        for provider in self.best_first(ability) {
            match ask(provider).await {
                Ok(answer) => return Ok(Found { provider: provider.name(), answer }),
                Err(fault) => faults.push((provider.name().to_owned(), fault)),
            }
        }
        Err(Failure { faults })
    }

    fn best_first(&self, ability: Ability) -> impl Iterator<Item = &dyn Provider> {
        let of_grade = move |grade| {
            self.providers.iter().map(AsRef::as_ref).filter(move |provider: &&dyn Provider| provider.grade(ability) == grade)
        };
        of_grade(Grade::Good).chain(of_grade(Grade::Fair))
    }
}
