//! Thousands of rows at a time, which a server takes in statements of a thousand.

use std::collections::BTreeSet;

use store::entries::{self, Entry, Renaming};
use store::instruments::{Match, Origin};
use store::{instruments, positions, prices, splits, stocks};

use crate::sample::{Database, buy, currency, decimal, id, stock, user_with_entry};

fn entry(sequence: i64) -> Entry {
    let odd = sequence % 2 == 1;
    Entry {
        name: odd.then(|| format!("Größe {sequence} \"quoted\", \\N {{}}")),
        price: odd.then(|| decimal(&format!("0.{sequence:04}0"))),
        ratio: None,
        note: (sequence % 3 == 0).then(String::new),
        identity: format!("row {sequence}"),
        ..buy(id(12), sequence, &format!("S{}", sequence % 700))
    }
}

#[tokio::test]
async fn thousands_of_entries_are_read_as_they_were_stored() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let many: Vec<Entry> = (2..=3_501).map(entry).collect();
    entries::add(&mut tx, user, &many).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = database.store.read().await.unwrap();
    let found = entries::of_user(&mut tx, user).await.unwrap();
    assert_eq!(found[1..], many);
    assert_eq!(positions::of_user(&mut tx, user).await.unwrap().len(), 701);
    let symbols: Vec<String> = (0..40).map(|number| format!("S{}", number * 30)).collect();
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let some = entries::of_symbols(&mut tx, user, &symbols).await.unwrap();
    let wanted = BTreeSet::from_iter(symbols.iter().copied());
    assert_eq!(some, many.iter().filter(|entry| wanted.contains(entry.symbol.as_str())).cloned().collect::<Vec<_>>());
}

#[tokio::test]
async fn an_entry_that_cannot_be_stored_rolls_back_its_transaction() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    tx.commit().await.unwrap();
    let mut many: Vec<Entry> = (2..=1_500).map(entry).collect();
    many[1_200].identity = "row 7".to_owned();
    let mut tx = database.store.write().await.unwrap();
    assert!(entries::add(&mut tx, user, &many).await.is_err());
    drop(tx);
    assert_eq!(entries::of_user(&mut database.store.read().await.unwrap(), user).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_last_of_several_rows_with_one_key_counts() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let matched = |number| Match::new(&format!("K{}", number % 900), &format!("T{number}"), Origin::User);
    let matches: Vec<Match> = (0..2_500).map(matched).collect();
    instruments::put(&mut tx, user, &matches).await.unwrap();
    let known = instruments::of_user(&mut tx, user).await.unwrap();
    assert_eq!(
        (known.len(), known["K0"].as_str(), known["K699"].as_str(), known["K700"].as_str()),
        (900, "T1800", "T2499", "T1600")
    );
    let mut twice: Vec<_> = (0..20).map(|number| stock(&format!("X{}", number % 10))).collect();
    twice[19].name = Some("the last".to_owned());
    stocks::upsert(&mut tx, &twice).await.unwrap();
    assert_eq!(stocks::by_symbol(&mut tx, "X9").await.unwrap().unwrap().name.as_deref(), Some("the last"));
    assert_eq!(stocks::version(&mut tx, "X9").await.unwrap(), Some(2), "as if one after the other");
}

#[tokio::test]
async fn known_symbols_are_unchanged_among_many_new_ones() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("P500")]).await.unwrap();
    let symbols: Vec<String> = (0..1_200).map(|number| format!("P{}", number % 1_100)).collect();
    stocks::add_placeholders(&mut tx, symbols.iter().map(|symbol| (symbol.as_str(), currency("CHF")))).await.unwrap();
    let asked = ["P0", "P500", "P1099", "P1100"];
    let found = stocks::by_symbols(&mut tx, &asked).await.unwrap();
    let placeholders: Vec<Option<bool>> = found.iter().map(|stock| Some(stock.as_ref()?.placeholder)).collect();
    assert_eq!(placeholders, [Some(true), Some(false), Some(true), None]);
    assert_eq!(stocks::known(&mut tx, &asked).await.unwrap(), BTreeSet::from(["P0", "P500", "P1099"].map(str::to_owned)));
}

#[tokio::test]
async fn batched_queries_are_answered_in_order() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let split =
        ledger::Split { date: "2024-01-02".parse().unwrap(), ratio: ledger::Ratio { new: decimal("2"), old: decimal("1") } };
    splits::upsert(&mut tx, "B", &[split]).await.unwrap();
    let mut isin = stock("B");
    isin.isin = Some("US1912161007".to_owned());
    stocks::upsert(&mut tx, &[isin]).await.unwrap();
    assert_eq!(splits::of_symbols(&mut tx, &["A", "B", "A"]).await.unwrap(), [vec![], vec![split], vec![]]);
    let isins = stocks::by_isins(&mut tx, &["US1912161007", "X", "US1912161007"]).await.unwrap();
    assert_eq!(isins.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1]);
    let identities = [(id(12), "nobody".to_owned()), (id(12), buy(id(12), 1, "AAA").identity)];
    assert_eq!(entries::have_identities(&mut tx, user, &identities).await.unwrap(), [false, true]);
    assert_eq!(entries::have_symbols(&mut tx, user, &["AAA", "B"]).await.unwrap(), [true, false]);
    let currencies = entries::currencies_of(&mut tx, user, &["B", "AAA"]).await.unwrap();
    assert_eq!(currencies, [None, Some(buy(id(12), 1, "AAA").currency)]);
    assert!(stocks::by_symbols(&mut tx, &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn many_renamings_and_prices_are_stored_in_order() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    entries::add(&mut tx, user, &(2..=1_300).map(entry).collect::<Vec<_>>()).await.unwrap();
    // Each takes the identity that the one before has just given up.
    let steps: Vec<Renaming> = (2..=1_300)
        .map(|sequence| Renaming {
            sequence,
            symbol: "NEW".to_owned(),
            identity: format!("row {}", if sequence == 2 { 0 } else { sequence - 1 }),
        })
        .collect();
    entries::rename(&mut tx, user, &steps).await.unwrap();
    let found = entries::of_symbols(&mut tx, user, &["NEW"]).await.unwrap();
    assert!(found.iter().map(|entry| entry.identity.clone()).eq(steps.iter().map(|step| step.identity.clone())));
    let day = |number: i64| jiff::civil::date(2020, 1, 1).saturating_add(jiff::Span::new().days(number % 1_000));
    let closes: Vec<_> = (0..1_500).map(|number| (day(number), decimal(&format!("{number}.50")))).collect();
    prices::upsert(&mut tx, "NEW", &closes).await.unwrap();
}
