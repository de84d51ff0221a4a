use app::accounts::{self, NewProfile};
use app::authentication::sessions;

use crate::world::{ANA, DAY, HOUR, MINUTE, PASSWORD, World};

async fn set_idle(world: &World, id: uuid::Uuid, minutes: i64) {
    let profile = NewProfile { name: None, currency: "EUR", residence: None, number_format: None, session_idle_minutes: minutes };
    accounts::set_profile(&world.at(0), id, &profile).await.unwrap();
}

#[tokio::test]
async fn a_session_expires_a_week_after_its_last_use() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    assert!(world.visit(7 * DAY - 1, &session).await.is_some());
    assert!(world.visit(14 * DAY - 2, &session).await.is_some(), "seven days from the last visit");
    assert!(world.visit(21 * DAY - 2, &session).await.is_none());
}

#[tokio::test]
async fn a_session_expires_after_thirty_days_however_much_it_is_used() {
    let (world, id) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    for day in 1..30 {
        assert!(world.visit(day * DAY, &session).await.is_some(), "day {day}");
    }
    assert!(world.visit(30 * DAY - 1, &session).await.is_some());
    assert!(world.visit(30 * DAY, &session).await.is_none());
    assert!(sessions::list(&world.at(30 * DAY), id).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_user_may_choose_to_be_signed_out_sooner() {
    let (world, id) = World::with_ana().await;
    set_idle(&world, id, 30).await;
    let (session, _) = world.sign_in(0).await;
    assert!(world.visit(30 * MINUTE - 1, &session).await.is_some());
    assert!(world.visit(60 * MINUTE, &session).await.is_none());
    assert!(sessions::list(&world.at(HOUR), id).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_last_use_of_a_session_is_stored_at_most_once_a_minute() {
    let (world, id) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let seen = async |world: &World| sessions::list(&world.at(0), id).await.unwrap()[0].seen_at;
    let start = seen(&world).await;
    world.visit(59, &session).await.unwrap();
    assert_eq!(seen(&world).await, start);
    world.visit(60, &session).await.unwrap();
    assert_eq!(seen(&world).await, start + 60_000_000);
}

#[tokio::test]
async fn a_disabled_account_and_an_ended_session_are_refused_at_once() {
    let (world, id) = World::with_ana().await;
    let (one, _) = world.sign_in(0).await;
    let (two, _) = world.sign_in(1).await;
    let (three, _) = world.sign_in(2).await;
    let app = world.at(3);
    let visit = world.visit(3, &one).await.unwrap();
    sessions::end(&app, id, visit.session_id).await.unwrap();
    assert!(world.visit(3, &one).await.is_none());
    assert!(sessions::end(&app, id, visit.session_id).await.is_err());
    let keep = world.visit(3, &three).await.unwrap();
    assert!(sessions::end(&app, uuid::Uuid::from_u128(9), keep.session_id).await.is_err(), "of another user");
    assert_eq!(sessions::end_others(&app, id, keep.session_id).await.unwrap(), 1);
    assert!(world.visit(3, &two).await.is_none() && world.visit(3, &three).await.is_some());
    accounts::set_disabled(&app, ANA, true).await.unwrap();
    assert!(world.visit(3, &three).await.is_none());
    accounts::set_disabled(&app, ANA, false).await.unwrap();
    sessions::sign_out(&app, &keep).await.unwrap();
    assert!(world.visit(3, &three).await.is_none());
}

#[tokio::test]
async fn a_rotated_session_works_with_its_new_secret_only() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let before = world.visit(0, &session).await.unwrap();
    let rotated = sessions::rotate(&world.at(0), &before).await.unwrap();
    assert!(world.visit(0, &session).await.is_none());
    assert_eq!(world.visit(0, &rotated).await.unwrap().session_id, before.session_id);
}

#[tokio::test]
async fn a_confirmed_password_counts_for_ten_minutes() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let recent = async |seconds| {
        let visit = world.visit(seconds, &session).await.unwrap();
        sessions::is_recent(&visit, world.at(seconds).clock.now_micros())
    };
    assert!(recent(10 * MINUTE).await && !recent(10 * MINUTE + 1).await);
    let visit = world.visit(HOUR, &session).await.unwrap();
    assert!(!sessions::confirm(&world.at(HOUR), &visit, "three loud herons in march", None).await.unwrap());
    assert!(!recent(HOUR).await);
    assert!(sessions::confirm(&world.at(HOUR), &visit, PASSWORD, None).await.unwrap());
    assert!(recent(HOUR + 10 * MINUTE).await && !recent(HOUR + 10 * MINUTE + 1).await);
}

#[tokio::test]
async fn guessing_the_password_within_a_session_is_throttled_too() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let (other, _) = world.sign_in(0).await;
    let (visit, app) = (world.visit(0, &session).await.unwrap(), world.at(0));
    for _ in 0..5 {
        assert!(!sessions::confirm(&app, &visit, "three loud herons in march", None).await.unwrap());
    }
    let error = sessions::confirm(&app, &visit, PASSWORD, None).await.unwrap_err();
    assert!(matches!(error, app::Error::Wait { seconds: 61 }), "{error}");
    let other = world.visit(0, &other).await.unwrap();
    assert!(sessions::confirm(&app, &other, PASSWORD, None).await.unwrap(), "another browser of hers is not held off");
}

#[tokio::test]
async fn a_visit_works_while_somebody_writes_and_is_recorded_the_next_time() {
    let (world, id) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let seen = async |at| sessions::list(&world.at(at), id).await.unwrap()[0].seen_at;
    let first = seen(0).await;
    let writes = world.store.write().await.unwrap();
    assert!(world.visit(2 * MINUTE, &session).await.is_some());
    drop(writes);
    assert_eq!(seen(2 * MINUTE).await, first);
    assert!(world.visit(3 * MINUTE, &session).await.is_some());
    assert_eq!(seen(3 * MINUTE).await, first + 3 * 60 * 1_000_000);
}
