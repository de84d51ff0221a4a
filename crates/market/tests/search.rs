//! A search that goes through several providers.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use market::{Config, Market};
use replay::{Replay, Stock, World};

const ISIN: &str = "GB00MILL0003";

/// Yahoo knows the stock by its name only, the other one by its ISIN, too.
fn start() -> (Replay, Replay, Market) {
    let stock = Stock {
        symbol: "MILL.L".to_owned(),
        name: "Mill & Sons plc".to_owned(),
        unit: "GBp".to_owned(),
        kind: "EQUITY".to_owned(),
        ..Stock::default()
    };
    let with_isin = Stock { isin: ISIN.to_owned(), ..stock.clone() };
    let [yahoo, fmp] = [stock, with_isin].map(|stock| Replay::start(World { stocks: vec![stock], ..World::default() }));
    let config = |name: &str, replay: &Replay| Config {
        name: name.to_owned(),
        key: Some("key".to_owned()),
        url: Some(replay.url(name)),
        budget: None,
    };
    let market = market::open(&[config("yahoo", &yahoo), config("fmp", &fmp)]).unwrap();
    (yahoo, fmp, market)
}

#[tokio::test]
async fn an_isin_unknown_to_one_provider_is_looked_up_at_the_next() {
    let (yahoo, _fmp, market) = start();
    let found = market.search(ISIN).await.unwrap();
    assert_eq!((found.provider, &*found.answer[0].symbol), ("fmp", "MILL.L"));
    assert_eq!(yahoo.requests().len(), 1);
}

#[tokio::test]
async fn an_unknown_isin_has_no_result_even_if_a_provider_fails() {
    let (_yahoo, fmp, market) = start();
    fmp.fail("", replay::Fault::Status(500));
    let found = market.search(ISIN).await.unwrap();
    assert_eq!((found.provider, found.answer.len()), ("yahoo", 0));
}

#[tokio::test]
async fn a_name_unknown_to_the_first_provider_is_not_asked_of_the_next() {
    let (_yahoo, fmp, market) = start();
    assert!(market.search("mlil").await.unwrap().answer.is_empty());
    assert_eq!(market.search("mill").await.unwrap().answer.len(), 1);
    assert_eq!(fmp.requests(), [""; 0]);
}
