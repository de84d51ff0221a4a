use app::import::{self, FileBytes, Report, Request};
use app::stocks::{radar, stock};
use app::{App, Error, entries, market};
use ledger::{Currency, Money};
use reference::REFERENCE;
use store::stocks::Stock;
use uuid::Uuid;

use crate::world::{World, buy, dec};

async fn world() -> World {
    World::new().await.with_reference(&REFERENCE)
}

async fn import(app: &App, user_id: Uuid, rows: &str) -> Report {
    let text = format!("date,type,symbol,isin,shares,price,currency\n{rows}");
    let request = Request { user_id, file_name: "file.csv", bytes: FileBytes::Plain(text.as_bytes()), ..Request::default() };
    import::import(app, &request, &|_, _, _| {}).await.unwrap()
}

async fn symbols(world: &World) -> Vec<String> {
    let mut tx = world.app.store.read().await.unwrap();
    let mut symbols: Vec<String> =
        store::entries::of_user(&mut tx, world.ana).await.unwrap().into_iter().map(|entry| entry.symbol).collect();
    symbols.sort();
    symbols
}

async fn stored(world: &World, symbol: &str) -> Option<Stock> {
    store::stocks::by_symbol(&mut world.app.store.read().await.unwrap(), symbol).await.unwrap()
}

#[tokio::test]
async fn an_isin_is_the_line_in_the_currency_of_the_trades() {
    let world = world().await;
    let rows = "2026-01-05,buy,,IE00BK5BQT80,10,120,EUR\n2026-01-05,buy,,US1912161007,5,60,EUR\n\
        2026-01-05,buy,,GB00B10RZP78,5,50,GBP\n2026-01-05,buy,,CH0038863350,1,90,CHF\n";
    let report = import(&world.app, world.ana, rows).await;
    assert_eq!((report.entries, report.questions.len(), report.errors.len()), (4, 0, 0));
    assert_eq!(symbols(&world).await, ["KO", "NESN.SW", "ULVR.L", "VWCE.DE"]);
    let unilever = stored(&world, "ULVR.L").await.unwrap();
    assert!(!unilever.placeholder && !unilever.tracked);
    assert_eq!((unilever.currency.code(), unilever.quote_unit.name()), ("GBP", "GBp"));
    let texts = [&unilever.name, &unilever.exchange, &unilever.isin, &unilever.country, &unilever.sector, &unilever.kind];
    assert_eq!(
        texts.map(|text| text.as_deref().unwrap_or_default()),
        ["Unilever PLC", "LSE", "GB00B10RZP78", "United Kingdom", "Consumer Staples", "EQUITY"]
    );
    assert_eq!(stored(&world, "KO").await.unwrap().currency, Currency::USD);
    assert_eq!(import(&world.app, world.ana, rows).await.entries, 0);
}

#[tokio::test]
async fn without_a_line_in_the_currency_the_user_chooses() {
    let world = world().await;
    let report = import(&world.app, world.ana, "2026-01-05,buy,,GB00B10RZP78,5,50,USD\n").await;
    assert_eq!(report.questions[0].candidates, ["ULVR.L", "UNA.AS"]);
    assert_eq!(stored(&world, "ULVR.L").await, None, "nothing was imported");
}

#[tokio::test]
async fn what_was_kept_under_its_isin_is_linked_and_the_file_adds_nothing_again() {
    let world = World::new().await;
    let text = "date,type,isin,shares,price,currency\n2026-01-05,buy,US1912161007,10,60,USD\n";
    let request = Request {
        user_id: world.ana,
        file_name: "file.csv",
        bytes: FileBytes::Plain(text.as_bytes()),
        keep_unresolved: true,
        ..Request::default()
    };
    assert_eq!(import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().entries, 1);
    let world = world.with_reference(&REFERENCE);
    assert_eq!(import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().entries, 0);
    assert_eq!(symbols(&world).await, ["KO"]);
}

#[tokio::test]
async fn users_find_reference_listings_and_strangers_do_not() {
    let world = world().await;
    let found = stock::catalogue(&world.app).await.unwrap();
    let first = found.search("coca-cola company", Some(&[])).swap_remove(0);
    assert_eq!((first.symbol.as_str(), first.exchange.as_deref(), first.tracked), ("KO", Some("NYSE"), false));
    assert_eq!(found.search("WELL", Some(&[]))[0].name.as_deref(), Some("Wellspring Foods"), "stored data comes first");
    assert!(found.search("KO", None).is_empty());
}

#[tokio::test]
async fn a_watched_reference_listing_is_stored_and_an_unknown_symbol_refused() {
    let world = world().await;
    radar::add(&world.app, world.ana, &["asml.as".to_owned()]).await.unwrap();
    let asml = stored(&world, "ASML.AS").await.unwrap();
    assert_eq!((asml.name.as_deref(), asml.placeholder, asml.price), (Some("ASML Holding N.V."), false, None));
    let refused = radar::add(&world.app, world.ana, &["KO".to_owned(), "NO-SUCH".to_owned()]).await;
    assert!(matches!(refused, Err(Error::Refused(_))));
    assert_eq!(stored(&world, "KO").await, None, "all or none");
}

#[tokio::test]
async fn a_transaction_knows_name_and_currency_of_a_reference_listing() {
    let world = world().await;
    let draft = buy("2026-01-05", "ko", "10", "60");
    let checked = entries::check(&world.app, world.ana, None, &draft).await.unwrap();
    assert_eq!((checked.symbol_name.as_deref(), checked.currency), (Some("Coca-Cola Company (The)"), Some(Currency::USD)));
    assert_eq!(stored(&world, "KO").await, None);
    entries::add(&world.app, world.ana, &draft).await.unwrap();
    assert!(stored(&world, "KO").await.is_some_and(|stock| !stock.placeholder));
}

#[tokio::test]
async fn files_replace_what_the_reference_data_says() {
    let world = world().await;
    import(&world.app, world.ana, "2026-01-05,buy,KO,,10,60,USD\n").await;
    let files = [("stocks.csv", "symbol,currency,name\nKO,USD,Fizz\n".to_owned())];
    market::load_texts(&world.app, &files).await.unwrap();
    let after = stored(&world, "KO").await.unwrap();
    assert_eq!((after.name.as_deref(), after.isin.as_deref()), (Some("Fizz"), Some("US1912161007")));
}

#[tokio::test]
async fn reference_rates_convert_and_pages_learn_how_old_they_are() {
    let world = World::new().await;
    // Swiss francs have no rate in the files.
    let rows = "2026-01-05,buy,NESN.SW,,10,80,CHF\n";
    import(&world.app, world.ana, rows).await;
    let outdated = |world: World| async move {
        let home = app::income::home::home(&world.app, world.ana, None, 1, false, 30).await.unwrap();
        (home.outlook.income.unconverted.len(), home.outdated_rates.map(|day| day.to_string()), world)
    };
    let (unconverted, day, world) = outdated(world).await;
    assert_eq!((unconverted, day), (1, None));
    let (unconverted, day, _world) = outdated(world.with_reference(&REFERENCE)).await;
    assert_eq!((unconverted, day.as_deref()), (0, Some("2026-09-14")));
}

#[tokio::test]
async fn a_position_bought_in_another_currency_uses_the_rate_of_its_day() {
    let world = world().await;
    // On 5 January 2024 the ECB published 1.0921 dollars and 0.8621 pounds for one euro.
    let report = import(&world.app, world.ana, "2024-01-05,buy,KO,,10,86.21,GBP\n").await;
    assert_eq!((report.entries, report.errors.len()), (1, 0));
    let holdings = app::portfolios::holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!(holdings[0].average_cost, Money::new(dec("109.21"), Currency::USD));
}
