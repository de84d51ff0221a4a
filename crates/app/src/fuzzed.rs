//! For `fuzz/` only: code that reads foreign input, and what must hold for any input.

use url::Url;

use crate::accounts::fields::email as typed_email;
use crate::authentication::secret;
use crate::book::position_snapshot::PositionSnapshot;
use crate::oauth::{Way, redirects, shown_host, shown_name, shown_origin};
use crate::stocks::search::{Index, Listing, RESULTS_MAX, case_folding};

/// A decoded snapshot encodes to the same bytes.
pub fn snapshot(bytes: &[u8]) {
    let Some(snapshot) = PositionSnapshot::read(bytes) else { return };
    assert_eq!(PositionSnapshot::read(&snapshot.written()).as_ref(), Some(&snapshot));
    let each = snapshot.dividends.each();
    assert!(each.windows(2).all(|pair| pair[0].date <= pair[1].date), "a dividend before the one before it");
}

/// A text is a token if and only if its shape and checksum are right.
pub fn token(text: &str) {
    assert_eq!(secret::is_well_formed(text), secret::hash_of(text).is_some());
    if secret::is_well_formed(text) {
        assert_eq!(text.len(), secret::PERSONAL.len() + 36);
        let (rest, last) = text.split_at(text.len() - 1);
        let other = if last == "0" { "1" } else { "0" };
        assert!(!secret::is_well_formed(&format!("{rest}{other}")) && !secret::is_well_formed(rest));
    }
    let made = secret::with_checksum(secret::PERSONAL, text);
    let random = made.len() == secret::PERSONAL.len() + 36 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    assert_eq!(secret::is_well_formed(&made), random);
}

/// A redirect address leads to the host we show, as browsers parse it.
pub fn redirect(named: &str, asked: &str) {
    let url = Url::parse(named).ok();
    let host = url.as_ref().and_then(Url::host_str);
    match redirects::way(named) {
        None => {}
        Some(Way::Web) => {
            assert!(url.as_ref().is_some_and(|url| url.scheme() == "https" && url.username().is_empty()));
            assert_eq!(Some(shown_host(named).as_str()), host);
        }
        Some(Way::Loopback) => {
            assert!(host.is_some_and(|host| ["127.0.0.1", "[::1]", "localhost"].contains(&host)), "{named}");
        }
        Some(Way::Private) => assert!(host.is_none() || !["http", "https"].contains(&url.as_ref().map_or("", Url::scheme))),
    }
    if redirects::way(named).is_some() {
        let origin = shown_origin(named);
        assert!(
            origin.len() > 1 && !origin.contains([' ', ';', ',', '\'', '"']),
            "it would say more in a content policy: {origin}"
        );
        assert!(redirects::matches(named, named));
    }
    if redirects::way(named).is_some() && redirects::matches(named, asked) && named != asked {
        let without_port = |address: &str| {
            let mut url = Url::parse(address).ok()?;
            url.set_port(None).ok()?;
            Some(url)
        };
        assert_eq!(redirects::way(asked), Some(Way::Loopback));
        assert_eq!(without_port(named), without_port(asked));
    }
}

/// Names and addresses are shown as they are stored.
pub fn name(text: &str) {
    let shown = shown_name(text);
    assert_eq!(shown_name(&shown), shown);
    assert!(!shown.chars().any(char::is_control) && shown.chars().count() <= 81);
    if let Ok(address) = typed_email(text) {
        assert_eq!(typed_email(&address).ok().as_ref(), Some(&address));
        assert!(
            address.matches('@').count() == 1 && !address.chars().any(|letter| letter.is_whitespace() || letter.is_control())
        );
    }
}

/// Stocks with these names, one per line, and a search for one of them: its own symbol finds it first.
pub fn search(listings: &str, q: &str) {
    let listing = |(at, line): (usize, &str)| {
        let (symbol, name) = line.split_once('|').unwrap_or((line, ""));
        let (symbol, name) = (symbol.trim().to_owned(), Some(name.to_owned()).filter(|name| !name.is_empty()));
        let (tracked, followers) = (at.is_multiple_of(2), at as u32);
        let public_followers = tracked.then_some(if at.is_multiple_of(3) { 0 } else { followers });
        Listing { symbol, name, exchange: None, kind: None, tracked, followers, public_followers }
    };
    let mut stocks: Vec<Listing> = listings.lines().take(20).enumerate().map(listing).collect();
    stocks.sort_by(|one, other| one.symbol.cmp(&other.symbol));
    stocks.dedup_by(|one, other| one.symbol == other.symbol);
    let index = Index::build(stocks.iter().cloned());
    assert!(index.search_public(q).iter().all(|hit| hit.tracked));
    for hits in [index.search(q), index.search_public(q)] {
        assert!(hits.len() <= RESULTS_MAX);
        let mut symbols: Vec<&str> = hits.iter().map(|hit| hit.symbol).collect();
        symbols.sort_unstable();
        assert!(symbols.windows(2).all(|pair| pair[0] != pair[1]), "a stock is found twice");
    }
    for stock in &stocks {
        let folded = case_folding::symbol(&stock.symbol);
        let first = index.search(&stock.symbol).first().map(|hit| case_folding::symbol(hit.symbol));
        assert!(folded.is_empty() || first.as_ref() == Some(&folded), "{folded} finds {first:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzed_properties_hold_for_sample_input() {
        for text in ["", "drip_pat_", "000000000000000000000000000000", "ana@example.com", " a@b ", "\u{202e}App"] {
            token(text);
            name(text);
        }
        for named in ["https://app.example/cb", "http://[::1]:5/cb", "com.example.app:/cb", "http://127.0.0.1/cb", "javascript:1"]
        {
            redirect(named, "http://127.0.0.1:49152/cb");
        }
        search("KO|Coca-Cola\nSAN.MC|Banco Santander\n^GSPC|\nÄ|ä\n|x", "co");
        snapshot(&[2, 0]);
    }
}
