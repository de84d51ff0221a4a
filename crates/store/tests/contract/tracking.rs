use std::collections::BTreeSet;

use store::radar::{self, Watched};
use store::stocks::{self, Stock};
use store::{deletion, tracking, users};

use crate::sample::{Database, currency, decimal, id, new_user, stock};

fn set(symbols: &[&str]) -> BTreeSet<String> {
    symbols.iter().map(|symbol| (*symbol).to_owned()).collect()
}

#[tokio::test]
async fn the_watchlist_lists_stocks_in_the_order_they_were_added() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    users::add(&mut tx, &new_user(2, "b@x.org")).await.unwrap();
    for (symbol, at, new) in [("B", 1, true), ("A", 2, true), ("B", 3, false)] {
        assert_eq!(radar::add(&mut tx, id(1), symbol, at).await.unwrap(), new);
    }
    let watched =
        |symbol: &str, added_at| Watched { symbol: symbol.to_owned(), added_at, target_yield_pct: None, target_price: None };
    assert_eq!(radar::list(&mut tx, id(1)).await.unwrap(), [watched("B", 1), watched("A", 2)]);
    assert!(!radar::remove(&mut tx, id(2), "B").await.unwrap());
    assert!(!radar::set_target(&mut tx, id(2), "A", None, Some(decimal("2"))).await.unwrap());
    assert!(radar::set_target(&mut tx, id(1), "A", Some(decimal("4.50")), None).await.unwrap());
    assert_eq!(radar::list(&mut tx, id(1)).await.unwrap()[1].target_yield_pct, Some(decimal("4.50")));
    assert!(radar::set_target(&mut tx, id(1), "A", None, None).await.unwrap());
    assert!(radar::remove(&mut tx, id(1), "B").await.unwrap());
    assert!(!radar::remove(&mut tx, id(1), "B").await.unwrap());
    assert_eq!(radar::list(&mut tx, id(1)).await.unwrap(), [watched("A", 2)]);
}

#[tokio::test]
async fn replacing_a_users_tracking_reports_whether_anything_changed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    users::add(&mut tx, &new_user(2, "b@x.org")).await.unwrap();
    tracking::replace_for_user(&mut tx, id(2), &set(&["A"])).await.unwrap();
    for (symbols, changed) in
        [(&["A", "B"][..], true), (&["A", "B"], false), (&["B", "C"], true), (&["B"], true), (&[], true), (&[], false)]
    {
        assert_eq!(tracking::replace_for_user(&mut tx, id(1), &set(symbols)).await.unwrap(), changed, "{symbols:?}");
        assert_eq!(tracking::of_user(&mut tx, id(1)).await.unwrap(), set(symbols));
    }
    assert_eq!(tracking::of_user(&mut tx, id(2)).await.unwrap(), set(&["A"]));
}

#[tokio::test]
async fn changing_the_tracking_of_some_symbols_leaves_the_others() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    users::add(&mut tx, &new_user(2, "b@x.org")).await.unwrap();
    tracking::replace_for_user(&mut tx, id(1), &set(&["A", "B"])).await.unwrap();
    tracking::replace_for_user(&mut tx, id(2), &set(&["A"])).await.unwrap();
    for (symbol, tracked, changed) in [("A", true, false), ("A", false, true), ("C", false, false), ("C", true, true)] {
        let put = [(symbol.to_owned(), tracked)].into();
        assert_eq!(tracking::put_for_user(&mut tx, id(1), &put).await.unwrap(), changed, "{symbol} {tracked}");
    }
    assert_eq!(tracking::of_user(&mut tx, id(1)).await.unwrap(), set(&["B", "C"]));
    assert_eq!(tracking::of_user(&mut tx, id(2)).await.unwrap(), set(&["A"]));
    let counts = [("A", 1), ("B", 1), ("C", 1)].map(|(symbol, users)| (symbol.to_owned(), users));
    assert_eq!(tracking::counts(&mut tx).await.unwrap(), counts);
}

#[tokio::test]
async fn a_stock_is_tracked_by_its_holders_or_by_the_operator() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    users::add(&mut tx, &new_user(2, "b@x.org")).await.unwrap();
    stocks::upsert(&mut tx, &[stock("OPERATOR"), Stock { tracked: false, ..stock("NOBODY") }]).await.unwrap();
    tracking::replace_for_user(&mut tx, id(1), &set(&["BOTH", "ONE"])).await.unwrap();
    tracking::replace_for_user(&mut tx, id(2), &set(&["BOTH", "OPERATOR"])).await.unwrap();
    let counts = [("BOTH", 2), ("ONE", 1), ("OPERATOR", 1)].map(|(symbol, users)| (symbol.to_owned(), users));
    assert_eq!(tracking::counts(&mut tx).await.unwrap(), counts);
    assert_eq!(tracking::tracked_symbols(&mut tx).await.unwrap(), ["BOTH", "ONE", "OPERATOR"]);
    for (symbol, tracked) in [("BOTH", true), ("ONE", true), ("OPERATOR", true), ("NOBODY", false), ("?", false)] {
        assert_eq!(tracking::is_tracked(&mut tx, symbol).await.unwrap(), tracked, "{symbol}");
    }
    tracking::replace_for_user(&mut tx, id(2), &set(&["ONE"])).await.unwrap();
    assert_eq!(tracking::counts(&mut tx).await.unwrap(), [("BOTH".to_owned(), 1), ("ONE".to_owned(), 2)]);
    assert!(tracking::is_tracked(&mut tx, "OPERATOR").await.unwrap());
    deletion::delete_user(&mut tx, id(1)).await.unwrap();
    assert_eq!(tracking::counts(&mut tx).await.unwrap(), [("ONE".to_owned(), 1)]);
    assert_eq!(tracking::tracked_symbols(&mut tx).await.unwrap(), ["ONE", "OPERATOR"]);
}

#[tokio::test]
async fn a_stock_is_public_with_enough_holders_or_if_the_operator_tracks_it() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let untracked = |symbol| Stock { tracked: false, ..stock(symbol) };
    stocks::upsert(&mut tx, &[stock("OPERATOR"), untracked("THREE"), untracked("TWO"), untracked("NOBODY")]).await.unwrap();
    stocks::add_placeholder(&mut tx, "TYPED", None, None, currency("USD")).await.unwrap();
    for (user, symbols) in
        [(1, &["THREE", "TWO", "TYPED", "OPERATOR"][..]), (2, &["THREE", "TWO", "TYPED"]), (3, &["THREE", "TYPED"])]
    {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
        tracking::replace_for_user(&mut tx, id(user), &set(symbols)).await.unwrap();
    }
    for (holders_min, public) in [
        (1, &["OPERATOR", "THREE", "TWO"][..]),
        (2, &["OPERATOR", "THREE", "TWO"]),
        (3, &["OPERATOR", "THREE"]),
        (i64::MAX, &["OPERATOR"]),
    ] {
        for symbol in ["OPERATOR", "THREE", "TWO", "NOBODY", "TYPED", "?"] {
            let found = tracking::is_public(&mut tx, symbol, holders_min).await.unwrap();
            assert_eq!(found, public.contains(&symbol), "{symbol} from {holders_min}");
        }
        assert_eq!(tracking::public_of_user(&mut tx, id(1), holders_min).await.unwrap(), set(public), "from {holders_min}");
    }
    tracking::replace_for_user(&mut tx, id(3), &set(&[])).await.unwrap();
    assert!(!tracking::is_public(&mut tx, "THREE", 3).await.unwrap());
}
