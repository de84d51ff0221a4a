//! `/welcome` creates the first account, `/sign-up` the others. If mail can be sent, `/sign-up` only asks for the e-mail address;
//! the link mailed there, `/sign-up/{secret}`, asks for the rest.

use app::accounts::{self, NewAccount, SignUp, invitations};
use app::authentication::sign_in::{self, Attempt, Outcome};
use app::market::choice::{self, Choice};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serving::Query;
use uuid::Uuid;

use crate::account::sign_in as signing_in;
use crate::format::choices::{Choices, choices};
use crate::page::{Section, Shell};
use crate::settings::market_data;
use crate::visit::{Form, Notice, PageError, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "sign_up.html")]
struct Page {
    shell: Shell,
    action: String,
    submit: &'static str,
    lead: Option<&'static str>,
    problem: Option<String>,
    /// Whether the form is shown.
    open: bool,
    asks: Asks,
    first: bool,
    /// Asked of the first account, unless the operator decided.
    market_data: Option<MarketData>,
    invite: Option<String>,
    typed: Typed,
    choices: Choices,
}

/// Where market data comes from: the choice so far, and the providers with a key.
struct MarketData {
    source: String,
    provider: String,
    providers: Vec<(&'static str, &'static str)>,
}

/// The fields a form has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    Everything,
    Address,
    /// The address is known from the mailed link.
    Rest,
}

/// What was typed, to show the form again.
struct Typed {
    email: String,
    name: String,
    currency: String,
    residence: String,
    source: String,
    provider: String,
}

impl Typed {
    fn of(form: &Form) -> Typed {
        let text = |name: &str| form.text(name).to_owned();
        Typed {
            email: text("email"),
            name: text("name"),
            currency: text("currency"),
            residence: text("residence"),
            source: text("source"),
            provider: text("provider"),
        }
    }

    fn nothing() -> Typed {
        Typed {
            email: String::new(),
            name: String::new(),
            currency: "EUR".to_owned(),
            residence: String::new(),
            source: String::new(),
            provider: String::new(),
        }
    }

    fn account<'a>(&'a self, password: &'a str) -> NewAccount<'a> {
        NewAccount {
            email: &self.email,
            name: Some(self.name.as_str()).filter(|name| !name.is_empty()),
            currency: &self.currency,
            residence: Some(self.residence.as_str()).filter(|code| !code.is_empty()),
            password: Some(password),
        }
    }
}

pub async fn get_welcome(State(web): State<Web>, visitor: Visitor) -> Reply {
    match accounts::is_first_start(&web.app).await? {
        true => visitor.page(&welcome(&web, &visitor, Typed::nothing(), None)),
        false => Ok(links::to("/")),
    }
}

pub async fn post_welcome(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    let (typed, password) = (Typed::of(&form), form.raw("password"));
    let again = |status, typed, problem| visitor.page_with(status, &welcome(&web, &visitor, typed, Some(problem)));
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let page = again(StatusCode::TOO_MANY_REQUESTS, typed, visitor.texts.error_page.too_many.to_owned());
        return signing_in::too_many_attempts(page, seconds);
    }
    let key = (typed.provider.clone(), form.text("key").to_owned());
    let keys = [(key.0.as_str(), key.1.as_str())];
    let with_key = [key.0.as_str(), "ecb"];
    let choice = match typed.source.as_str() {
        _ if web.app.sources().origin.is_configured() => None,
        "recommended" => Some(Choice { order: &market_data::RECOMMENDED, keys: &[] }),
        "key" => Some(Choice { order: &with_key, keys: &keys }),
        "none" => Some(Choice { order: &[], keys: &[] }),
        _ => return again(StatusCode::UNPROCESSABLE_ENTITY, typed, visitor.texts.market_data.choose_one.to_owned()),
    };
    if let Some(Err(refusal)) = choice.as_ref().map(|choice| app::Error::or_refusal(choice::check(choice))).transpose()? {
        return again(StatusCode::UNPROCESSABLE_ENTITY, typed, visitor.refusal(&refusal));
    }
    let user_id = match app::Error::or_refusal(accounts::first(&web.app, &typed.account(password)).await)? {
        Ok(user_id) => user_id,
        Err(refusal) => return again(StatusCode::UNPROCESSABLE_ENTITY, typed, visitor.refusal(&refusal)),
    };
    let problem = match choice {
        Some(choice) => choose(&web, &visitor, user_id, &choice).await?.err(),
        None => None,
    };
    let address = web.client(&parts).to_string();
    let attempt =
        Attempt { email: &typed.email, password, device: None, agent: signing_in::agent(&parts.headers), address: &address };
    let next = if problem.is_some() { market_data::PAGE } else { "/" };
    let mut response = match sign_in::sign_in(&web.app, &attempt).await? {
        Outcome::Open { session, device } => signing_in::signed_in(&session, &device, next),
        _ => links::to("/sign-in"),
    };
    if let Some(problem) = problem {
        Notice::warn(visitor.texts.market_data.account_made(problem)).put(response.headers_mut());
    }
    Ok(response)
}

/// The account stays if the provider refuses its key.
async fn choose(web: &Web, visitor: &Visitor, user_id: Uuid, choice: &Choice<'_>) -> Result<Result<(), String>, PageError> {
    if let Err(problem) = market_data::test_keys(web, visitor, choice).await? {
        return Ok(Err(problem));
    }
    let chosen = app::Error::or_refusal(choice::choose(&web.app, user_id, choice).await)?;
    Ok(chosen.map_err(|refusal| visitor.refusal(&refusal)))
}

fn welcome(web: &Web, visitor: &Visitor, typed: Typed, problem: Option<String>) -> Page {
    let (t, names) = (&visitor.texts.sign_in, &visitor.texts.market_data);
    let market_data = (!web.app.sources().origin.is_configured()).then(|| MarketData {
        source: typed.source.clone(),
        provider: typed.provider.clone(),
        providers: choice::offered().filter(|name| choice::needs_key(name)).map(|name| (name, names.name(name))).collect(),
    });
    Page {
        shell: Shell { offers_sign_in: false, ..visitor.shell(t.welcome_title, Section::None) },
        action: "/welcome".to_owned(),
        submit: t.welcome_submit,
        lead: Some(t.welcome_lead),
        problem,
        open: true,
        asks: Asks::Everything,
        first: true,
        market_data,
        invite: None,
        typed,
        choices: choices(visitor),
    }
}

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    if accounts::is_first_start(&web.app).await? {
        return Ok(links::to("/welcome"));
    }
    let query = Query::parse(parts.uri.query()).ok();
    let invite = query.as_ref().and_then(|query| query.text("invite").ok().flatten()).map(str::to_owned);
    visitor.page(&others(&web, &visitor, invite, Typed::nothing(), None))
}

/// Answers the same whether or not the address has an account.
pub async fn post(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    let t = &visitor.texts.sign_in;
    let (typed, invite) = (Typed::of(&form), form.non_empty("invite").map(str::to_owned));
    let again =
        |status, typed, problem: String| visitor.page_with(status, &others(&web, &visitor, invite.clone(), typed, Some(problem)));
    if web.shared.sign_up == SignUp::Closed {
        return again(StatusCode::FORBIDDEN, typed, t.sign_up_closed.to_owned());
    }
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let page = again(StatusCode::TOO_MANY_REQUESTS, typed, visitor.texts.error_page.too_many.to_owned());
        return signing_in::too_many_attempts(page, seconds);
    }
    if web.shared.sign_up == SignUp::Invite && !invitations::is_good(&web.app, invite.as_deref().unwrap_or_default()).await? {
        return again(StatusCode::FORBIDDEN, typed, t.sign_up_invitation_bad.to_owned());
    }
    let (app, rule, invite) = (&web.app, web.shared.sign_up, invite.as_deref());
    let (done, notice) = match accounts::can_mail(app) {
        true => {
            let sent = accounts::request_sign_up(app, rule, &typed.email, invite, web.base_url(), visitor.letters());
            (sent.await, t.sign_up_mailed)
        }
        false => (accounts::sign_up(app, rule, &typed.account(form.raw("password")), invite).await, t.sign_up_done),
    };
    match app::Error::or_refusal(done)? {
        Ok(()) => Ok(links::to_with("/sign-in", &Notice::ok(notice))),
        Err(refusal) => again(StatusCode::UNPROCESSABLE_ENTITY, typed, visitor.refusal(&refusal)),
    }
}

fn others(web: &Web, visitor: &Visitor, invite: Option<String>, typed: Typed, problem: Option<String>) -> Page {
    let t = &visitor.texts.sign_in;
    let lead = match (web.shared.sign_up, &invite) {
        (SignUp::Closed, _) => Some(t.sign_up_closed),
        (SignUp::Invite, None) => Some(t.sign_up_invitation),
        _ => None,
    };
    let by_mail = accounts::can_mail(&web.app);
    Page {
        shell: visitor.shell(t.sign_up_title, Section::None),
        action: "/sign-up".to_owned(),
        submit: if by_mail { t.sign_up_mail_submit } else { t.sign_up_submit },
        open: lead.is_none(),
        asks: if by_mail { Asks::Address } else { Asks::Everything },
        lead: lead.or(by_mail.then_some(t.sign_up_mail_lead)),
        problem,
        first: false,
        market_data: None,
        invite,
        typed,
        choices: choices(visitor),
    }
}

/// Opening the link creates nothing, because mail programs open links too.
pub async fn get_link(State(web): State<Web>, visitor: Visitor, Path(secret): Path<String>) -> Reply {
    let email = accounts::sign_up_address(&web.app, &secret).await?;
    let status = if email.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    visitor.page_with(status, &by_link(&visitor, &secret, email, Typed::nothing(), None))
}

pub async fn post_link(State(web): State<Web>, parts: Parts, visitor: Visitor, Path(secret): Path<String>, form: Form) -> Reply {
    let t = &visitor.texts.sign_in;
    let typed = Typed::of(&form);
    let email = accounts::sign_up_address(&web.app, &secret).await?;
    let again = |status, email, typed, problem| visitor.page_with(status, &by_link(&visitor, &secret, email, typed, problem));
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let too_many = Some(visitor.texts.error_page.too_many.to_owned());
        return signing_in::too_many_attempts(again(StatusCode::TOO_MANY_REQUESTS, email, typed, too_many), seconds);
    }
    let account = typed.account(form.raw("password"));
    match app::Error::or_refusal(accounts::finish_sign_up(&web.app, web.shared.sign_up, &secret, &account).await)? {
        Ok(true) => Ok(links::to_with("/sign-in", &Notice::ok(t.sign_up_ready))),
        Ok(false) => again(StatusCode::NOT_FOUND, None, typed, None),
        Err(refusal) => again(StatusCode::UNPROCESSABLE_ENTITY, email, typed, Some(visitor.refusal(&refusal))),
    }
}

fn by_link(visitor: &Visitor, secret: &str, email: Option<String>, typed: Typed, problem: Option<String>) -> Page {
    let t = &visitor.texts.sign_in;
    let open = email.is_some();
    Page {
        shell: visitor.shell(t.sign_up_title, Section::None),
        action: format!("/sign-up/{}", links::escaped(secret)),
        submit: t.sign_up_submit,
        lead: open.then_some(t.sign_up_link_lead),
        problem: problem.or((!open).then(|| t.sign_up_link_bad.to_owned())),
        open,
        asks: Asks::Rest,
        first: false,
        market_data: None,
        invite: None,
        typed: Typed { email: email.unwrap_or_default(), ..typed },
        choices: choices(visitor),
    }
}
