//! How a security is identified.

use super::tree::{NodeId, Tree};
use crate::Record;
use crate::reading::fields::{self, one_line};
use crate::reading::suffix_of_mic;

pub fn name(tree: &Tree, security: NodeId, record: &mut Record) {
    let text = |name: &str| tree.text(security, name).map(str::trim).filter(|text| !text.is_empty());
    record.isin = text("isin").and_then(|isin| fields::isin("isin", isin).ok());
    record.name = text("name").map(|name| one_line(name, 200));
    let Some(ticker) = text("tickerSymbol").and_then(|ticker| fields::symbol("ticker", ticker).ok()) else { return };
    // If prices come from Yahoo, they are requested with Yahoo's symbol.
    if text("feed").is_some_and(|feed| feed.starts_with("YAHOO")) {
        record.symbol = Some(ticker);
        return;
    }
    if !ticker.contains('.') {
        record.suffix = market(tree, security).and_then(suffix_of_mic);
    }
    record.ticker = Some(ticker);
}

/// The source of its prices, as a market identifier code.
fn market(tree: &Tree, security: NodeId) -> Option<&str> {
    let properties = tree.named(security, "property");
    properties
        .filter(|property| tree.attribute(*property, "name") == Some("PORTFOLIO-REPORT-MARKET"))
        .find_map(|property| tree.own_text(property))
}
