use testkit::sample::{ANA, BOB, World};

use super::stocks::signed_in;

const ISIN: &str = "US1912161007";
const FILE: &str = "date,type,isin,name,shares,price,currency\n2024-01-02,buy,US1912161007,COCA COLA CO,10,60,EUR\n";

fn world() -> World {
    let world = World::start();
    world.import_file(ANA, FILE.as_bytes(), None).unwrap();
    world
}

#[test]
fn every_page_with_figures_says_what_it_leaves_out_and_links_to_the_matching() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    for path in ["/", "/holdings", "/upcoming", "/dividends"] {
        let page = ana.get(path).text();
        assert!(page.contains("1 security isn’t included") && page.contains("href=\"/securities\""), "{path}");
        assert!(!bob.get(path).text().contains("/securities"), "{path} of somebody else");
    }
    ana.fill("/securities", "/securities/unlisted", &[("key", ISIN)]);
    let page = ana.get("/").text();
    assert!(!page.contains("href=\"/securities\"") && page.contains("id=\"without-data\""), "only data is missing now");
}

#[test]
fn a_security_is_found_by_search_and_matched_and_the_match_can_be_changed() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let page = ana.get("/securities").text();
    assert!(page.contains("COCA COLA CO") && page.contains(ISIN) && page.contains("1 transaction"), "{page}");
    let found = ana.get("/securities?key=US1912161007&q=radar+robot").text();
    assert!(found.contains("value=\"RAD\"") && found.contains("Radar Robotique"), "{found}");
    let answer = ana.fill("/securities", "/securities/match", &[("key", ISIN), ("symbol", "rad")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/securities"));
    assert!(ana.get("/securities").text().contains("Everything is matched"));
    assert!(world.get("/api/v1/holdings", Some(&world.ana)).text().contains("\"RAD\""));

    let refused = ana.fill("/securities", "/securities/match", &[("key", ISIN), ("symbol", "not a ticker")]);
    assert!(refused.status == 422 && refused.text().contains("is not a ticker"));
    let refused = ana.fill("/securities", "/securities/undo", &[("key", "GB00B10RZP78")]);
    assert!(refused.status == 422 && refused.text().contains("You have no security called"));
    assert_eq!(ana.fill("/securities", "/securities/other", &[]).status, 404);
}

#[test]
fn an_automatic_match_is_shown_once_and_can_be_undone() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    world.load(&[("stocks.csv", "symbol,name,currency,isin\nKO,Coca-Cola,EUR,US1912161007\n")]);
    for path in ["/", "/holdings"] {
        assert!(ana.get(path).text().contains("US1912161007 is KO"), "{path}");
        assert!(!bob.get(path).text().contains("is KO"), "{path} of somebody else");
    }
    let answer = ana.fill("/holdings", "/securities/seen", &[("next", "/holdings")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/holdings"));
    assert!(!ana.get("/holdings").text().contains("US1912161007 is KO"));

    assert!(ana.get("/securities").text().contains("Matched automatically"));
    assert!(ana.get("/securities?key=US1912161007").text().contains("Change the match of COCA COLA CO"));
    ana.fill("/securities", "/securities/undo", &[("key", ISIN), ("name", "COCA COLA CO")]);
    let page = ana.get("/securities").text();
    assert!(page.contains("COCA COLA CO is no longer matched") && page.contains("It’s KO"), "{page}");
}
