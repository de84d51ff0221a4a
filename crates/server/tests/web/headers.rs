//! Security headers of every answer.

use testkit::sample::ANA;
use testkit::{Answer, Browser};

use super::people::{PASSWORD, signed_in, with_session, world};
use super::routes::{all, filled};

const ALWAYS: [(&str, &str); 6] = [
    ("strict-transport-security", "max-age=31536000; includeSubDomains"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The nonce of a page, if it is one.
fn check(answer: &Answer, what: &str) -> Option<String> {
    for (name, value) in ALWAYS {
        assert_eq!(answer.header(name), value, "{name} of {what}");
    }
    assert_eq!(answer.header("server"), "", "{what}");
    let policy = answer.header("content-security-policy");
    if !answer.header("content-type").starts_with("text/html") {
        let closed = "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'none'";
        assert_eq!(policy, closed, "{what}");
        return None;
    }
    let nonce = policy.split_once("'nonce-").unwrap().1.split_once('\'').unwrap().0.to_owned();
    let open = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'"
    );
    assert_eq!(policy, open, "{what}");
    assert!(nonce.len() >= 32, "{what}");
    assert_eq!(answer.header("cache-control"), "no-store", "{what}");
    check_markup(&answer.text(), &nonce, what);
    Some(nonce)
}

/// Asserts that the page has nothing that the content policy blocks.
fn check_markup(page: &str, nonce: &str, what: &str) {
    for script in page.split("<script").skip(1) {
        assert!(script.contains(&format!("nonce=\"{nonce}\"")) && script.contains("></script>"), "{what}: {script:.200}");
    }
    assert!(!page.contains("<style"), "{what}");
    let tags = page.split('<').filter_map(|part| part.split_once('>')).map(|(tag, _)| tag);
    for tag in tags {
        assert!(!tag.contains(" style=") && !tag.contains(" onclick=") && !tag.contains("javascript:"), "{what}: {tag}");
        let elsewhere = ["src=\"http", "href=\"http", "src=\"//", "href=\"//"].iter().any(|mark| tag.contains(mark));
        assert!(!elsewhere || tag.starts_with("a "), "{what} asks another host: {tag}");
    }
}

#[test]
fn every_page_has_the_security_headers() {
    let world = world();
    let (ana, stranger) = (signed_in(&world, ANA), world.browser());
    let mut statuses = std::collections::BTreeSet::new();
    for route in all() {
        let path = filled(route.path, "x");
        for (who, browser) in [("ana", &ana), ("a stranger", &stranger)] {
            let answer = browser.get(&path);
            assert!(answer.status < 500, "{path} answers {who} with {}", answer.status);
            assert_eq!(answer.status == 405, !route.get, "{path}");
            check(&answer, &format!("{path} for {who}"));
            statuses.insert(answer.status);
        }
    }
    assert!([200, 303, 404, 405].iter().all(|status| statuses.contains(status)), "{statuses:?}");
}

#[test]
fn error_pages_have_the_security_headers_too() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let own = [("Sec-Fetch-Site", "same-origin")];
    let large = "x".repeat(65 << 10);
    let wrong = |browser: &Browser| browser.fill("/sign-in", "/sign-in", &[("email", ANA), ("password", "wrong")]);
    let stranger = world.browser();
    let cases = [
        (404, world.browser().get("/nowhere")),
        (404, world.browser().get("/assets/nothing.css")),
        (405, world.request("PUT", "/sign-in", None, &[])),
        (403, ana.post_raw("/sign-out", &[], &own)),
        (413, ana.post_raw("/sign-in", &[("email", &large)], &own)),
        (415, world.request("POST", "/sign-in", None, &[("Sec-Fetch-Site", "same-origin"), ("Content-Type", "text/plain")])),
        (414, world.browser().get(&format!("/search?q={}", "x".repeat(9 << 10)))),
        (422, wrong(&stranger)),
    ];
    for (status, answer) in cases {
        assert_eq!(answer.status, status);
        check(&answer, &format!("a {status}"));
    }
    for _ in 0..4 {
        wrong(&stranger);
    }
    let waiting = wrong(&stranger);
    assert_eq!(waiting.status, 429);
    check(&waiting, "a 429");
    assert_eq!(world.request("HEAD", "/sign-in", None, &[]).header("cache-control"), "no-store");
}

/// Sends bytes, and reads until the service closes.
fn raw(world: &testkit::Service, request: &str) -> String {
    use std::io::{Read, Write};
    let mut socket = std::net::TcpStream::connect(world.address).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn malformed_requests_get_the_security_headers_on_any_path() {
    let world = world();
    for path in ["/search?q=<b>", "/api/v1/stocks?q=<b>", "/\u{1}"] {
        let answer = raw(&world, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 400 "), "{path}: {head}");
        for (name, value) in ALWAYS {
            assert!(head.contains(&format!("\r\n{name}: {value}")), "{name} of {path}: {head}");
        }
        assert!(
            head.contains("\r\ncontent-security-policy: default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors")
        );
        assert!(head.contains("\r\ncache-control: no-store"), "{path}: {head}");
        assert!(head.contains("\r\ncontent-type: application/json") && body.starts_with("{\"error\":"), "{path}: {answer}");
    }
}

#[test]
fn an_internal_error_has_the_security_headers_and_no_cause() {
    let world = world();
    let ana = signed_in(&world, ANA);
    world.tamper("ALTER TABLE entries RENAME TO elsewhere");
    for path in ["/", "/ledger", "/dividends"] {
        let answer = ana.get(path);
        assert_eq!(answer.status, 500, "{path}");
        assert!(check(&answer, path).is_some(), "{path} is a page");
        assert!(
            !answer.text().contains("entries WHERE")
                && !answer.text().contains("no such table")
                && !answer.text().contains("relation"),
            "{path}"
        );
    }
    let answer = world.get("/api/v1/dividends", Some(&world.ana));
    assert_eq!((answer.status, answer.error_code().as_str()), (500, "internal"));
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    assert!(!answer.text().contains("table"), "{}", answer.text());
}

#[test]
fn no_two_pages_share_a_nonce() {
    let world = world();
    let nonces: std::collections::BTreeSet<String> = (0..5)
        .filter_map(|_| check(&world.browser().get("/sign-in"), "/sign-in"))
        .chain(check(&world.browser().get("/no"), "/no"))
        .collect();
    assert_eq!(nonces.len(), 6);
}

#[test]
fn cookies_are_for_this_host_alone_and_hidden_from_scripts() {
    let world = world();
    let browser = world.browser();
    let mut lines = browser.get("/sign-in").cookies;
    lines.extend(browser.post("/sign-in", &[("email", ANA), ("password", PASSWORD)]).cookies);
    lines.extend(browser.fill("/", "/theme", &[("theme", "dark"), ("next", "/")]).cookies);
    lines.extend(browser.fill("/settings", "/settings/profile", &[("currency", "EUR"), ("idle", "60")]).cookies);
    lines.extend(browser.fill("/settings", "/settings/shortcuts", &[]).cookies);
    lines.extend(browser.fill("/confirm", "/confirm", &[("password", PASSWORD)]).cookies);
    lines.extend(browser.fill("/settings", "/sign-out", &[]).cookies);
    let names: std::collections::BTreeSet<&str> = lines.iter().map(|line| line.split('=').next().unwrap()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["__Host-d", "__Host-f", "__Host-k", "__Host-n", "__Host-s", "__Host-t"]);
    for line in &lines {
        let attributes: Vec<&str> = line.split("; ").skip(1).collect();
        for needed in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
            assert!(attributes.contains(&needed), "{line}");
        }
        assert!(!line.contains("Domain"), "{line}");
        let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
        let set = !attributes.contains(&"Max-Age=0");
        // 43 of 62 letters, or 64 of 16, are 256 bits.
        let bits_enough = value.len() >= if name == "__Host-f" { 64 } else { 43 };
        assert!(!set || !["__Host-s", "__Host-d", "__Host-f"].contains(&name) || bits_enough, "{line}");
    }
}

#[test]
fn a_cookie_sent_twice_is_ignored() {
    let world = world();
    let session = super::people::session(&signed_in(&world, ANA));
    assert!(super::people::is_in(&with_session(&world, &session)));
    let twice = format!("__Host-s=x; __Host-s={session}");
    assert_eq!(world.request("GET", "/", None, &[("Cookie", &twice)]).header("location"), "/sign-in");
}
