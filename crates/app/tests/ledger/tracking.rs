//! An entry updates tracking and snapshots of its own stock only, with the same result as updating all of them.

use app::entries::{self, Draft};
use app::market;
use app::portfolios::{self, positions};
use app::stocks::radar;
use store::tracking;

use crate::world::{World, buy, sell};

async fn tracked(world: &World) -> Vec<String> {
    let mut tx = world.app.store.read().await.unwrap();
    tracking::of_user(&mut tx, world.ana).await.unwrap().into_iter().collect()
}

async fn snapshot_of(world: &World, symbol: &str) -> Option<Vec<u8>> {
    let mut tx = world.app.store.read().await.unwrap();
    let all = store::positions::of_user(&mut tx, world.ana).await.unwrap();
    all.into_iter().find(|one| one.symbol == symbol).unwrap().snapshot
}

async fn add(world: &World, draft: &Draft) -> i64 {
    entries::add(&world.app, world.ana, draft).await.unwrap()
}

fn elsewhere(draft: Draft) -> Draft {
    Draft { portfolio: "Other".to_owned(), ..draft }
}

#[tokio::test]
async fn a_stock_is_tracked_for_as_long_as_any_portfolio_holds_it() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    portfolios::add(&world.app, world.ana, "Other", false).await.unwrap();
    let other = add(&world, &elsewhere(buy("2026-01-05", "WELL", "1", "20"))).await;
    add(&world, &buy("2026-01-05", "BROOK.MC", "5", "8")).await;
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"]);
    add(&world, &sell("2026-02-02", "WELL", "10", "20")).await;
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"], "the other portfolio has one");
    entries::remove(&world.app, world.ana, other).await.unwrap();
    assert_eq!(tracked(&world).await, ["BROOK.MC"]);
    let again = add(&world, &buy("2026-03-02", "WELL", "1", "20")).await;
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"]);
    radar::add(&world.app, world.ana, &["WELL".to_owned()]).await.unwrap();
    entries::remove(&world.app, world.ana, again).await.unwrap();
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"], "it is watched");
}

#[tokio::test]
async fn moving_an_entry_to_another_stock_changes_both() {
    let world = World::new().await;
    let sequence = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    add(&world, &buy("2026-01-06", "WELL", "1", "20")).await;
    let moved = buy("2026-01-05", "BROOK.MC", "10", "20");
    entries::edit(&world.app, world.ana, sequence, &moved).await.unwrap();
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"]);
    assert!(snapshot_of(&world, "WELL").await.is_some() && snapshot_of(&world, "BROOK.MC").await.is_some());
    entries::remove(&world.app, world.ana, sequence).await.unwrap();
    assert_eq!(tracked(&world).await, ["WELL"]);
    let mut tx = world.app.store.read().await.unwrap();
    assert_eq!(store::positions::of_user(&mut tx, world.ana).await.unwrap().len(), 1, "nothing is kept of what has no entries");
}

#[tokio::test]
async fn snapshots_follow_changed_market_data_with_the_next_entry_of_any_stock() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "BROOK.MC", "10", "20")).await;
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    add(&world, &buy("2026-01-06", "WELL", "10", "20")).await;
    let before = snapshot_of(&world, "BROOK.MC").await;
    let split = ("splits.csv", "symbol,date,ratio\nBROOK.MC,2026-03-02,2:1\n".to_owned());
    market::load_texts(&world.app, &[split]).await.unwrap();
    assert_eq!(snapshot_of(&world, "BROOK.MC").await, before);
    add(&world, &buy("2026-01-07", "WELL", "10", "20")).await;
    let after = snapshot_of(&world, "BROOK.MC").await;
    assert!(after.is_some() && after != before);
    add(&world, &buy("2026-01-08", "WELL", "10", "20")).await;
    assert_eq!(snapshot_of(&world, "BROOK.MC").await, after);
}

#[tokio::test]
async fn snapshots_of_another_version_are_replaced_with_the_next_entry_of_any_stock() {
    let mut world = World::new().await;
    add(&world, &buy("2026-01-05", "BROOK.MC", "10", "20")).await;
    let current = snapshot_of(&world, "BROOK.MC").await.unwrap();
    let (older, newer) = ([&[current[0] - 1], &current[1..]].concat(), [&[current[0] + 1], &current[1..]].concat());
    for other in [older, newer, current[..current.len() - 1].to_vec(), Vec::new()] {
        world.file().execute("UPDATE positions SET fold = ?1 WHERE symbol = 'BROOK.MC'", [other]).unwrap();
        world = world.later("2026-11-15T12:00:00Z");
        let held = positions::list(&world.app, world.ana, None).await.unwrap();
        assert!(held.rows.iter().any(|row| row.holding.symbol == "BROOK.MC"), "it is replayed meanwhile");
        add(&world, &buy("2026-01-06", "WELL", "10", "20")).await;
        assert_eq!(snapshot_of(&world, "BROOK.MC").await.as_ref(), Some(&current));
    }
}

#[tokio::test]
async fn a_future_purchase_is_tracked_with_the_next_entry_from_its_day_on() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    add(&world, &buy("2026-11-20", "BROOK.MC", "10", "20")).await;
    add(&world, &buy("2026-01-06", "WELL", "10", "20")).await;
    assert_eq!(tracked(&world).await, ["WELL"]);
    let world = world.later("2026-11-21T12:00:00Z");
    add(&world, &buy("2026-01-07", "WELL", "10", "20")).await;
    assert_eq!(tracked(&world).await, ["BROOK.MC", "WELL"]);
}
