use store::sessions::{NewSession, State};
use store::users::Profile;
use store::{devices, sessions, totp, users};
use uuid::Uuid;

use crate::sample::{Database, currency, hash, id, new_user};

pub fn new_session(number: u128, user_id: Uuid, at: i64) -> NewSession {
    NewSession {
        hash: hash(number),
        id: id(number),
        user_id,
        state: State::Open,
        at,
        agent: format!("browser {number}"),
        address: "192.0.2.0/24".to_owned(),
    }
}

#[tokio::test]
async fn one_lookup_reads_everything_about_a_visitor() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "ana@x.org")).await.unwrap();
    sessions::add(&mut tx, &new_session(10, id(1), 50)).await.unwrap();
    tx.commit().await.unwrap();
    let visit = database.store.visit(&hash(10)).await.unwrap().unwrap();
    assert_eq!((visit.session_id, visit.user_id, visit.state), (id(10), id(1), State::Open));
    assert_eq!((visit.created_at, visit.seen_at, visit.confirmed_at), (50, 50, 50));
    assert_eq!((visit.email.as_str(), visit.session_idle_minutes, visit.user_version), ("ana@x.org", 10_080, 1));
    assert_eq!((visit.has_password, visit.has_totp, visit.disabled), (false, false, false));
    assert_eq!(database.store.visit(&hash(11)).await.unwrap(), None);

    let mut tx = database.store.write().await.unwrap();
    let profile = Profile {
        name: Some("Ana".to_owned()),
        preferred_currency: currency("CHF"),
        residence: Some("ES".to_owned()),
        number_format: Some("comma".to_owned()),
        session_idle_minutes: 30,
    };
    assert!(users::set_profile(&mut tx, id(1), &profile).await.unwrap());
    assert!(!users::set_profile(&mut tx, id(2), &profile).await.unwrap());
    assert!(users::set_password_hash(&mut tx, id(1), "$argon2id$x").await.unwrap());
    users::set_disabled(&mut tx, id(1), true).await.unwrap();
    totp::begin(&mut tx, id(1), &[7; 20]).await.unwrap();
    tx.commit().await.unwrap();
    let visit = database.store.visit(&hash(10)).await.unwrap().unwrap();
    assert_eq!((visit.name.as_deref(), visit.residence.as_deref()), (Some("Ana"), Some("ES")));
    assert_eq!((visit.number_format.as_deref(), visit.session_idle_minutes), (Some("comma"), 30));
    assert_eq!((visit.has_password, visit.has_totp, visit.disabled), (true, false, true), "the factor is not confirmed");
    let mut tx = database.store.write().await.unwrap();
    totp::confirm(&mut tx, id(1), 60).await.unwrap();
    tx.commit().await.unwrap();
    assert!(database.store.visit(&hash(10)).await.unwrap().unwrap().has_totp);
}

#[tokio::test]
async fn a_session_is_touched_confirmed_and_rotated() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "ana@x.org")).await.unwrap();
    sessions::add(&mut tx, &NewSession { state: State::Code, ..new_session(10, id(1), 50) }).await.unwrap();
    assert!(sessions::list(&mut tx, id(1)).await.unwrap().is_empty(), "not open yet");
    sessions::touch(&mut tx, id(1), id(10), 70).await.unwrap();
    sessions::touch(&mut tx, id(1), id(10), 60).await.unwrap();
    sessions::confirm(&mut tx, id(1), id(10), 65).await.unwrap();
    assert!(sessions::rotate(&mut tx, id(1), id(10), &hash(99)).await.unwrap());
    assert!(!sessions::rotate(&mut tx, id(2), id(10), &hash(98)).await.unwrap(), "of another user");
    tx.commit().await.unwrap();
    assert_eq!(database.store.visit(&hash(10)).await.unwrap(), None);
    let visit = database.store.visit(&hash(99)).await.unwrap().unwrap();
    assert_eq!((visit.state, visit.seen_at, visit.confirmed_at), (State::Open, 70, 65));
}

#[tokio::test]
async fn sessions_are_listed_last_used_first_and_end_one_by_one_or_together() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    for (number, user, at) in [(10, 1, 50), (11, 1, 70), (12, 1, 60), (13, 2, 40)] {
        sessions::add(&mut tx, &new_session(number, id(user), at)).await.unwrap();
    }
    let listed = sessions::list(&mut tx, id(1)).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|session| (session.id, session.agent.as_str())).collect();
    assert_eq!(ids, [(id(11), "browser 11"), (id(12), "browser 12"), (id(10), "browser 10")]);
    assert!(!sessions::end(&mut tx, id(1), id(13)).await.unwrap(), "of another user");
    assert!(sessions::end(&mut tx, id(1), id(12)).await.unwrap());
    assert_eq!(sessions::end_made_before(&mut tx, id(1), 51).await.unwrap(), 1);
    sessions::add(&mut tx, &new_session(14, id(1), 80)).await.unwrap();
    assert_eq!(sessions::end_others(&mut tx, id(1), id(14)).await.unwrap(), 1);
    assert_eq!(sessions::end_all(&mut tx, id(1)).await.unwrap(), 1);
    assert_eq!(sessions::list(&mut tx, id(2)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_device_is_known_to_its_user_until_it_is_forgotten() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    for number in [10, 11, 12] {
        devices::add(&mut tx, id(1), &hash(number), number as i64).await.unwrap();
    }
    devices::add(&mut tx, id(2), &hash(20), 1).await.unwrap();
    devices::touch(&mut tx, id(1), &hash(10), 50).await.unwrap();
    assert!(!devices::is_known(&mut tx, id(2), &hash(10)).await.unwrap());
    assert_eq!(devices::trim(&mut tx, id(1), 2).await.unwrap(), 1);
    let mut known = Vec::new();
    for number in [10, 11, 12] {
        known.push(devices::is_known(&mut tx, id(1), &hash(number)).await.unwrap());
    }
    assert_eq!(known, [true, false, true], "the one that was used longest ago is forgotten");
    assert_eq!(devices::forget_all(&mut tx, id(1)).await.unwrap(), 2);
    assert!(devices::is_known(&mut tx, id(2), &hash(20)).await.unwrap());
}
