//! What is known about the listings of a security.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use store::stocks::{self, Stock};
use store::{Tx, instruments, name_key};

use super::kept::isins;
use crate::import::named::kept_symbol;
use crate::stocks::listed;
use crate::{App, Error};

/// The listings that each provisional symbol can mean; those that nothing knows are left out. By ISIN, from market data or, if
/// that has none, from the reference data or as users of this service have matched it; without an ISIN, by name.
pub(super) async fn find(app: &App, tx: &mut Tx, symbols: &[&str]) -> Result<HashMap<String, Vec<Stock>>, Error> {
    let of_symbols: Vec<(&str, Vec<String>)> = symbols.iter().map(|symbol| (*symbol, isins(symbol))).collect();
    let wanted: BTreeSet<&str> = of_symbols.iter().flat_map(|(_, isins)| isins.iter().map(String::as_str)).collect();
    let by_isin = by_isin(app, tx, &wanted.into_iter().collect::<Vec<_>>()).await?;
    let named: BTreeSet<&str> = of_symbols.iter().filter(|(_, isins)| isins.is_empty()).map(|(symbol, _)| *symbol).collect();
    let mut found = by_name(tx, &named).await?;
    for (symbol, isins) in &of_symbols {
        let listed: Vec<Stock> = isins.iter().filter_map(|isin| by_isin.get(isin.as_str())).flatten().cloned().collect();
        if !listed.is_empty() {
            found.insert((*symbol).to_owned(), listed);
        }
    }
    Ok(found)
}

async fn by_isin<'a>(app: &App, tx: &mut Tx, isins: &[&'a str]) -> Result<BTreeMap<&'a str, Vec<Stock>>, Error> {
    let listed = stocks::by_isins(tx, isins).await?;
    let mut found: BTreeMap<&str, Vec<Stock>> = BTreeMap::new();
    for (isin, mut listed) in isins.iter().zip(listed) {
        listed.retain(|stock| !stock.placeholder);
        if listed.is_empty() {
            listed.extend(
                app.reference.iter().flat_map(|reference| reference.listings.by_isin(isin)).map(|one| listed::stock(&one)),
            );
        }
        found.insert(isin, listed);
    }
    let unknown: Vec<&str> = isins.iter().copied().filter(|isin| found.get(isin).is_none_or(Vec::is_empty)).collect();
    for (isin, symbols) in unknown.iter().zip(instruments::confirmed(tx, &unknown).await?) {
        let stocks = stocks::by_symbols(tx, &symbols.iter().map(String::as_str).collect::<Vec<_>>()).await?;
        let agrees = |stock: &Stock| !stock.placeholder && stock.isin.as_deref().is_none_or(|own| own == *isin);
        found.insert(isin, stocks.into_iter().flatten().filter(agrees).collect());
    }
    Ok(found)
}

/// Compared in the form in which names are kept, which is shorter than some names.
async fn by_name(tx: &mut Tx, kept: &BTreeSet<&str>) -> Result<HashMap<String, Vec<Stock>>, Error> {
    if kept.is_empty() {
        return Ok(HashMap::new());
    }
    let wanted: HashMap<String, &str> = kept.iter().map(|symbol| (name_key::key(symbol), *symbol)).collect();
    let mut symbols: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    stocks::each_listing(tx, |listing| {
        let name = listing.name.filter(|_| !listing.placeholder).map(|name| name_key::key(&kept_symbol(&name.to_uppercase())));
        if let Some(symbol) = name.and_then(|name| wanted.get(&name)) {
            symbols.entry(symbol).or_default().push(listing.symbol);
        }
    })
    .await?;
    let mut found = HashMap::new();
    for (kept, symbols) in symbols {
        let stocks = stocks::by_symbols(tx, &symbols.iter().map(String::as_str).collect::<Vec<_>>()).await?;
        found.insert(kept.to_owned(), stocks.into_iter().flatten().collect());
    }
    Ok(found)
}
