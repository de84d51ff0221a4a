//! EOD Historical Data: <https://eodhd.com/financial-apis/>.
//!
//! Prices do not state their unit; the search does, though not clearly for every exchange.

pub mod history;
pub mod listing;
pub mod notice;

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit};

use crate::ability::{Ability, Grade};
use crate::fault::Fault;
use crate::http_client::{HttpClient, Response, Urgency};
use crate::keyed::{Keyed, if_offered};
use crate::provider::{Ask, Dividend, Match, Profile, Provider, Quote, Split};
use crate::suffix::EODHD;

pub(crate) struct Eodhd {
    source: Keyed,
}

pub(crate) fn open(http_client: HttpClient, key: String) -> Arc<dyn Provider> {
    Arc::new(Eodhd { source: Keyed::new(http_client, "api_token", key) })
}

impl Provider for Eodhd {
    fn name(&self) -> &'static str {
        "eodhd"
    }

    /// Dividends have payment dates in the United States and hardly elsewhere. Its calendar has no amounts and is not offered.
    fn grade(&self, ability: Ability) -> Grade {
        match ability {
            Ability::Splits => Grade::Good,
            Ability::Quotes | Ability::Profile | Ability::Dividends | Ability::Closes | Ability::Search => Grade::Fair,
            Ability::Calendar | Ability::Rates => Grade::None,
        }
    }

    fn http_client(&self) -> &HttpClient {
        &self.source.http_client
    }

    /// Never for several at once: such a request counts as several against the quota, which our budget would not see.
    fn quote<'a>(&'a self, symbol: &'a str, urgency: Urgency) -> Ask<'a, Quote> {
        Box::pin(async move {
            let theirs = EODHD.theirs(symbol)?;
            let unit = self.unit(&theirs, urgency).await?;
            let path = format!("/real-time/{}", in_path(&theirs));
            let read = |response: &Response| listing::read_quote(response, symbol, unit, Timestamp::now());
            self.source.ask(&path, &[("fmt", "json")], urgency, read).await
        })
    }

    fn profile<'a>(&'a self, symbol: &'a str) -> Ask<'a, Profile> {
        Box::pin(async move { Ok(self.listing(&EODHD.theirs(symbol)?, Urgency::Background).await?.profile()) })
    }

    fn dividends<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Dividend>> {
        Box::pin(async move {
            let theirs = EODHD.theirs(symbol)?;
            let rows = self.since("/div", &theirs, since, history::read_dividends).await?;
            let splits = match rows.iter().any(|row| row.is_adjusted) {
                true => if_offered(self.since("/splits", &theirs, since, history::read_splits).await)?,
                false => None,
            };
            Ok(history::as_paid(rows, splits.as_deref()))
        })
    }

    fn splits<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Split>> {
        Box::pin(async move { self.since("/splits", &EODHD.theirs(symbol)?, since, history::read_splits).await })
    }

    fn closes<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<(Date, Decimal)>> {
        Box::pin(async move {
            let theirs = EODHD.theirs(symbol)?;
            let unit = self.unit(&theirs, Urgency::Background).await?;
            let closes = self.since("/eod", &theirs, since, history::read_closes).await?;
            // The stock is known at this point, so an empty result means that it was never split.
            let splits = match self.since("/splits", &theirs, since, history::read_splits).await {
                Err(Fault::Unknown) => Vec::new(),
                other => other?,
            };
            history::adjusted(closes, unit, &splits)
        })
    }

    fn search<'a>(&'a self, text: &'a str) -> Ask<'a, Vec<Match>> {
        Box::pin(async move {
            let path = format!("/search/{}", in_path(text.trim()));
            let found = self.source.ask(&path, &[("fmt", "json")], Urgency::Live, listing::read).await;
            Ok(if_offered(found)?.unwrap_or_default().into_iter().filter_map(listing::Listing::into_match).collect())
        })
    }
}

impl Eodhd {
    async fn unit(&self, theirs: &str, urgency: Urgency) -> Result<QuoteUnit, Fault> {
        // That exchange has only one currency, so this saves one of the few daily requests.
        if theirs.ends_with(".US") {
            return Ok(Currency::USD.into());
        }
        self.source.unit(theirs, async { Ok(self.listing(theirs, urgency).await?.unit()) }).await
    }

    async fn listing(&self, theirs: &str, urgency: Urgency) -> Result<listing::Listing, Fault> {
        let (code, exchange) = theirs.rsplit_once('.').unwrap_or((theirs, ""));
        let path = format!("/search/{}", in_path(code));
        let query = [("exchange", exchange), ("limit", "50"), ("fmt", "json")];
        let found = self.source.ask(&path, &query, urgency, listing::read).await?;
        found.into_iter().find(|one| one.code == code && one.exchange == exchange).ok_or(Fault::Unknown)
    }

    async fn since<T>(
        &self,
        path: &str,
        theirs: &str,
        since: Date,
        read: impl Fn(&Response) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let path = format!("{path}/{}", in_path(theirs));
        let query = [("from", &*since.to_string()), ("fmt", "json")];
        self.source.ask(&path, &query, Urgency::Background, read).await
    }
}

/// A text as one path segment, even if it contains slashes.
pub fn in_path(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}
