//! Ana and Bob of the sample world, each with a password.

use testkit::sample::{ANA, BOB, World};
use testkit::{Answer, Browser, Service};
use totp_rs::{Builder, Secret};

pub const PASSWORD: &str = "four quiet herons in march";
pub const ANOTHER: &str = "seven loud badgers of june";

/// Names and values, of fields or headers.
pub type Pairs<'a> = &'a [(&'a str, &'a str)];

const COOKIES: [&str; 6] = ["__Host-s", "__Host-d", "__Host-f", "__Host-k", "__Host-n", "__Host-t"];

pub fn world() -> World {
    let world = World::start();
    for email in [ANA, BOB] {
        world.set_password(email, PASSWORD);
    }
    world
}

pub fn signed_in(service: &Service, email: &str) -> Browser {
    let browser = service.browser();
    let answer = browser.sign_in(email, PASSWORD);
    assert_eq!((answer.status, answer.header("location")), (303, "/"), "{}", answer.text());
    browser
}

/// The instant this many seconds after that of the tests.
pub fn later(seconds: i64) -> String {
    let now: jiff::Timestamp = testkit::NOW.parse().unwrap();
    jiff::Timestamp::from_second(now.as_second() + seconds).unwrap().to_string()
}

/// The same browser, at another node.
pub fn moved(browser: &Browser, node: &Service) -> Browser {
    let there = node.browser();
    for name in COOKIES {
        if let Some(value) = browser.cookie(name) {
            there.set_cookie(name, &value);
        }
    }
    there
}

/// What a page says, without what is around every page.
pub fn main_of(answer: &Answer) -> String {
    answer.text().split("<main").nth(1).unwrap().split("</main>").next().unwrap().to_owned()
}

pub fn session(browser: &Browser) -> String {
    browser.cookie("__Host-s").unwrap()
}

/// A browser with this session and nothing else.
pub fn with_session(service: &Service, session: &str) -> Browser {
    let browser = service.browser();
    browser.set_cookie("__Host-s", session);
    browser
}

/// Whether the browser is signed in.
pub fn is_in(browser: &Browser) -> bool {
    let answer = browser.get("/");
    assert!(answer.status == 200 || answer.header("location") == "/sign-in", "{} {}", answer.status, answer.header("location"));
    answer.status == 200
}

/// The code that an authenticator shows this many seconds after the time of the tests.
pub fn code(secret: &str, seconds: i64) -> String {
    let instant: jiff::Timestamp = later(seconds).parse().unwrap();
    let factor = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).with_account_name("x").build().unwrap();
    factor.generate(instant.as_second().unsigned_abs()).to_string()
}

/// Six digits that are wrong now, a step before and a step after.
pub fn wrong_code(secret: &str, seconds: i64) -> String {
    let near = [-30, 0, 30].map(|step| code(secret, seconds + step));
    (0..4).map(|number| format!("00000{number}")).find(|wrong| !near.contains(wrong)).unwrap()
}

/// Turns the second factor on: its secret and the recovery codes.
pub fn turn_factor_on(browser: &Browser) -> (String, Vec<String>) {
    assert_eq!(browser.fill("/settings/security", "/settings/security/factor", &[]).status, 303);
    let page = browser.get("/settings/security/factor").text();
    let secret = between(&page, "<code id=\"secret\">", "<");
    let answer = browser.post("/settings/security/factor/confirm", &[("code", &code(&secret, 0))]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    (secret, recovery_codes(&answer))
}

pub fn recovery_codes(answer: &Answer) -> Vec<String> {
    let list = between(&answer.text(), "<ul class=\"codes\">", "</ul>");
    list.split("<li>").skip(1).map(|item| item.trim_end_matches("</li>").to_owned()).collect()
}

pub fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1;
    rest.split_once(after).unwrap().0.to_owned()
}
