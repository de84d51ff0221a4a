use store::portfolios::{self, NewPortfolio};
use store::{Error, Rule, Tx, entries, users};
use uuid::Uuid;

use crate::sample::{Database, buy, id, new_portfolio, new_user};

async fn user(tx: &mut Tx, number: u128) -> Uuid {
    users::add(tx, &new_user(number, &format!("{number}@x.org"))).await.unwrap();
    id(number)
}

async fn names(tx: &mut Tx, user: Uuid) -> Vec<String> {
    portfolios::list(tx, user).await.unwrap().into_iter().map(|one| one.name).collect()
}

async fn with_abc(tx: &mut Tx) -> Uuid {
    let user = user(tx, 1).await;
    for (number, name) in [(10, "A"), (11, "B"), (12, "C")] {
        portfolios::add(tx, user, &new_portfolio(number, name)).await.unwrap();
    }
    user
}

#[tokio::test]
async fn the_default_portfolio_comes_first_then_the_users_order() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    assert_eq!(names(&mut tx, user).await, ["A", "B", "C"]);
    assert!(portfolios::set_default(&mut tx, user, id(11)).await.unwrap());
    assert_eq!(names(&mut tx, user).await, ["B", "A", "C"]);
    portfolios::reorder(&mut tx, user, &[id(12), id(10), id(11)]).await.unwrap();
    assert_eq!(names(&mut tx, user).await, ["B", "C", "A"]);
    portfolios::reorder(&mut tx, user, &[id(10)]).await.unwrap();
    portfolios::set_default(&mut tx, user, id(10)).await.unwrap();
    assert_eq!(names(&mut tx, user).await, ["A", "C", "B"], "those not named keep their order");
}

#[tokio::test]
async fn a_user_has_at_most_one_default_portfolio() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    for number in [10, 12, 12, 11] {
        assert!(portfolios::set_default(&mut tx, user, id(number)).await.unwrap());
        let defaults: Vec<_> =
            portfolios::list(&mut tx, user).await.unwrap().iter().filter(|one| one.is_default).map(|one| one.id).collect();
        assert_eq!(defaults, [id(number)]);
    }
    assert!(!portfolios::set_default(&mut tx, user, id(99)).await.unwrap());
    assert!(portfolios::list(&mut tx, user).await.unwrap()[0].is_default, "an unknown one takes nothing away");
    let second = NewPortfolio { is_default: true, ..new_portfolio(13, "D") };
    assert_eq!(portfolios::add(&mut tx, user, &second).await, Err(Error::Conflict(Rule::DefaultPortfolio)));
}

#[tokio::test]
async fn a_user_cannot_have_two_portfolio_names_that_differ_only_in_case() {
    for (taken, again) in
        [("É", "é"), ("Straße", "STRASSE"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("\u{212A}", "k"), ("İ", "i\u{307}"), ("Main", " main ")]
    {
        let database = Database::new().await;
        let mut tx = database.store.write().await.unwrap();
        let (user, other) = (user(&mut tx, 1).await, user(&mut tx, 2).await);
        portfolios::add(&mut tx, user, &new_portfolio(10, taken)).await.unwrap();
        portfolios::add(&mut tx, other, &new_portfolio(11, again)).await.unwrap();
        let found = portfolios::find(&mut tx, user, again).await.unwrap().unwrap();
        assert_eq!((found.id, found.name.as_str()), (id(10), taken));
        let conflict = portfolios::add(&mut tx, user, &new_portfolio(12, again)).await;
        assert_eq!(conflict, Err(Error::Conflict(Rule::PortfolioName)), "{taken} {again}");
    }
}

#[tokio::test]
async fn a_portfolio_is_found_by_name_before_slug_among_the_users_own() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    let other = self::user(&mut tx, 2).await;
    assert!(portfolios::share(&mut tx, user, id(10), "B").await.unwrap());
    assert!(portfolios::share(&mut tx, user, id(12), "Öl-Werte").await.unwrap());
    let mut find = async |user, text| portfolios::find(&mut tx, user, text).await.unwrap().map(|one| one.id);
    assert_eq!(find(user, "b").await, Some(id(11)));
    assert_eq!(find(user, "öl-WERTE").await, Some(id(12)));
    assert_eq!(find(user, "").await, None);
    assert_eq!(find(other, "a").await, None);
    assert_eq!(find(other, "öl-werte").await, None);
    assert!(portfolios::unshare(&mut tx, user, id(12)).await.unwrap());
    assert_eq!(portfolios::find(&mut tx, user, "öl-werte").await.unwrap(), None);
    assert_eq!(portfolios::list(&mut tx, user).await.unwrap()[0].slug.as_deref(), Some("B"));
}

#[tokio::test]
async fn a_slug_is_unique_in_the_whole_database() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    let other = self::user(&mut tx, 2).await;
    portfolios::add(&mut tx, other, &new_portfolio(20, "A")).await.unwrap();
    portfolios::share(&mut tx, user, id(10), "income").await.unwrap();
    assert_eq!(portfolios::share(&mut tx, other, id(20), "Income").await, Err(Error::Conflict(Rule::Slug)));
}

#[tokio::test]
async fn another_users_portfolio_cannot_be_changed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    let other = self::user(&mut tx, 2).await;
    let before = portfolios::list(&mut tx, user).await.unwrap();
    assert!(!portfolios::rename(&mut tx, other, id(10), "Z").await.unwrap());
    assert!(!portfolios::set_default(&mut tx, other, id(10)).await.unwrap());
    assert!(!portfolios::share(&mut tx, other, id(10), "z").await.unwrap());
    assert!(!portfolios::unshare(&mut tx, other, id(10)).await.unwrap());
    assert!(!portfolios::delete(&mut tx, other, id(10)).await.unwrap());
    portfolios::reorder(&mut tx, other, &[id(12), id(11)]).await.unwrap();
    assert_eq!(portfolios::list(&mut tx, user).await.unwrap(), before);
    assert!(entries::add(&mut tx, other, &[buy(id(10), 1, "AAA")]).await.is_err(), "no entry in another's portfolio");
}

#[tokio::test]
async fn renaming_a_portfolio_frees_its_name() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    assert!(portfolios::rename(&mut tx, user, id(10), "Z").await.unwrap());
    assert!(portfolios::rename(&mut tx, user, id(11), "a").await.unwrap());
    assert_eq!(names(&mut tx, user).await, ["Z", "a", "C"]);
    assert_eq!(portfolios::rename(&mut tx, user, id(12), "A").await, Err(Error::Conflict(Rule::PortfolioName)));
}

#[tokio::test]
async fn deleting_a_portfolio_deletes_its_entries_and_no_others() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    entries::add(&mut tx, user, &[buy(id(10), 1, "AAA"), buy(id(11), 2, "BBB"), buy(id(10), 3, "CCC")]).await.unwrap();
    assert!(portfolios::delete(&mut tx, user, id(10)).await.unwrap());
    assert!(!portfolios::delete(&mut tx, user, id(10)).await.unwrap());
    assert_eq!(names(&mut tx, user).await, ["B", "C"]);
    assert_eq!(entries::of_user(&mut tx, user).await.unwrap(), [buy(id(11), 2, "BBB")]);
}

#[tokio::test]
async fn a_shared_portfolio_is_found_by_its_slug_unless_its_owner_is_disabled() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    portfolios::share(&mut tx, user, id(11), "Income").await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = database.store.write().await.unwrap();
    let found = portfolios::shared(&mut tx, " income").await.unwrap().unwrap();
    assert_eq!((found.user_id, found.id, found.name.as_str(), found.show_amounts), (user, id(11), "B", false));
    // Not by its name, which is the owner's.
    assert_eq!(portfolios::shared(&mut tx, "B").await.unwrap(), None);
    portfolios::set_show_amounts(&mut tx, user, id(11), true).await.unwrap();
    assert!(portfolios::shared(&mut tx, "income").await.unwrap().unwrap().show_amounts);
    store::users::set_disabled(&mut tx, user, true).await.unwrap();
    assert_eq!(portfolios::shared(&mut tx, "income").await.unwrap(), None);
}

#[tokio::test]
async fn amounts_are_shown_only_if_the_owner_says_so() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = with_abc(&mut tx).await;
    let other = self::user(&mut tx, 2).await;
    assert!(!portfolios::set_show_amounts(&mut tx, other, id(11), true).await.unwrap());
    assert!(portfolios::list(&mut tx, user).await.unwrap().iter().all(|one| !one.show_amounts));
    assert!(portfolios::set_show_amounts(&mut tx, user, id(11), true).await.unwrap());
    let shown: Vec<bool> = portfolios::list(&mut tx, user).await.unwrap().iter().map(|one| one.show_amounts).collect();
    assert_eq!(shown, [false, true, false]);
    entries::add(&mut tx, user, &[buy(id(11), 1, "AAA")]).await.unwrap();
    assert_eq!(portfolios::count_entries(&mut tx, user, id(11)).await.unwrap(), 1);
    assert_eq!(portfolios::count_entries(&mut tx, user, id(10)).await.unwrap(), 0);
}
