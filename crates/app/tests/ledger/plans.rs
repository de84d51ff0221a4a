use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use app::import::staged::{self, Answers, Planned};
use app::import::{self, Fate};
use app::operations::job_limit;
use app::{Error, entries};
use uuid::Uuid;

use crate::world::{World, buy};

const KEPT: &str = "date,type,isin,shares,price,currency\n2026-01-05,buy,US0378331005,10,20,USD\n";

async fn upload(world: &World, text: &str) -> Uuid {
    super::world::put(&world.app, world.ana, "file.csv", text.as_bytes().to_vec()).await.unwrap()
}

async fn plan(world: &World, id: Uuid) -> Planned {
    staged::plan(&world.app, world.ana, id).await.unwrap().unwrap()
}

async fn answer(world: &World, id: Uuid, answers: Answers) {
    assert!(staged::answer(&world.app, world.ana, id, answers).await.unwrap());
}

fn is_fruit() -> Answers {
    Answers { map: vec![("US0378331005".to_owned(), "FRUIT".to_owned())], ..Answers::default() }
}

/// With ten shares kept under their ISIN.
async fn kept_world() -> World {
    let world = World::new().await;
    let id = upload(&world, KEPT).await;
    answer(&world, id, Answers { keep: Some(true), ..Answers::default() }).await;
    assert_eq!(staged::apply(&world.app, world.ana, id).await.unwrap().unwrap().entries, 1);
    world
}

#[tokio::test]
async fn a_plan_is_made_while_somebody_writes_and_stores_nothing() {
    let world = kept_world().await;
    let file = "date,type,isin,symbol,portfolio,shares,price,currency\n\
        2026-01-06,buy,US0378331005,,New,10,20,USD\n\
        2026-01-07,buy,,NOBODY,new,1,1,USD\n";
    let id = upload(&world, file).await;
    answer(&world, id, is_fruit()).await;
    let before = world.rows();
    let writes = world.app.store.write().await.unwrap();
    let report = plan(&world, id).await.report;
    drop(writes);
    assert_eq!((&report.errors, report.entries), (&vec![], 2));
    let places: Vec<&str> = report.plan.iter().map(|row| row.what[0].portfolio.as_str()).collect();
    assert_eq!(places, ["New", "New"], "one portfolio, however it is written");
    assert_eq!(world.rows(), before);
}

#[tokio::test]
async fn a_plan_shows_the_effect_of_the_import_on_entries_kept_under_their_isin() {
    let world = kept_world().await;
    // Ten are held once the ISIN is matched with FRUIT, in dollars like the first entry.
    let sell = upload(&world, "date,type,isin,shares,price,currency\n2026-01-06,sell,US0378331005,10,25,\n").await;
    answer(&world, sell, is_fruit()).await;
    let again = upload(&world, KEPT).await;
    answer(&world, again, is_fruit()).await;
    let planned = plan(&world, sell).await.report;
    assert_eq!((&planned.errors, planned.new), (&vec![], 1));
    let what = &planned.plan[0].what[0];
    assert_eq!((what.symbol.as_str(), what.currency.code()), ("FRUIT", "USD"));
    assert_eq!(plan(&world, again).await.report.plan[0].fate, Fate::Existing);
    let done = staged::apply(&world.app, world.ana, sell).await.unwrap().unwrap();
    assert_eq!((&done.errors, done.new), (&vec![], 1));
    let done = staged::apply(&world.app, world.ana, again).await.unwrap().unwrap();
    assert_eq!((done.new, done.existing), (0, 1));
    let all = entries::list(&world.app, world.ana, &entries::Filter::default()).await.unwrap();
    assert!(all.rows.iter().all(|row| row.entry.symbol == "FRUIT"));
}

#[tokio::test]
async fn a_plan_is_reused_until_something_changes() {
    let world = World::new().await;
    let text = "date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n";
    let id = upload(&world, text).await;
    let first = plan(&world, id).await.report;
    assert!(Arc::ptr_eq(&first, &plan(&world, id).await.report));
    entries::add(&world.app, world.ben, &buy("2026-01-05", "WELL", "1", "1")).await.unwrap();
    assert!(Arc::ptr_eq(&first, &plan(&world, id).await.report), "another's ledger is none of it");
    answer(&world, id, Answers { portfolio: Some(Some("New".to_owned())), ..Answers::default() }).await;
    let answered = plan(&world, id).await.report;
    assert_eq!(answered.plan[0].what[0].portfolio, "New");
    let other = upload(&world, text).await;
    answer(&world, other, Answers { portfolio: Some(Some("New".to_owned())), ..Answers::default() }).await;
    staged::apply(&world.app, world.ana, other).await.unwrap();
    assert_eq!(plan(&world, id).await.report.plan[0].fate, Fate::Existing, "it is there by now");
}

#[tokio::test]
async fn matches_and_columns_learned_by_an_import_apply_to_waiting_files() {
    let world = kept_world().await;
    let (waits, taught) = (upload(&world, KEPT).await, upload(&world, KEPT).await);
    let table = "When,Ticker,Pieces,Each\n2026-01-05,WELL,10,20\n";
    let waiting_table = upload(&world, table).await;
    assert!(!plan(&world, waiting_table).await.report.errors.is_empty());
    let columns = "date=When;symbol=Ticker;shares=Pieces;price=Each;default=buy;default-currency=USD".to_owned();
    let known_table = upload(&world, table).await;
    answer(&world, known_table, Answers { columns: Some(columns), ..Answers::default() }).await;
    staged::apply(&world.app, world.ana, known_table).await.unwrap();
    assert_eq!(plan(&world, waiting_table).await.report.errors, vec![]);
    assert_eq!(plan(&world, waits).await.report.plan[0].what[0].symbol, "US0378331005");
    answer(&world, taught, is_fruit()).await;
    staged::apply(&world.app, world.ana, taught).await.unwrap();
    assert_eq!(plan(&world, waits).await.report.plan[0].what[0].symbol, "FRUIT");
}

#[tokio::test]
async fn a_full_job_queue_refuses_new_plans_but_serves_cached_ones() {
    let world = World::new().await;
    let (known, new) = (upload(&world, KEPT).await, upload(&world, KEPT).await);
    plan(&world, known).await;
    let mut working = Vec::new();
    let mut users = (1..).map(Uuid::from_u128);
    for user in users.by_ref().take(job_limit::AT_ONCE) {
        working.push(job_limit::turn(&world.app, user).await.unwrap());
    }
    let mut waiting: Vec<_> =
        users.take(job_limit::WAITING_MAX).map(|user| Box::pin(job_limit::turn(&world.app, user))).collect();
    for one in &mut waiting {
        assert!(one.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert!(matches!(staged::plan(&world.app, world.ana, new).await, Err(Error::Crowded)));
    assert!(matches!(staged::apply(&world.app, world.ana, new).await, Err(Error::Crowded)));
    assert!(matches!(super::world::put(&world.app, world.ana, "f", Vec::new()).await, Err(Error::Crowded)));
    assert!(matches!(app::accounts::archive::everything(&world.app, world.ana, "").await, Err(Error::Crowded)));
    plan(&world, known).await;
    waiting.pop();
    let mut next = pin!(staged::plan(&world.app, world.ana, new));
    assert!(next.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop((working, waiting));
    assert!(next.await.unwrap().is_some());
}

#[tokio::test]
async fn the_files_of_a_user_take_two_hundred_mebibytes_at_most() {
    let world = World::new().await;
    let first = upload(&world, KEPT).await;
    world.file().execute_batch("UPDATE uploads SET file = zeroblob(200 << 20)").unwrap();
    let refused = super::world::put(&world.app, world.ana, "f", KEPT.as_bytes().to_vec()).await.unwrap_err();
    assert!(matches!(refused, Error::NoSpace(app::NoSpace::OwnFiles { max_mib: 200, .. })), "{refused}");
    super::world::put(&world.app, world.ben, "f", KEPT.as_bytes().to_vec()).await.unwrap();
    staged::discard(&world.app, world.ana, first).await.unwrap();
    upload(&world, KEPT).await;
}

#[tokio::test]
async fn a_row_repeated_in_the_file_differs_from_one_already_in_the_ledger() {
    let world = World::new().await;
    let header = "date,type,symbol,shares,price,currency,id\n";
    let row = |id: &str| format!("2026-01-05,buy,WELL,10,20,USD,{id}\n");
    let id = upload(&world, &format!("{header}{}{}{}", row("A"), row("A"), row("A"))).await;
    let report = plan(&world, id).await.report;
    assert_eq!((report.rows, report.new, report.existing, report.repeated), (3, 1, 2, 2));
    assert_eq!((&report.plan[1].fate, &report.plan[2].fate), (&Fate::Repeated(2), &Fate::Repeated(2)));
    staged::apply(&world.app, world.ana, id).await.unwrap();
    let again = upload(&world, &format!("{header}{}{}{}", row("B"), row("A"), row("A"))).await;
    let report = plan(&world, again).await.report;
    let fates: Vec<&Fate> = report.plan.iter().map(|row| &row.fate).collect();
    assert_eq!(fates, [&Fate::New(1), &Fate::Existing, &Fate::Repeated(3)]);
}

#[tokio::test]
async fn rows_without_a_currency_take_the_one_the_user_gives() {
    let world = World::new().await;
    let id = upload(&world, "Symbol,Current Price,Date,Time,Change,Open,High,Low,Volume,Trade Date,Purchase Price,Quantity,Commission,High Limit,Low Limit,Comment,Transaction Type\nSTRANGE,12,2026/01/06,10:00 EST,0,1,1,1,1,20260105,1250,10,0,,,,BUY\n").await;
    let asked = plan(&world, id).await.report;
    assert_eq!((asked.format, &asked.no_currency), ("yahoo-portfolio", &vec!["STRANGE".to_owned()]));
    let currency = |unit: &str| Answers { currency: Some(Some(unit.to_owned())), ..Answers::default() };
    assert!(staged::answer(&world.app, world.ana, id, currency("XXQ")).await.is_err());
    answer(&world, id, currency("GBp")).await;
    let planned = plan(&world, id).await;
    assert_eq!(planned.upload.currency.as_deref(), Some("GBp"));
    assert!(planned.upload.map.is_empty(), "it is no instrument");
    // 10 × 1,250 pence.
    let amount = planned.report.plan[0].what[0].amount.unwrap();
    assert_eq!((amount.recorded_text(), amount.currency.code()), ("125.00".to_owned(), "GBP"));
    answer(&world, id, Answers { currency: Some(None), ..Answers::default() }).await;
    assert!(!plan(&world, id).await.report.no_currency.is_empty(), "taken back");
    answer(&world, id, currency("USD")).await;
    assert_eq!(staged::apply(&world.app, world.ana, id).await.unwrap().unwrap().entries, 1);
    assert_eq!(import::list(&world.app, world.ana).await.unwrap().len(), 1);
}
