//! EOD Historical Data over HTTP.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use std::time::Duration;

use jiff::civil::date;
use market::{Budget, Config, DividendUnit, Fault, Market, Offer, Urgency};
use replay::{Dividend, Replay, Split, Stock, World};

fn world() -> World {
    let text = str::to_owned;
    let dividend = |day: &str, amount: &str, currency: Option<&str>| Dividend {
        ex_date: text(day),
        amount: text(amount),
        currency: currency.map(text),
        ..Dividend::default()
    };
    let london = Stock {
        symbol: text("ABC.L"),
        name: text("Abacus plc"),
        unit: text("GBp"),
        isin: text("GB00ABACUS12"),
        price: text("512.5"),
        price_time: 1_775_160_000,
        dividends: vec![dividend("2018-02-05", "40", None), dividend("2026-02-05", "0.2", Some("USD"))],
        splits: vec![Split { date: text("2020-08-31"), new: 4, old: 1 }],
        closes: vec![(text("2020-08-28"), text("100.5")), (text("2020-09-01"), text("101"))],
        ..Stock::default()
    };
    let pounds = Stock { symbol: text("QUID.L"), unit: text("GBP"), price: text("5"), ..Stock::default() };
    let american = Stock { symbol: text("PAYR"), name: text("Payer"), unit: text("USD"), price: text("40"), ..Stock::default() };
    World { stocks: vec![london, pounds, american], ..World::default() }
}

fn open(replay: &Replay, key: &str) -> Market {
    let budget = Some(Budget { per_minute: 100, per_day: 1000 });
    let config = Config { name: "eodhd".to_owned(), key: Some(key.to_owned()), url: Some(replay.url("eodhd")), budget };
    market::open(&[config]).unwrap()
}

#[tokio::test]
async fn a_quote_looks_up_its_unit_once_and_us_symbols_need_none() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let symbols = ["ABC.L", "PAYR", "NONE.L", "NONE"].map(str::to_owned);
    for _ in 0..2 {
        let quotes = market.quotes(&symbols, Urgency::Live).await;
        let prices: Vec<_> = quotes.found.iter().map(|found| found.answer.price.to_string()).collect();
        assert_eq!(
            (prices, quotes.unknown),
            (vec!["5.125".to_owned(), "40".to_owned()], vec!["NONE.L".to_owned(), "NONE".to_owned()])
        );
    }
    assert_eq!((replay.count("/search/ABC"), replay.count("/search/PAYR")), (1, 0));
}

#[tokio::test]
async fn a_london_listing_given_in_pounds_has_no_quote() {
    let replay = Replay::start(world());
    let quotes = open(&replay, "good").quotes(&["QUID.L".to_owned()], Urgency::Live).await;
    assert!(quotes.found.is_empty());
    assert_eq!(quotes.failed["QUID.L"].faults[0].1, Fault::Unsupported(Offer::Currency { symbol: "QUID.LSE".to_owned() }));
    assert_eq!(replay.count("/real-time"), 0);
}

#[tokio::test]
async fn dividends_are_unadjusted_and_closes_are_adjusted_for_splits() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let since = date(2018, 1, 1);
    let dividends = market.dividends("ABC.L", since).await.unwrap().answer;
    let figures: Vec<_> = dividends.iter().map(|one| (one.amount.normalize().to_string(), one.unit)).collect();
    let whole = |code| DividendUnit::Whole(ledger::Currency::parse(code).unwrap());
    assert_eq!(figures, [("0.4".to_owned(), whole("GBP")), ("0.2".to_owned(), whole("USD"))]);
    assert_eq!(market.splits("ABC.L", since).await.unwrap().answer[0].ratio.to_string(), "4:1");
    // 402 pence before the split of 4:1 are 100.5 after it.
    let closes = market.closes("ABC.L", since).await.unwrap().answer;
    assert_eq!(closes, [(date(2020, 8, 28), "1.005".parse().unwrap()), (date(2020, 9, 1), "1.01".parse().unwrap())]);
    assert!(market.dividends("NONE", since).await.unwrap_err().is_unknown());
    assert!(market.closes("NONE.L", since).await.unwrap_err().is_unknown());
    let unsplit = open(&replay, "free").closes("ABC.L", since).await.unwrap_err();
    assert!(matches!(unsplit.faults[0].1, Fault::Unsupported(_)), "without the splits the closes cannot be adjusted");
}

#[tokio::test]
async fn search_and_profile_identify_the_company() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let found = market.search("abacus").await.unwrap().answer;
    assert_eq!((found[0].symbol.as_str(), found[0].unit.as_deref()), ("ABC.L", Some("GBX")));
    assert!(market.search("no/such thing").await.unwrap().answer.is_empty());
    assert_eq!(replay.count("/search/no%2Fsuch%20thing?"), 1);
    let profile = market.profiles("ABC.L").await.unwrap().remove(0).answer;
    assert_eq!((profile.isin.as_deref(), profile.country.as_deref()), (Some("GB00ABACUS12"), Some("GB")));
    assert_eq!(profile.unit.unwrap().name(), "GBp");
    assert!(market.profiles("NONE.L").await.unwrap_err().is_unknown());
}

#[tokio::test]
async fn refusals_become_the_right_fault_and_never_show_the_key() {
    let replay = Replay::start(world());
    let ask = async |key| open(&replay, key).splits("ABC.L", date(2018, 1, 1)).await.unwrap_err().faults.remove(0).1;
    let wrong = ask("wrong").await;
    assert!(matches!(&wrong, Fault::Denied(_)) && !wrong.to_string().contains("wrong"), "{wrong}");
    assert!(matches!(ask("free").await, Fault::Unsupported(_)));
    let Fault::Throttled(Some(wait)) = ask("spent").await else { panic!("the quota of the day names its end") };
    assert!(wait <= Duration::from_secs(24 * 3600));
    let unsupported = open(&replay, "good").splits("ENI.MI", date(2018, 1, 1)).await.unwrap_err();
    assert!(matches!(unsupported.faults[0].1, Fault::Unsupported(_)));
}

#[tokio::test]
async fn a_throttle_keeps_its_wait_and_an_html_page_is_malformed() {
    let replay = Replay::start(world());
    replay.fail("/search", replay::Fault::Throttle(Some(30)));
    let failure = open(&replay, "good").search("abacus").await.unwrap_err();
    assert_eq!(failure.faults[0].1, Fault::Throttled(Some(Duration::from_secs(30))));
    replay.heal();
    replay.fail("/search", replay::Fault::Html);
    let failure = open(&replay, "good").search("abacus").await.unwrap_err();
    assert!(matches!(failure.faults[0].1, Fault::Malformed(_)));
}
