//! Searches for stocks.

use app::stocks::search::{Index, Listing, RESULTS_MAX, case_folding};

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
