//! A split that market data learns of after the transactions that contradict it.

use app::entries::{self, Draft, Kind};
use app::operations::doctor::{self, Finding};
use app::portfolios::notices::{Notice, notices};
use app::portfolios::{self, holdings};
use jiff::civil::date;
use ledger::{Decimal, Ratio, Split};

use crate::world::{World, buy, dec, draft, problems, sell};

const SPLIT: &str = "symbol,date,ratio\nWELL,2026-02-02,1:10\n";

fn reverse() -> Split {
    Split { date: date(2026, 2, 2), ratio: Ratio { new: Decimal::ONE, old: Decimal::TEN } }
}

async fn load(world: &World, file: &str, text: &str) {
    app::market::load_texts(&world.app, &[(file, text.to_owned())]).await.unwrap();
}

async fn add(world: &World, draft: &Draft) -> i64 {
    entries::add(&world.app, world.ana, draft).await.unwrap()
}

async fn shares(world: &World) -> Vec<String> {
    let held = holdings::list(&world.app, world.ana, None).await.unwrap();
    held.iter().map(|holding| holding.shares.normalize().to_string()).collect()
}

/// 100 bought, 50 sold, and then a 1:10 split before the sale becomes known: of 10 shares, 50 cannot be sold.
async fn contradicted() -> World {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "100", "20")).await;
    add(&world, &sell("2026-03-02", "WELL", "50", "20")).await;
    load(&world, "splits.csv", SPLIT).await;
    world
}

#[tokio::test]
async fn a_contradicting_split_changes_nothing_and_is_reported() {
    let world = contradicted().await;
    assert_eq!(shares(&world).await, ["50"]);
    let notice = Notice { symbol: "WELL".to_owned(), portfolio: "Main".to_owned(), split: reverse() };
    assert_eq!(notices(&world.app, world.ana).await.unwrap(), [notice]);
    assert_eq!(notices(&world.app, world.ben).await.unwrap(), []);
    let finding = Finding::SplitNotApplied { symbol: "WELL".to_owned(), user_id: world.ana, split: reverse() };
    let checks = doctor::examine(&world.app).await.unwrap();
    let found: Vec<&Finding> = checks.iter().filter(|check| check.name == "splits").map(|check| &check.finding).collect();
    assert_eq!(found, [&finding]);
}

#[tokio::test]
async fn new_transactions_are_recorded_as_if_the_split_was_unknown() {
    let world = contradicted().await;
    add(&world, &buy("2026-04-01", "WELL", "5", "20")).await;
    assert_eq!(shares(&world).await, ["55"]);
    let refused = problems(entries::add(&world.app, world.ana, &sell("2026-05-04", "WELL", "56", "20")).await);
    assert_eq!(refused, [("shares", "You only held 55 WELL on 2026-05-04.".to_owned())]);
    add(&world, &sell("2026-05-04", "WELL", "54", "20")).await;
    assert_eq!(shares(&world).await, ["1"]);
    let paid = Draft { amount: Some(dec("5")), ex_date: Some(date(2026, 3, 9)), ..draft(Kind::Dividend, "2026-03-20", "WELL") };
    let checked = entries::check(&world.app, world.ana, None, &paid).await.unwrap();
    assert_eq!((checked.problems, checked.doubts), (vec![], vec![]), "50 shares were held");
}

/// Corrected, the sale was of 5 of the 10 shares that the split left.
#[tokio::test]
async fn the_notice_ends_when_the_sale_is_corrected() {
    let world = contradicted().await;
    entries::edit(&world.app, world.ana, 2, &sell("2026-03-02", "WELL", "5", "200")).await.unwrap();
    assert_eq!((shares(&world).await, notices(&world.app, world.ana).await.unwrap()), (vec!["5".to_owned()], vec![]));
}

/// The broker split the 50 shares that were left, 20 days late.
#[tokio::test]
async fn the_notice_ends_when_the_user_records_the_split() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "100", "20")).await;
    add(&world, &sell("2026-02-10", "WELL", "50", "20")).await;
    load(&world, "splits.csv", SPLIT).await;
    add(&world, &Draft { ratio: Some(reverse().ratio), ..draft(Kind::Split, "2026-02-22", "WELL") }).await;
    assert_eq!((shares(&world).await, notices(&world.app, world.ana).await.unwrap()), (vec!["5".to_owned()], vec![]));
}

#[tokio::test]
async fn a_split_that_was_known_before_still_refuses_too_large_a_sale() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "100", "20")).await;
    load(&world, "splits.csv", SPLIT).await;
    let refused = problems(entries::add(&world.app, world.ana, &sell("2026-03-02", "WELL", "50", "20")).await);
    assert_eq!(refused, [("shares", "You only held 10 WELL on 2026-03-02.".to_owned())]);
    assert_eq!(notices(&world.app, world.ana).await.unwrap(), []);
}

#[tokio::test]
async fn only_the_portfolio_that_contradicts_the_split_goes_without_it() {
    let world = contradicted().await;
    portfolios::add(&world.app, world.ana, "Other", false).await.unwrap();
    add(&world, &Draft { portfolio: "Other".to_owned(), ..buy("2026-01-06", "WELL", "30", "20") }).await;
    // 30 ÷ 10
    assert_eq!(shares(&world).await, ["50", "3"]);
    assert_eq!(notices(&world.app, world.ana).await.unwrap().len(), 1);
    let other = Draft { portfolio: "Other".to_owned(), ..sell("2026-03-02", "WELL", "4", "20") };
    let refused = problems(entries::add(&world.app, world.ana, &other).await);
    assert_eq!(refused, [("shares", "You only held 3 WELL on 2026-03-02.".to_owned())]);
}

#[tokio::test]
async fn a_needed_purchase_cannot_be_deleted_and_another_one_can() {
    let world = contradicted().await;
    let more = add(&world, &buy("2026-04-01", "WELL", "5", "20")).await;
    assert_eq!(entries::of_removal(&world.app, world.ana, more).await.unwrap(), []);
    entries::remove(&world.app, world.ana, more).await.unwrap();
    let kept = problems(entries::remove(&world.app, world.ana, 1).await);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(shares(&world).await, ["50"]);
}
