//! Redirects of a provider are not followed to other hosts.

use market::Fault;
use replay::{Replay, Reply, World};

use crate::{closes, search, start};

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed() {
    let elsewhere = Replay::start(World::default());
    for status in [301, 302, 307, 308] {
        let (replay, market) = start();
        let place = format!("{}/v1/finance/search?q=mill", elsewhere.url("yahoo"));
        replay.fail("finance", replay::Fault::Reply(Reply::text("text/html", "").status(status).with("location", &place)));
        assert_eq!(search(&market).await, Err(Fault::Status(status)));
        assert_eq!(closes(&market, 2020).await, Err(Fault::Status(status)));
        assert_eq!(replay.requests().len(), 2, "nor is it tried again");
    }
    assert_eq!(elsewhere.requests(), [""; 0]);
}

#[tokio::test]
async fn a_redirect_does_not_leak_the_key() {
    let elsewhere = Replay::start(World::default());
    let replay = Replay::start(World::default());
    let (name, key) = ("fmp".to_owned(), Some("S3CRET-KEY".to_owned()));
    let market = market::open(&[market::Config { name, key, url: Some(replay.url("fmp")), budget: None }]).unwrap();
    let place = elsewhere.url("fmp");
    replay.fail("", replay::Fault::Reply(Reply::text("text/html", "").status(302).with("location", &place)));
    let failure = market.search("mill").await.unwrap_err();
    assert_eq!(failure.faults, [("fmp".to_owned(), Fault::Status(302))]);
    assert_eq!(elsewhere.requests(), [""; 0]);
}
