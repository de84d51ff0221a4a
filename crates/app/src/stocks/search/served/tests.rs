use std::time::Instant;

use ledger::QuoteUnit;
use store::stocks::Stock;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::*;

async fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    (folder, store)
}

async fn list(store: &Store, symbol: &str) {
    let mut tx = store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock(symbol)]).await.unwrap();
    versions::bump_listings(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}

fn stock(symbol: &str) -> Stock {
    Stock { name: Some("Acme".to_owned()), ..Stock::new(symbol, QuoteUnit::parse("USD").unwrap()) }
}

/// What a search for their common name finds, and its versions.
async fn found(search: &Search, store: &Store) -> (Vec<String>, Versions) {
    let (versions, built) = search.current(store, PublicHolders::default()).await.unwrap();
    (built.index.search("acme").iter().map(|hit| hit.symbol.to_owned()).collect(), versions)
}

#[tokio::test]
async fn a_change_is_found_by_the_next_search() {
    let (_folder, store) = store().await;
    let search = Search::default();
    for (symbol, all) in [("A", &["A"][..]), ("B", &["A", "B"]), ("C", &["A", "B", "C"])] {
        list(&store, symbol).await;
        let (symbols, versions) = found(&search, &store).await;
        assert_eq!(
            (&symbols[..], versions),
            (&all.iter().map(|symbol| symbol.to_string()).collect::<Vec<_>>()[..], store.versions().await.unwrap())
        );
    }
}

#[tokio::test]
async fn the_index_is_rebuilt_only_when_followers_change() {
    let (_folder, store) = store().await;
    let search = Search::default();
    let first = search.current(&store, PublicHolders::default()).await.unwrap().1;
    assert!(Arc::ptr_eq(&first, &search.current(&store, PublicHolders::default()).await.unwrap().1));
    let mut tx = store.write().await.unwrap();
    versions::bump_tracking(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!Arc::ptr_eq(&first, &search.current(&store, PublicHolders::default()).await.unwrap().1));
}

#[tokio::test]
async fn the_old_index_answers_with_its_age_during_a_slow_rebuild() {
    let (_folder, store) = store().await;
    let search = Search::default();
    list(&store, "A").await;
    let old = found(&search, &store).await;
    list(&store, "B").await;
    let (go_on, signal) = oneshot::channel::<()>();
    let slow = read(store.clone(), PublicHolders::default(), None);
    let turn = search.building.clone().try_lock_owned().unwrap();
    let building = search.build(turn, async move {
        signal.await.unwrap();
        slow.await
    });

    let asked = Instant::now();
    assert_eq!(found(&search, &store).await, old);
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());

    go_on.send(()).unwrap();
    building.await.unwrap().unwrap();
    assert_eq!(found(&search, &store).await, (vec!["A".to_owned(), "B".to_owned()], store.versions().await.unwrap()));
}

#[tokio::test]
async fn the_first_search_waits_for_its_index_however_long() {
    let (_folder, store) = store().await;
    let search = Search::default();
    list(&store, "A").await;
    let slow = read(store.clone(), PublicHolders::default(), None);
    let turn = search.building.clone().try_lock_owned().unwrap();
    drop(search.build(turn, async {
        tokio::time::sleep(RENEWAL_WAIT * 3).await;
        slow.await
    }));
    assert_eq!(found(&search, &store).await.0, ["A"]);
}

#[tokio::test]
async fn after_a_failed_build_the_old_index_stays_and_the_next_search_retries() {
    let (_folder, store) = store().await;
    let search = Search::default();
    list(&store, "A").await;
    found(&search, &store).await;
    list(&store, "B").await;
    let turn = search.building.clone().try_lock_owned().unwrap();
    assert!(search.build(turn, async { Err(Error::Busy) }).await.unwrap().is_err());
    assert_eq!(search.built.load_full().unwrap().index.search("acme").len(), 1);
    assert_eq!(found(&search, &store).await.0, ["A", "B"]);
}
