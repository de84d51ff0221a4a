use ledger::Ratio;
use store::entries::{self, Entry, Kind, Part};
use store::error::Damage;
use store::imports::{self, Import};
use store::{Error, Rule, Tx};
use uuid::Uuid;

use crate::sample::{Database, buy, currency, decimal, id, import, user_with_entry};

/// A user with a portfolio (12) that holds the entry 1.
async fn user(tx: &mut Tx) -> Uuid {
    user_with_entry(tx, 10).await
}

fn full(sequence: i64) -> Entry {
    Entry {
        date: "2026-03-04".parse().unwrap(),
        kind: Kind::Dividend,
        isin: Some("US0378331005".to_owned()),
        name: Some("Größe & Söhne, \"Ltd\"".to_owned()),
        shares: Some(decimal("12.3456789")),
        price: Some(decimal("0.4812")),
        amount: Some(decimal("18.00")),
        fees: Some(decimal("0")),
        tax: Some(decimal("-2.70")),
        net: Some(decimal("15.300")),
        currency: currency("USD"),
        fx_rate: Some(decimal("0.0000000000000000000000000001")),
        ratio: Some(Ratio { new: decimal("4"), old: decimal("1.5") }),
        ex_date: Some("2026-02-28".parse().unwrap()),
        source: "import:dripline".to_owned(),
        source_id: Some("T-1".to_owned()),
        note: Some("line one\nline two".to_owned()),
        import_id: Some(id(15)),
        gross_known: false,
        reinvests: Some("row 7".to_owned()),
        ..buy(id(12), sequence, "AAPL")
    }
}

#[tokio::test]
async fn an_entry_is_read_as_it_was_stored() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    imports::add(&mut tx, user, &import(15), b"file").await.unwrap();
    entries::add(&mut tx, user, &[full(2)]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = database.store.read().await.unwrap();
    assert_eq!(entries::of_user(&mut tx, user).await.unwrap(), [buy(id(12), 1, "AAA"), full(2)]);
}

#[tokio::test]
async fn figures_keep_their_decimal_places() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    let figures =
        ["18.00", "18", "18.0", "0.4812", "-0.10", "0.00", "79228162514264337593543950335", "0.0000000000000000000000000001"];
    let rows: Vec<Entry> = (2..)
        .zip(figures)
        .map(|(sequence, figure)| Entry { amount: Some(decimal(figure)), ..buy(id(12), sequence, "AAA") })
        .collect();
    entries::add(&mut tx, user, &rows).await.unwrap();
    let back: Vec<String> =
        entries::of_user(&mut tx, user).await.unwrap().iter().filter_map(|entry| entry.amount).map(|it| it.to_string()).collect();
    assert_eq!(back, figures);
}

#[tokio::test]
async fn every_kind_of_entry_is_stored_under_its_word() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    let words = ["buy", "sell", "dividend", "split", "transfer_in", "transfer_out", "return_of_capital"];
    let kinds: Vec<Kind> = words.iter().map(|word| Kind::parse(word).unwrap()).collect();
    let rows: Vec<Entry> =
        (2..).zip(&kinds).map(|(sequence, kind)| Entry { kind: *kind, ..buy(id(12), sequence, "AAA") }).collect();
    entries::add(&mut tx, user, &rows).await.unwrap();
    let back: Vec<&str> = entries::of_user(&mut tx, user).await.unwrap()[1..].iter().map(|entry| entry.kind.word()).collect();
    assert_eq!(back, words);
    assert_eq!(Kind::parse("Buy"), None);
}

#[tokio::test]
async fn an_identity_is_stored_once_per_portfolio() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    store::portfolios::add(&mut tx, user, &crate::sample::new_portfolio(13, "Other")).await.unwrap();
    let again = Entry { identity: "row 1".to_owned(), ..buy(id(13), 2, "AAA") };
    entries::add(&mut tx, user, std::slice::from_ref(&again)).await.unwrap();
    entries::add(&mut tx, user, &[buy(id(13), 3, "AAA")]).await.unwrap();
    let known = entries::identities(&mut tx, user, id(13)).await.unwrap();
    assert_eq!(known, ["row 1".to_owned(), "row 3".to_owned()].into());
    assert_eq!(entries::of_portfolio(&mut tx, user, id(12)).await.unwrap(), [buy(id(12), 1, "AAA")]);
    assert_eq!(entries::of_user(&mut tx, user).await.unwrap().len(), 3);
    let twice = Entry { sequence: 4, ..again };
    assert_eq!(entries::add(&mut tx, user, &[twice]).await, Err(Error::Conflict(Rule::EntryIdentity)));
}

#[tokio::test]
async fn entry_sequences_are_per_user() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (one, two) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    assert_eq!(entries::next_sequence(&mut tx, one).await.unwrap(), 2);
    entries::add(&mut tx, one, &[buy(id(12), 2, "B"), buy(id(12), 3, "C")]).await.unwrap();
    assert_eq!(entries::next_sequence(&mut tx, one).await.unwrap(), 4);
    assert_eq!(entries::next_sequence(&mut tx, two).await.unwrap(), 2);
    assert_eq!(entries::next_sequence(&mut tx, id(99)).await.unwrap(), 1);
    let taken = Entry { identity: "new".to_owned(), ..buy(id(12), 3, "C") };
    assert_eq!(entries::add(&mut tx, one, &[taken]).await, Err(Error::Conflict(Rule::Key)));
}

#[tokio::test]
async fn dividends_are_listed_newest_first_and_last_recorded_first_within_a_day() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    let paid = |sequence, date: &str| Entry { kind: Kind::Dividend, date: date.parse().unwrap(), ..buy(id(12), sequence, "AAA") };
    let rows =
        [paid(2, "2026-01-05"), paid(3, "2026-02-05"), buy(id(12), 4, "AAA"), paid(5, "2026-01-05"), paid(6, "2025-12-31")];
    entries::add(&mut tx, user, &rows).await.unwrap();
    let order: Vec<i64> = entries::dividends_of_user(&mut tx, user).await.unwrap().iter().map(|entry| entry.sequence).collect();
    assert_eq!(order, [3, 5, 2, 6]);
    assert!(entries::dividends_of_user(&mut tx, id(99)).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_newest_entries_of_a_part_are_read_in_order() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    store::portfolios::add(&mut tx, user, &crate::sample::new_portfolio(13, "Other")).await.unwrap();
    let on =
        |sequence, date: &str, symbol, portfolio| Entry { date: date.parse().unwrap(), ..buy(id(portfolio), sequence, symbol) };
    let paid = Entry { kind: Kind::Dividend, ..on(5, "2026-02-05", "BBB", 12) };
    let rows = [on(2, "2026-02-05", "BBB", 12), on(3, "2026-03-05", "AAA", 13), on(4, "2026-01-05", "BBB", 13), paid];
    entries::add(&mut tx, user, &rows).await.unwrap();
    entries::delete(&mut tx, user, 1).await.unwrap();
    let all = Part {
        kind: None,
        portfolio_id: None,
        from: "0001-01-01".parse().unwrap(),
        before: ("9999-12-31".parse().unwrap(), i64::MAX),
    };
    let day = |date: &str| date.parse().unwrap();
    for (part, expected) in [
        (all, vec![3, 5, 2, 4]),
        (Part { before: (day("2026-02-05"), 5), ..all }, vec![2, 4]),
        (Part { before: (day("2026-02-05"), i64::MAX), from: day("2026-02-05"), ..all }, vec![5, 2]),
        (Part { kind: Some(Kind::Dividend), ..all }, vec![5]),
        (Part { portfolio_id: Some(id(13)), ..all }, vec![3, 4]),
        (Part { kind: Some(Kind::Buy), portfolio_id: Some(id(12)), ..all }, vec![2]),
        (Part { portfolio_id: Some(id(22)), ..all }, vec![]),
    ] {
        let mut every = entries::of_user(&mut tx, user).await.unwrap();
        every.retain(|entry| part.contains(entry));
        assert_eq!(every.len(), expected.len(), "{part:?}");
        for limit in 1..=5 {
            let found = entries::newest(&mut tx, user, part, limit).await.unwrap();
            let found: Vec<i64> = found.iter().map(|entry| entry.sequence).collect();
            assert_eq!(found, expected[..limit.min(expected.len())], "{part:?}");
        }
    }
    assert_eq!(entries::newest(&mut tx, other, all, 5).await.unwrap(), [buy(id(22), 1, "AAA")]);
}

#[tokio::test]
async fn an_import_can_be_undone_with_its_entries() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    for (number, at) in [(16, 2), (15, 1)] {
        imports::add(&mut tx, user, &Import { created_at: at, ..import(number) }, b"file").await.unwrap();
    }
    let imported = |import, sequence| Entry { import_id: Some(id(import)), ..buy(id(12), sequence, "AAA") };
    entries::add(&mut tx, user, &[imported(15, 2), imported(16, 3), imported(15, 4)]).await.unwrap();
    let listed = imports::list(&mut tx, user).await.unwrap();
    assert_eq!(listed, [Import { created_at: 1, ..import(15) }, Import { created_at: 2, ..import(16) }]);
    assert_eq!(imports::owner(&mut tx, id(15)).await.unwrap(), Some(user));
    assert_eq!(imports::owner(&mut tx, id(99)).await.unwrap(), None);
    assert_eq!(imports::file(&mut tx, user, id(15)).await.unwrap().as_deref(), Some(b"file".as_slice()));
    assert_eq!(imports::file(&mut tx, other, id(15)).await.unwrap(), None);
    // "file", twice.
    assert_eq!(imports::bytes(&mut tx, user).await.unwrap(), 4 + 4);
    assert_eq!(imports::bytes(&mut tx, other).await.unwrap(), 0);

    assert_eq!(entries::delete_of_import(&mut tx, other, id(15)).await.unwrap(), 0);
    assert!(!imports::delete(&mut tx, other, id(15)).await.unwrap());
    assert_eq!(entries::delete_of_import(&mut tx, user, id(15)).await.unwrap(), 2);
    assert!(imports::delete(&mut tx, user, id(15)).await.unwrap());
    let left: Vec<i64> = entries::of_user(&mut tx, user).await.unwrap().iter().map(|entry| entry.sequence).collect();
    assert_eq!(left, [1, 3]);
    assert!(imports::delete(&mut tx, user, id(16)).await.is_err(), "its entries still name it");
}

#[tokio::test]
async fn an_entry_cannot_name_an_import_of_another_user() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    imports::add(&mut tx, other, &import(25), b"file").await.unwrap();
    let entry = Entry { import_id: Some(id(25)), ..buy(id(12), 2, "AAA") };
    assert!(matches!(entries::add(&mut tx, user, &[entry]).await, Err(Error::Internal(_))));
}

#[tokio::test]
async fn an_unreadable_value_is_named_by_its_column_and_not_shown() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    tx.commit().await.unwrap();
    for (column, value) in [("shares", "ten"), ("date", "2026-02-30"), ("currency", "eur")] {
        let before: String = database.raw().query_row(&format!("SELECT {column} FROM entries"), [], |row| row.get(0)).unwrap();
        let set = |value: &str| database.raw().execute(&format!("UPDATE entries SET {column} = ?1"), [value]).unwrap();
        set(value);
        let error = entries::of_user(&mut database.store.read().await.unwrap(), user).await.unwrap_err();
        let of_user = |statement: &str| statement.contains("entries::OF_USER");
        assert!(matches!(&error, Error::Corrupt(Damage::Value { statement, .. }) if of_user(statement)), "{error}");
        assert!(!error.to_string().contains(value), "{error}");
        set(&before);
    }
}
