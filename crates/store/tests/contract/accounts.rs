use store::feeds::Feed;
use store::instruments::{Match, Origin};
use store::mail_links::{MailLink, Purpose};
use store::oauth::Audience;
use store::oauth::codes::{self, Code};
use store::oauth::device_codes::{self, DeviceCode, State};
use store::oauth::grants::{self, Grant};
use store::oauth::refresh_tokens::{self, RefreshToken};
use store::resets::Owner;
use store::tokens::NewToken;
use store::uploads::{self, Choices, Upload};
use store::users::NewUser;
use store::{
    Error, Rule, Tx, accruals, audit, column_maps, deleted_entries, deletion, devices, email_changes, feeds, imports,
    instruments, mail_links, payment_decisions, portfolios, radar, reinvest_rules, resets, sessions, tokens, totp, tracking,
    users,
};

use uuid::Uuid;

use crate::audit::record;
use crate::import_data::{accrual, statement};
use crate::payment_decisions::decision;
use crate::reinvest_rules::rule;
use crate::sample::{Database, buy, currency, hash, id, import, new_token, new_user, user_with_entry};
use crate::sessions::new_session;

#[tokio::test]
async fn an_account_is_found_by_its_address_whatever_its_case() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let new = NewUser {
        name: Some("Ana".to_owned()),
        preferred_currency: currency("CHF"),
        residence: Some("ES".to_owned()),
        password_hash: Some("$argon2id$x".to_owned()),
        ..new_user(1, "Ána@Example.org")
    };
    users::add(&mut tx, &new).await.unwrap();
    let user = users::by_email(&mut tx, " áNA@EXAMPLE.ORG ").await.unwrap().unwrap();
    assert_eq!(user.email, "Ána@Example.org");
    assert_eq!((user.name.as_deref(), user.residence.as_deref()), (Some("Ana"), Some("ES")));
    assert_eq!((user.preferred_currency, user.disabled, user.version, user.created_at), (currency("CHF"), false, 1, 1));
    assert_eq!(users::by_id(&mut tx, id(1)).await.unwrap(), Some(user));
    assert_eq!(users::password_hash(&mut tx, id(1)).await.unwrap().as_deref(), Some("$argon2id$x"));
    assert_eq!(users::by_email(&mut tx, "ana@example.org").await.unwrap(), None);
    assert_eq!(users::by_id(&mut tx, id(2)).await.unwrap(), None);
    assert_eq!(users::add(&mut tx, &new_user(2, "ÁNA@example.org")).await, Err(Error::Conflict(Rule::Email)));
}

#[tokio::test]
async fn an_email_address_can_only_change_to_one_that_is_not_taken() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(!users::is_any(&mut tx).await.unwrap());
    for (number, email) in [(1, "a@x.org"), (2, "b@x.org")] {
        users::add(&mut tx, &new_user(number, email)).await.unwrap();
    }
    assert!(users::is_any(&mut tx).await.unwrap());
    assert!(users::set_email(&mut tx, id(1), "C@x.org", Some(7)).await.unwrap());
    assert!(!users::set_email(&mut tx, id(3), "d@x.org", None).await.unwrap());
    assert_eq!(users::by_email(&mut tx, "c@x.org").await.unwrap().unwrap().email_verified_at, Some(7));
    assert!(!users::set_verified(&mut tx, id(1), 9).await.unwrap(), "the first time counts");
    assert!(users::set_verified(&mut tx, id(2), 9).await.unwrap());
    assert_eq!(users::by_id(&mut tx, id(2)).await.unwrap().unwrap().email_verified_at, Some(9));
    assert_eq!(users::by_email(&mut tx, "a@x.org").await.unwrap(), None);
    assert_eq!(users::set_email(&mut tx, id(1), "B@x.org", None).await, Err(Error::Conflict(Rule::Email)));
}

#[tokio::test]
async fn accounts_are_listed_by_email_and_versions_rise_by_one() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for (number, email) in [(1, "b@x.org"), (2, "A@x.org"), (3, "c@x.org")] {
        users::add(&mut tx, &new_user(number, email)).await.unwrap();
    }
    users::bump_version(&mut tx, id(2)).await.unwrap();
    assert!(users::set_disabled(&mut tx, id(3), true).await.unwrap());
    assert!(!users::set_disabled(&mut tx, id(4), true).await.unwrap());
    let list = users::list(&mut tx).await.unwrap();
    let seen: Vec<_> = list.iter().map(|user| (user.email.as_str(), user.version, user.disabled)).collect();
    assert_eq!(seen, [("A@x.org", 2, false), ("b@x.org", 1, false), ("c@x.org", 1, true)]);
    assert_eq!(users::by_id(&mut tx, id(2)).await.unwrap().map(|user| user.version), Some(2));
    assert_eq!(users::by_id(&mut tx, id(4)).await.unwrap(), None);
}

#[tokio::test]
async fn a_token_session_exists_until_the_token_is_revoked() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let expiring = NewToken { expires_at: Some(50), ..new_token(20, user) };
    tokens::add(&mut tx, &expiring).await.unwrap();
    tx.commit().await.unwrap();

    let session = database.store.session(&hash(11)).await.unwrap().unwrap();
    assert_eq!((session.token_id, session.user_id, session.disabled), (id(11), user, false));
    assert_eq!((session.user_version, session.market_version, session.tracking_version), (1, 1, 1));
    assert_eq!(session.expires_at, None);
    assert_eq!(database.store.session(&hash(20)).await.unwrap().unwrap().expires_at, Some(50));
    assert_eq!(database.store.session(&hash(99)).await.unwrap(), None);

    let mut tx = database.store.write().await.unwrap();
    users::set_disabled(&mut tx, user, true).await.unwrap();
    assert_eq!(tokens::revoke(&mut tx, id(20), 40).await.unwrap(), Some(user));
    assert_eq!(tokens::revoke(&mut tx, id(20), 41).await.unwrap(), None, "revoked once");
    assert_eq!(tokens::revoke(&mut tx, id(99), 41).await.unwrap(), None);
    tx.commit().await.unwrap();
    assert!(database.store.session(&hash(11)).await.unwrap().unwrap().disabled);
    assert_eq!(database.store.session(&hash(20)).await.unwrap(), None);
}

#[tokio::test]
async fn live_tokens_are_those_neither_revoked_nor_expired() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    for (number, user, expires_at) in [(10, 1, None), (11, 1, Some(100)), (12, 1, Some(101)), (13, 1, None), (14, 2, None)] {
        tokens::add(&mut tx, &NewToken { expires_at, ..new_token(number, id(user)) }).await.unwrap();
    }
    tokens::revoke(&mut tx, id(13), 90).await.unwrap();
    assert_eq!(tokens::count_live(&mut tx, id(1), 99).await.unwrap(), 3);
    assert_eq!(tokens::count_live(&mut tx, id(1), 100).await.unwrap(), 2, "expired at its instant");
    assert_eq!(tokens::count_live(&mut tx, id(3), 0).await.unwrap(), 0);
    let list = tokens::list(&mut tx, id(1)).await.unwrap();
    let seen: Vec<_> = list.iter().map(|token| (token.name.as_str(), token.expires_at, token.revoked_at)).collect();
    let expected =
        [("token 10", None, None), ("token 11", Some(100), None), ("token 12", Some(101), None), ("token 13", None, Some(90))];
    assert_eq!(seen, expected);
    assert_eq!(tokens::add(&mut tx, &NewToken { id: id(77), ..new_token(10, id(1)) }).await, Err(Error::Conflict(Rule::Key)));
}

#[tokio::test]
async fn last_uses_are_stored_in_bulk_and_never_go_back() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    for number in [10, 11, 12] {
        tokens::add(&mut tx, &new_token(number, id(1))).await.unwrap();
    }
    assert_eq!(tokens::touch_last_used(&mut tx, &[(id(10), 60), (id(11), 70), (id(99), 80)]).await.unwrap(), 2);
    assert_eq!(tokens::touch_last_used(&mut tx, &[(id(10), 59), (id(11), 71)]).await.unwrap(), 1);
    assert_eq!(tokens::touch_last_used(&mut tx, &[]).await.unwrap(), 0);
    let used: Vec<_> = tokens::list(&mut tx, id(1)).await.unwrap().iter().map(|token| token.last_used_at).collect();
    assert_eq!(used, [Some(60), Some(71), None]);
}

/// An app with a grant, codes and tokens.
pub async fn connected(tx: &mut Tx, user_id: Uuid, number: u128) {
    let (grant_id, audience) = (id(number + 7), Audience::Api);
    let grant = Grant {
        id: grant_id,
        client_id: "app".to_owned(),
        client_name: "App".to_owned(),
        redirect_host: "app.example".to_owned(),
        redirects_hash: hash(number),
        audience,
        created_at: 1,
        used_at: 1,
        expires_at: 9,
    };
    grants::add(tx, user_id, &grant).await.unwrap();
    let (client_id, redirect_uri, challenge) = ("app".to_owned(), "https://app.example".to_owned(), "x".to_owned());
    let code =
        Code { user_id, grant_id, client_id: client_id.clone(), redirect_uri, challenge, audience, expires_at: 9, used_at: None };
    codes::add(tx, &hash(number), &code).await.unwrap();
    let token = RefreshToken { user_id, grant_id, created_at: 1, expires_at: 9, rotated_at: None, salt: None };
    refresh_tokens::add(tx, &hash(number), &token).await.unwrap();
    let device = DeviceCode {
        hash: hash(number),
        user_code_hash: hash(number),
        client_id,
        audience,
        created_at: 1,
        expires_at: 9,
        interval_seconds: 5,
        polled_at: None,
        tries: 0,
        state: State::Pending,
        user_id: None,
        grant_id: None,
    };
    device_codes::add(tx, &device).await.unwrap();
    assert!(device_codes::decide(tx, &hash(number), State::Approved, user_id, Some(grant_id)).await.unwrap());
}

#[tokio::test]
async fn deleting_an_account_deletes_all_of_its_rows_and_no_others() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for number in [10, 20] {
        let user = user_with_entry(&mut tx, number).await;
        radar::add(&mut tx, user, "BBB", 1).await.unwrap();
        tracking::replace_for_user(&mut tx, user, &["AAA".to_owned(), "BBB".to_owned()].into()).await.unwrap();
        imports::add(&mut tx, user, &import(number + 5), b"file").await.unwrap();
        let statement = accruals::Statement { portfolio_id: id(number + 2), ..statement(number + 5, "2026-11-10") };
        accruals::add(&mut tx, user, &statement, &[accrual("AAA")]).await.unwrap();
        instruments::put(&mut tx, user, &[Match::new("US1912161007", "KO", Origin::User)]).await.unwrap();
        column_maps::put(&mut tx, user, "h", "date=Day").await.unwrap();
        portfolios::share(&mut tx, user, id(number + 2), &format!("slug-{number}")).await.unwrap();
        payment_decisions::put(&mut tx, user, &decision(id(number + 2), "AAA")).await.unwrap();
        reinvest_rules::put(&mut tx, user, &rule(id(number + 2), "AAA")).await.unwrap();
        deleted_entries::put(&mut tx, user, id(number), 1, &[buy(id(number + 2), 9, "AAA")]).await.unwrap();
        sessions::add(&mut tx, &new_session(number, user, 1)).await.unwrap();
        devices::add(&mut tx, user, &hash(number), 1).await.unwrap();
        resets::add(&mut tx, &hash(number), Owner { user_id: user, mailed: true }, 1).await.unwrap();
        email_changes::add(&mut tx, &hash(number), user, "new@x.org", 1).await.unwrap();
        mail_links::add(&mut tx, &hash(number), &mail_link(user)).await.unwrap();
        totp::begin(&mut tx, user, &[1; 20]).await.unwrap();
        totp::put_codes(&mut tx, user, &[hash(number)]).await.unwrap();
        let feed = Feed { id: id(number), name: "feed".to_owned(), created_at: 1, last_used_at: None };
        feeds::add(&mut tx, user, &hash(number), &feed).await.unwrap();
        audit::add(&mut tx, user, &record(1)).await.unwrap();
        connected(&mut tx, user, number).await;
        uploads::add(&mut tx, user, &upload(number), b"file").await.unwrap();
    }
    tx.commit().await.unwrap();
    let per_user = database.rows_of(id(20)).await;
    assert_eq!(database.rows_of(id(10)).await, per_user);
    assert!(per_user.iter().all(|(table, rows)| *rows > 0 && table != "versions"), "every table is in the test: {per_user:?}");
    assert_eq!(per_user.len(), 30, "{per_user:?}");

    let mut tx = database.store.write().await.unwrap();
    assert!(deletion::delete_user(&mut tx, id(10)).await.unwrap());
    assert!(!deletion::delete_user(&mut tx, id(10)).await.unwrap());
    tx.commit().await.unwrap();
    let left: Vec<_> = database.rows_of(id(10)).await.into_iter().filter(|(_, rows)| *rows > 0).collect();
    assert_eq!(left, [("audit".to_owned(), 1)], "what happened is kept, under the id alone");
    assert_eq!(database.store.visit(&hash(10)).await.unwrap(), None);
    assert_eq!(database.rows_of(id(20)).await, per_user);
    assert_eq!(database.store.session(&hash(11)).await.unwrap(), None);
    // The same address may come back.
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(30, "user10@example.org")).await.unwrap();
}

fn mail_link(user: Uuid) -> MailLink {
    let email = "a@x.org".to_owned();
    MailLink { purpose: Purpose::Verify, email, user_id: Some(user), invitation: None, expires_at: 1 }
}

fn upload(number: u128) -> Upload {
    let choices = Choices { portfolio: None, columns: None, answers: String::new(), keep_unresolved: false };
    Upload { id: id(number), file_name: "a.csv".to_owned(), choices, created_at: 1, import_id: None }
}

#[tokio::test]
async fn a_deleted_account_is_not_left_in_the_bytes_of_the_file() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    let new = NewUser { name: Some("canary-of-the-coal-mine".to_owned()), ..new_user(1, "a@x.org") };
    users::add(&mut tx, &new).await.unwrap();
    tx.commit().await.unwrap();
    let seen = |suffix: &str| {
        let mut path = database.file().into_os_string();
        path.push(suffix);
        std::fs::read(path).unwrap().windows(23).any(|bytes| bytes == b"canary-of-the-coal-mine")
    };
    assert!(seen("") || seen("-wal"));
    let mut tx = database.store.write().await.unwrap();
    deletion::delete_user(&mut tx, id(1)).await.unwrap();
    tx.commit().await.unwrap();
    database.store.checkpoint().await.unwrap();
    assert!(!seen("") && !seen("-wal"));
}

#[tokio::test]
async fn one_account_owns_the_service_and_the_oldest_enabled_one_inherits_it() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert_eq!((users::owner(&mut tx).await.unwrap(), users::heir(&mut tx).await.unwrap()), (None, None));
    for (number, created_at) in [(1, 30), (2, 10), (3, 20)] {
        let user = NewUser { created_at, ..new_user(number, &format!("{number}@x.org")) };
        users::add(&mut tx, &user).await.unwrap();
    }
    assert_eq!(users::owner(&mut tx).await.unwrap(), None, "an account is not its owner by itself");
    for number in [1, 3, 3] {
        users::set_owner(&mut tx, id(number)).await.unwrap();
        assert_eq!(users::owner(&mut tx).await.unwrap(), Some(id(number)));
        let owners: Vec<Uuid> =
            users::list(&mut tx).await.unwrap().iter().filter(|user| user.owner).map(|user| user.id).collect();
        assert_eq!(owners, [id(number)]);
    }
    assert_eq!(users::heir(&mut tx).await.unwrap(), Some(id(2)));
    users::set_disabled(&mut tx, id(2), true).await.unwrap();
    assert_eq!(users::heir(&mut tx).await.unwrap(), Some(id(3)));
}
