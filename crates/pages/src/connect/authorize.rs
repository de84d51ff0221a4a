//! `GET /oauth/authorize` asks the user on behalf of an app; `POST /oauth/consent` takes the answer.

use app::oauth::authorize::{CheckedRequest, Refusal, Request, allowed_before, approve, check, deny};
use app::oauth::{Refused, shown_host};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::response::Response;
use messages::errors::{oauth, unanswerable};
use serving::{Denied, Fields, Reason};

use super::{consent, form_of, is_recent};
use crate::visit::{Form, PageError, SignedIn, Visitor, links};
use crate::{Reply, Web};

/// Refuses what can never be allowed before anybody signs in, because a browser does not follow a redirect from the sign-in form
/// to an app.
pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let query = parts.uri.query().unwrap_or_default();
    let fields = read(query)?;
    let admitted = visitor.me.is_some() || web.shared.strangers.check(web.client(&parts).into()).await.allowed;
    if !admitted {
        // Signed-in users may cause us to fetch more app descriptions.
        let mut response = visitor.to_sign_in(&web, true).await;
        response.extensions_mut().insert(Denied::from(Reason::Limit));
        return Ok(response);
    }
    let asked = match check_request(&web, &fields).await {
        Ok(asked) => asked,
        // Visitors who are not signed in are not redirected to an address that anybody could have made up.
        Err(Refusal::Sent { to, refused }) if visitor.me.is_none() => {
            let description = oauth(visitor.language(), &refused);
            let back = address(&web, &to, &fields, &[("error", refused.code()), ("error_description", &description)]);
            return consent::show_refusal(&visitor, &description, Some((shown_host(&to), back)));
        }
        Err(refusal) => return refused(&web, &visitor, &fields, refusal),
    };
    let Some(me) = visitor.me.clone() else { return Ok(visitor.to_sign_in(&web, true).await) };
    let who = SignedIn { me, visitor };
    if !is_recent(&web, &who) {
        return Ok(who.visitor.to_confirm());
    }
    let before = allowed_before(&web.app, who.user_id(), &asked).await?;
    consent::page(&who, &asked, query, before, web.app.clock.now_micros())
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let request = form.raw("request");
    let fields = read(request)?;
    let again = format!("/oauth/authorize?{request}");
    if !is_recent(&web, &who) {
        return Ok(links::to_confirm_for(&again));
    }
    let Some(once) = form_of(&web, &who, form.raw("once"), request) else { return consent::expired(&who.visitor, &again) };
    let asked = match check_request(&web, &fields).await {
        Ok(asked) => asked,
        Err(refusal) => return refused(&web, &who.visitor, &fields, refusal),
    };
    let allowed = form.text("decision") == "allow";
    let code = match allowed {
        true => approve(&web.app, who.user_id(), &asked, once).await?,
        false => deny(&web.app, who.user_id(), once).await?.then(String::new),
    };
    match code {
        None => consent::repeated(&who.visitor, &again),
        Some(code) if allowed => Ok(answer(&web, &asked.redirect_uri, &fields, &[("code", &code)])),
        Some(_) => {
            let description = oauth(who.visitor.language(), &Refused::Denied);
            let refusal = [("error", Refused::Denied.code()), ("error_description", &description)];
            Ok(answer(&web, &asked.redirect_uri, &fields, &refusal))
        }
    }
}

fn read(query: &str) -> Result<Fields, PageError> {
    Fields::parse(query).ok_or_else(|| PageError::new(StatusCode::BAD_REQUEST, |t| t.connect.malformed))
}

async fn check_request(web: &Web, fields: &Fields) -> Result<CheckedRequest, Refusal> {
    let request = Request {
        response_type: fields.get("response_type"),
        client_id: fields.get("client_id"),
        redirect_uri: fields.get("redirect_uri"),
        scope: fields.get("scope"),
        code_challenge: fields.get("code_challenge"),
        code_challenge_method: fields.get("code_challenge_method"),
        resource: fields.get("resource"),
        repeated: fields.repeated(),
    };
    check(&web.app, web.documents(), web.base_url(), request).await
}

fn refused(web: &Web, visitor: &Visitor, fields: &Fields, refusal: Refusal) -> Reply {
    match refusal {
        Refusal::Other(error) => Err(error.into()),
        Refusal::Unanswerable(reason) => consent::show_refusal(visitor, &unanswerable(visitor.language(), &reason), None),
        Refusal::Removed => consent::removed(visitor),
        Refusal::Sent { to, refused } => {
            let description = oauth(visitor.language(), &refused);
            Ok(answer(web, &to, fields, &[("error", refused.code()), ("error_description", &description)]))
        }
    }
}

/// Redirects the browser back to the app.
fn answer(web: &Web, to: &str, fields: &Fields, what: &[(&str, &str)]) -> Response {
    let mut response = links::to(&address(web, to, fields, what));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Every answer names its issuer and repeats the app's `state`.
fn address(web: &Web, to: &str, fields: &Fields, what: &[(&str, &str)]) -> String {
    let state = fields.get("state").map(|state| ("state", state));
    let all = what.iter().copied().chain(state).chain([("iss", web.base_url())]);
    let query: Vec<String> = all.map(|(name, value)| format!("{name}={}", links::escaped(value))).collect();
    let join = if to.contains('?') { '&' } else { '?' };
    format!("{to}{join}{}", query.join("&"))
}
