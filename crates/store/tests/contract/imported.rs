use std::collections::HashMap;

use store::accruals::{self, Accrual, Statement};
use store::entries::{self, Entry};
use store::portfolios::{self, NewPortfolio};
use store::{column_maps, imports, instruments, users};

use crate::sample::{Database, buy, currency, decimal, id, import, new_portfolio, settled_user};

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
async fn what_a_user_said_is_remembered_for_that_user_and_said_anew() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (settled_user(&mut tx, 10).await, settled_user(&mut tx, 20).await);
    instruments::put(&mut tx, user, "US1912161007", "KO").await.unwrap();
    instruments::put(&mut tx, user, "US1912161007", "KO.DE").await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=Day").await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=When").await.unwrap();
    let known = instruments::of_user(&mut tx, user).await.unwrap();
    assert_eq!(known, HashMap::from([("US1912161007".to_owned(), "KO.DE".to_owned())]));
    assert_eq!(column_maps::get(&mut tx, user, "h").await.unwrap().as_deref(), Some("date=When"));
    assert!(instruments::of_user(&mut tx, other).await.unwrap().is_empty());
    assert_eq!(column_maps::get(&mut tx, other, "h").await.unwrap(), None);
}

#[tokio::test]
async fn statements_of_payments_to_come_come_back_the_latest_first() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = settled_user(&mut tx, 10).await;
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
async fn with_a_portfolio_or_an_account_its_payments_to_come_go_too() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = settled_user(&mut tx, 10).await;
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

    instruments::put(&mut tx, user, "X", "Y").await.unwrap();
    column_maps::put(&mut tx, user, "h", "date=Day").await.unwrap();
    assert!(users::delete(&mut tx, user).await.unwrap());
    assert!(instruments::of_user(&mut tx, user).await.unwrap().is_empty());
    assert!(accruals::statements(&mut tx, user).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_entry_can_be_given_another_symbol() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (settled_user(&mut tx, 10).await, settled_user(&mut tx, 20).await);
    entries::rename(&mut tx, other, 2, "ZZZ", "other").await.unwrap();
    entries::rename(&mut tx, user, 1, "KO", "new").await.unwrap();
    let expected = Entry { symbol: "KO".to_owned(), identity: "new".to_owned(), ..buy(id(12), 1, "AAA") };
    assert_eq!(entries::of_user(&mut tx, user).await.unwrap(), [expected]);
    assert_eq!(entries::symbols(&mut tx, user).await.unwrap(), ["KO".to_owned()].into());
    assert_eq!(entries::symbols(&mut tx, other).await.unwrap(), ["AAA".to_owned()].into());
}
