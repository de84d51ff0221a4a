//! Exchange rates of the central bank, over HTTP.
#![allow(clippy::unwrap_used)]

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use market::{Ability, Budget, Config, Detail, Fault, Market};
use replay::{Replay, World};

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// This many working days, newest first; the newest is today or before the weekend.
fn working_days(count: usize) -> Vec<Date> {
    let is_working = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    today().series(-1.day()).filter(is_working).take(count).collect()
}

/// A rate of USD on each of these days, and one of ISK on all but the newest.
fn start(days: &[Date]) -> Replay {
    let mut world = World::default();
    for day in days {
        world.rates.push((day.to_string(), "USD".to_owned(), "1.2034".to_owned()));
    }
    for day in &days[1..] {
        world.rates.push((day.to_string(), "ISK".to_owned(), "140".to_owned()));
    }
    Replay::start(world)
}

fn open(replay: &Replay) -> Market {
    let budget = Some(Budget { per_minute: 100, per_day: 1000 });
    market::open(&[Config { name: "ecb".to_owned(), url: Some(replay.url("ecb")), budget, ..Config::default() }]).unwrap()
}

/// The days of the rates of USD, oldest first.
async fn days_since(market: &Market, since: Date) -> Vec<Date> {
    let found = market.rates(since).await.unwrap();
    assert_eq!(found.provider, "ecb");
    found.answer.iter().filter(|rate| rate.currency.code() == "USD").map(|rate| rate.date).collect()
}

async fn fault(market: &Market, since: Date) -> Fault {
    market.rates(since).await.unwrap_err().faults.remove(0).1
}

fn files_asked(replay: &Replay) -> Vec<String> {
    replay.requests().iter().map(|path| path.trim_start_matches("/ecb/").to_owned()).collect()
}

#[tokio::test]
async fn the_newest_day_comes_from_the_daily_file() {
    let days = working_days(3);
    let replay = start(&days);
    let found = open(&replay).rates(days[0]).await.unwrap();
    let rates: Vec<String> = found.answer.iter().map(|rate| format!("{} {} {}", rate.date, rate.currency, rate.rate)).collect();
    assert_eq!(rates, [format!("{} USD 1.2034", days[0])]);
    assert_eq!(files_asked(&replay), ["eurofxref-daily.xml"]);
}

#[tokio::test]
async fn a_day_without_rates_yet_is_an_empty_answer() {
    let days = working_days(3);
    let replay = start(&days);
    assert_eq!(days_since(&open(&replay), days[0].tomorrow().unwrap()).await, []);
    assert_eq!(files_asked(&replay), ["eurofxref-daily.xml"]);
}

#[tokio::test]
async fn days_missing_from_the_daily_file_are_fetched_too() {
    let days = working_days(5);
    let replay = start(&days);
    assert_eq!(days_since(&open(&replay), days[1]).await, [days[1], days[0]]);
    assert_eq!(files_asked(&replay), ["eurofxref-daily.xml", "eurofxref-hist-90d.xml"]);
}

#[tokio::test]
async fn a_month_of_rates_comes_from_the_90_day_file() {
    let days = working_days(120);
    let replay = start(&days);
    // 20 working days before the newest are four weeks before.
    let answer = days_since(&open(&replay), days[20]).await;
    assert_eq!((answer.len(), answer[0], answer[20]), (21, days[20], days[0]));
    assert_eq!(files_asked(&replay), ["eurofxref-hist-90d.xml"]);
}

#[tokio::test]
async fn older_rates_come_from_the_zipped_history() {
    let days = working_days(120);
    let replay = start(&days);
    let found = open(&replay).rates(days[100]).await.unwrap().answer;
    // 101 days of USD, and of ISK all but the newest, which is N/A
    assert_eq!(found.len(), 201);
    assert!(found.iter().all(|rate| rate.date >= days[100]));
    assert_eq!(files_asked(&replay), ["eurofxref-hist.zip"]);
}

#[tokio::test]
async fn the_csv_file_replaces_an_xml_file_that_is_invalid_or_gone() {
    let days = working_days(120);
    for gone in [replay::Fault::Html, replay::Fault::Status(404)] {
        let replay = start(&days);
        replay.fail(".xml", gone);
        let market = open(&replay);
        assert_eq!(days_since(&market, days[0]).await, [days[0]]);
        assert_eq!(days_since(&market, days[20]).await.len(), 21);
        let expected = ["eurofxref-daily.xml", "eurofxref.zip", "eurofxref-hist-90d.xml", "eurofxref-hist.zip"];
        assert_eq!(files_asked(&replay), expected);
    }
}

#[tokio::test]
async fn a_throttling_provider_is_not_asked_for_the_other_file() {
    let days = working_days(3);
    let replay = start(&days);
    replay.fail(".xml", replay::Fault::Throttle(Some(60)));
    assert!(matches!(fault(&open(&replay), days[0]).await, Fault::Throttled(Some(_))));
    assert_eq!(replay.count("zip"), 0);
}

#[tokio::test]
async fn a_file_invalid_in_both_forms_is_a_fault_that_names_it() {
    let days = working_days(120);
    let replay = start(&days);
    replay.fail("eurofxref", replay::Fault::Html);
    let market = open(&replay);
    for (since, file) in [(days[0], "eurofxref.zip"), (days[100], "eurofxref-hist.zip")] {
        match fault(&market, since).await {
            Fault::Malformed(Detail::InFile { file: named, .. }) => assert_eq!(named, file),
            other => panic!("{other:?}"),
        }
    }
    replay.heal();
    replay.fail("eurofxref", replay::Fault::Status(404));
    assert_eq!(fault(&market, days[0]).await, Fault::Status(404));
    assert_eq!(fault(&open(&Replay::start(World::default())), days[0]).await, {
        Fault::Malformed(Detail::InFile { file: "eurofxref.zip".to_owned(), detail: Box::new(Detail::NoRates) })
    });
}

#[test]
fn the_ecb_offers_exchange_rates_and_nothing_else() {
    let market = open(&start(&working_days(1)));
    assert!(market.can(Ability::Rates));
    let others = [
        Ability::Quotes,
        Ability::Profile,
        Ability::Dividends,
        Ability::Splits,
        Ability::Closes,
        Ability::Search,
        Ability::Calendar,
    ];
    assert!(!others.into_iter().any(|ability| market.can(ability)));
}
