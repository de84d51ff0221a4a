use std::collections::HashMap;

use store::accruals::{self, Accrual, Statement};
use store::entries::{self, Entry, Renaming};
use store::instruments::{Match, Origin};
use store::portfolios::{self, NewPortfolio};
use store::uploads::{self, Choices, Total, Upload};
use store::{column_maps, deletion, imports, instruments, stocks};

use crate::sample::{Database, buy, currency, decimal, id, import, new_portfolio, stock, user_with_entry};

pub fn accrual(symbol: &str) -> Accrual {
    Accrual {
        symbol: symbol.to_owned(),
        name: Some("Größe AG".to_owned()),
        currency: currency("USD"),
        ex_date: "2026-11-20".parse().unwrap(),
        pay_date: Some("2026-12-15".parse().unwrap()),
        shares: decimal("100"),
        per_share: Some(decimal("0.51")),
        gross: decimal("51.00"),
        tax: decimal("7.65"),
        net: decimal("43.35"),
    }
}

pub fn statement(import: u128, as_of: &str) -> Statement {
    Statement { import_id: id(import), portfolio_id: id(12), as_of: as_of.parse().unwrap() }
}

#[tokio::test]
async fn matches_and_columns_are_remembered_per_user_and_can_be_replaced() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    instruments::put(&mut tx, user, &[Match::new("US1912161007", "KO", Origin::User)]).await.unwrap();
    instruments::put(&mut tx, user, &[Match::new("US1912161007", "KO.DE", Origin::User)]).await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=Day").await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=When").await.unwrap();
    let known = instruments::of_user(&mut tx, user).await.unwrap();
    assert_eq!(known, HashMap::from([("US1912161007".to_owned(), "KO.DE".to_owned())]));
    assert_eq!(column_maps::get(&mut tx, user, "h").await.unwrap().as_deref(), Some("date=When"));
    assert!(instruments::of_user(&mut tx, other).await.unwrap().is_empty());
    assert_eq!(column_maps::get(&mut tx, other, "h").await.unwrap(), None);
}

#[tokio::test]
async fn only_what_users_matched_themselves_with_a_known_stock_counts_as_confirmed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let users = [user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await, user_with_entry(&mut tx, 30).await];
    stocks::upsert(&mut tx, &[stock("KO"), stock("KO.DE"), stock("NESN.SW")]).await.unwrap();
    stocks::add_placeholder(&mut tx, "TYPED", None, None, currency("EUR")).await.unwrap();
    let found = Match { seen: false, ..Match::new("CH0038863350", "NESN.SW", Origin::Automatic) };
    let matches = [
        vec![Match::new("US1912161007", "KO", Origin::User), found.clone()],
        vec![Match::new("US1912161007", "KO", Origin::User), Match::new("DE0008404005", "DE0008404005", Origin::Unlisted)],
        vec![Match::new("US1912161007", "KO.DE", Origin::User), Match::new("CH0038863350", "TYPED", Origin::User)],
    ];
    for (user, matches) in users.iter().zip(&matches) {
        instruments::put(&mut tx, *user, matches).await.unwrap();
    }
    let confirmed = instruments::confirmed(&mut tx, &["US1912161007", "CH0038863350", "DE0008404005"]).await.unwrap();
    assert_eq!(confirmed, [vec!["KO".to_owned(), "KO.DE".to_owned()], Vec::new(), Vec::new()]);

    assert_eq!(instruments::list(&mut tx, users[0]).await.unwrap(), [found.clone(), matches[0][0].clone()], "by key");
    instruments::set_seen(&mut tx, users[1]).await.unwrap();
    assert!(!instruments::list(&mut tx, users[0]).await.unwrap()[0].seen, "another user's");
    instruments::set_seen(&mut tx, users[0]).await.unwrap();
    assert!(instruments::list(&mut tx, users[0]).await.unwrap()[0].seen);
}

#[tokio::test]
async fn unconfirmed_symbols_are_listed_with_the_users_whose_ledgers_have_them() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let users = [user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await];
    stocks::upsert(&mut tx, &[stock("KO")]).await.unwrap();
    for symbol in ["US1912161007", "WATCHED"] {
        stocks::add_placeholder(&mut tx, symbol, None, None, currency("EUR")).await.unwrap();
    }
    for (user, sequence, symbol) in [(0, 8, "KO"), (1, 8, "US1912161007"), (1, 9, "US1912161007")] {
        entries::add(&mut tx, users[user], &[buy(id([12, 22][user]), sequence, symbol)]).await.unwrap();
    }
    let held = stocks::placeholders::in_ledgers(&mut tx).await.unwrap();
    assert_eq!(held, [(users[1], "US1912161007".to_owned(), None)], "each once");
    assert!(stocks::placeholders::in_ledger(&mut tx, users[0]).await.unwrap().is_empty());
    assert_eq!(stocks::placeholders::in_ledger(&mut tx, users[1]).await.unwrap(), ["US1912161007"]);
}

#[tokio::test]
async fn statements_of_accrued_payments_are_listed_latest_first() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    for (number, as_of) in [(15, "2026-11-10"), (16, "2026-11-12"), (17, "2026-11-10")] {
        imports::add(&mut tx, user, &import(number), b"file").await.unwrap();
        accruals::add(&mut tx, user, &statement(number, as_of), &[accrual("KO"), accrual("PEP")]).await.unwrap();
    }
    let order: Vec<_> = accruals::statements(&mut tx, user).await.unwrap().into_iter().map(|one| one.import_id).collect();
    assert_eq!(order, [id(16), id(17), id(15)]);
    assert_eq!(accruals::of_statement(&mut tx, user, id(16)).await.unwrap(), [accrual("KO"), accrual("PEP")]);

    accruals::rename_symbol(&mut tx, user, "PEP", "PEP.DE").await.unwrap();
    assert_eq!(accruals::of_statement(&mut tx, user, id(16)).await.unwrap(), [accrual("KO"), accrual("PEP.DE")]);
    accruals::delete_of_import(&mut tx, user, id(16)).await.unwrap();
    assert!(accruals::of_statement(&mut tx, user, id(16)).await.unwrap().is_empty());
    assert_eq!(accruals::statements(&mut tx, user).await.unwrap().len(), 2);
}

#[tokio::test]
async fn deleting_a_portfolio_or_an_account_deletes_its_accrued_payments() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    for number in [15, 16] {
        imports::add(&mut tx, user, &import(number), b"file").await.unwrap();
    }
    let made = NewPortfolio { made_by: Some(id(15)), ..new_portfolio(13, "Made") };
    portfolios::add(&mut tx, user, &made).await.unwrap();
    accruals::add(&mut tx, user, &Statement { portfolio_id: id(13), ..statement(15, "2026-11-10") }, &[accrual("KO")])
        .await
        .unwrap();
    accruals::add(&mut tx, user, &statement(16, "2026-11-10"), &[accrual("PEP")]).await.unwrap();
    assert_eq!(portfolios::made_by(&mut tx, user, id(15)).await.unwrap(), [id(13)]);
    assert!(portfolios::delete(&mut tx, user, id(13)).await.unwrap());
    let left: Vec<_> = accruals::statements(&mut tx, user).await.unwrap().into_iter().map(|one| one.import_id).collect();
    assert_eq!(left, [id(16)]);
    assert!(accruals::of_statement(&mut tx, user, id(15)).await.unwrap().is_empty());

    instruments::put(&mut tx, user, &[Match::new("X", "Y", Origin::User)]).await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=Day").await.unwrap();
    assert!(deletion::delete_user(&mut tx, user).await.unwrap());
    assert!(instruments::of_user(&mut tx, user).await.unwrap().is_empty());
    assert!(accruals::statements(&mut tx, user).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_symbol_of_an_entry_can_be_changed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    let to = |sequence, symbol: &str, identity: &str| {
        [Renaming { sequence, symbol: symbol.to_owned(), identity: identity.to_owned() }]
    };
    entries::rename(&mut tx, other, &to(2, "ZZZ", "other")).await.unwrap();
    entries::rename(&mut tx, user, &to(1, "KO", "new")).await.unwrap();
    let expected = Entry { symbol: "KO".to_owned(), identity: "new".to_owned(), ..buy(id(12), 1, "AAA") };
    assert_eq!(entries::of_user(&mut tx, user).await.unwrap(), [expected]);
    for (owner, symbol, has) in [(user, "KO", true), (user, "AAA", false), (other, "AAA", true), (other, "KO", false)] {
        assert_eq!(entries::have_symbols(&mut tx, owner, &[symbol]).await.unwrap(), [has], "{symbol}");
    }
}

#[tokio::test]
async fn a_purchase_follows_the_dividend_that_it_reinvests() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    portfolios::add(&mut tx, user, &new_portfolio(13, "Other")).await.unwrap();
    let to = |identity: &str| Some(identity.to_owned());
    let linked = |portfolio, sequence, identity| Entry { reinvests: to(identity), ..buy(id(portfolio), sequence, "AAA") };
    let twin = Entry { identity: "row 1".to_owned(), ..buy(id(13), 5, "AAA") };
    let rows = [buy(id(12), 2, "AAA"), linked(12, 3, "row 1"), linked(12, 4, "row 2"), twin, linked(13, 6, "row 1")];
    entries::add(&mut tx, user, &rows).await.unwrap();
    entries::add(&mut tx, other, &[linked(22, 2, "row 1")]).await.unwrap();
    let step = |sequence, identity: &str| Renaming { sequence, symbol: "KO".to_owned(), identity: identity.to_owned() };
    // The second entry takes the identity that the first one had.
    entries::rename(&mut tx, user, &[step(1, "row x"), step(2, "row 1")]).await.unwrap();
    let links: Vec<_> =
        entries::reinvestments(&mut tx, user).await.unwrap().into_iter().map(|one| (one.sequence, one.reinvests)).collect();
    assert_eq!(links, [(3, to("row x")), (4, to("row 1")), (6, to("row 1"))]);
    assert_eq!(entries::reinvestments(&mut tx, other).await.unwrap(), [linked(22, 2, "row 1")]);
}

fn upload(number: u128, created_at: i64) -> Upload {
    let choices = Choices { portfolio: Some("Größe".to_owned()), ..Choices::default() };
    Upload { id: id(number), file_name: "f.csv".to_owned(), created_at, import_id: None, choices }
}

#[tokio::test]
async fn an_upload_and_its_answers_are_read_by_its_owner_only() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    uploads::add(&mut tx, user, &upload(31, 7), b"packed").await.unwrap();
    uploads::add(&mut tx, user, &upload(30, 8), b"more").await.unwrap();
    assert_eq!(uploads::list(&mut tx, user).await.unwrap(), [upload(31, 7), upload(30, 8)]);
    assert_eq!(uploads::file(&mut tx, user, id(31)).await.unwrap().as_deref(), Some(&b"packed"[..]));
    let choices =
        Choices { portfolio: None, columns: Some("date=D".to_owned()), answers: "A=B\n".to_owned(), keep_unresolved: true };
    assert!(!uploads::set_choices(&mut tx, other, id(31), &choices).await.unwrap());
    assert!(!uploads::set_import(&mut tx, other, id(31), id(40)).await.unwrap());
    assert!(!uploads::delete(&mut tx, other, id(31)).await.unwrap());
    assert_eq!(uploads::one(&mut tx, other, id(31)).await.unwrap(), None);
    assert_eq!(uploads::file(&mut tx, other, id(31)).await.unwrap(), None);
    assert!(uploads::set_choices(&mut tx, user, id(31), &choices).await.unwrap());
    // "packed" and "more".
    assert_eq!(uploads::waiting_bytes(&mut tx, user).await.unwrap(), 6 + 4);
    assert!(uploads::set_import(&mut tx, user, id(31), id(40)).await.unwrap());
    assert_eq!(uploads::waiting_bytes(&mut tx, user).await.unwrap(), 4);
    assert_eq!(uploads::waiting_bytes(&mut tx, other).await.unwrap(), 0);
    uploads::add(&mut tx, other, &upload(32, 9), b"other").await.unwrap();
    assert_eq!(uploads::total(&mut tx).await.unwrap(), Total { files: 3, bytes: 6 + 4 + 5 });
    let expected = Upload { import_id: Some(id(40)), choices, ..upload(31, 7) };
    assert_eq!(uploads::one(&mut tx, user, id(31)).await.unwrap(), Some(expected));
}

#[tokio::test]
async fn uploads_are_deleted_when_they_expire_or_their_import_is_undone() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    for (number, at) in [(30, 5), (31, 6), (32, 7)] {
        uploads::add(&mut tx, user, &upload(number, at), b"").await.unwrap();
    }
    assert_eq!(uploads::expired(&mut tx, 6).await.unwrap(), [(user, id(30))]);
    assert_eq!(uploads::delete_before(&mut tx, user, 6).await.unwrap(), 1);
    assert_eq!(uploads::expired(&mut tx, 6).await.unwrap(), []);
    uploads::set_import(&mut tx, user, id(32), id(40)).await.unwrap();
    assert_eq!(uploads::delete_of_import(&mut tx, user, id(40)).await.unwrap(), 1);
    assert_eq!(uploads::list(&mut tx, user).await.unwrap(), [upload(31, 6)]);
    assert!(uploads::delete(&mut tx, user, id(31)).await.unwrap());
}

#[tokio::test]
async fn an_entry_is_changed_by_its_owner_only_and_keeps_its_identity() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    let changed = Entry {
        date: "2026-02-03".parse().unwrap(),
        symbol: "BBB".to_owned(),
        shares: Some(decimal("7.50")),
        currency: currency("USD"),
        note: Some("Größe".to_owned()),
        ..buy(id(12), 1, "AAA")
    };
    let meddled = Entry { identity: "x".to_owned(), source_id: Some("x".to_owned()), ..changed.clone() };
    assert!(entries::update(&mut tx, user, &meddled).await.unwrap());
    assert_eq!(entries::one(&mut tx, user, 1).await.unwrap(), Some(changed));
    assert_eq!(entries::one(&mut tx, other, 1).await.unwrap(), Some(buy(id(22), 1, "AAA")));
    assert!(!entries::update(&mut tx, user, &buy(id(12), 9, "AAA")).await.unwrap());
    assert!(entries::delete(&mut tx, user, 1).await.unwrap());
    assert!(!entries::delete(&mut tx, user, 1).await.unwrap());
    assert_eq!(entries::one(&mut tx, other, 1).await.unwrap(), Some(buy(id(22), 1, "AAA")));
}
