//! Figures stay plausible whatever a provider answers.

use replay::Replay;
use testkit::Service;

use crate::world::{NOW, american, ledger, simple};

const ANA: &str = "ana@example.com";

#[test]
fn a_live_price_is_never_shown_in_the_ledgers_currency() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let token = service.account(ANA, "EUR", None);
    // Bought for euros, traded in dollars; nothing is known of it yet.
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,EUR"]));
    let price = service.get("/api/v1/stocks/QRT", Some(&token)).json()["price"].clone();
    assert_ne!((price["amount"].as_str(), price["currency"].as_str()), (Some("40.00"), Some("EUR")), "{price}");
    service.refresh(&["QRT"]);
    let price = service.get("/api/v1/stocks/QRT", Some(&token)).json()["price"].clone();
    assert_eq!((price["amount"].as_str(), price["currency"].as_str()), (Some("40.00"), Some("USD")), "{price}");
}

#[test]
fn a_price_from_the_future_does_not_make_a_stock_known() {
    let mut world = simple();
    // 2099: no later quote would ever be newer.
    world.stocks[0].price_time = 4_070_908_800;
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let refused = service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap_err().to_string();
    assert!(refused.contains("FutureTime") && refused.contains("implausible_price"), "{refused}");
}

fn first_close(service: &Service) -> String {
    let closes = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::prices::of_symbol(&mut tx, "QRT", "2000-01-01".parse().unwrap()).await.unwrap()
    });
    closes[0].1.normalize().to_string()
}

#[test]
fn closes_are_adjusted_for_a_split_that_was_known_before_its_day() {
    let mut world = simple();
    world.stocks[0] = replay::Stock {
        closes: vec![("2023-01-31".to_owned(), "40".to_owned()), ("2026-10-30".to_owned(), "40".to_owned())],
        ..american("QRT", "40.00")
    };
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&["QRT"]);
    service.load(&[("splits.csv", "symbol,date,ratio\nQRT,2026-11-18,4:1\n")]);
    service.refresh(&["QRT"]);
    assert_eq!(first_close(&service), "40", "not adjusted before its day");
    // On the day all closes are a quarter, also those of years ago.
    replay.change(|world| {
        world.stocks[0].closes.iter_mut().for_each(|close| close.1 = "10".to_owned());
        world.stocks[0].price = "10.00".to_owned();
    });
    let later = service.second_node("2026-11-18T22:00:00Z");
    later.refresh(&["QRT"]);
    assert_eq!(first_close(&later), "10");
}

#[test]
fn an_exchange_rate_from_a_file_does_not_hide_missing_ones() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["ecb"]);
    service.refresh(&[]);
    service.load(&[("fx.csv", "date,currency,rate\n2026-11-17,TWD,36.5\n")]);
    replay.change(|world| {
        for currency in ["USD", "GBP", "ILS", "ZAR"] {
            world.rates.push(("2026-11-16".to_owned(), currency.to_owned(), "2".to_owned()));
        }
    });
    let later = service.second_node("2026-11-17T08:00:00Z");
    later.refresh(&[]);
    let rates = later.run(async {
        let mut tx = later.app.store.read().await.unwrap();
        store::fx_rates::latest(&mut tx, "2026-11-17".parse().unwrap()).await.unwrap()
    });
    let usd = rates.iter().find(|(currency, ..)| currency.code() == "USD").unwrap();
    assert_eq!(usd.1.to_string(), "2026-11-16");
}
