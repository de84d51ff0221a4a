//! Alpha Vantage: <https://www.alphavantage.co/documentation/>.
//!
//! Everything is one address with a `function`, every value is a text, and errors come with status 200.

pub mod history;
pub mod listing;
pub mod notice;
pub mod overview;

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::{Currency, QuoteUnit};

use crate::ability::{Ability, Grade};
use crate::fault::Fault;
use crate::http_client::{HttpClient, Response, Urgency};
use crate::keyed::{Keyed, if_offered};
use crate::provider::{Ask, Dividend, Match, Profile, Provider, Quote, Split};
use crate::suffix::ALPHA_VANTAGE;

pub(crate) struct AlphaVantage {
    source: Keyed,
}

pub(crate) fn open(http_client: HttpClient, key: String) -> Arc<dyn Provider> {
    Arc::new(AlphaVantage { source: Keyed::new(http_client, "apikey", key) })
}

impl Provider for AlphaVantage {
    fn name(&self) -> &'static str {
        "alphavantage"
    }

    fn grade(&self, ability: Ability) -> Grade {
        match ability {
            Ability::Dividends => Grade::Good,
            Ability::Quotes | Ability::Profile | Ability::Splits | Ability::Search => Grade::Fair,
            Ability::Closes | Ability::Calendar | Ability::Rates => Grade::None,
        }
    }

    fn http_client(&self) -> &HttpClient {
        &self.source.http_client
    }

    fn quote<'a>(&'a self, symbol: &'a str, urgency: Urgency) -> Ask<'a, Quote> {
        Box::pin(async move {
            let theirs = ALPHA_VANTAGE.theirs(symbol)?;
            let unit = self.unit(&theirs, urgency).await?;
            let query = [("function", "GLOBAL_QUOTE"), ("symbol", theirs.as_str())];
            let read = |response: &Response| listing::read_quote(response, symbol, unit, Timestamp::now());
            self.source.ask("/query", &query, urgency, read).await
        })
    }

    fn profile<'a>(&'a self, symbol: &'a str) -> Ask<'a, Profile> {
        Box::pin(async move {
            let theirs = ALPHA_VANTAGE.theirs(symbol)?;
            // Funds have no overview.
            let Some(overview) = if_offered(self.about("OVERVIEW", &theirs, overview::read).await)? else {
                return self.listed(&theirs, Urgency::Background).await;
            };
            // The overview has the country's currency; it does not say whether a London listing trades in pence.
            let unit = match is_american(&theirs) {
                true => overview.unit(),
                false => Some(self.unit(&theirs, Urgency::Background).await?),
            };
            let mut profile = overview.profile(unit, Timestamp::now().to_zoned(TimeZone::UTC).date());
            if overview.pays() {
                profile.fcf_cover = if_offered(self.about("CASH_FLOW", &theirs, overview::read_cover).await)?.flatten();
            }
            Ok(profile)
        })
    }

    fn dividends<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Dividend>> {
        Box::pin(async move {
            let theirs = ALPHA_VANTAGE.theirs(symbol)?;
            let mut dividends = self.about("DIVIDENDS", &theirs, history::read_dividends).await?;
            if dividends.is_empty() {
                self.check_known(&theirs).await?;
            }
            dividends.retain(|dividend| dividend.ex_date >= since);
            Ok(dividends)
        })
    }

    fn splits<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Split>> {
        Box::pin(async move {
            let theirs = ALPHA_VANTAGE.theirs(symbol)?;
            let (listed, mut splits) = self.about("SPLITS", &theirs, history::read_splits).await?;
            if listed == 0 {
                self.check_known(&theirs).await?;
            }
            splits.retain(|split| split.date >= since);
            Ok(splits)
        })
    }

    fn search<'a>(&'a self, text: &'a str) -> Ask<'a, Vec<Match>> {
        Box::pin(async move {
            let query = [("function", "SYMBOL_SEARCH"), ("keywords", text)];
            self.source.ask("/query", &query, Urgency::Live, listing::read_search).await
        })
    }
}

impl AlphaVantage {
    async fn unit(&self, theirs: &str, urgency: Urgency) -> Result<QuoteUnit, Fault> {
        if is_american(theirs) {
            return Ok(Currency::USD.into());
        }
        self.source.unit(theirs, async { Ok(self.listed(theirs, urgency).await?.unit) }).await
    }

    /// The search result for a symbol: the only place that distinguishes pence from pounds.
    async fn listed(&self, theirs: &str, urgency: Urgency) -> Result<Profile, Fault> {
        let query = [("function", "SYMBOL_SEARCH"), ("keywords", theirs)];
        let listed = self.source.ask("/query", &query, urgency, |response| listing::read_listed(response, theirs)).await?;
        if let Some(unit) = listed.unit {
            self.source.remember_unit(theirs, unit);
        }
        Ok(listed)
    }

    /// The history is empty both for a stock without dividends and for a symbol that does not exist.
    async fn check_known(&self, theirs: &str) -> Result<(), Fault> {
        if self.source.known_unit(theirs).is_none() {
            self.listed(theirs, Urgency::Background).await?;
        }
        Ok(())
    }

    async fn about<T>(&self, function: &str, theirs: &str, read: impl Fn(&Response) -> Result<T, Fault>) -> Result<T, Fault> {
        self.source.ask("/query", &[("function", function), ("symbol", theirs)], Urgency::Background, read).await
    }
}

fn is_american(theirs: &str) -> bool {
    !theirs.contains('.')
}
