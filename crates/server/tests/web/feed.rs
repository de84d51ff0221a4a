use app::accounts;
use serde_json::Value;
use testkit::sample::{ANA, World};
use testkit::{Answer, Browser, Service};

use super::access::{PAGE, PASSWORD, member, signed_in};

/// Ana of the sample world, with a password.
fn ana(world: &World) -> Browser {
    world.set_password(ANA, PASSWORD);
    signed_in(world, ANA)
}

/// The path of a new feed.
fn create_feed(service: &Service, browser: &Browser, name: &str) -> String {
    let answer = browser.fill(PAGE, "/settings/access/feeds", &[("name", name)]);
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let text = answer.text();
    let address = text.split("<code id=\"address\">").nth(1).unwrap().split('<').next().unwrap();
    let path = address.strip_prefix(&format!("http://{}", service.address)).unwrap().to_owned();
    assert!(path.starts_with("/feed/drip_cal_") && path.ends_with(".ics"), "{path}");
    assert!(text.contains(&format!("href=\"webcal://{}{path}\"", service.address)));
    path
}

fn unfolded(answer: &Answer) -> Vec<String> {
    answer.text().replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
}

#[test]
fn the_feed_is_a_calendar_with_the_payments_of_the_api() {
    let world = World::start();
    let browser = ana(&world);
    let path = create_feed(&world, &browser, "Phone");
    let answer = world.get(&path, None);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    let text = answer.text();
    assert!(text.ends_with("END:VCALENDAR\r\n") && text.matches('\n').count() == text.matches("\r\n").count());
    assert!(text.split("\r\n").all(|line| line.len() <= 75));

    let upcoming = world.get("/api/v1/upcoming?days=120", Some(&world.ana)).json();
    let held: Vec<&Value> = upcoming["items"].as_array().unwrap().iter().filter(|item| item["held"] == true).collect();
    assert!(held.len() > 3, "{upcoming}");
    let lines = unfolded(&answer);
    let with = |start: &str| lines.iter().filter(|line| line.starts_with(start)).cloned().collect::<Vec<_>>();
    assert_eq!(with("UID:pay-").len(), held.len());
    assert_eq!(with("UID:pay-").len() + with("UID:ex-").len(), with("BEGIN:VEVENT").len());
    let mut expected: Vec<String> = held.iter().map(|item| payment(item)).collect();
    let mut listed: Vec<String> = with("SUMMARY:").into_iter().filter(|line| line.contains(" net (")).collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected);
}

fn payment(item: &Value) -> String {
    let text = |place: &str| item.pointer(place).unwrap().as_str().unwrap();
    let certainty = if item["declared"] == true { "declared" } else { "estimated" };
    let (amount, currency) = (text("/expected_net/amount"), text("/expected_net/currency"));
    format!("SUMMARY:{}: {amount} {currency} net ({certainty})", text("/symbol"))
}

#[test]
fn an_unchanged_feed_is_answered_304() {
    let world = World::start();
    let path = create_feed(&world, &ana(&world), "Phone");
    let tag = world.get(&path, None).header("etag").to_owned();
    let later = world.second_node("2026-11-15T18:00:00Z");
    assert_eq!(later.request("GET", &path, None, &[("If-None-Match", &tag)]).status, 304);
    let tomorrow = world.second_node("2026-11-16T00:00:00Z");
    assert_eq!(tomorrow.request("GET", &path, None, &[("If-None-Match", &tag)]).status, 200);
}

#[test]
fn a_revoked_feed_looks_unknown() {
    let world = World::start();
    let browser = ana(&world);
    let (path, other) = (create_feed(&world, &browser, "Phone"), create_feed(&world, &browser, "Laptop"));
    let feeds = world.run(app::authentication::feeds::list(&world.app, world.user_id(ANA))).unwrap();
    let id = feeds.iter().find(|feed| feed.name == "Phone").unwrap().id.to_string();
    let answer = browser.fill(PAGE, "/settings/access/revoke-feed", &[("id", &id)]);
    assert_eq!((answer.status, answer.header("location")), (303, PAGE));
    assert_eq!((world.get(&path, None).status, world.get(&other, None).status), (404, 200));
    let heading = |path: &str| world.get(path, None).text().split("<main").nth(1).unwrap().to_owned();
    for unknown in [&path, "/feed/x.ics", "/feed/x", other.trim_end_matches(".ics")] {
        assert_eq!(world.get(unknown, None).status, 404, "{unknown}");
        assert_eq!(heading(unknown), heading("/no-such-page"), "{unknown}");
    }
}

#[test]
fn feeds_are_listed_with_their_last_use_and_never_their_address() {
    let world = World::start();
    let browser = ana(&world);
    let path = create_feed(&world, &browser, "Phone");
    let row = || browser.get(PAGE).text().split("id=\"feeds\"").nth(1).unwrap().to_owned();
    assert!(row().contains("Phone") && row().contains("Never"));
    world.get(&path, None);
    assert!(!row().contains("Never") && !browser.get(PAGE).text().contains("drip_cal_"));
}

#[test]
fn feeds_of_disabled_accounts_and_other_users_are_refused() {
    let world = World::start();
    let browser = ana(&world);
    let path = create_feed(&world, &browser, "Phone");
    let id = world.run(app::authentication::feeds::list(&world.app, world.user_id(ANA))).unwrap()[0].id.to_string();
    let cleo = member(&world, "cleo@example.com");
    assert_eq!(cleo.fill(PAGE, "/settings/access/revoke-feed", &[("id", &id)]).status, 404);
    assert_eq!(world.get(&path, None).status, 200);
    world.run(accounts::set_disabled(&world.app, ANA, true)).unwrap();
    assert_eq!(world.get(&path, None).status, 404);
}
