//! Financial Modeling Prep: <https://site.financialmodelingprep.com/developer/docs/stable>.
//!
//! Its symbols are ours. Its quotes and closes do not state their unit; its profiles do.

pub mod dividends;
mod notice;
pub mod prices;
pub mod profile;
pub mod search;
pub mod splits;

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};

use crate::ability::{Ability, Grade};
use crate::fault::Fault;
use crate::http_client::{HttpClient, Response, Urgency};
use crate::keyed::{Keyed, if_offered};
use crate::provider::{Announcement, Ask, Dividend, Match, Profile, Provider, Quote, Split};

pub(crate) struct Fmp {
    source: Keyed,
}

pub(crate) fn open(http_client: HttpClient, key: String) -> Arc<dyn Provider> {
    Arc::new(Fmp { source: Keyed::new(http_client, "apikey", key) })
}

impl Provider for Fmp {
    fn name(&self) -> &'static str {
        "fmp"
    }

    fn grade(&self, ability: Ability) -> Grade {
        match ability {
            Ability::Profile | Ability::Dividends | Ability::Splits | Ability::Calendar => Grade::Good,
            Ability::Quotes | Ability::Closes | Ability::Search => Grade::Fair,
            Ability::Rates => Grade::None,
        }
    }

    fn http_client(&self) -> &HttpClient {
        &self.source.http_client
    }

    fn quote<'a>(&'a self, symbol: &'a str, urgency: Urgency) -> Ask<'a, Quote> {
        Box::pin(async move {
            let unit = self.unit(symbol, urgency).await?;
            let read = |response: &Response| prices::read_quote(response, symbol, unit, Timestamp::now());
            self.source.ask("/quote", &[("symbol", symbol)], urgency, read).await
        })
    }

    fn profile<'a>(&'a self, symbol: &'a str) -> Ask<'a, Profile> {
        Box::pin(async move {
            let mut profile = self.about("/profile", symbol, profile::read).await?;
            let unit = profile.unit.inspect(|unit| self.source.remember_unit(symbol, *unit));
            let ratios = if_offered(self.about("/ratios-ttm", symbol, profile::read_ratios).await)?;
            (profile.pe, profile.payout_ratio) = ratios.unwrap_or_default();
            profile.fcf_cover = if_offered(self.about("/cash-flow-statement", symbol, profile::read_cover).await)?.flatten();
            if let Some(unit) = unit {
                let averages = if_offered(self.about("/quote", symbol, |response| prices::read_averages(response, unit)).await)?;
                (profile.ma50, profile.ma200) = averages.unwrap_or_default();
            }
            Ok(profile)
        })
    }

    fn dividends<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Dividend>> {
        Box::pin(async move {
            let rows = self.about("/dividends", symbol, dividends::read).await?;
            if rows.is_empty() {
                self.check_known(symbol).await?;
            }
            let rows: Vec<_> = rows.into_iter().filter(|row| row.dividend.ex_date >= since).collect();
            let splits = match rows.iter().any(|row| row.is_adjusted) {
                true => if_offered(self.splits(symbol, since).await)?,
                false => None,
            };
            Ok(dividends::as_paid(rows, splits.as_deref()))
        })
    }

    fn splits<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Split>> {
        Box::pin(async move {
            let (listed, mut splits) = self.about("/splits", symbol, splits::read).await?;
            if listed == 0 {
                self.check_known(symbol).await?;
            }
            splits.retain(|split| split.date >= since);
            Ok(splits)
        })
    }

    fn closes<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<(Date, Decimal)>> {
        Box::pin(async move {
            let unit = self.unit(symbol, Urgency::Background).await?;
            let query = [("symbol", symbol), ("from", &since.to_string())];
            let read = |response: &Response| prices::read_closes(response, unit);
            self.source.ask("/historical-price-eod/light", &query, Urgency::Background, read).await
        })
    }

    fn search<'a>(&'a self, text: &'a str) -> Ask<'a, Vec<Match>> {
        Box::pin(async move {
            if search::is_isin(text) {
                let isin = text.trim().to_uppercase();
                return self.source.ask("/search-isin", &[("isin", &isin)], Urgency::Live, search::read).await;
            }
            let query = [("query", text)];
            let by_symbol = self.source.ask("/search-symbol", &query, Urgency::Live, search::read);
            let by_name = self.source.ask("/search-name", &query, Urgency::Live, search::read);
            let (by_symbol, by_name) = tokio::join!(by_symbol, by_name);
            search::merge(by_symbol, by_name)
        })
    }

    fn calendar(&self, from: Date, to: Date) -> Ask<'_, Vec<Announcement>> {
        Box::pin(async move {
            let query = [("from", from.to_string()), ("to", to.to_string())];
            let query = query.each_ref().map(|(name, day)| (*name, day.as_str()));
            let rows = self.source.ask("/dividends-calendar", &query, Urgency::Background, dividends::read).await?;
            Ok(dividends::announced(rows, from, to))
        })
    }
}

impl Fmp {
    async fn unit(&self, symbol: &str, urgency: Urgency) -> Result<QuoteUnit, Fault> {
        let query = [("symbol", symbol)];
        let profile = self.source.ask("/profile", &query, urgency, profile::read);
        self.source.unit(symbol, async { Ok(profile.await?.unit) }).await
    }

    /// The list is empty both for a stock without dividends and for a symbol that does not exist.
    async fn check_known(&self, symbol: &str) -> Result<(), Fault> {
        match self.unit(symbol, Urgency::Background).await {
            Ok(_) | Err(Fault::Unsupported(_)) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    async fn about<T>(&self, path: &str, symbol: &str, read: impl Fn(&Response) -> Result<T, Fault>) -> Result<T, Fault> {
        self.source.ask(path, &[("symbol", symbol)], Urgency::Background, read).await
    }
}
