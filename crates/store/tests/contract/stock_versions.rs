use ledger::Currency;
use store::Tx;
use store::stocks::{self, Stock};

use crate::sample::{Database, decimal, stock};

async fn version(tx: &mut Tx, symbol: &str) -> Option<i64> {
    stocks::version(tx, symbol).await.unwrap()
}

#[tokio::test]
async fn a_stock_starts_at_version_1_and_rises_by_1_when_it_is_replaced_or_marked() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("A"), stock("B")]).await.unwrap();
    assert_eq!(version(&mut tx, "A").await, Some(1));
    stocks::upsert(&mut tx, &[stock("A")]).await.unwrap();
    assert_eq!(version(&mut tx, "A").await, Some(2));
    stocks::mark_changed(&mut tx, &["A", "NO ROW"]).await.unwrap();
    assert_eq!((version(&mut tx, "A").await, version(&mut tx, "B").await), (Some(3), Some(1)));
    assert_eq!(version(&mut tx, "NO ROW").await, None);
}

#[tokio::test]
async fn a_placeholder_that_becomes_a_stock_changes_its_version() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::add_placeholder(&mut tx, "A", None, None, Currency::EUR).await.unwrap();
    assert_eq!(version(&mut tx, "A").await, Some(0));
    stocks::upsert(&mut tx, &[stock("A")]).await.unwrap();
    assert_eq!(version(&mut tx, "A").await, Some(1));
}

#[tokio::test]
async fn the_version_changes_only_if_tracking_changes() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("A")]).await.unwrap();
    for (tracked, expected) in [(true, 1), (false, 2), (false, 2), (true, 3)] {
        assert_eq!(stocks::set_tracked(&mut tx, &["A"], tracked).await.unwrap(), 1);
        assert_eq!(version(&mut tx, "A").await, Some(expected), "{tracked}");
    }
}

#[tokio::test]
async fn a_price_is_written_only_if_it_is_newer() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("A"), stock("B")]).await.unwrap();
    // The sample costs 25.050 as of 7.
    for (price, as_of, written, expected) in [
        ("25.050", 7, false, 1),
        ("26", 6, false, 1),
        ("25.050", 8, true, 2),
        ("26", 8, true, 3),
        ("26", 8, false, 3),
        ("25.050", 7, false, 3),
    ] {
        assert_eq!(stocks::set_price(&mut tx, "A", decimal(price), as_of).await.unwrap(), written, "{price} as of {as_of}");
        assert_eq!(version(&mut tx, "A").await, Some(expected), "{price} as of {as_of}");
    }
    let priced = Stock { price: Some(decimal("26")), price_as_of: Some(8), ..stock("A") };
    assert_eq!(stocks::by_symbol(&mut tx, "A").await.unwrap(), Some(priced));
    assert_eq!(stocks::by_symbol(&mut tx, "B").await.unwrap(), Some(stock("B")));
}

#[tokio::test]
async fn a_price_is_added_to_a_stock_without_one_and_not_to_an_unknown_one() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[Stock { price: None, price_as_of: None, ..stock("A") }]).await.unwrap();
    stocks::upsert(&mut tx, &[Stock { price_as_of: None, ..stock("B") }]).await.unwrap();
    assert!(stocks::set_price(&mut tx, "A", decimal("1.5"), -3).await.unwrap());
    assert!(stocks::set_price(&mut tx, "B", decimal("25.050"), 1).await.unwrap(), "the same price, now with an instant");
    assert!(!stocks::set_price(&mut tx, "NO ROW", decimal("1.5"), 1).await.unwrap());
    assert_eq!(stocks::by_symbol(&mut tx, "A").await.unwrap().unwrap().price, Some(decimal("1.5")));
}
