use std::sync::Arc;

use app::accounts::{self, SignUp, audit, invitations};

use crate::world::{ANA, DAY, PASSWORD, World, account, outcome_name};

const OTHER: &str = "seven slow trams after rain";

#[tokio::test]
async fn signing_up_opens_an_account_and_never_changes_an_existing_one() {
    let world = World::new().await;
    let app = world.at(0);
    accounts::sign_up(&app, SignUp::Open, &account(ANA, PASSWORD), None).await.unwrap();
    accounts::sign_up(&app, SignUp::Open, &account("ANA@example.com", OTHER), None).await.unwrap();
    assert_eq!(accounts::list(&app).await.unwrap().len(), 1);
    assert_eq!(outcome_name(&world.try_password(0, ANA, OTHER).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "open");
    let id = accounts::id_of(&app, ANA).await.unwrap();
    let events: Vec<_> = audit::list(&app, id, 9).await.unwrap().into_iter().map(|row| row.event).rev().collect();
    assert_eq!(events, ["account_made", "sign_up_again", "sign_in_failed", "signed_in"]);
    for (email, password) in [("no address", PASSWORD), ("ben@example.com", "short")] {
        assert!(accounts::sign_up(&app, SignUp::Open, &account(email, password), None).await.is_err());
    }
}

#[tokio::test]
async fn signing_up_takes_as_long_for_an_address_that_has_an_account() {
    let (world, _) = World::with_ana().await;
    let app = world.at(0);
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..8 {
        for (slot, email) in [ANA.to_owned(), format!("new{round}@example.com")].into_iter().enumerate() {
            let start = std::time::Instant::now();
            accounts::sign_up(&app, SignUp::Open, &account(&email, PASSWORD), None).await.unwrap();
            times[slot].push(start.elapsed());
        }
    }
    times.iter_mut().for_each(|times| times.sort());
    // A hash takes far longer than all the rest: without one on either side the one would be many times the other.
    let (there, new) = (times[0][4], times[1][4]);
    assert!(there * 4 > new && new * 4 > there, "{there:?} {new:?}");
}

#[tokio::test]
async fn an_invitation_opens_one_account_before_it_expires() {
    let world = World::new().await;
    let app = world.at(0);
    assert!(accounts::sign_up(&app, SignUp::Invite, &account(ANA, PASSWORD), None).await.is_err());
    assert!(accounts::sign_up(&app, SignUp::Invite, &account(ANA, PASSWORD), Some("made up")).await.is_err());
    let invitation = invitations::create(&app, 7).await.unwrap();
    assert!(invitations::is_good(&world.at(7 * DAY - 1), &invitation.secret).await.unwrap());
    let late = world.at(7 * DAY);
    assert!(accounts::sign_up(&late, SignUp::Invite, &account(ANA, PASSWORD), Some(&invitation.secret)).await.is_err());
    accounts::sign_up(&app, SignUp::Invite, &account(ANA, PASSWORD), Some(&invitation.secret)).await.unwrap();
    let again = accounts::sign_up(&app, SignUp::Invite, &account("ben@example.com", PASSWORD), Some(&invitation.secret)).await;
    assert_eq!(again.unwrap_err().code(), "invitation_expired");
    assert_eq!(accounts::list(&app).await.unwrap().len(), 1);
    assert!(invitations::list(&app).await.unwrap()[0].used_at.is_some());
    let other = invitations::create(&app, 7).await.unwrap();
    invitations::revoke(&app, &other.id.to_string()).await.unwrap();
    assert!(!invitations::is_good(&app, &other.secret).await.unwrap());
}

#[tokio::test]
async fn with_sign_up_closed_only_the_operator_creates_accounts() {
    let world = World::new().await;
    let app = world.at(0);
    let invitation = invitations::create(&app, 7).await.unwrap();
    let refused = accounts::sign_up(&app, SignUp::Closed, &account(ANA, PASSWORD), Some(&invitation.secret)).await;
    assert_eq!(refused.unwrap_err().code(), "sign_up_closed");
    accounts::add(&app, &account(ANA, PASSWORD)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_several_simultaneous_first_accounts_is_created() {
    let world = World::new().await;
    assert!(accounts::is_first_start(&world.at(0)).await.unwrap());
    let mut set = tokio::task::JoinSet::new();
    for number in 0..4 {
        let app = Arc::new(world.at(0));
        set.spawn(async move { accounts::first(&app, &account(&format!("{number}@example.com"), PASSWORD)).await.is_ok() });
    }
    let made = set.join_all().await.into_iter().filter(|made| *made).count();
    assert_eq!((made, accounts::list(&world.at(0)).await.unwrap().len()), (1, 1));
    assert!(!accounts::is_first_start(&world.at(0)).await.unwrap());
}

#[test]
fn the_sign_up_setting_is_open_invite_or_closed() {
    assert_eq!(SignUp::ALL.map(SignUp::word), ["open", "invite", "closed"]);
    for rule in SignUp::ALL {
        assert_eq!(SignUp::parse(rule.word()), Some(rule));
    }
    assert_eq!(SignUp::parse("Open"), None);
}

#[tokio::test]
async fn an_invitation_lasts_a_day_to_a_year_and_is_revoked_once() {
    let world = World::new().await;
    let app = world.at(0);
    for (days, good) in [(0, false), (1, true), (365, true), (366, false)] {
        let made = invitations::create(&app, days).await.map(|made| made.expires_at).ok();
        assert_eq!(made, good.then(|| world.at(days as u64 * DAY).clock.now_micros()), "{days}");
    }
    let id = invitations::list(&app).await.unwrap()[0].id.to_string();
    invitations::revoke(&app, &id).await.unwrap();
    assert_eq!(invitations::list(&app).await.unwrap().len(), 1);
    for unknown in [id.as_str(), "not an id"] {
        assert_eq!(invitations::revoke(&app, unknown).await.unwrap_err().code(), "unknown_invitation");
    }
}

#[tokio::test]
async fn a_stranger_cannot_claim_a_server_whose_accounts_were_deleted() {
    let world = World::new().await;
    let app = world.at(0);
    let without = |email| accounts::NewAccount { password: None, ..account(email, "") };
    accounts::add(&app, &without(ANA)).await.unwrap();
    accounts::delete(&app, ANA).await.unwrap();
    assert!(accounts::list(&app).await.unwrap().is_empty());
    assert!(accounts::delete(&app, ANA).await.is_err());
    assert!(!accounts::is_first_start(&app).await.unwrap());
    assert!(accounts::first(&app, &account("eve@example.com", PASSWORD)).await.is_err());
    world.raw("DELETE FROM audit");
    assert!(accounts::is_first_start(&app).await.unwrap(), "nobody ever was");
    accounts::add(&app, &without(ANA)).await.unwrap();
    world.raw("DELETE FROM audit");
    assert!(!accounts::is_first_start(&app).await.unwrap(), "somebody is");
}
