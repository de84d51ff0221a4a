//! What the figures of a book were computed from, for explanations.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::explain::{self, Node, Origins, Source, Stock, Unit};
use ledger::{Decimal, Facts, Fx, OwnPart, Payment};
use store::dividends::Dividend;
use store::provenance::{self, Provenance};

use super::snapshot::{Paid, showing_tax};
use super::{Book, Holding, tax_source};
use crate::book::lots::Lot;
use crate::market::profile::{self, Profile};
use crate::stocks::stock_visibility;
use crate::{Error, Viewer};

/// The data of a stock, with its sources.
pub(crate) struct StockData {
    facts: Facts,
    of_ledger: bool,
    pub origins: Recorded,
}

impl StockData {
    /// At another price than the stored one.
    pub fn priced(mut self, price: Decimal, as_of: Option<Timestamp>) -> StockData {
        self.facts.price = Some(price);
        self.origins.price_date = as_of.map(|at| at.to_zoned(TimeZone::UTC).date());
        self
    }

    pub fn explained<'a>(&'a self, fx: &'a Fx, today: Date, rates: &'a Source) -> Stock<'a> {
        match self.of_ledger {
            true => Stock::of_ledger(&self.facts, fx, today, &self.origins, rates),
            false => Stock::new(&self.facts, fx, today, &self.origins, rates),
        }
    }
}

/// The sources of a stock's data.
pub(crate) struct Recorded {
    rows: Vec<Dividend>,
    /// What payments consist of, if they are the user's own.
    own: Vec<OwnPart>,
    fields: Vec<Provenance>,
    price_date: Option<Date>,
}

impl Recorded {
    pub const fn empty() -> Recorded {
        Recorded { rows: Vec::new(), own: Vec::new(), fields: Vec::new(), price_date: None }
    }
}

impl Origins for Recorded {
    fn paid(&self, payment: &Payment) -> Node {
        let amount = || Node::number("paid", payment.paid_amount, Unit::Money(payment.currency)).as_of(payment.ex_date);
        let parts = self.own.iter().filter(|part| (part.ex_date, part.currency) == (payment.ex_date, payment.currency));
        if let Some(node) = Some(parts).filter(|parts| parts.clone().next().is_some()).and_then(explain::own_payment) {
            return node.named("paid").as_of(payment.ex_date);
        }
        let key = (payment.ex_date, payment.currency, payment.special);
        let row = self.rows.iter().find(|row| (row.ex_date, row.currency, row.kind.is_special()) == key);
        amount().with_source(source(row.and_then(|row| row.provider.as_deref())))
    }

    fn field(&self, name: &str, node: Node) -> Node {
        let field = self.fields.iter().find(|field| field.field == name);
        let node = node.with_source(source(field.map(|field| &*field.provider)));
        match self.price_date.filter(|_| name == "price") {
            Some(date) => node.as_of(date),
            None => node,
        }
    }
}

/// Without a provider, the operator's files.
fn source(provider: Option<&str>) -> Source {
    Source::Provider(provider.unwrap_or("files").to_owned())
}

fn day(micros: i64) -> Option<Date> {
    Some(Timestamp::from_microsecond(micros).ok()?.to_zoned(TimeZone::UTC).date())
}

impl Book<'_> {
    /// The provider of exchange rates.
    pub async fn rates_source(&mut self) -> Result<Source, Error> {
        let fields = provenance::of_symbol(&mut self.tx, "").await?;
        Ok(source(fields.iter().find(|field| field.field == "rates").map(|field| &*field.provider)))
    }

    /// What market data knows about a stock.
    pub async fn market_data(&mut self, profile: &Profile) -> Result<StockData, Error> {
        let stock = &profile.stock;
        let (facts, rows) = profile::market_facts(&mut self.tx, stock, profile.splits.clone(), self.today).await?;
        let fields = provenance::of_symbol(&mut self.tx, &stock.symbol).await?;
        let origins = Recorded { rows, own: Vec::new(), fields, price_date: stock.price_as_of.and_then(day) };
        Ok(StockData { facts, of_ledger: false, origins })
    }

    /// What the user's own dividends of a symbol say.
    async fn own_data(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<StockData>, Error> {
        let (lots, today) = (self.lots_of_symbol(holding).await?, self.today);
        let mut origins = Recorded::empty();
        if let Some(profile) = profile {
            origins.fields = provenance::of_symbol(&mut self.tx, &profile.stock.symbol).await?;
            origins.price_date = profile.stock.price_as_of.and_then(day);
        }
        let facts = profile::ledger_facts(&lots, profile, today, |part| origins.own.push(part))?;
        Ok(facts.map(|facts| StockData { facts, of_ledger: true, origins }))
    }

    /// The data that the figures of a holding come from; `None` if nothing is known.
    pub async fn stock_data(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<StockData>, Error> {
        if self.own_metrics(holding, profile).await?.is_some() {
            return self.own_data(holding, profile).await;
        }
        match profile {
            Some(profile) => self.market_data(profile).await.map(Some),
            None => Ok(None),
        }
    }

    /// The estimated withholding tax of a holding, as a fraction.
    pub async fn explained_withholding(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<Node>, Error> {
        let lots = self.lots_of_symbol(holding).await?;
        let source = tax_source(holding.isin.as_deref(), profile);
        let estimate = self.withholding_from(source, &holding.symbol);
        let mut seen: Vec<_> = lots.iter().flat_map(|lot| showing_tax(&lot.entries, self.today)).collect();
        let currency = Paid::currency_of_latest(seen.iter().map(|(_, paid)| paid));
        seen.retain(|(_, paid)| Some(paid.currency) == currency);
        let paid = seen.into_iter().map(|(sequence, paid)| explain::Paid {
            sequence,
            date: paid.date,
            gross: paid.gross,
            tax: paid.tax,
        });
        let residence = self.account.user.residence.as_deref();
        Ok(explain::withholding(&estimate, source, residence, &paid.collect::<Vec<_>>(), currency))
    }

    /// The same for a stock, held or not; `None` if nothing is withheld.
    pub async fn explained_withholding_of_symbol(&mut self, symbol: &str) -> Result<Option<Node>, Error> {
        let rate = self.withholding_of_symbol(symbol).await?;
        let profile = self.profile(symbol).await?;
        let mut holdings = self.holdings.iter().filter(|holding| holding.symbol == symbol);
        let holding = holdings.clone().find(|holding| holding.isin.is_some()).or(holdings.next()).cloned();
        let node = match holding {
            Some(holding) => self.explained_withholding(&holding, profile.as_deref()).await?,
            None => None,
        };
        let node = node.filter(|node| node.decimal() == Some(rate));
        let node = node.unwrap_or_else(|| Node::number("withholding", rate, Unit::Fraction).with_source(Source::Estimate));
        Ok(Some(node).filter(|_| !rate.is_zero()))
    }

    /// Whether the user may see this stock.
    pub async fn sees(&mut self, symbol: &str) -> Result<bool, Error> {
        let viewer = Viewer::User(self.account.user.id);
        Ok(stock_visibility::tracked(self.app, &mut self.tx, symbol, viewer).await?.is_some())
    }

    async fn lots_of_symbol(&mut self, holding: &Holding) -> Result<Vec<Arc<Lot>>, Error> {
        self.read(&[holding]).await?;
        Ok(self.lots.of_symbol(&holding.symbol))
    }
}
