//! How dividends of portfolios and single stocks are reinvested.

use store::portfolios::{self, Reinvest};
use store::reinvest_rules::{self, Rule};
use uuid::Uuid;

use crate::sample::{Database, id, user_with_entry};

pub fn rule(portfolio_id: Uuid, symbol: &str) -> Rule {
    Rule { portfolio_id, symbol: symbol.to_owned(), reinvest: Reinvest::Whole }
}

#[tokio::test]
async fn a_stock_has_one_rule_in_a_portfolio_and_it_goes_with_the_portfolio() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    let first = rule(id(12), "AAA");
    let again = Rule { reinvest: Reinvest::Off, ..first.clone() };
    let second = rule(id(12), "BBB");
    for one in [&first, &again, &second] {
        reinvest_rules::put(&mut tx, user, one).await.unwrap();
    }
    assert_eq!(reinvest_rules::of_user(&mut tx, user).await.unwrap(), [again.clone(), second.clone()]);
    assert_eq!(reinvest_rules::of_user(&mut tx, other).await.unwrap(), []);
    reinvest_rules::remove(&mut tx, other, id(12), "BBB").await.unwrap();
    reinvest_rules::remove(&mut tx, user, id(12), "AAA").await.unwrap();
    assert_eq!(reinvest_rules::of_user(&mut tx, user).await.unwrap(), [second]);
    portfolios::delete(&mut tx, user, id(12)).await.unwrap();
    assert_eq!(reinvest_rules::of_user(&mut tx, user).await.unwrap(), []);
}

#[tokio::test]
async fn rules_follow_their_stock_to_another_symbol_unless_that_has_one() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    for one in [rule(id(12), "AAA"), Rule { reinvest: Reinvest::Off, ..rule(id(12), "BBB") }, rule(id(12), "CCC")] {
        reinvest_rules::put(&mut tx, user, &one).await.unwrap();
    }
    reinvest_rules::rename_symbol(&mut tx, user, "AAA", "BBB").await.unwrap();
    reinvest_rules::rename_symbol(&mut tx, user, "CCC", "DDD").await.unwrap();
    let kept = Rule { reinvest: Reinvest::Off, ..rule(id(12), "BBB") };
    assert_eq!(reinvest_rules::of_user(&mut tx, user).await.unwrap(), [kept, rule(id(12), "DDD")]);
}

#[tokio::test]
async fn a_portfolio_reinvests_nothing_until_its_owner_says_so() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    assert_eq!(portfolios::list(&mut tx, user).await.unwrap()[0].reinvest, Reinvest::Off);
    assert!(!portfolios::set_reinvest(&mut tx, other, id(12), Reinvest::Whole).await.unwrap());
    assert!(portfolios::set_reinvest(&mut tx, user, id(12), Reinvest::Fractional).await.unwrap());
    assert_eq!(portfolios::list(&mut tx, user).await.unwrap()[0].reinvest, Reinvest::Fractional);
}
