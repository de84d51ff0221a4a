//! Financial Modeling Prep over HTTP.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use jiff::civil::date;
use market::{Config, DividendUnit, Fault, Market, Offer, Urgency};
use replay::{Dividend, Replay, Split, Stock, World};

fn world() -> World {
    let text = str::to_owned;
    let abacus = Stock {
        symbol: text("ABC.L"),
        name: text("Abacus plc"),
        unit: text("GBp"),
        exchange: text("LSE"),
        kind: text("EQUITY"),
        isin: text("GB00ABACUS12"),
        country: text("GB"),
        sector: text("Utilities"),
        industry: text("Water"),
        price: text("512.5"),
        price_time: 1_775_160_000,
        payout_ratio: Some(text("0.62")),
        fcf_cover: Some(text("1.4")),
        pe: Some(text("15.5")),
        dividends: vec![Dividend {
            ex_date: text("2026-02-05"),
            pay_date: Some(text("2026-03-01")),
            amount: text("12.5"),
            ..Dividend::default()
        }],
        splits: vec![Split { date: text("2020-08-31"), new: 4, old: 1 }],
        closes: vec![(text("2026-02-03"), text("500")), (text("2026-02-04"), text("510.5"))],
        ..Stock::default()
    };
    let grower = Stock { symbol: text("GRW"), name: text("Grower"), unit: text("USD"), price: text("7"), ..Stock::default() };
    World { stocks: vec![abacus, grower], ..World::default() }
}

fn open(replay: &Replay, key: &str) -> Market {
    let config = Config { name: "fmp".to_owned(), key: Some(key.to_owned()), url: Some(replay.url("fmp")), budget: None };
    market::open(&[config]).unwrap()
}

#[tokio::test]
async fn a_quote_takes_its_unit_from_the_profile_once() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    for _ in 0..2 {
        let quotes = market.quotes(&["ABC.L".to_owned(), "NONE".to_owned()], Urgency::Live).await;
        assert_eq!((quotes.found[0].answer.price.to_string().as_str(), quotes.unknown.len()), ("5.125", 1));
    }
    assert_eq!(replay.count("/profile?symbol=ABC.L"), 1);
    assert_eq!(replay.count("/quote?symbol=NONE"), 0, "what has no profile has no unit");
}

#[tokio::test]
async fn a_quote_without_a_unit_fails() {
    let replay = Replay::start(world());
    replay.change(|world| world.stocks[0].unit.clear());
    let quotes = open(&replay, "good").quotes(&["ABC.L".to_owned()], Urgency::Live).await;
    assert!(quotes.found.is_empty());
    assert_eq!(quotes.failed["ABC.L"].faults[0].1, Fault::Unsupported(Offer::Currency { symbol: "ABC.L".to_owned() }));
}

#[tokio::test]
async fn a_profile_is_assembled_from_what_the_plan_offers() {
    let replay = Replay::start(world());
    let full = open(&replay, "good").profiles("ABC.L").await.unwrap().remove(0).answer;
    let figures = [full.pe, full.payout_ratio, full.fcf_cover, full.ma50, full.ma200, full.low52, full.high52];
    let expected = ["15.5", "0.62", "1.4", "5.125", "5.125", "5.125", "5.125"];
    assert_eq!(figures.map(|figure| figure.unwrap().to_string()), expected);
    assert_eq!((full.name.as_deref(), full.forward_rate), (Some("Abacus plc"), None));
    let poor = open(&replay, "free").profiles("ABC.L").await.unwrap().remove(0).answer;
    assert_eq!((poor.pe, poor.fcf_cover, poor.low52), (None, None, full.low52));
    assert!(open(&replay, "good").profiles("NONE").await.unwrap_err().is_unknown());
}

#[tokio::test]
async fn history_starts_at_the_requested_day() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let since = date(2019, 1, 1);
    let dividends = market.dividends("ABC.L", since).await.unwrap().answer;
    assert_eq!((dividends.len(), dividends[0].amount.to_string().as_str()), (1, "12.5"));
    assert_eq!((dividends[0].pay_date, dividends[0].declared_date), (Some(date(2026, 3, 1)), None));
    assert_eq!(dividends[0].unit, DividendUnit::AsQuoted, "pence, which only the caller knows");
    assert!(market.dividends("ABC.L", date(2026, 2, 6)).await.unwrap().answer.is_empty());
    assert_eq!(market.splits("ABC.L", since).await.unwrap().answer[0].ratio.to_string(), "4:1");
    assert!(market.splits("ABC.L", date(2021, 1, 1)).await.unwrap().answer.is_empty());
    let closes = market.closes("ABC.L", since).await.unwrap().answer;
    assert_eq!(closes.iter().map(|(_, close)| close.to_string()).collect::<Vec<_>>(), ["5", "5.105"]);
}

#[tokio::test]
async fn no_dividends_is_a_valid_answer_for_a_known_symbol_only() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let since = date(2019, 1, 1);
    assert!(market.dividends("GRW", since).await.unwrap().answer.is_empty());
    assert!(market.splits("GRW", since).await.unwrap().answer.is_empty());
    assert!(market.dividends("NONE", since).await.unwrap_err().is_unknown());
    assert!(market.splits("NONE", since).await.unwrap_err().is_unknown());
    replay.change(|world| world.stocks[0].delisted = true);
    assert!(market.closes("ABC.L", since).await.unwrap_err().is_unknown());
}

#[tokio::test]
async fn search_goes_by_symbol_name_and_isin() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    for text in ["abc", "abacus", "gb00abacus12"] {
        let found = market.search(text).await.unwrap().answer;
        assert_eq!(found.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["ABC.L"], "{text}");
    }
    assert_eq!((replay.count("/search-isin"), replay.count("/search-name")), (1, 2));
}

#[tokio::test]
async fn the_calendar_names_all_symbols_between_two_days() {
    let replay = Replay::start(world());
    let market = open(&replay, "good");
    let found = market.calendar(date(2026, 2, 1), date(2026, 2, 28)).await.unwrap().answer;
    assert_eq!((found.len(), found[0].symbol.as_str(), found[0].dividend.ex_date), (1, "ABC.L", date(2026, 2, 5)));
    assert!(market.calendar(date(2026, 2, 6), date(2026, 2, 28)).await.unwrap().answer.is_empty());
}

#[tokio::test]
async fn refusals_become_the_right_fault_and_never_show_the_key() {
    let replay = Replay::start(world());
    let since = date(2019, 1, 1);
    let fault = |failure: market::Failure| failure.faults[0].1.clone();
    let wrong = fault(open(&replay, "wrong").dividends("ABC.L", since).await.unwrap_err());
    assert!(matches!(&wrong, Fault::Denied(_)) && !wrong.to_string().contains("wrong"), "{wrong}");
    let spent = open(&replay, "spent");
    assert_eq!(fault(spent.dividends("ABC.L", since).await.unwrap_err()), Fault::Throttled(None));
    assert!(matches!(fault(spent.dividends("ABC.L", since).await.unwrap_err()), Fault::Resting(..)));
    let free = open(&replay, "free");
    for _ in 0..6 {
        let refused = fault(free.calendar(date(2026, 2, 1), date(2026, 2, 28)).await.unwrap_err());
        assert!(matches!(refused, Fault::Unsupported(_)), "a plan without it is no failure of the provider: {refused}");
    }
    assert_eq!(free.dividends("ABC.L", since).await.unwrap().answer.len(), 1);
}

#[tokio::test]
async fn an_html_page_is_malformed() {
    let replay = Replay::start(world());
    replay.fail("/fmp", replay::Fault::Html);
    let failure = open(&replay, "good").dividends("ABC.L", date(2019, 1, 1)).await.unwrap_err();
    assert!(matches!(failure.faults[0].1, Fault::Malformed(_)));
}
