//! The page that asks.

use app::oauth::authorize::CheckedRequest;
use app::oauth::{Way, shown_host, shown_origin};
use askama::Template;
use axum::http::StatusCode;

use super::Asking;
use crate::http::{Denied, Reason};
use crate::web::Reply;
use crate::web::format::Html;
use crate::web::links::own_path;
use crate::web::page::{Section, Shell};
use crate::web::visitor::{SignedIn, Visitor};

#[derive(Template)]
#[template(path = "connect.html")]
struct Page<'a> {
    shell: Shell,
    asking: Asking,
    lead: String,
    email: &'a str,
    /// Where the answer goes, and what to think of it.
    host: String,
    warning: Option<&'static str>,
    before: Option<Html>,
    /// The request as it came; it is checked again with the answer.
    request: &'a str,
    once: String,
}

pub fn page(who: &SignedIn, asked: &CheckedRequest, request: &str, before: Option<i64>, now: i64) -> Reply {
    let visitor = &who.visitor;
    let t = &visitor.texts.connect;
    let page = Page {
        shell: visitor.shell(t.title, Section::Settings),
        asking: Asking::of(&asked.client, asked.audience, visitor.texts),
        lead: t.lead(t.app_name(&asked.client.name)),
        email: &who.me.email,
        host: shown_host(&asked.redirect_uri),
        warning: match asked.way {
            Way::Web => None,
            Way::Loopback => Some(t.warn_loopback),
            Way::Private => Some(t.warn_private),
        },
        before: before.map(|at| visitor.format.instant(at)),
        request,
        once: visitor.single_use_token(request, now),
    };
    visitor.page_leading_to(&page, &form_targets(asked))
}

/// Browsers follow the answer of a form only to where the policy allows, and so they do with where the app sends them on from there. A
/// policy cannot name an IPv6 address.
fn form_targets(asked: &CheckedRequest) -> String {
    let origin = shown_origin(&asked.redirect_uri);
    match asked.way {
        Way::Loopback if origin.contains('[') => "http: https:".to_owned(),
        Way::Loopback => format!("{origin} http://127.0.0.1:* http://localhost:* https:"),
        Way::Web | Way::Private => format!("{origin} https:"),
    }
}

#[derive(Template)]
#[template(path = "connect_refused.html")]
struct RefusedPage<'a> {
    shell: Shell,
    reason: &'a str,
    /// The app's host, and the address that tells the app.
    back: Option<(String, String)>,
}

/// Nobody knows where an answer would go, so the person is told.
pub fn show_refusal(visitor: &Visitor, reason: &str, back: Option<(String, String)>) -> Reply {
    let shell = visitor.shell(visitor.texts.connect.refused_title, Section::Settings);
    visitor.page_with(StatusCode::BAD_REQUEST, &RefusedPage { shell, reason, back })
}

#[derive(Template)]
#[template(path = "connect_ended.html")]
struct Ended<'a> {
    shell: Shell,
    lead: &'static str,
    /// Where the same request is looked at again.
    again: Option<&'a str>,
}

/// The operator removed the app: it is told to nobody but the person.
pub fn removed(visitor: &Visitor) -> Reply {
    let t = &visitor.texts.connect;
    ended(visitor, StatusCode::FORBIDDEN, t.removed_title, t.removed_lead, None)
}

/// A form that was sent before.
pub fn repeated(visitor: &Visitor, again: &str) -> Reply {
    let t = &visitor.texts.connect;
    ended(visitor, StatusCode::CONFLICT, t.repeated_title, t.repeated_lead, Some(again))
}

/// A form that is past, or that another session or request had.
pub fn expired(visitor: &Visitor, again: &str) -> Reply {
    let t = &visitor.texts.connect;
    let mut response = ended(visitor, StatusCode::FORBIDDEN, t.expired_title, t.expired_lead, Some(again))?;
    response.extensions_mut().insert(Denied::from(Reason::FormToken));
    Ok(response)
}

fn ended(visitor: &Visitor, status: StatusCode, title: &str, lead: &'static str, again: Option<&str>) -> Reply {
    let shell = visitor.shell(title, Section::Settings);
    visitor.page_with(status, &Ended { shell, lead, again: again.map(own_path) })
}
