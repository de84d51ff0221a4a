//! Which share a row means.

use super::entry::Entry;
use super::wording;
use crate::reading::{Words, fields, suffix};
use crate::{Reason, Record};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));

/// Exchanges that also execute orders for shares listed elsewhere.
const REGIONAL: [&str; 2] = [".F", ".SG"];

#[derive(Clone, Default, Debug)]
pub struct Instrument {
    pub ticker: Option<String>,
    pub suffix: Option<&'static str>,
    pub isin: Option<String>,
    pub cusip: Option<String>,
    pub name: Option<String>,
    /// Identifies it within the file.
    pub key: String,
}

impl Instrument {
    /// `None` if the row names none.
    pub fn of(entry: &Entry) -> Option<Instrument> {
        let description = entry.text("description").unwrap_or_default();
        let head = wording::head(description);
        let id_in_head = head.as_ref().and_then(|head| head.id);
        let valid = |text: Option<&str>| text.and_then(|text| fields::isin("isin", text).ok());
        let isin = valid(entry.text("isin")).or_else(|| valid(entry.text("securityid"))).or_else(|| valid(id_in_head));
        let cusip = [entry.text("cusip"), entry.text("securityid")].into_iter().flatten().find(|text| is_cusip(text));
        let suffix = match entry.text("listingexchange") {
            Some(listed) => suffix_of(listed),
            None => entry.text("exchange").and_then(suffix_of).filter(|suffix| !REGIONAL.contains(suffix)),
        };
        let symbol = entry.text("symbol").or(head.as_ref().map(|head| head.symbol));
        let key = entry.text("conid").map(str::to_owned).or_else(|| isin.clone());
        let key = key.or_else(|| entry.text("isin").or(symbol).or(id_in_head).or(cusip).map(str::to_owned))?;
        Some(Instrument {
            ticker: symbol.map(|symbol| ticker(symbol, suffix)),
            suffix,
            isin,
            cusip: cusip.map(str::to_owned),
            name: None,
            key,
        })
    }

    /// With the company's name, if the description is one.
    pub fn named(entry: &Entry) -> Option<Instrument> {
        let name = entry.text("description").and_then(wording::plain);
        Some(Instrument { name, ..Instrument::of(entry)? })
    }

    pub fn put(&self, record: &mut Record) {
        record.ticker.clone_from(&self.ticker);
        record.suffix = self.suffix;
        record.isin.clone_from(&self.isin);
        record.cusip.clone_from(&self.cusip);
        record.name.clone_from(&self.name);
    }
}

/// The suffix of that exchange in our own notation; `None` if the exchange is unknown, or is not one (`VALUE`).
fn suffix_of(code: &str) -> Option<&'static str> {
    suffix(&EXCHANGES, &code.to_ascii_uppercase())
}

fn is_cusip(text: &str) -> bool {
    text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Some symbols already end in their exchange (`EQQQ.L`), or in a lowercase letter that only distinguishes two listings (`SAPd`).
pub fn ticker(symbol: &str, suffix: Option<&str>) -> String {
    let Some(suffix) = suffix.filter(|suffix| !suffix.is_empty()) else { return symbol.to_owned() };
    let plain = symbol.strip_suffix(suffix).unwrap_or(symbol);
    match plain.strip_suffix(|last: char| last.is_ascii_lowercase()) {
        Some(rest) if rest.len() > 1 && !rest.bytes().any(|byte| byte.is_ascii_lowercase()) => rest.to_owned(),
        _ => plain.to_owned(),
    }
}

/// Why a row is skipped that is about something else than shares and funds.
pub fn no_share(entry: &Entry) -> Option<Reason> {
    let category = entry.text("assetcategory")?;
    let asset = match category.to_ascii_uppercase().as_str() {
        "STK" | "FUND" | "ETF" => return None,
        other if ["STOCKS", "MUTUAL FUNDS", "FUNDS", "ETFS"].iter().any(|known| other.starts_with(known)) => return None,
        "CASH" | "FOREX" => return Some(Reason::CurrencyExchange),
        "OPT" | "FOP" | "FSFOP" | "IOPT" => "option",
        "WAR" | "WARRANTS" => "warrant",
        "FUT" | "FUTURES" => "future",
        "CFD" | "FXCFD" | "CFDS" => "cfd",
        "BOND" | "BILL" | "BONDS" | "TREASURY BILLS" => "bond",
        "CRYPTO" => "crypto",
        other if other.contains("OPTION") => "option",
        _ => return Some(Reason::unsupported_asset(category.to_owned())),
    };
    Some(Reason::unsupported_asset(asset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchange_codes_of_ibkr_differ_from_the_usual_ones() {
        assert_eq!(suffix_of("TSE"), Some(".TO"));
        assert_eq!(suffix_of("TSEJ"), Some(".T"));
        assert_eq!(suffix_of("ibis2"), Some(".DE"));
        assert_eq!(suffix_of("ARCA"), Some(""));
        assert_eq!(suffix_of("VALUE"), None);
    }

    #[test]
    fn an_exchange_suffix_is_removed_from_the_ticker() {
        assert_eq!(ticker("EQQQ.L", Some(".L")), "EQQQ");
        assert_eq!(ticker("SAPd", Some(".DE")), "SAP");
        assert_eq!(ticker("4543.T", Some(".T")), "4543");
        assert_eq!(ticker("EIT.UN", Some(".TO")), "EIT.UN");
        assert_eq!(ticker("BRK B", Some("")), "BRK B");
        assert_eq!(ticker("SAPd", None), "SAPd");
    }
}
