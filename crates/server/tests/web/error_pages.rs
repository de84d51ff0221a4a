//! Error pages know who reads them, as far as that can be known, and keep the theme.

use testkit::sample::ANA;
use testkit::{Answer, Browser};

use crate::people::{is_in, signed_in, with_session, world};

const OWN: [(&str, &str); 1] = [("Sec-Fetch-Site", "same-origin")];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    SignedIn,
    Stranger,
    Neutral,
}

fn header(answer: &Answer) -> Header {
    let text = answer.text();
    match (text.contains("action=\"/sign-out\""), text.contains("class=\"button small\" href=\"/sign-in\"")) {
        (true, false) => Header::SignedIn,
        (false, true) => Header::Stranger,
        (false, false) => Header::Neutral,
        (true, true) => panic!("both: {text}"),
    }
}

fn is_dark(answer: &Answer) -> bool {
    answer.text().contains("data-theme=\"dark\"")
}

fn failures(browser: &Browser) -> Vec<(u16, Answer)> {
    let large = "x".repeat(65 << 10);
    vec![
        (404, browser.get("/nowhere")),
        (404, browser.get("/p/nobody")),
        (404, browser.get("/assets/nothing.css")),
        (405, browser.get("/theme")),
        (403, browser.post_raw("/theme", &[], &OWN)),
        (413, browser.post_raw("/theme", &[("next", &large)], &OWN)),
        (414, browser.get(&format!("/search?q={}", "x".repeat(9 << 10)))),
    ]
}

#[test]
fn an_error_page_has_the_header_and_theme_of_its_reader() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let stranger = world.browser();
    let ended = with_session(&world, &"a".repeat(64));
    for (browser, expected) in [(&ana, Header::SignedIn), (&stranger, Header::Stranger), (&ended, Header::Stranger)] {
        for theme in ["dark", "light"] {
            browser.set_cookie("__Host-t", theme);
            for (status, answer) in failures(browser) {
                assert_eq!((answer.status, header(&answer)), (status, expected), "{}", answer.text());
                assert_eq!(is_dark(&answer), theme == "dark", "{status}");
            }
        }
    }
}

#[test]
fn forms_of_an_error_page_work_and_it_sets_no_cookie() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let changed = ana.fill("/nowhere?x=1", "/theme", &[("theme", "dark"), ("next", "/nowhere?x=1")]);
    assert_eq!((changed.status, changed.header("location")), (303, "/nowhere?x=1"));
    let page = ana.get("/nowhere?x=1");
    assert!(is_dark(&page) && page.text().contains("name=\"next\" value=\"/nowhere?x=1\""), "{}", page.text());
    assert_eq!(page.header("set-cookie"), "");
    assert_eq!(ana.fill("/nowhere", "/sign-out", &[]).status, 303);
    assert!(!is_in(&ana));
    let stranger = world.browser().get("/nowhere");
    assert!(stranger.header("set-cookie").is_empty() && !stranger.text().contains("action=\"/theme\""));
}

#[test]
fn a_notice_waits_behind_an_error_page_for_the_next_page() {
    let world = world();
    let ana = signed_in(&world, ANA);
    assert_eq!(ana.fill("/portfolios", "/portfolios/add", &[("name", "Quiet")]).status, 303);
    assert!(!ana.get("/nowhere").text().contains("“Quiet” added."));
    assert!(ana.get("/portfolios").text().contains("“Quiet” added."));
}

#[test]
fn after_a_fault_nobody_is_looked_up_and_nobody_is_asked_to_sign_in() {
    let world = world();
    let ana = signed_in(&world, ANA);
    ana.set_cookie("__Host-t", "dark");
    world.tamper("ALTER TABLE entries RENAME TO elsewhere");
    let fault = ana.get("/ledger");
    assert_eq!((fault.status, header(&fault), is_dark(&fault)), (500, Header::Neutral, true), "{}", fault.text());
    world.tamper("ALTER TABLE sessions RENAME TO gone");
    let unknown = ana.get("/nowhere");
    assert_eq!((unknown.status, header(&unknown)), (404, Header::Neutral), "{}", unknown.text());
}
