//! The consent page.

use app::oauth::authorize::CheckedRequest;
use app::oauth::{Way, shown_host, shown_origin};
use askama::Template;
use axum::http::StatusCode;
use serving::{Denied, Reason};

use super::Asking;
use crate::Reply;
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{SignedIn, Visitor, links::own_path};

#[derive(Template)]
#[template(path = "connect.html")]
struct Page<'a> {
    shell: Shell,
    asking: Asking,
    lead: String,
    email: &'a str,
    /// Host of the redirect address, and how trustworthy it is.
    host: String,
    warning: Option<&'static str>,
    before: Option<Html>,
    /// The original request; it is validated again with the answer.
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

/// Browsers follow a form's redirect only to addresses that the policy allows, and the same goes for further redirects by the
/// app. A policy cannot name an IPv6 address.
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
    /// The app's host, and the address that reports the refusal to the app.
    back: Option<(String, String)>,
}

/// The redirect address cannot be trusted, so only the user sees the refusal.
pub fn show_refusal(visitor: &Visitor, reason: &str, back: Option<(String, String)>) -> Reply {
    let shell = visitor.shell(visitor.texts.connect.refused_title, Section::Settings);
    visitor.page_with(StatusCode::BAD_REQUEST, &RefusedPage { shell, reason, back })
}

#[derive(Template)]
#[template(path = "connect_ended.html")]
struct Ended<'a> {
    shell: Shell,
    lead: &'static str,
    /// Link to open the same request again.
    again: Option<&'a str>,
}

/// The operator removed the app: only the user learns of it, not the app.
pub fn removed(visitor: &Visitor) -> Reply {
    let t = &visitor.texts.connect;
    ended(visitor, StatusCode::FORBIDDEN, t.removed_title, t.removed_lead, None)
}

/// The form was already sent.
pub fn repeated(visitor: &Visitor, again: &str) -> Reply {
    let t = &visitor.texts.connect;
    ended(visitor, StatusCode::CONFLICT, t.repeated_title, t.repeated_lead, Some(again))
}

/// The form has expired, or belongs to another session or request.
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
