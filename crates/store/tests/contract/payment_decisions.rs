//! What users say about payments.

use jiff::civil::date;
use store::payment_decisions::{self, Decision};
use store::portfolios::{self, Automatic};
use uuid::Uuid;

use crate::sample::{Database, currency, decimal, id, user_with_entry};

/// That a payment is recorded with these figures.
pub fn decision(portfolio_id: Uuid, symbol: &str) -> Decision {
    Decision {
        portfolio_id,
        symbol: symbol.to_owned(),
        ex_date: date(2026, 3, 2),
        currency: currency("USD"),
        special: false,
        pay_date: Some(date(2026, 3, 20)),
        paid_in: Some(currency("EUR")),
        shares: Some(decimal("10")),
        price: Some(decimal("0.50")),
        amount: Some(decimal("5.00")),
        fees: None,
        tax: Some(decimal("0.75")),
        net: Some(decimal("4.25")),
        note: Some("by hand".to_owned()),
        bought_shares: Some(decimal("0.1")),
        bought_price: Some(decimal("42.50")),
        bought_amount: None,
    }
}

#[tokio::test]
async fn a_decision_replaces_the_one_about_the_same_payment() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let first = decision(id(12), "AAA");
    let special = Decision { special: true, ..first.clone() };
    let again = Decision { pay_date: None, amount: None, ..first.clone() };
    for one in [&first, &special, &again] {
        payment_decisions::put(&mut tx, user, one).await.unwrap();
    }
    assert_eq!(payment_decisions::of_user(&mut tx, user).await.unwrap(), [again.clone(), special.clone()]);
    assert!(payment_decisions::remove(&mut tx, user, &first).await.unwrap());
    assert!(!payment_decisions::remove(&mut tx, user, &again).await.unwrap());
    assert_eq!(payment_decisions::of_user(&mut tx, user).await.unwrap(), [special]);
}

/// A security that was kept under another name may have decisions under both.
#[tokio::test]
async fn decisions_follow_their_security_to_another_symbol() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let known = decision(id(12), "BBB");
    let doubled = Decision { amount: None, ..decision(id(12), "AAA") };
    let later = Decision { ex_date: date(2026, 6, 1), ..decision(id(12), "AAA") };
    for one in [&known, &doubled, &later] {
        payment_decisions::put(&mut tx, user, one).await.unwrap();
    }
    payment_decisions::rename_symbol(&mut tx, user, "AAA", "BBB").await.unwrap();
    let moved = Decision { symbol: "BBB".to_owned(), ..later };
    assert_eq!(payment_decisions::of_user(&mut tx, user).await.unwrap(), [known, moved]);
}

#[tokio::test]
async fn decisions_go_with_their_portfolio_and_users_who_record_are_found() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    payment_decisions::put(&mut tx, user, &decision(id(12), "AAA")).await.unwrap();
    assert_eq!(portfolios::list(&mut tx, user).await.unwrap()[0].automatic, Automatic::Suggest);
    assert!(!portfolios::set_automatic(&mut tx, other, id(12), Automatic::Record).await.unwrap());
    assert!(portfolios::set_automatic(&mut tx, user, id(12), Automatic::Record).await.unwrap());
    assert_eq!(portfolios::users_recording(&mut tx).await.unwrap(), [user]);
    portfolios::delete(&mut tx, user, id(12)).await.unwrap();
    assert_eq!(payment_decisions::of_user(&mut tx, user).await.unwrap(), []);
}
