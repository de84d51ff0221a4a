//! Stocks that only the reference data knows: stored once somebody uses them, and replaced by any better data.

use std::collections::BTreeMap;

use ledger::{Currency, QuoteUnit};
use reference::{Listing, Reference};
use store::stocks::{self, Stock};
use store::{Tx, provenance};

use crate::{App, Error};

/// Their source in the provenance. No setting can name it, so it ranks below all providers and files.
pub(crate) const REFERENCE: &str = "reference";

/// The field of a trading currency that no provider has confirmed.
pub(crate) const CURRENCY: &str = "currency";

pub(crate) fn listing(reference: Option<&'static Reference>, symbol: &str) -> Option<Listing<'static>> {
    reference?.listings.by_symbol(symbol)
}

pub(crate) fn stock(listing: &Listing<'_>) -> Stock {
    let text = |text: Option<&str>| text.map(str::to_owned);
    Stock {
        name: text(Some(listing.name)),
        exchange: text(Some(listing.exchange)),
        kind: text(Some(listing.kind)),
        isin: text(listing.isin),
        country: text(listing.country),
        sector: text(listing.sector),
        instrument_type: Some(listing.kind.to_lowercase()),
        ..Stock::new(listing.symbol, listing.unit)
    }
}

/// Records that these fields of the stock come from the reference data.
pub(crate) async fn put_provenance(app: &App, tx: &mut Tx, stock: &Stock, currency: bool) -> Result<(), Error> {
    let fields = [
        ("name", stock.name.is_some()),
        ("exchange", stock.exchange.is_some()),
        ("type", stock.kind.is_some()),
        ("isin", stock.isin.is_some()),
        ("country", stock.country.is_some()),
        ("sector", stock.sector.is_some()),
        ("instrument_type", stock.instrument_type.is_some()),
        (CURRENCY, currency),
    ];
    let given: Vec<(&str, &str)> = fields.into_iter().filter(|(_, given)| *given).map(|(field, _)| (field, REFERENCE)).collect();
    provenance::put(tx, &stock.symbol, &given, app.clock.now_micros()).await?;
    Ok(())
}

/// Adds rows for symbols that have none: from the reference data, else with nothing but the currency.
pub(crate) async fn add(app: &App, tx: &mut Tx, symbols: &BTreeMap<String, Currency>) -> Result<(), Error> {
    let mut unlisted = Vec::new();
    for (symbol, currency) in symbols {
        match listing(app.reference, symbol) {
            Some(listing) => add_listing(app, tx, &listing).await?,
            None => unlisted.push((symbol.as_str(), *currency)),
        }
    }
    Ok(stocks::add_placeholders(tx, unlisted).await?)
}

async fn add_listing(app: &App, tx: &mut Tx, listing: &Listing<'_>) -> Result<(), Error> {
    let stock = stock(listing);
    if stocks::add(tx, &stock).await? {
        put_provenance(app, tx, &stock, true).await?;
    }
    Ok(())
}

/// The stock as one whose currency is not confirmed, if only the reference data knows its currency and a provider disagrees.
pub(crate) async fn doubted(tx: &mut Tx, stock: Stock, unit: Option<QuoteUnit>) -> Result<Stock, Error> {
    if stock.placeholder || unit.is_none_or(|unit| unit.currency == stock.currency) {
        return Ok(stock);
    }
    let owners = provenance::of_symbol(tx, &stock.symbol).await?;
    let placeholder = owners.iter().any(|owner| owner.field == CURRENCY && owner.provider == REFERENCE);
    Ok(Stock { placeholder, ..stock })
}
