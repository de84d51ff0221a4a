//! What providers can be asked, and what they answer.
//!
//! All amounts are in whole units of their currency: only the provider knows which of its fields are in pence. Dividends are as
//! paid, not adjusted for later splits. Dates are those of the exchange.

use std::pin::Pin;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit, Ratio};

use crate::ability::{Ability, Grade};
use crate::fault::{Fault, Offer};
use crate::http_client::{HttpClient, Urgency};

/// A pending answer.
pub(crate) type Ask<'a, T> = Pin<Box<dyn Future<Output = Result<T, Fault>> + Send + 'a>>;

/// A source of market data. Methods it does not support are left out: [`Provider::grade`] then returns [`Grade::None`].
///
/// Symbols are ours, in Yahoo's style (`DGE.L`, `BRK-B`, `7203.T`); a provider converts them.
pub(crate) trait Provider: Send + Sync {
    fn name(&self) -> &'static str;

    fn grade(&self, ability: Ability) -> Grade;

    /// Its HTTP client, which also tracks its health.
    fn http_client(&self) -> &HttpClient;

    /// How many symbols one request for quotes may have.
    fn quotes_max(&self) -> usize {
        1
    }

    fn quote<'a>(&'a self, _symbol: &'a str, _urgency: Urgency) -> Ask<'a, Quote> {
        unsupported(Ability::Quotes)
    }

    /// The quotes of the symbols it knows; others are left out. One at a time, if the provider cannot be asked for several.
    fn quotes<'a>(&'a self, symbols: &'a [String], urgency: Urgency) -> Ask<'a, Vec<Quote>> {
        Box::pin(async move {
            let mut quotes = Vec::new();
            for symbol in symbols {
                match self.quote(symbol, urgency).await {
                    Ok(quote) => quotes.push(quote),
                    Err(Fault::Unknown) => {}
                    Err(fault) => return Err(fault),
                }
            }
            Ok(quotes)
        })
    }

    fn profile<'a>(&'a self, _symbol: &'a str) -> Ask<'a, Profile> {
        unsupported(Ability::Profile)
    }

    /// All dividends since a day, including declared ones.
    fn dividends<'a>(&'a self, _symbol: &'a str, _since: Date) -> Ask<'a, Vec<Dividend>> {
        unsupported(Ability::Dividends)
    }

    fn splits<'a>(&'a self, _symbol: &'a str, _since: Date) -> Ask<'a, Vec<Split>> {
        unsupported(Ability::Splits)
    }

    /// Daily closes since a day, adjusted for splits, not for dividends.
    fn closes<'a>(&'a self, _symbol: &'a str, _since: Date) -> Ask<'a, Vec<(Date, Decimal)>> {
        unsupported(Ability::Closes)
    }

    fn search<'a>(&'a self, _text: &'a str) -> Ask<'a, Vec<Match>> {
        unsupported(Ability::Search)
    }

    /// Dividends of all its symbols with an ex-date between two days (inclusive).
    fn calendar(&self, _from: Date, _to: Date) -> Ask<'_, Vec<Announcement>> {
        unsupported(Ability::Calendar)
    }

    /// Exchange rates since a day.
    fn rates(&self, _since: Date) -> Ask<'_, Vec<Rate>> {
        unsupported(Ability::Rates)
    }
}

fn unsupported<'a, T: Send + 'a>(ability: Ability) -> Ask<'a, T> {
    Box::pin(async move { Err(Fault::Unsupported(Offer::Ability(ability))) })
}

#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    pub symbol: String,
    pub price: Decimal,
    /// The unit in which the exchange quotes it, such as pence; the price itself is in whole units.
    pub unit: QuoteUnit,
    /// When it was last traded, according to the provider, or else the time of the request.
    pub as_of: Timestamp,
}

/// Facts about an instrument; `None` if the provider has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    pub unit: Option<QuoteUnit>,
    pub name: Option<String>,
    pub exchange: Option<String>,
    /// Upper case, such as `EQUITY` or `ETF`.
    pub kind: Option<String>,
    pub isin: Option<String>,
    pub country: Option<String>,
    pub sector: Option<String>,
    pub industry: Option<String>,
    /// Lower case, such as `equity`.
    pub instrument_type: Option<String>,
    /// Per share and year.
    pub forward_rate: Option<Decimal>,
    /// A fraction of earnings.
    pub payout_ratio: Option<Decimal>,
    /// Free cash flow ÷ dividends paid.
    pub fcf_cover: Option<Decimal>,
    pub pe: Option<Decimal>,
    pub ma50: Option<Decimal>,
    pub ma200: Option<Decimal>,
    pub low52: Option<Decimal>,
    pub high52: Option<Decimal>,
    pub yield_avg_5y_pct: Option<Decimal>,
    /// The next ex-date, if only the date is known.
    pub next: Option<NextDividend>,
}

impl Profile {
    /// Whether another provider could add little.
    pub(crate) fn is_full(&self) -> bool {
        let texts = [&self.name, &self.sector, &self.industry, &self.country, &self.isin];
        let figures = [self.payout_ratio, self.fcf_cover, self.pe, self.ma200, self.low52];
        texts.into_iter().all(Option::is_some) && figures.iter().all(Option::is_some)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextDividend {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Dividend {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub declared_date: Option<Date>,
    /// Per share, as paid.
    pub amount: Decimal,
    pub unit: DividendUnit,
    /// `None` if the provider does not distinguish special from regular dividends.
    pub special: Option<bool>,
}

/// The unit of a dividend's amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DividendUnit {
    /// Whole units of this currency.
    Whole(Currency),
    /// The unit the stock is quoted in, such as pence in London; the provider does not say.
    AsQuoted,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub date: Date,
    pub ratio: Ratio,
}

/// A search result of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub symbol: String,
    pub name: Option<String>,
    pub exchange: Option<String>,
    pub kind: Option<String>,
    pub isin: Option<String>,
    pub unit: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Announcement {
    pub symbol: String,
    pub dividend: Dividend,
}

/// Units of a currency per 1 EUR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub currency: Currency,
    pub date: Date,
    pub rate: Decimal,
}
