//! Yahoo over real HTTP, against a fake server.
#![allow(clippy::unwrap_used)]

use jiff::civil::{Date, date};
use market::{Ability, Config, Fault, Market, Urgency};
use replay::{Dividend, Replay, Split, Stock, World};

const SINCE: Date = date(2019, 1, 1);

fn mill() -> Stock {
    let dividend = |ex_date: &str, amount: &str| Dividend {
        ex_date: ex_date.to_owned(),
        pay_date: Some("2024-06-30".to_owned()),
        amount: amount.to_owned(),
        ..Dividend::default()
    };
    Stock {
        symbol: "MILL.L".to_owned(),
        name: "Mill & Sons plc".to_owned(),
        unit: "GBp".to_owned(),
        exchange: "LSE".to_owned(),
        time_zone: "Europe/London".to_owned(),
        kind: "EQUITY".to_owned(),
        isin: "GB00MILL0001".to_owned(),
        country: "United Kingdom".to_owned(),
        sector: "Energy".to_owned(),
        price: "812.5".to_owned(),
        price_time: 1_750_000_000,
        forward_rate: Some("0.33".to_owned()),
        payout_ratio: Some("0.61".to_owned()),
        fcf_cover: Some("1.8".to_owned()),
        pe: Some("14.2".to_owned()),
        // Two for one in between: the first is written as 10 pence.
        dividends: vec![dividend("2022-03-10", "20"), dividend("2024-03-07", "12.5")],
        splits: vec![Split { date: "2023-05-02".to_owned(), new: 2, old: 1 }],
        closes: vec![("2022-03-09".to_owned(), "700".to_owned()), ("2024-03-06".to_owned(), "800.25".to_owned())],
        next_ex_date: Some("2099-03-10".to_owned()),
        next_pay_date: Some("2099-04-10".to_owned()),
        ..Stock::default()
    }
}

fn fund() -> Stock {
    let gain = Dividend { ex_date: "2023-12-20".to_owned(), amount: "3.1".to_owned(), special: true, ..Dividend::default() };
    Stock {
        symbol: "FUNDX".to_owned(),
        name: "Fund of Australia".to_owned(),
        unit: "AUD".to_owned(),
        exchange: "ASX".to_owned(),
        time_zone: "Australia/Sydney".to_owned(),
        utc_offset: 11 * 3600,
        kind: "MUTUALFUND".to_owned(),
        price: "41.25".to_owned(),
        price_time: 1_750_000_000,
        dividends: vec![gain],
        closes: vec![("2019-01-01".to_owned(), "40".to_owned()), ("2019-01-02".to_owned(), "41".to_owned())],
        ..Stock::default()
    }
}

fn start(change: impl FnOnce(&mut World)) -> (Replay, Market) {
    let mut world = World { stocks: vec![mill(), fund()], ..World::default() };
    change(&mut world);
    let replay = Replay::start(world);
    let config = Config { name: "yahoo".to_owned(), url: Some(replay.url("yahoo")), ..Config::default() };
    let market = market::open(&[config]).unwrap();
    (replay, market)
}

async fn prices(market: &Market, symbols: &[&str]) -> Vec<(String, String)> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| (*symbol).to_owned()).collect();
    let found = market.quotes(&symbols, Urgency::Live).await.found;
    found.into_iter().map(|found| (found.answer.symbol, found.answer.price.to_string())).collect()
}

async fn fault(market: &Market, symbol: &str) -> Fault {
    let symbols = [symbol.to_owned(), "FUNDX".to_owned()];
    let mut quotes = market.quotes(&symbols, Urgency::Live).await;
    quotes.failed.remove(symbol).unwrap().faults.remove(0).1
}

fn price(symbol: &str, price: &str) -> (String, String) {
    (symbol.to_owned(), price.to_owned())
}

#[tokio::test]
async fn quotes_of_many_symbols_cost_one_request_and_one_crumb() {
    let (replay, market) = start(|_| ());
    let found = prices(&market, &["MILL.L", "SIX", "FUNDX", "bad symbol/.."]).await;
    assert_eq!(found, [price("MILL.L", "8.125"), price("FUNDX", "41.25")]);
    prices(&market, &["FUNDX"]).await;
    assert_eq!((replay.count("v7/finance/quote"), replay.count("getcrumb")), (2, 1));
}

#[tokio::test]
async fn simultaneous_requests_share_one_crumb() {
    let (replay, market) = start(|_| ());
    tokio::join!(prices(&market, &["MILL.L"]), prices(&market, &["FUNDX"]), market.profiles("MILL.L")).0.pop().unwrap();
    assert_eq!(replay.count("getcrumb"), 1);
}

#[tokio::test]
async fn the_consent_pages_are_passed_to_get_the_cookie() {
    let (replay, market) = start(|world| world.yahoo_consent = true);
    assert_eq!(prices(&market, &["FUNDX"]).await, [price("FUNDX", "41.25")]);
    let pages: Vec<String> = replay.requests().into_iter().map(|path| path.split('?').next().unwrap().to_owned()).collect();
    assert_eq!(
        pages,
        [
            "/yahoo/",
            "/yahoo/consent",
            "/yahoo/v2/collectConsent",
            "/yahoo/v2/collectConsent",
            "/yahoo/copyConsent",
            "/yahoo/",
            "/yahoo/v1/test/getcrumb",
            "/yahoo/v7/finance/quote"
        ]
    );
}

#[tokio::test]
async fn an_error_text_is_never_used_as_a_crumb() {
    let (replay, market) = start(|world| world.yahoo_crumb_throttled = true);
    assert_eq!(fault(&market, "MILL.L").await, Fault::Throttled(None));
    assert_eq!(replay.count("v7/finance/quote"), 0);
    // A single symbol still gets its price from the metadata of its chart, and the crumb is not requested again at once.
    assert_eq!(prices(&market, &["MILL.L"]).await, [price("MILL.L", "8.125")]);
    assert_eq!(market.dividends("MILL.L", SINCE).await.unwrap().answer.len(), 2);
    assert_eq!(replay.count("getcrumb"), 1);
}

#[tokio::test]
async fn a_crumb_that_is_stale_is_replaced_once() {
    let (replay, market) = start(|_| ());
    prices(&market, &["FUNDX"]).await;
    replay.change(|world| world.yahoo_crumb = "n3w.Crumb".to_owned());
    assert_eq!(prices(&market, &["FUNDX"]).await, [price("FUNDX", "41.25")]);
    assert_eq!((replay.count("getcrumb"), replay.count("v7/finance/quote")), (2, 3));
}

#[tokio::test]
async fn without_a_valid_crumb_the_provider_fails_and_stops_asking() {
    let (replay, market) = start(|_| ());
    replay.fail("v7/finance/quote", replay::Fault::Status(401));
    assert!(matches!(fault(&market, "MILL.L").await, Fault::Denied(_)));
    assert_eq!((replay.count("getcrumb"), replay.count("v7/finance/quote")), (2, 2));
    assert!(matches!(fault(&market, "MILL.L").await, Fault::Denied(_)));
    assert_eq!((replay.count("getcrumb"), replay.count("v7/finance/quote")), (2, 2), "nothing more for a while");
}

#[tokio::test]
async fn without_its_cookie_there_is_no_crumb() {
    let (replay, market) = start(|world| world.yahoo_consent = true);
    replay.fail("copyConsent", replay::Fault::Html);
    assert!(matches!(fault(&market, "MILL.L").await, Fault::Denied(_)));
    assert_eq!(replay.count("v7/finance/quote"), 0);
}

#[tokio::test]
async fn a_throttled_crumb_request_is_a_throttle() {
    let (replay, market) = start(|_| ());
    replay.fail("getcrumb", replay::Fault::Throttle(Some(30)));
    assert!(matches!(fault(&market, "MILL.L").await, Fault::Throttled(_)));
    assert_eq!(replay.count("v7/finance/quote"), 0);
}

#[tokio::test]
async fn one_chart_answers_for_dividends_splits_and_closes() {
    let (replay, market) = start(|_| ());
    let dividends = market.dividends("MILL.L", SINCE).await.unwrap().answer;
    let rows: Vec<_> = dividends.iter().map(|one| (one.ex_date.to_string(), one.amount.to_string())).collect();
    assert_eq!(rows, [price("2022-03-10", "0.2"), price("2024-03-07", "0.125")], "as paid, in pounds");
    let splits = market.splits("MILL.L", SINCE).await.unwrap().answer;
    assert_eq!((splits[0].date, splits[0].ratio.to_string()), (date(2023, 5, 2), "2:1".to_owned()));
    let closes = market.closes("MILL.L", SINCE).await.unwrap().answer;
    assert_eq!(closes[1], (date(2024, 3, 6), "8.0025".parse().unwrap()));
    assert_eq!((replay.count("v8/finance/chart"), replay.count("getcrumb")), (1, 0));
}

#[tokio::test]
async fn the_first_requested_day_is_included_in_any_time_zone() {
    // Ten in the morning in Sydney is still the day before in UTC.
    let (_replay, market) = start(|_| ());
    let closes = market.closes("FUNDX", SINCE).await.unwrap().answer;
    assert_eq!(closes.iter().map(|(date, _)| *date).collect::<Vec<_>>(), [SINCE, date(2019, 1, 2)]);
    let later = market.closes("FUNDX", date(2019, 1, 2)).await.unwrap().answer;
    assert_eq!(later.len(), 1);
    let gain = market.dividends("FUNDX", SINCE).await.unwrap().answer.remove(0);
    assert_eq!((gain.ex_date, gain.special), (date(2023, 12, 20), Some(true)));
}

#[tokio::test]
async fn a_profile_has_cash_cover_if_available() {
    let (replay, market) = start(|_| ());
    let profile = market.profiles("MILL.L").await.unwrap().remove(0).answer;
    assert_eq!(profile.forward_rate, Some("0.33".parse().unwrap()));
    assert_eq!(profile.fcf_cover, Some("1.8".parse().unwrap()));
    assert_eq!(profile.ma50, Some("8.125".parse().unwrap()));
    let next = profile.next.unwrap();
    assert_eq!((next.ex_date, next.pay_date), (date(2099, 3, 10), Some(date(2099, 4, 10))));
    replay.fail("timeseries", replay::Fault::WrongJson);
    let profile = market.profiles("MILL.L").await.unwrap().remove(0).answer;
    assert_eq!((profile.fcf_cover, profile.pe), (None, Some("14.2".parse().unwrap())));
}

#[tokio::test]
async fn a_fund_without_a_calendar_has_a_profile() {
    let (_replay, market) = start(|_| ());
    let profile = market.profiles("FUNDX").await.unwrap().remove(0).answer;
    assert_eq!((profile.instrument_type.as_deref(), profile.next, profile.payout_ratio), (Some("mutualfund"), None, None));
}

#[tokio::test]
async fn a_delisted_symbol_is_unknown_everywhere() {
    let (replay, market) = start(|world| world.stocks[0].delisted = true);
    let symbols = ["MILL.L".to_owned(), "FUNDX".to_owned()];
    assert_eq!(market.quotes(&symbols, Urgency::Live).await.unknown, ["MILL.L"]);
    assert!(market.dividends("MILL.L", SINCE).await.unwrap_err().is_unknown());
    assert!(market.profiles("MILL.L").await.unwrap_err().is_unknown());
    assert!(market.search("mill").await.unwrap().answer.is_empty());
    let asked = replay.requests().len();
    assert!(market.closes("../v1/test/getcrumb", SINCE).await.unwrap_err().is_unknown());
    assert_eq!(replay.requests().len(), asked, "no symbol makes an address of its own");
}

#[tokio::test]
async fn a_search_finds_holdable_instruments() {
    let (replay, market) = start(|_| ());
    let found = market.search("mill & sons").await.unwrap().answer;
    assert_eq!((found.len(), &*found[0].symbol, found[0].kind.as_deref()), (1, "MILL.L", Some("EQUITY")));
    assert!(market.search("NO0010123060").await.unwrap().answer.is_empty());
    assert_eq!(replay.count("getcrumb"), 0);
}

#[tokio::test]
async fn html_and_unexpected_json_are_faults() {
    let (replay, market) = start(|_| ());
    for strange in [replay::Fault::Html, replay::Fault::WrongJson] {
        replay.fail("finance", strange);
        let failure = market.dividends("MILL.L", SINCE).await.unwrap_err();
        assert!(matches!(failure.faults[0].1, Fault::Malformed(_)), "{failure}");
        assert!(matches!(fault(&market, "MILL.L").await, Fault::Malformed(_)));
    }
}

#[test]
fn yahoo_has_neither_a_calendar_nor_rates() {
    let market = market::open(&[Config { name: "yahoo".to_owned(), ..Config::default() }]).unwrap();
    assert!(!market.can(Ability::Calendar) && !market.can(Ability::Rates));
    assert!(market.can(Ability::Quotes) && market.can(Ability::Search) && market.can(Ability::Profile));
}
