//! The cookie, the crumb, and the consent pages.

use super::error;
use crate::http::{Reply, Request};
use crate::world::World;

const CRUMB: &str = "Zq8.rEpl4yX";
const SESSION: &str = "3_cc-session_1";

/// The answer if cookie and crumb are correct.
pub fn checked(world: &World, request: &Request, answer: impl Fn(&World, &Request) -> Reply) -> Reply {
    if has_cookie(request, "A3=") && request.parameter("crumb") == Some(crumb(world)) {
        return answer(world, request);
    }
    error("finance", "Unauthorized", "Invalid Crumb").status(401)
}

/// From the page to the form, from the form to the cookie, and back.
pub fn answer(world: &World, request: &Request, path: &str) -> Reply {
    match (request.method.as_str(), path) {
        ("GET", "/v1/test/getcrumb") if world.yahoo_crumb_throttled => Reply::text("text/plain", "Too Many Requests\r\n"),
        ("GET", "/v1/test/getcrumb") if has_cookie(request, "A3=") => Reply::text("text/plain", crumb(world)),
        ("GET", "/v1/test/getcrumb") => error("finance", "Unauthorized", "Invalid Cookie").status(401),
        ("GET", "/") if !world.yahoo_consent || has_cookie(request, "A3=") => page("<p>Quotes").with("set-cookie", COOKIE),
        ("GET", "/") => to("/yahoo/consent?brandType=nonEu&gcrumb=x").status(307).with("set-cookie", "GUCS=AV7; Path=/"),
        ("GET", "/consent") => to(&format!("/yahoo/v2/collectConsent?sessionId={SESSION}")),
        ("GET", "/v2/collectConsent") => page(&form()),
        ("POST", "/v2/collectConsent") if agrees(request) => to(&format!("/yahoo/copyConsent?sessionId={SESSION}")),
        ("GET", "/copyConsent") => to("/yahoo/?guccounter=1").with("set-cookie", COOKIE),
        _ => error("finance", "Not Found", "HTTP 404 Not Found").status(404),
    }
}

const COOKIE: &str = "A3=d=AQABBKvc; Max-Age=31536000; Path=/; HttpOnly";

fn crumb(world: &World) -> &str {
    if world.yahoo_crumb.is_empty() { CRUMB } else { &world.yahoo_crumb }
}

fn has_cookie(request: &Request, start: &str) -> bool {
    request.header("cookie").is_some_and(|cookies| cookies.split("; ").any(|cookie| cookie.starts_with(start)))
}

fn form() -> String {
    format!(
        r#"<form method="post" class="consent-form" action="">
        <input type="hidden" name="csrfToken" value="GoN&#x3D;er0">
        <input type="hidden" name="sessionId" value="{SESSION}">
        <button type="submit" name="agree" value="agree">Accept all</button>
        <button type="submit" name="reject" value="reject">Reject all</button></form>"#
    )
}

fn agrees(request: &Request) -> bool {
    let sent = |field: &str| request.body.split('&').any(|pair| pair == field);
    has_cookie(request, "GUCS=") && sent("csrfToken=GoN%3Der0") && sent(&format!("sessionId={SESSION}")) && sent("agree=agree")
}

fn page(body: &str) -> Reply {
    Reply::text("text/html; charset=utf-8", format!("<!doctype html><title>Yahoo</title>{body}"))
}

fn to(place: &str) -> Reply {
    Reply::text("text/html", "").status(302).with("location", place)
}
