use std::sync::Arc;

use app::entries::{self, Filter, Kind};
use app::import::staged::{self, Answers, Spooled};
use app::import::{self, Describe, Fate, Reason, Report};
use uuid::Uuid;

use crate::world::{World, dec};

const LEDGER: &[u8] = b"date,type,symbol,shares,price,amount,currency\n\
    2026-01-05,buy,WELL,10,20,,USD\n\
    2026-02-01,dividend,WELL,,,3.50,USD\n";
const TABLE: &[u8] =
    b"When,Ticker,Pieces,Each\n2026-01-05,WELL,10,20\n2026-01-06,WELL,1,21\n2026-01-07,WELL,1,22\n2026-01-08,WELL,1,22\n";

async fn upload(world: &World, bytes: &[u8]) -> Uuid {
    super::world::put(&world.app, world.ana, "file.csv", bytes.to_vec()).await.unwrap()
}

async fn plan(world: &World, id: Uuid) -> Arc<Report> {
    staged::plan(&world.app, world.ana, id).await.unwrap().unwrap().report
}

async fn total(world: &World) -> usize {
    entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().total
}

#[tokio::test]
async fn a_plan_shows_the_entry_of_each_row_and_changes_nothing() {
    let world = World::new().await;
    let id = upload(&world, LEDGER).await;
    let report = plan(&world, id).await;
    assert_eq!((&report.errors, report.new, report.entries), (&vec![], 2, 2));
    let (bought, paid) = (&report.plan[0].what[0], &report.plan[1].what[0]);
    assert_eq!((bought.kind, bought.symbol.as_str(), bought.shares), (Kind::Buy, "WELL", Some(dec("10"))));
    // 10 × 20.
    assert_eq!((bought.amount.unwrap().recorded_text(), bought.portfolio.as_str()), ("200.00".to_owned(), "Main"));
    assert_eq!((paid.date.to_string(), paid.amount.unwrap().recorded_text()), ("2026-02-01".to_owned(), "3.50".to_owned()));
    assert_eq!(total(&world).await, 0);
    assert!(staged::plan(&world.app, world.ben, id).await.unwrap().is_none(), "another's upload is none");
}

#[tokio::test]
async fn an_upload_is_imported_once_however_often_it_is_applied() {
    let world = World::new().await;
    let id = upload(&world, LEDGER).await;
    assert!(staged::apply(&world.app, world.ben, id).await.unwrap().is_none());
    let first = staged::apply(&world.app, world.ana, id).await.unwrap().unwrap();
    let again = staged::apply(&world.app, world.ana, id).await.unwrap().unwrap();
    assert!(first.id.is_some());
    assert_eq!((again.id, again.entries, total(&world).await), (first.id, 2, 2));
    assert!(staged::pending(&world.app, world.ana).await.unwrap().is_empty());
    import::undo_of(&world.app, world.ana, first.id.unwrap()).await.unwrap();
    assert!(staged::plan(&world.app, world.ana, id).await.unwrap().is_none(), "gone with its import");
}

#[tokio::test]
async fn an_unknown_table_is_read_by_the_columns_the_user_assigns() {
    let world = World::new().await;
    let id = upload(&world, b"A,B,C,D\nx,WELL,10,20\n").await;
    let unread = plan(&world, id).await;
    assert!(!unread.errors.is_empty());
    assert_eq!(unread.errors[0].reason.code(), "unknown_format");

    let id = upload(&world, TABLE).await;
    let found = plan(&world, id).await.columns_found.clone().unwrap();
    assert_eq!(found.header, ["When", "Ticker", "Pieces", "Each"]);
    assert_eq!((found.sample.len(), found.sample[0].join(",")), (3, "2026-01-05,WELL,10,20".to_owned()));
    let columns = [("date", "When"), ("symbol", "Ticker"), ("shares", "Pieces"), ("price", "Each")];
    let pairs: Vec<(String, String)> =
        columns.iter().map(|(field, column)| ((*field).to_owned(), (*column).to_owned())).collect();
    let columns = import::columns_text("default=buy;date=X;default-currency=USD", &pairs).unwrap();
    assert_eq!(columns, "date=When;symbol=Ticker;shares=Pieces;price=Each;default=buy;default-currency=USD");
    let answers = Answers { columns: Some(columns), ..Answers::default() };
    assert!(staged::answer(&world.app, world.ana, id, answers).await.unwrap());
    let report = plan(&world, id).await;
    assert_eq!((&report.errors, report.entries), (&vec![], 4));
}

#[tokio::test]
async fn an_unknown_instrument_is_matched_or_kept_under_its_isin() {
    let world = World::new().await;
    let file = b"date,type,isin,shares,price,currency\n2026-01-05,buy,US0378331005,10,20,USD\n";
    let id = upload(&world, file).await;
    let asked = plan(&world, id).await;
    assert_eq!(asked.questions[0].key, "US0378331005");
    assert_eq!(asked.errors[0].reason, Reason::UnknownSecurity { key: "US0378331005".into() });
    assert_eq!(asked.quotes[&2], "2026-01-05,buy,US0378331005,10,20,USD");
    let kept = Answers { keep: Some(true), portfolio: Some(Some("New".to_owned())), ..Answers::default() };
    staged::answer(&world.app, world.ana, id, kept).await.unwrap();
    let what = plan(&world, id).await.plan[0].what[0].clone();
    assert_eq!((what.symbol.as_str(), what.portfolio.as_str()), ("US0378331005", "New"));
    let map = vec![("us0378331005".to_owned(), "well".to_owned())];
    staged::answer(&world.app, world.ana, id, Answers { map, ..Answers::default() }).await.unwrap();
    let planned = staged::plan(&world.app, world.ana, id).await.unwrap().unwrap();
    assert_eq!(planned.report.plan[0].what[0].symbol, "WELL");
    assert_eq!((planned.upload.keep, planned.upload.portfolio.as_deref()), (true, Some("New")), "what was said before stays");
    let bad = Answers { map: vec![("X".to_owned(), "a b".to_owned())], ..Answers::default() };
    assert!(staged::answer(&world.app, world.ana, id, bad).await.is_err());
}

#[tokio::test]
async fn a_chosen_format_takes_precedence_over_the_detected_one() {
    let world = World::new().await;
    let id = upload(&world, LEDGER).await;
    let format = |name: &str| Answers { format: Some(Some(name.to_owned())), ..Answers::default() };
    assert!(staged::answer(&world.app, world.ana, id, format("quicken")).await.is_err());
    staged::answer(&world.app, world.ana, id, format("generic")).await.unwrap();
    assert_eq!(plan(&world, id).await.format, "generic");
    staged::answer(&world.app, world.ana, id, Answers { format: Some(None), ..Answers::default() }).await.unwrap();
    assert_eq!(plan(&world, id).await.format, "dripline");
}

#[tokio::test]
async fn an_upload_key_accepts_the_same_file_only() {
    let world = World::new().await;
    let key = Uuid::from_u128(7);
    let upload = async |user, bytes: &[u8]| {
        let file = Spooled::of(&world.app, bytes).unwrap();
        staged::put_once(&world.app, user, key, "f", file, None).await
    };
    assert_eq!(upload(world.ana, LEDGER).await.unwrap(), key);
    assert_eq!(upload(world.ana, LEDGER).await.unwrap(), key);
    assert!(upload(world.ana, TABLE).await.is_err());
    assert_eq!(upload(world.ben, TABLE).await.unwrap(), key, "a key is one of a user");
    assert_eq!(staged::pending(&world.app, world.ana).await.unwrap().len(), 1);
}

#[tokio::test]
async fn at_most_twenty_files_wait_for_at_most_a_day() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(upload(&world, LEDGER).await);
    }
    assert!(super::world::put(&world.app, world.ana, "f", LEDGER.to_vec()).await.is_err());
    assert!(staged::discard(&world.app, world.ana, ids[3]).await.unwrap());
    assert!(!staged::discard(&world.app, world.ana, ids[3]).await.unwrap());
    upload(&world, LEDGER).await;
    staged::apply(&world.app, world.ana, ids[0]).await.unwrap();
    upload(&world, LEDGER).await;
    let world = world.later("2026-11-16T12:00:01Z");
    assert!(staged::plan(&world.app, world.ana, ids[5]).await.unwrap().is_none());
    upload(&world, LEDGER).await;
    assert_eq!(staged::pending(&world.app, world.ana).await.unwrap().len(), 1);
}

#[tokio::test]
async fn rows_that_are_on_hold_are_quoted_from_the_file() {
    let world = World::new().await;
    let id = upload(
        &world,
        b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n2026-01-06,sell,WELL,11,20,USD\n",
    )
    .await;
    let report = plan(&world, id).await;
    assert!(matches!(&report.plan[1].fate, Fate::Error(reason) if reason.code() == "oversold"));
    assert_eq!(report.quotes[&2], "2026-01-05,buy,WELL,10,20,USD");
    assert_eq!(report.plan[0].what.len(), 1, "what it would have become is still told");
}
