use app::oauth::grants;
use serde_json::json;

use crate::flow::{
    ANA, BOB, PASSWORD, REDIRECT, ask, base, decide, escaped, later, register, request, scene, send_json, sent_to, signed_in,
};

#[test]
fn the_consent_page_names_the_app_and_the_redirect() {
    // N32
    let scene = scene();
    let long = "x".repeat(10_000 / 2);
    for (name, shown) in [
        ("<script>alert(1)</script>".to_owned(), "&#60;script&#62;alert(1)&#60;/script&#62;".to_owned()),
        ("Good\u{202e}App".to_owned(), "GoodApp".to_owned()),
        (long, format!("{}…", "x".repeat(80))),
        ("Dividend Service Official".to_owned(), "Dividend Service Official".to_owned()),
    ] {
        let metadata = json!({"client_name": name, "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
        let made = send_json(&scene, "/oauth/register", &metadata);
        let id = made.json()["client_id"].as_str().unwrap().to_owned();
        let page = ask(&scene.ana, &request(&id, &[])).text();
        assert!(page.contains(&shown), "{shown}");
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains('\u{202e}') && !page.contains(&"x".repeat(81)));
        assert!(page.contains("app.example") && page.contains("Nobody has verified the name") && page.contains(ANA));
    }
}

#[test]
fn the_consent_page_warns_about_programs_on_this_computer() {
    let scene = scene();
    let id = register(&scene, &["http://127.0.0.1/cb", "com.example.app:/cb"]);
    let at = |uri| ask(&scene.ana, &request(&id, &[("redirect_uri", uri)]));
    assert!(at("http://127.0.0.1:5000/cb").text().contains("a program on this computer"));
    assert!(at("com.example.app:/cb").text().contains("opens an app on this device"));
}

#[test]
fn the_content_policy_allows_the_redirect_to_the_app() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT, "http://127.0.0.1/cb", "http://[::1]/cb", "com.example.app:/cb"]);
    for (uri, allowed) in [
        (REDIRECT, "https://app.example https:"),
        ("http://127.0.0.1:5000/cb", "http://127.0.0.1:5000 http://127.0.0.1:* http://localhost:* https:"),
        ("http://[::1]:5000/cb", "http: https:"),
        ("com.example.app:/cb", "com.example.app: https:"),
    ] {
        let policy = ask(&scene.ana, &request(&id, &[("redirect_uri", uri)])).header("content-security-policy").to_owned();
        assert!(policy.ends_with(&format!("form-action 'self' {allowed}")), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
    }
}

#[test]
fn only_the_form_of_the_consent_page_can_allow_access() {
    // N40, N43
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    let fields = [("request", asked.as_str()), ("decision", "allow")];
    assert_eq!(ask(&scene.ana, &asked).status, 200);
    let from_here = [("Sec-Fetch-Site", "same-origin")];
    assert_eq!(scene.ana.post_raw("/oauth/consent", &fields, &from_here).status, 403, "without its token");
    let bob = signed_in(&scene, BOB);
    ask(&bob, &asked);
    let foreign = [("_token", bob.token()), fields_owned(fields[0]), fields_owned(fields[1])];
    let foreign: Vec<(&str, &str)> = foreign.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &foreign, &from_here).status, 403, "with another session's");
    let formless = [("_token", scene.ana.token()), fields_owned(fields[0]), fields_owned(fields[1])];
    let formless: Vec<(&str, &str)> = formless.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &formless, &from_here).status, 403, "without that of the request");
    let once = bob.one_time_token();
    let bobs = [&formless[..], &[("once", once.as_str())]].concat();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &bobs, &from_here).status, 403, "with that of another session");
    let own =
        [("_token", scene.ana.token()), ("once", scene.ana.one_time_token()), fields_owned(fields[0]), fields_owned(fields[1])];
    let own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &own, &[("Sec-Fetch-Site", "cross-site")]).status, 403, "from elsewhere");
    let by_get = scene.ana.get(&format!("/oauth/consent?{asked}&decision=allow"));
    assert_eq!((by_get.status, by_get.header("allow")), (405, "POST, OPTIONS"));
    assert!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().is_empty());
    assert_eq!(scene.ana.post_raw("/oauth/consent", &own, &from_here).status, 303, "and this one does");
}

#[test]
fn consent_is_void_after_signing_out_or_in_as_another() {
    // N43
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    ask(&scene.ana, &asked);
    let before = scene.ana.token();
    scene.ana.post("/sign-out", &[]);
    let fields = [("_token", before.as_str()), ("request", asked.as_str()), ("decision", "allow")];
    let answer = scene.ana.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]);
    assert!(answer.status == 403 || answer.header("location").starts_with("/sign-in"), "{}", answer.status);
    scene.ana.sign_in(BOB, crate::flow::PASSWORD);
    assert_eq!(scene.ana.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]).status, 403);
    for email in [ANA, BOB] {
        assert!(scene.run(grants::list(&scene.app, scene.user_id(email))).unwrap().is_empty());
    }
}

#[test]
fn the_request_is_checked_again_with_the_answer() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    ask(&scene.ana, &request(&id, &[]));
    let forged = request(&id, &[("redirect_uri", "https://evil.example/cb")]);
    let answer = scene.ana.post("/oauth/consent", &[("request", &forged), ("decision", "allow")]);
    assert_eq!((answer.status, answer.header("location")), (403, ""), "the form is that of another request");
    let moved = request(&id, &[("redirect_uri", REDIRECT), ("resource", "https://evil.example")]);
    assert_eq!(scene.ana.post("/oauth/consent", &[("request", &moved), ("decision", "allow")]).status, 403);
}

#[test]
fn the_consent_page_mentions_an_earlier_grant() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    assert!(!ask(&scene.ana, &request(&id, &[])).text().contains("You already allowed this app"));
    sent_to(&decide(&scene.ana, &request(&id, &[]), "allow"));
    assert!(ask(&scene.ana, &request(&id, &[])).text().contains("You already allowed this app"));
}

#[test]
fn a_consent_form_counts_once_across_nodes() {
    // N45
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    for (first, second) in [("allow", "allow"), ("deny", "allow"), ("allow", "deny")] {
        let before = scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().len();
        let asked = request(&id, &[]);
        sent_to(&decide(&scene.ana, &asked, first));
        let made = scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().len() - before;
        assert_eq!(made, usize::from(first == "allow"));
        let node = scene.second_node(&later(1));
        for browser in [&scene.ana, &sharing(&scene.ana, &node)] {
            let fields = [("_token", scene.ana.token()), ("once", scene.ana.one_time_token()), ("request", asked.clone())];
            let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            fields.push(("decision", second));
            let again = browser.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]);
            assert!(again.status == 409 && again.text().contains("Already answered"), "{} {}", again.status, again.text());
            assert!(again.text().contains("Review the request again"));
        }
        assert_eq!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().len(), before + made);
    }
}

#[test]
fn only_one_of_several_simultaneous_consents_counts() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    ask(&scene.ana, &asked);
    let press = || scene.ana.post("/oauth/consent", &[("request", &asked), ("decision", "allow")]).status;
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(press)).collect();
        sent.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().len(), 1);
}

#[test]
fn an_old_session_confirms_its_password_before_consent() {
    // N46
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    ask(&scene.ana, &asked);
    let node = scene.second_node(&later(601));
    let ana = sharing(&scene.ana, &node);
    let next = format!("/confirm?next={}", escaped(&format!("/oauth/authorize?{asked}")));
    let fields = [("_token", scene.ana.token()), ("once", scene.ana.one_time_token()), ("request", asked.clone())];
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.push(("decision", "allow"));
    let late = ana.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]);
    assert_eq!((late.status, late.header("location")), (303, next.as_str()), "a page that was left open");
    let asked_again = ask(&ana, &asked);
    assert_eq!((asked_again.status, asked_again.header("location")), (303, next.as_str()));
    assert!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().is_empty());
    let back = format!("/oauth/authorize?{asked}");
    assert_eq!(ana.fill(&next, "/confirm", &[("password", "not it"), ("next", &back)]).status, 422);
    assert_eq!(ask(&ana, &asked).status, 303);
    let confirmed = ana.fill(&next, "/confirm", &[("password", PASSWORD), ("next", &back)]);
    assert_eq!((confirmed.status, confirmed.header("location")), (303, back.as_str()));
    let (to, answered) = sent_to(&decide(&ana, &asked, "allow"));
    assert_eq!((to.as_str(), answered["iss"].as_str()), (REDIRECT, base(&node).as_str()));
}

/// The same person at another node.
fn sharing(browser: &testkit::Browser, node: &testkit::Service) -> testkit::Browser {
    let other = node.browser();
    other.set_cookie("__Host-s", &browser.cookie("__Host-s").unwrap());
    other
}

fn fields_owned<'a>((name, value): (&'a str, &str)) -> (&'a str, String) {
    (name, value.to_owned())
}
