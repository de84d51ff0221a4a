//! `/settings`: name, currency, tax residence, numbers, and how long a session stays open.

use app::accounts::{self, NewProfile};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use messages::web::Texts;

use crate::format::CHOICES;
use crate::format::choices::{Choices, choices};
use crate::page::Shell;
use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

const IDLE_CHOICES: [i64; 4] = [15, 60, 24 * 60, 7 * 24 * 60];

#[derive(Template)]
#[template(path = "settings.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    problem: Option<String>,
    typed: Typed,
    choices: Choices,
    formats: [(&'static str, &'static str); 4],
    /// Minutes, and the same as text.
    idle: Vec<(i64, String)>,
}

struct Typed {
    name: String,
    currency: String,
    residence: String,
    number_format: String,
    idle: i64,
}

pub async fn get(who: SignedIn) -> Reply {
    let me = &who.me;
    let typed = Typed {
        name: me.name.clone().unwrap_or_default(),
        currency: me.preferred_currency.code().to_owned(),
        residence: me.residence.clone().unwrap_or_default(),
        number_format: me.number_format.clone().unwrap_or_default(),
        idle: me.session_idle_minutes,
    };
    who.visitor.page(&page(&who, typed, None))
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = &who.visitor.texts.settings;
    let typed = Typed {
        name: form.text("name").to_owned(),
        currency: form.text("currency").to_owned(),
        residence: form.text("residence").to_owned(),
        number_format: form.text("number_format").to_owned(),
        idle: form.text("idle").parse().unwrap_or_default(),
    };
    let again = |typed, problem| who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page(&who, typed, Some(problem)));
    if !typed.number_format.is_empty() && !CHOICES.iter().any(|(name, _)| *name == typed.number_format) {
        return again(typed, t.number_format_unknown.to_owned());
    }
    let profile = NewProfile {
        name: form.non_empty("name"),
        currency: &typed.currency,
        residence: form.non_empty("residence"),
        number_format: form.non_empty("number_format"),
        session_idle_minutes: typed.idle,
    };
    match app::Error::or_refusal(accounts::set_profile(&web.app, who.user_id(), &profile).await)? {
        Ok(()) => Ok(links::to_with("/settings", &Notice::ok(t.saved))),
        Err(refusal) => again(typed, who.visitor.refusal(&refusal)),
    }
}

fn page(who: &SignedIn, typed: Typed, problem: Option<String>) -> Page {
    let mut idle = IDLE_CHOICES.to_vec();
    let now = who.me.session_idle_minutes;
    if !idle.contains(&now) {
        idle.push(now);
        idle.sort_unstable();
    }
    let t = who.visitor.texts;
    let idle = idle.into_iter().map(|minutes| (minutes, in_words(t, minutes))).collect();
    Page {
        shell: who.settings(t.settings.title),
        tab: "profile",
        problem,
        typed,
        choices: choices(&who.visitor),
        formats: CHOICES,
        idle,
    }
}

fn in_words(t: &Texts, minutes: i64) -> String {
    let minutes = minutes.unsigned_abs();
    match minutes {
        _ if minutes.is_multiple_of(24 * 60) => t.settings.idle_days(minutes / (24 * 60)),
        _ if minutes.is_multiple_of(60) => t.settings.idle_hours(minutes / 60),
        _ => t.settings.idle_minutes(minutes),
    }
}
