//! Dividends and the purchases that they paid for.

use app::entries::{self, Entry, Filter, Kind, Row, export};
use app::import::{self, FileBytes, Report, Request};
use app::{App, automatic};
use uuid::Uuid;

use crate::world::{World, dec, problems};

/// Ten shares, and 8.50 that bought 0.2 more.
const FILE: &str = "date,type,symbol,shares,price,amount,net,currency,reinvests
2026-01-05,buy,WELL,10,35,,,USD,
2026-03-02,dividend,WELL,,,10.00,8.50,USD,
2026-03-03,buy,WELL,0.2,,8.50,,USD,2026-03-02
2026-04-01,buy,WELL,1,40,,,USD,
";

async fn imported(app: &App, user_id: Uuid, text: &str) -> Report {
    let bytes = FileBytes::Plain(text.as_bytes());
    let format = Some("dripline");
    let request = Request { user_id, file_name: "l.csv", bytes, format, keep_unresolved: true, ..Request::default() };
    let report = import::import(app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!(report.errors, []);
    report
}

/// Oldest first.
async fn rows(world: &World, user_id: Uuid) -> Vec<Row> {
    let mut rows = entries::list(&world.app, user_id, &Filter::default()).await.unwrap().rows;
    rows.reverse();
    rows
}

async fn dividend(world: &World, user_id: Uuid) -> Row {
    rows(world, user_id).await.into_iter().find(|row| row.entry.kind == Kind::Dividend).unwrap()
}

/// The shares bought with the only dividend.
async fn bought(world: &World, user_id: Uuid) -> Vec<Entry> {
    let purchases = entries::purchases(&world.app, user_id, &dividend(world, user_id).await).await.unwrap();
    purchases.into_iter().map(|row| row.entry).collect()
}

#[tokio::test]
async fn a_purchase_names_its_dividend_in_a_ledger_file_that_can_be_imported_again() {
    let world = World::new().await;
    imported(&world.app, world.ana, FILE).await;
    let purchases = bought(&world, world.ana).await;
    assert_eq!(purchases.iter().map(|one| one.shares).collect::<Vec<_>>(), [Some(dec("0.2"))]);
    assert_eq!(imported(&world.app, world.ana, FILE).await.existing, 4);

    let written = export::ledger_file(&world.app, world.ana).await.unwrap();
    imported(&world.app, world.ben, std::str::from_utf8(&written).unwrap()).await;
    assert_eq!(bought(&world, world.ben).await[0].shares, Some(dec("0.2")));
    assert_eq!(export::ledger_file(&world.app, world.ben).await.unwrap(), written);
}

#[tokio::test]
async fn a_dividend_that_two_purchases_reinvest_can_be_exported_and_imported_again() {
    let world = World::new().await;
    let twice = format!("{FILE}2026-03-03,buy,WELL,0.05,34,,,USD,2026-03-02\n");
    imported(&world.app, world.ana, &twice).await;
    let written = export::ledger_file(&world.app, world.ana).await.unwrap();
    imported(&world.app, world.ben, std::str::from_utf8(&written).unwrap()).await;
    let shares = |purchases: Vec<Entry>| purchases.into_iter().map(|one| one.shares.unwrap()).collect::<Vec<_>>();
    assert_eq!(shares(bought(&world, world.ben).await), [dec("0.2"), dec("0.05")]);
    assert_eq!(export::ledger_file(&world.app, world.ben).await.unwrap(), written);
    assert_eq!(imported(&world.app, world.ben, &twice).await.existing, 5);
}

#[tokio::test]
async fn a_dividend_is_deleted_with_its_purchase_but_not_the_other_way_round() {
    let world = World::new().await;
    imported(&world.app, world.ana, FILE).await;
    imported(&world.app, world.ben, FILE).await;
    let paid = dividend(&world, world.ana).await.entry.sequence;
    entries::remove(&world.app, world.ana, paid).await.unwrap();
    let left: Vec<_> = rows(&world, world.ana).await.into_iter().map(|row| row.entry.shares).collect();
    assert_eq!(left, [Some(dec("10")), Some(dec("1"))]);

    let purchase = bought(&world, world.ben).await[0].sequence;
    entries::remove(&world.app, world.ben, purchase).await.unwrap();
    assert_eq!(rows(&world, world.ben).await.len(), 3);
    assert_eq!(bought(&world, world.ben).await, []);
}

#[tokio::test]
async fn a_dividend_whose_purchase_was_sold_cannot_be_deleted() {
    let world = World::new().await;
    let sold = format!("{FILE}2026-05-04,sell,WELL,11.2,40,,,USD,\n");
    imported(&world.app, world.ana, &sold).await;
    let paid = dividend(&world, world.ana).await.entry.sequence;
    let refused = problems(entries::remove(&world.app, world.ana, paid).await);
    assert!(refused[0].1.contains("You only held 11 WELL on 2026-05-04."), "{refused:?}");
    assert_eq!(rows(&world, world.ana).await.len(), 5);
}

#[tokio::test]
async fn a_security_that_gets_its_symbol_later_stays_linked() {
    let world = World::new().await;
    let kept = FILE.replace("symbol", "isin").replace("WELL", "US1912161007");
    imported(&world.app, world.ana, &kept).await;
    assert_eq!(bought(&world, world.ana).await.len(), 1);
    let before = dividend(&world, world.ana).await.entry.identity;
    import::map(&world.app, world.ana, &[("US1912161007".to_owned(), "WELL".to_owned())]).await.unwrap();
    assert_eq!(dividend(&world, world.ana).await.entry.symbol, "WELL");
    assert_ne!(dividend(&world, world.ana).await.entry.identity, before);
    assert_eq!(bought(&world, world.ana).await[0].symbol, "WELL");
}

/// The identity of an estimate changes when it is confirmed.
#[tokio::test]
async fn an_automatic_dividend_that_is_confirmed_stays_linked() {
    let world = World::new().await;
    let file = "date,type,symbol,shares,price,amount,net,currency,ex_date,reinvests,source,id
2026-01-05,buy,WELL,10,35,,,USD,,,,
2026-03-02,dividend,WELL,,,10.00,8.50,USD,2026-02-10,,automatic:estimated,WELL 2026-02-10 USD regular
2026-03-03,buy,WELL,0.2,,8.50,,USD,,2026-03-02,,
";
    imported(&world.app, world.ana, file).await;
    let before = dividend(&world, world.ana).await.entry;
    assert_eq!(bought(&world, world.ana).await.len(), 1);
    assert_eq!(automatic::confirm(&world.app, world.ana, &[before.sequence]).await.unwrap(), 1);
    let after = dividend(&world, world.ana).await.entry;
    assert!(after.identity != before.identity && after.sequence != before.sequence);
    assert_eq!(bought(&world, world.ana).await.len(), 1);
    let written = export::ledger_file(&world.app, world.ana).await.unwrap();
    imported(&world.app, world.ben, std::str::from_utf8(&written).unwrap()).await;
    assert_eq!(bought(&world, world.ben).await.len(), 1);
}
