//! Alpha Vantage over HTTP.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use std::time::Duration;

use jiff::civil::date;
use market::{Budget, Config, DividendUnit, Fault, Market, Offer, Urgency};
use replay::{Dividend, Replay, Split, Stock, World};

fn world() -> World {
    let text = str::to_owned;
    let london = Stock {
        symbol: text("ABC.L"),
        name: text("Abacus plc"),
        unit: text("GBp"),
        exchange: text("London"),
        country: text("United Kingdom"),
        price: text("512.5"),
        ..Stock::default()
    };
    let american = Stock {
        symbol: text("PAYR"),
        name: text("Payer Inc"),
        unit: text("USD"),
        exchange: text("NYSE"),
        country: text("USA"),
        price: text("40"),
        forward_rate: Some(text("2.4")),
        fcf_cover: Some(text("1.4")),
        pe: Some(text("15.5")),
        dividends: vec![Dividend { ex_date: text("2026-02-05"), amount: text("0.6"), ..Dividend::default() }],
        splits: vec![Split { date: text("2020-08-31"), new: 3, old: 2 }],
        ..Stock::default()
    };
    let fund =
        Stock { symbol: text("FUND"), name: text("Fund of All"), unit: text("USD"), kind: text("ETF"), ..Stock::default() };
    World { stocks: vec![london, american, fund], ..World::default() }
}

fn open(replay: &Replay, key: &str) -> Market {
    let (name, url) = ("alphavantage".to_owned(), Some(replay.url("alphavantage")));
    let budget = Some(Budget { per_minute: 100, per_day: 1000 });
    market::open(&[Config { name, key: Some(key.to_owned()), url, budget }]).unwrap()
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
    assert_eq!((replay.count("keywords=ABC.LON"), replay.count("keywords=PAYR")), (1, 0));
}

#[tokio::test]
async fn an_unsupported_exchange_is_not_requested() {
    let replay = Replay::start(world());
    let failure = open(&replay, "good").dividends("ENI.MI", date(2019, 1, 1)).await.unwrap_err();
    assert!(matches!(&failure.faults[0].1, Fault::Unsupported(Offer::Exchange { symbol }) if symbol == "ENI.MI"));
    assert!(replay.requests().is_empty());
}

#[tokio::test]
async fn a_profile_asks_for_the_cash_flow_of_payers_only() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let payer = market.profiles("PAYR").await.unwrap().remove(0).answer;
    let figures = [payer.forward_rate, payer.pe, payer.fcf_cover, payer.high52].map(|figure| figure.unwrap().to_string());
    assert_eq!(figures, ["2.4", "15.5", "1.4", "40"]);
    let other = market.profiles("ABC.L").await.unwrap().remove(0).answer;
    assert_eq!((other.unit.unwrap().name(), other.high52.unwrap().to_string().as_str()), ("GBp", "5.125"));
    assert_eq!(replay.count("CASH_FLOW"), 1);
    assert!(market.profiles("NONE").await.unwrap_err().is_unknown());
}

#[tokio::test]
async fn a_fund_without_an_overview_still_has_a_profile() {
    let replay = Replay::start(world());
    let fund = open(&replay, "good").profiles("FUND").await.unwrap().remove(0).answer;
    assert_eq!(
        (fund.name.as_deref(), fund.kind.as_deref(), fund.unit.unwrap().name()),
        (Some("Fund of All"), Some("ETF"), "USD")
    );
}

#[tokio::test]
async fn history_starts_at_the_requested_day_and_no_dividends_is_valid_for_known_symbols_only() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let since = date(2019, 1, 1);
    let dividends = market.dividends("PAYR", since).await.unwrap().answer;
    assert_eq!((dividends[0].amount.to_string().as_str(), dividends[0].pay_date), ("0.6", None));
    assert_eq!(dividends[0].unit, DividendUnit::AsQuoted);
    assert!(market.dividends("PAYR", date(2026, 2, 6)).await.unwrap().answer.is_empty());
    assert_eq!(market.splits("PAYR", since).await.unwrap().answer[0].ratio.to_string(), "3:2");
    assert!(market.splits("PAYR", date(2021, 1, 1)).await.unwrap().answer.is_empty());
    assert!(market.dividends("ABC.L", since).await.unwrap().answer.is_empty());
    assert!(market.dividends("NONE", since).await.unwrap_err().is_unknown());
    assert!(market.splits("NONE", since).await.unwrap_err().is_unknown());
}

#[tokio::test]
async fn search_returns_our_symbols() {
    let replay = Replay::start(world());
    let found = open(&replay, "good").search("abacus").await.unwrap().answer;
    assert_eq!((found[0].symbol.as_str(), found[0].unit.as_deref()), ("ABC.L", Some("GBX")));
}

#[tokio::test]
async fn refusals_become_the_right_fault_and_never_show_the_key() {
    let replay = Replay::start(world());
    let ask = async |key| open(&replay, key).search("abacus").await.unwrap_err().faults.remove(0).1;
    let wrong = ask("wrong").await;
    assert!(matches!(&wrong, Fault::Denied(_)) && !wrong.to_string().contains("wrong"), "{wrong}");
    assert_eq!(ask("hasty").await, Fault::Throttled(None));
    let Fault::Throttled(Some(wait)) = ask("spent").await else { panic!("the day's limit names its end") };
    assert!(wait <= Duration::from_secs(24 * 3600));
}

#[tokio::test]
async fn a_provider_is_not_asked_again_after_its_daily_limit() {
    let replay = Replay::start(world());
    let market = open(&replay, "spent");
    assert!(market.search("abacus").await.is_err());
    let again = market.search("payer").await.unwrap_err();
    assert!(matches!(again.faults[0].1, Fault::Resting(..)));
    assert_eq!(replay.requests().len(), 1);
}
