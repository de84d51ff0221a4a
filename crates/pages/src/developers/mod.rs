//! `/developers`: the API reference for people, generated from the OpenAPI description.

mod document;
mod fields;
mod prose;
mod reference;
mod sample;

use askama::Template;
use axum::extract::State;

use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::Visitor;
use crate::{Reply, Web};

use messages::web::Developers;
pub use reference::Reference;
use reference::Token;

#[derive(Template)]
#[template(path = "developers.html")]
struct Page<'a> {
    shell: Shell,
    signed_in: bool,
    base_url: &'a str,
    authentication: Vec<Html>,
    assistant: Vec<Html>,
    conventions: Vec<(&'static str, Html)>,
    reference: &'a Reference,
}

pub async fn get(State(web): State<Web>, visitor: Visitor) -> Reply {
    let t = &visitor.texts.developers;
    let page = Page {
        shell: visitor.shell(t.title, Section::Developers),
        signed_in: visitor.me.is_some(),
        base_url: web.base_url(),
        authentication: [t.auth_header, t.auth_make, t.auth_apps, t.auth_revoke, t.auth_public].map(prose::html).to_vec(),
        assistant: [t.assistant_sign_in, t.assistant_token, t.assistant_tools, t.assistant_revoke, t.assistant_care]
            .map(prose::html)
            .to_vec(),
        conventions: conventions(t),
        reference: &web.shared.reference,
    };
    visitor.page(&page)
}

fn conventions(t: &'static Developers) -> Vec<(&'static str, Html)> {
    let rules = [
        (t.money, t.money_rule),
        (t.rates, t.rates_rule),
        (t.dates, t.dates_rule),
        (t.parameters, t.parameters_rule),
        (t.absent, t.absent_rule),
        (t.caching, t.caching_rule),
        (t.limits, t.limits_rule),
        (t.versions, t.versions_rule),
    ];
    rules.map(|(name, rule)| (name, prose::html(rule))).to_vec()
}
