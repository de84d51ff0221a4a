//! Links, feeds and second factors.

use store::feeds::Feed;
use store::invitations::Invitation;
use store::mail_links::{MailLink, Purpose};
use store::resets::Owner;
use store::service_settings::{self, Setting};
use store::{email_changes, encryption_keys, feeds, invitations, mail_links, resets, totp, users};

use crate::sample::{Database, hash, id, new_user};

#[tokio::test]
async fn a_reset_link_is_valid_until_it_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    for (number, user, expires_at) in [(10, 1, 100), (11, 1, 200), (12, 2, 100)] {
        resets::add(&mut tx, &hash(number), owner(user), expires_at).await.unwrap();
    }
    assert_eq!(resets::owner(&mut tx, &hash(10), 99).await.unwrap(), Some(owner(1)));
    assert_eq!(resets::owner(&mut tx, &hash(10), 100).await.unwrap(), None);
    assert_eq!((resets::count(&mut tx, id(1), 99).await.unwrap(), resets::count(&mut tx, id(1), 100).await.unwrap()), (2, 1));
    resets::clear_expired(&mut tx, id(1), 100).await.unwrap();
    assert_eq!(resets::count(&mut tx, id(1), 0).await.unwrap(), 1);
    resets::clear(&mut tx, id(1)).await.unwrap();
    assert_eq!(resets::owner(&mut tx, &hash(11), 0).await.unwrap(), None);
    assert_eq!(resets::owner(&mut tx, &hash(12), 0).await.unwrap(), Some(owner(2)));
}

fn owner(user: u128) -> Owner {
    Owner { user_id: id(user), mailed: user == 1 }
}

#[tokio::test]
async fn a_mailed_link_is_valid_for_its_purpose_until_it_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    let invited = MailLink {
        purpose: Purpose::SignUp,
        email: "Ána@x.org".to_owned(),
        user_id: None,
        invitation: Some(vec![7; 32]),
        expires_at: 100,
    };
    let unlock =
        MailLink { purpose: Purpose::Unlock, user_id: Some(id(1)), invitation: None, expires_at: 200, ..invited.clone() };
    for (number, link) in [(10, &invited), (11, &invited), (12, &unlock)] {
        mail_links::add(&mut tx, &hash(number), link).await.unwrap();
    }
    assert_eq!(mail_links::get(&mut tx, Purpose::SignUp, &hash(10), 99).await.unwrap(), Some(invited));
    assert_eq!(mail_links::get(&mut tx, Purpose::SignUp, &hash(10), 100).await.unwrap(), None);
    assert_eq!(mail_links::get(&mut tx, Purpose::Verify, &hash(10), 99).await.unwrap(), None, "another purpose");
    assert_eq!(mail_links::get(&mut tx, Purpose::Unlock, &hash(12), 99).await.unwrap(), Some(unlock));
    assert_eq!(mail_links::count(&mut tx, Purpose::SignUp, " áNA@x.org", 99).await.unwrap(), 2);
    mail_links::clear_expired(&mut tx, 100).await.unwrap();
    assert_eq!(mail_links::count(&mut tx, Purpose::SignUp, "Ána@x.org", 0).await.unwrap(), 0);
    mail_links::clear(&mut tx, Purpose::Verify, "ána@x.org").await.unwrap();
    assert_eq!(mail_links::count(&mut tx, Purpose::Unlock, "ána@x.org", 0).await.unwrap(), 1);
    mail_links::clear(&mut tx, Purpose::Unlock, "ána@x.org").await.unwrap();
    assert_eq!(mail_links::count(&mut tx, Purpose::Unlock, "ána@x.org", 0).await.unwrap(), 0);
}

#[tokio::test]
async fn an_email_change_link_is_valid_for_its_owner_until_it_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    for (number, user, expires_at) in [(10, 1, 100), (11, 1, 200), (12, 2, 100)] {
        email_changes::add(&mut tx, &hash(number), id(user), "new@x.org", expires_at).await.unwrap();
    }
    assert_eq!(email_changes::email(&mut tx, id(1), &hash(10), 99).await.unwrap().as_deref(), Some("new@x.org"));
    assert_eq!(email_changes::email(&mut tx, id(1), &hash(10), 100).await.unwrap(), None);
    assert_eq!(email_changes::email(&mut tx, id(2), &hash(10), 99).await.unwrap(), None, "another's");
    assert_eq!(email_changes::count(&mut tx, id(1), 99).await.unwrap(), 2);
    email_changes::clear_expired(&mut tx, id(1), 100).await.unwrap();
    assert_eq!(email_changes::count(&mut tx, id(1), 0).await.unwrap(), 1);
    email_changes::clear(&mut tx, id(1)).await.unwrap();
    assert_eq!(email_changes::count(&mut tx, id(1), 0).await.unwrap(), 0);
    assert_eq!(email_changes::count(&mut tx, id(2), 0).await.unwrap(), 1);
}

#[tokio::test]
async fn an_invitation_is_used_once_and_before_it_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for number in [10, 11, 12] {
        let invitation = Invitation { id: id(number), created_at: 1, expires_at: 100, used_at: None };
        invitations::add(&mut tx, &hash(number), &invitation).await.unwrap();
    }
    assert!(invitations::is_good(&mut tx, &hash(10), 99).await.unwrap());
    assert!(!invitations::take(&mut tx, &hash(10), 100).await.unwrap());
    assert!(invitations::take(&mut tx, &hash(10), 99).await.unwrap());
    assert!(!invitations::take(&mut tx, &hash(10), 99).await.unwrap());
    assert!(!invitations::is_good(&mut tx, &hash(10), 99).await.unwrap());
    assert!(invitations::delete(&mut tx, id(11)).await.unwrap() && !invitations::delete(&mut tx, id(11)).await.unwrap());
    let used: Vec<_> = invitations::list(&mut tx).await.unwrap().iter().map(|one| (one.id, one.used_at)).collect();
    assert_eq!(used, [(id(10), Some(99)), (id(12), None)]);
}

#[tokio::test]
async fn a_feed_has_one_owner_who_alone_can_delete_it() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
    }
    let feed = Feed { id: id(10), name: "telephone".to_owned(), created_at: 5, last_used_at: None };
    feeds::add(&mut tx, id(1), &hash(10), &feed).await.unwrap();
    assert_eq!(feeds::list(&mut tx, id(1)).await.unwrap(), [feed]);
    assert!(feeds::list(&mut tx, id(2)).await.unwrap().is_empty());
    feeds::touch(&mut tx, id(1), id(10), 9).await.unwrap();
    let owner = feeds::owner(&mut tx, &hash(10)).await.unwrap().unwrap();
    assert_eq!((owner.feed_id, owner.user_id, owner.disabled, owner.last_used_at), (id(10), id(1), false, Some(9)));
    assert!(!feeds::delete(&mut tx, id(2), id(10)).await.unwrap());
    assert!(feeds::delete(&mut tx, id(1), id(10)).await.unwrap());
    assert_eq!(feeds::owner(&mut tx, &hash(10)).await.unwrap(), None);
}

#[tokio::test]
async fn a_second_factor_can_restart_until_confirmed_and_takes_each_step_once() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    assert!(totp::get(&mut tx, id(1)).await.unwrap().is_none());
    assert!(totp::begin(&mut tx, id(1), &[1; 20]).await.unwrap());
    assert!(totp::take_step(&mut tx, id(1), 5).await.unwrap());
    assert!(totp::begin(&mut tx, id(1), &[2; 20]).await.unwrap());
    assert!(totp::take_step(&mut tx, id(1), 5).await.unwrap(), "another secret, other codes");
    assert!(!totp::take_step(&mut tx, id(1), 5).await.unwrap());
    assert!(!totp::take_step(&mut tx, id(1), 4).await.unwrap());
    totp::confirm(&mut tx, id(1), 7).await.unwrap();
    assert!(!totp::begin(&mut tx, id(1), &[3; 20]).await.unwrap());
    let factor = totp::get(&mut tx, id(1)).await.unwrap().unwrap();
    assert!(factor.secret == [2; 20] && factor.confirmed_at == Some(7) && factor.last_step == 5);
}

#[tokio::test]
async fn all_second_factor_secrets_are_replaced_under_the_current_key() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
        totp::begin(&mut tx, id(user), &[user as u8; 20]).await.unwrap();
    }
    assert_eq!(encryption_keys::current(&mut tx).await.unwrap(), None);
    let secrets = totp::secrets(&mut tx).await.unwrap();
    assert_eq!(secrets, [(id(1), vec![1; 20]), (id(2), vec![2; 20])]);
    totp::replace_secrets(&mut tx, &[(id(2), vec![7; 69])]).await.unwrap();
    assert_eq!(totp::secrets(&mut tx).await.unwrap(), [(id(1), vec![1; 20]), (id(2), vec![7; 69])]);
    for key in [[1; 8], [2; 8], [1; 8]] {
        encryption_keys::set_current(&mut tx, &key, 7).await.unwrap();
        assert_eq!(encryption_keys::current(&mut tx).await.unwrap(), Some(key.to_vec()));
    }
}

#[tokio::test]
async fn a_recovery_code_is_used_once_and_deleted_with_its_factor() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for user in [1, 2] {
        users::add(&mut tx, &new_user(user, &format!("{user}@x.org"))).await.unwrap();
        totp::begin(&mut tx, id(user), &[1; 20]).await.unwrap();
        totp::put_codes(&mut tx, id(user), &[hash(user * 10), hash(user * 10 + 1)]).await.unwrap();
    }
    assert!(!totp::take_code(&mut tx, id(1), &hash(20)).await.unwrap(), "of another user");
    assert!(totp::take_code(&mut tx, id(1), &hash(10)).await.unwrap());
    assert!(!totp::take_code(&mut tx, id(1), &hash(10)).await.unwrap());
    totp::put_codes(&mut tx, id(1), &[hash(12), hash(13), hash(14)]).await.unwrap();
    assert!(!totp::take_code(&mut tx, id(1), &hash(11)).await.unwrap(), "new ones replace the old");
    assert_eq!(totp::count_codes(&mut tx, id(1)).await.unwrap(), 3);
    assert!(totp::delete(&mut tx, id(1)).await.unwrap());
    assert_eq!((totp::count_codes(&mut tx, id(1)).await.unwrap(), totp::count_codes(&mut tx, id(2)).await.unwrap()), (0, 2));
}

#[tokio::test]
async fn a_service_setting_is_replaced_and_removed_by_its_name() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let setting = |name: &str, value: Option<&str>, secret: Option<&[u8]>| Setting {
        name: name.to_owned(),
        value: value.map(str::to_owned),
        secret: secret.map(<[u8]>::to_vec),
    };
    let (order, key) = (setting("provider", Some("fmp,ecb"), None), setting("fmp_key", None, Some(&[0, 255])));
    for setting in [&order, &key] {
        service_settings::put(&mut tx, setting).await.unwrap();
    }
    assert!(service_settings::all(&mut tx).await.unwrap() == [key.clone(), order], "by name");
    let order = setting("provider", Some("none"), None);
    service_settings::put(&mut tx, &order).await.unwrap();
    assert!(service_settings::all(&mut tx).await.unwrap() == [key, order.clone()]);
    assert!(service_settings::remove(&mut tx, "fmp_key").await.unwrap());
    assert!(!service_settings::remove(&mut tx, "fmp_key").await.unwrap());
    assert!(service_settings::all(&mut tx).await.unwrap() == [order]);
}
