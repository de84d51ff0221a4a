use app::accounts;
use app::stocks::radar;
use ledger::Decimal;
use testkit::Service;
use testkit::sample::{ANA, BOB, World};

use super::figures::words;
use super::stocks::signed_in;

/// Symbol, target yield and target price of the watchlist, by symbol.
fn watched(service: &Service, email: &str) -> Vec<(String, Option<Decimal>, Option<Decimal>)> {
    let rows = service.run(radar::list(&service.app, service.user_id(email))).unwrap();
    let mut watched: Vec<_> = rows.into_iter().map(|row| (row.symbol, row.target_yield_pct, row.target_price)).collect();
    watched.sort();
    watched
}

fn symbols(service: &Service, email: &str) -> Vec<String> {
    watched(service, email).into_iter().map(|(symbol, ..)| symbol).collect()
}

fn decimal(text: &str) -> Option<Decimal> {
    Some(text.parse().unwrap())
}

#[test]
fn the_watchlist_needs_signing_in() {
    let world = World::start();
    let answer = world.browser().get("/radar");
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in?next=%2Fradar"));
    let answer = world.browser().fill("/sign-in", "/radar/add", &[("symbol", "MON")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in"));
}

#[test]
fn adding_to_or_removing_from_the_watchlist_changes_the_api_list() {
    let world = World::start();
    let bob = signed_in(&world, BOB);
    let upcoming = || world.get("/api/v1/upcoming", Some(&world.bob));
    let before = upcoming();
    assert!(!before.text().contains("\"RAD\""));
    let answer = bob.fill("/radar", "/radar/add", &[("symbol", " rad ")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/radar"));
    let with = upcoming();
    assert!(with.text().contains("\"RAD\"") && with.header("etag") != before.header("etag"));
    assert!(bob.get("/radar").text().contains("Radar Robotique"));
    let answer = bob.fill("/radar", "/radar/remove", &[("symbol", "RAD")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/radar"));
    let without = upcoming();
    assert_eq!(without.json(), before.json());
    assert_ne!(without.header("etag"), with.header("etag"));
    assert_eq!(symbols(&world, ANA), ["QTR", "RAD"]);
}

#[test]
fn an_unknown_symbol_is_refused_with_the_reason() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    for (typed, reason) in [("NOSUCH", "No data for NOSUCH"), ("  ", "Enter a ticker"), (&"X".repeat(33), "up to 32")] {
        let answer = ana.fill("/radar", "/radar/add", &[("symbol", typed)]);
        assert_eq!(answer.status, 422);
        assert!(answer.text().contains(reason) && answer.text().contains(typed.trim()), "{reason}");
        assert!(answer.text().contains("href=\"/settings/market-data\""), "no provider is set here");
    }
    assert_eq!(symbols(&world, ANA), ["QTR", "RAD"]);
    let answer = ana.fill("/radar", "/radar/remove", &[("symbol", "MON")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/radar"));
    assert!(ana.get("/radar").text().contains("MON is not on your watchlist"));
}

#[test]
fn targets_are_saved_and_their_distance_is_shown() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    // 4 × 0.40 at 32 is 5%. For 6.25% the price has to fall by 1 − 5 ÷ 6.25 = 20%; to 24 it is 1 − 24 ÷ 32 = 25%.
    let answer = ana.fill("/radar", "/radar/targets", &[("symbol", "RAD"), ("yield", "6.25"), ("price", "24")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/radar"));
    assert_eq!(watched(&world, ANA)[1], ("RAD".to_owned(), decimal("6.25"), decimal("24")));
    let page = words(&ana.get("/radar").text());
    assert!(page.contains("drop 20.00%") && page.contains("drop 25.00%") && !page.contains("Reached"), "{page}");
    ana.fill("/radar", "/radar/targets", &[("symbol", "RAD"), ("yield", "5"), ("price", "")]);
    assert_eq!(watched(&world, ANA)[1], ("RAD".to_owned(), decimal("5"), None));
    assert!(ana.get("/radar").text().contains("Reached"));
}

#[test]
fn invalid_targets_are_shown_again_as_typed() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    for (yields, price, reason) in [
        ("a lot", "30", "Enter a number such as"),
        ("4,,5", "", "such as 1234.50"),
        ("", "1.000.00", "Enter a number such as"),
        ("0", "", "above 0%"),
        ("101", "", "up to 100%"),
        ("", "-3", "above zero"),
    ] {
        let answer = ana.fill("/radar", "/radar/targets", &[("symbol", "RAD"), ("yield", yields), ("price", price)]);
        assert_eq!(answer.status, 422, "{reason}");
        let page = answer.text();
        assert!(page.contains(reason), "{reason} in {page}");
        assert!(page.contains(&format!("value=\"{yields}\"")) && page.contains(&format!("value=\"{price}\"")));
    }
    assert_eq!(watched(&world, ANA)[1], ("RAD".to_owned(), None, None));
    let answer = ana.fill("/radar", "/radar/targets", &[("symbol", "MON"), ("yield", "5"), ("price", "")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/radar"));
    assert_eq!(symbols(&world, ANA), ["QTR", "RAD"]);
}

#[test]
fn a_target_is_shown_in_the_users_number_format() {
    let world = World::start();
    let profile = accounts::NewProfile {
        name: None,
        currency: "EUR",
        residence: None,
        number_format: Some("de"),
        session_idle_minutes: 60,
    };
    world.run(accounts::set_profile(&world.app, world.user_id(ANA), &profile)).unwrap();
    let ana = signed_in(&world, ANA);
    assert_eq!(ana.fill("/radar", "/radar/targets", &[("symbol", "RAD"), ("yield", "4,5"), ("price", "1234,5")]).status, 303);
    assert_eq!(watched(&world, ANA)[1], ("RAD".to_owned(), decimal("4.5"), decimal("1234.5")));
    // What the form shows can be sent again.
    assert!(ana.get("/radar").text().contains("value=\"1234,5\""));
    let answer = ana.post("/radar/targets", &[("symbol", "RAD"), ("yield", "4.5.1"), ("price", "")]);
    assert!(answer.status == 422 && answer.text().contains("such as 1234,50"));
}

#[test]
fn only_a_form_of_the_users_own_page_changes_the_watchlist() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    let forged = ana.post_raw("/radar/remove", &[("symbol", "RAD")], &[("Sec-Fetch-Site", "same-origin")]);
    assert_eq!(forged.status, 403);
    assert_eq!(ana.get("/radar/remove?symbol=RAD").status, 405);
    assert_eq!(symbols(&world, ANA), ["QTR", "RAD"]);
}
