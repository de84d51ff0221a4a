use app::accounts::{self, audit};
use app::authentication::tokens;
use testkit::{Answer, Browser, NOW, Service};

use crate::people::main_of;

pub const PASSWORD: &str = "correct horse battery staple";
pub const PAGE: &str = "/settings/access";
const CREATE: &str = "/settings/access/tokens";
const REVOKE: &str = "/settings/access/revoke";

pub fn member(service: &Service, email: &str) -> Browser {
    let account = accounts::NewAccount { email, name: None, currency: "EUR", residence: Some("ES"), password: Some(PASSWORD) };
    service.run(accounts::add(&service.app, &account)).unwrap();
    signed_in(service, email)
}

pub fn signed_in(service: &Service, email: &str) -> Browser {
    let browser = service.browser();
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    browser
}

fn create_token(browser: &Browser, name: &str, days: &str) -> String {
    let answer = browser.fill(PAGE, CREATE, &[("name", name), ("days", days)]);
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    token_in(&answer).unwrap()
}

fn token_in(answer: &Answer) -> Option<String> {
    let text = answer.text();
    let start = text.find("drip_pat_")?;
    Some(text[start..].chars().take(45).collect())
}

fn me(service: &Service, token: &str) -> u16 {
    service.get("/api/v1/me", Some(token)).status
}

fn id_of(service: &Service, email: &str, name: &str) -> String {
    let all = service.run(tokens::list(&service.app, service.user_id(email))).unwrap();
    all.into_iter().find(|token| token.name == name).unwrap().id.to_string()
}

#[test]
fn a_stranger_is_sent_to_sign_in_and_returns() {
    let service = Service::start();
    service.account("first@example.com", "EUR", None);
    let answer = service.browser().get(PAGE);
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in?next=%2Fsettings%2Faccess"));
}

#[test]
fn a_token_created_on_the_page_works_for_the_api_and_is_shown_once() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    let answer = browser.fill(PAGE, CREATE, &[("name", "  Laptop <script>  "), ("days", "")]);
    let token = token_in(&answer).unwrap();
    assert_eq!(service.get("/api/v1/me", Some(&token)).json()["email"], "ana@example.com");
    let line = format!("Bearer {token}&#34; http://{}/api/v1/me", service.address);
    assert!(answer.text().contains(&line), "{line}");
    assert_eq!(token_in(&browser.get(PAGE)), None);
    assert!(browser.get(PAGE).text().contains("Laptop &#60;script&#62;"));
    let again = browser.get(CREATE);
    assert_eq!((again.status, again.header("location")), (303, PAGE));
}

#[test]
fn a_token_needs_a_name_of_one_to_a_hundred_characters() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    for bad in ["", "   ", "a\tb", &"x".repeat(101)] {
        let answer = browser.fill(PAGE, CREATE, &[("name", bad), ("days", "90")]);
        assert_eq!(answer.status, 422, "{bad:?}");
        let text = answer.text();
        assert!(text.contains("1 to 100 characters") && text.contains("<option value=\"90\" selected>"), "{bad:?}");
        assert_eq!(token_in(&answer), None);
    }
    assert_eq!(me(&service, &create_token(&browser, &"é".repeat(100), "")), 200);
}

#[test]
fn a_token_expires_after_the_chosen_days() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    let month = create_token(&browser, "month", "30");
    let odd = create_token(&browser, "odd", "31");
    // Thirty days after noon of 15 November is noon of 15 December.
    let before = service.second_node("2026-12-15T11:59:59Z");
    assert_eq!(me(&before, &month), 200);
    let after = service.second_node("2026-12-15T12:00:00Z");
    assert_eq!(me(&after, &month), 401);
    assert_eq!(me(&after, &odd), 200, "what is not offered is no expiry");
    let page = signed_in(&after, "ana@example.com").get(PAGE).text();
    let (live, ended) = page.split_once("<details class=\"more\"><summary>1 expired").unwrap();
    assert!(live.contains(">odd<") && !live.contains(">month<") && ended.contains(">month<"));
}

#[test]
fn a_revoked_token_is_refused_on_the_very_next_request() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    let (one, other) = (create_token(&browser, "one", ""), create_token(&browser, "other", ""));
    let id = id_of(&service, "ana@example.com", "one");
    assert_eq!(me(&service, &one), 200);
    let answer = browser.fill(PAGE, REVOKE, &[("id", &id)]);
    assert_eq!((answer.status, answer.header("location")), (303, PAGE));
    assert_eq!((me(&service, &one), me(&service, &other)), (401, 200));
    assert!(browser.get(PAGE).text().contains("Token revoked."));
    assert_eq!(browser.fill(PAGE, REVOKE, &[("id", &id)]).status, 404, "once");
    let rows = service.run(audit::list(&service.app, service.user_id("ana@example.com"), 3)).unwrap();
    let events: Vec<_> = rows.iter().map(|row| (row.event.as_str(), row.detail.as_str())).collect();
    assert_eq!(events, [("token_revoked", "one"), ("token_created", "other"), ("token_created", "one")], "for its owner to see");
}

#[test]
fn another_users_token_looks_unknown() {
    let service = Service::start();
    let ana = member(&service, "ana@example.com");
    let bob = member(&service, "bob@example.com");
    let token = create_token(&ana, "phone", "");
    let id = id_of(&service, "ana@example.com", "phone");
    assert!(!bob.get(PAGE).text().contains("phone"));
    let anothers = bob.fill(PAGE, REVOKE, &[("id", &id)]);
    let nobodys = bob.fill(PAGE, REVOKE, &[("id", "019a0000-0000-7000-8000-000000000000")]);
    let noise = bob.fill(PAGE, REVOKE, &[("id", "x")]);
    assert_eq!((anothers.status, nobodys.status, noise.status), (404, 404, 404));
    assert_eq!(main_of(&anothers), main_of(&nobodys));
    assert_eq!(me(&service, &token), 200);
}

#[test]
fn a_user_has_at_most_twenty_five_tokens_not_counting_revoked_ones() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    let user_id = service.user_id("ana@example.com");
    for number in 0..24 {
        service.run(tokens::create(&service.app, user_id, &format!("token {number}"))).unwrap();
    }
    create_token(&browser, "the 25th", "");
    let answer = browser.fill(PAGE, CREATE, &[("name", "one more"), ("days", "")]);
    assert_eq!((answer.status, token_in(&answer)), (422, None));
    assert!(answer.text().contains("25 active tokens") && answer.text().contains("value=\"one more\""));
    browser.fill(PAGE, REVOKE, &[("id", &id_of(&service, "ana@example.com", "token 7"))]);
    create_token(&browser, "one more", "");
}

#[test]
fn creating_a_token_needs_a_recent_password_and_revoking_does_not() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    create_token(&browser, "early", "");
    let later = service.second_node("2026-11-15T12:10:01Z");
    let there = later.browser();
    there.set_cookie("__Host-s", &browser.cookie("__Host-s").unwrap());
    for action in [CREATE, "/settings/access/feeds"] {
        let answer = there.fill(PAGE, action, &[("name", "late")]);
        assert_eq!((answer.status, answer.header("location")), (303, "/confirm?next=%2Fsettings%2Faccess"), "{action}");
    }
    assert!(!there.get(PAGE).text().contains("late<"));
    let id = id_of(&service, "ana@example.com", "early");
    assert_eq!(there.fill(PAGE, REVOKE, &[("id", &id)]).status, 303);
    assert_eq!(
        there.fill("/confirm?next=%2Fsettings%2Faccess", "/confirm", &[("password", PASSWORD), ("next", PAGE)]).status,
        303
    );
    create_token(&there, "late", "");
}

#[test]
fn the_page_says_when_a_token_was_last_used() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    let token = create_token(&browser, "phone", "");
    assert!(browser.get(PAGE).text().contains("data-label=\"Last used\">Never"));
    me(&service, &token);
    service.run(tokens::save_last_used(&service.app)).unwrap();
    let page = browser.get(PAGE).text();
    assert!(
        !page.contains("data-label=\"Last used\">Never") && page.matches(&format!("datetime=\"{NOW}\"")).count() == 2,
        "made and used at the same instant"
    );
}

#[test]
fn a_form_without_its_token_or_from_another_site_is_refused() {
    let service = Service::start();
    let browser = member(&service, "ana@example.com");
    browser.get(PAGE);
    let token = browser.token();
    let bare = browser.post_raw(CREATE, &[("name", "x")], &[("Sec-Fetch-Site", "same-origin")]);
    let foreign = browser.post_raw(CREATE, &[("_token", &token), ("name", "x")], &[("Sec-Fetch-Site", "cross-site")]);
    assert_eq!((bare.status, foreign.status), (403, 403));
    assert_eq!(service.run(tokens::list(&service.app, service.user_id("ana@example.com"))).unwrap().len(), 0);
}
