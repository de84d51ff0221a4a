use app::accounts::{self, audit};
use app::authentication::{feeds, tokens};
use app::oauth::Audience;

use crate::world::{ANA, HOUR, PASSWORD, World, account};

#[tokio::test]
async fn a_feed_opens_its_owners_calendar_until_it_is_revoked() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    let ben = accounts::add(&app, &account("ben@example.com", PASSWORD)).await.unwrap();
    let feed = feeds::create(&app, id, " telephone ").await.unwrap();
    assert!(feed.secret.starts_with("drip_cal_") && feed.secret.len() == 45);
    assert_eq!(feeds::owner(&app, &feed.secret).await.unwrap(), Some(id));
    assert!(tokens::session(&app, &feed.secret, Audience::Api).await.unwrap().is_none(), "it opens the calendar alone");
    let listed = feeds::list(&world.at(HOUR), id).await.unwrap();
    assert_eq!((listed[0].name.as_str(), listed[0].last_used_at.is_some()), ("telephone", true));
    assert!(feeds::list(&app, ben).await.unwrap().is_empty());
    assert!(feeds::revoke(&app, ben, feed.id).await.is_err());
    accounts::set_disabled(&app, ANA, true).await.unwrap();
    assert_eq!(feeds::owner(&app, &feed.secret).await.unwrap(), None);
    accounts::set_disabled(&app, ANA, false).await.unwrap();
    feeds::revoke(&app, id, feed.id).await.unwrap();
    assert_eq!(feeds::owner(&app, &feed.secret).await.unwrap(), None);
    assert_eq!(audit::list(&app, id, 1).await.unwrap()[0].event, "feed_revoked");
}

#[tokio::test]
async fn a_user_has_ten_feeds_at_most_each_with_a_name() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    assert!(feeds::create(&app, id, " ").await.is_err());
    for number in 0..10 {
        feeds::create(&app, id, &format!("calendar {number}")).await.unwrap();
    }
    let error = feeds::create(&app, id, "one more").await.err().unwrap();
    assert_eq!(error.code(), "too_many_feeds");
    for noise in
        ["", "drip_cal_", "drip_pat_000000000000000000000000000000000000", "drip_cal_000000000000000000000000000000000000"]
    {
        assert_eq!(feeds::owner(&app, noise).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_feed_can_be_read_while_somebody_writes() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    let feed = feeds::create(&app, id, "telephone").await.unwrap();
    let used = async || feeds::list(&app, id).await.unwrap()[0].last_used_at.is_some();
    let writes = world.store.write().await.unwrap();
    assert_eq!(feeds::owner(&app, &feed.secret).await.unwrap(), Some(id));
    drop(writes);
    assert!(!used().await);
    assert_eq!(feeds::owner(&app, &feed.secret).await.unwrap(), Some(id));
    assert!(used().await);
}
