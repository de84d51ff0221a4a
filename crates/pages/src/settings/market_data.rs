//! `/settings/market-data`: where market data comes from, whether it arrives, and what is missing. Only the owner can change it.

use app::market::choice::{self, Choice};
use app::market::{Overview, ProviderCondition, ProviderOverview, overview};
use app::operations::jobs;
use askama::Template;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use messages::web::MarketData;
use serving::Reason;

use crate::page::Shell;
use crate::visit::{Form, Notice, PageError, SignedIn, Visitor, links};
use crate::{Reply, Web, portfolio_picker};

pub const PAGE: &str = "/settings/market-data";
pub const RECOMMENDED: [&str; 2] = ["yahoo", "ecb"];

#[derive(Template)]
#[template(path = "settings_market_data.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    problem: Option<String>,
    /// By what the operator decides.
    configured: Option<String>,
    providers: Vec<Row>,
    /// Whether anybody is asked.
    is_set: bool,
    due: i64,
    planned: i64,
    progress: String,
    held: usize,
    missing: Vec<Missing>,
    outdated_rates: Option<String>,
    complete: String,
    /// Empty if the visitor cannot change anything.
    choices: Vec<Offered>,
    untested: bool,
}

struct Row {
    name: &'static str,
    id: String,
    status: String,
    tone: &'static str,
    ok_at: Option<i64>,
    requests: Option<String>,
    can_test: bool,
    test: String,
}

struct Missing {
    what: &'static str,
    hint: &'static str,
    /// To the page where the user can do something about it.
    link: Option<&'static str>,
    count: String,
}

/// A provider that the owner can choose.
struct Offered {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    order_label: String,
    /// Its place in the order, from 1; 0 if it is not used.
    place: usize,
    needs_key: bool,
    has_key: bool,
}

/// The owner of the service. Others are refused.
pub struct Owner(SignedIn);

impl FromRequestParts<Web> for Owner {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Owner, Response> {
        let who = SignedIn::from_request_parts(parts, web).await?;
        match who.me.owner {
            true => Ok(Owner(who)),
            false => {
                Err(PageError::new(StatusCode::FORBIDDEN, |t| t.market_data.only_owner).because(Reason::NotOwner).into_response())
            }
        }
    }
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    who.visitor.page(&page(&web, &who, Typed::default()).await?)
}

/// The page used to be there.
pub async fn moved() -> Response {
    links::to(PAGE)
}

pub async fn choose(State(web): State<Web>, Owner(who): Owner, form: Form) -> Reply {
    let t = &who.visitor.texts.market_data;
    let typed = Typed::of(&form);
    let (order, keys) = (typed.order(), typed.keys());
    let choice = Choice { order: &order, keys: &keys };
    if !typed.untested
        && let Err(problem) = test_keys(&web, &who.visitor, &choice).await?
    {
        let problem = Some(t.not_saved(problem));
        return who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page(&web, &who, Typed { problem, ..typed }).await?);
    }
    match app::Error::or_refusal(choice::choose(&web.app, who.user_id(), &choice).await)? {
        Ok(()) if order.is_empty() => Ok(links::to_with(PAGE, &Notice::ok(t.saved_none))),
        Ok(()) => {
            jobs::refresh_soon(&web.app).await?;
            Ok(links::to_with(PAGE, &Notice::ok(t.saved)))
        }
        Err(refusal) => {
            let problem = Some(who.visitor.refusal(&refusal));
            who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page(&web, &who, Typed { problem, ..typed }).await?)
        }
    }
}

pub async fn refresh(State(web): State<Web>, Owner(who): Owner, _form: Form) -> Reply {
    match app::Error::or_refusal(jobs::refresh_soon(&web.app).await)? {
        Ok(()) => Ok(links::to_with(PAGE, &Notice::ok(who.visitor.texts.market_data.refreshing))),
        Err(refusal) => Ok(links::to_with(PAGE, &Notice::warn(who.visitor.refusal(&refusal)))),
    }
}

pub async fn test(State(web): State<Web>, Owner(who): Owner, form: Form) -> Reply {
    let (t, provider) = (&who.visitor.texts.market_data, form.text("provider"));
    let notice = match app::Error::or_refusal(choice::test(&web.app, provider, None).await)? {
        Ok(Ok(())) => Notice::ok(t.tested(t.name(provider))),
        Ok(Err(failure)) => Notice::warn(t.test_failed(failure_text(&who.visitor, &failure))),
        Err(refusal) => Notice::warn(who.visitor.refusal(&refusal)),
    };
    Ok(links::to_with(PAGE, &notice))
}

/// Sends one request with each new key; returns the first provider's reason for refusing it.
pub async fn test_keys(web: &Web, visitor: &Visitor, choice: &Choice<'_>) -> Result<Result<(), String>, PageError> {
    if let Err(refusal) = app::Error::or_refusal(choice::check(choice))? {
        return Ok(Err(visitor.refusal(&refusal)));
    }
    for (provider, key) in choice.keys.iter().filter(|(provider, _)| choice.order.contains(provider)) {
        if let Err(failure) = choice::test(&web.app, provider, Some(key)).await? {
            return Ok(Err(visitor.texts.market_data.test_failed(failure_text(visitor, &failure))));
        }
    }
    Ok(Ok(()))
}

fn failure_text(visitor: &Visitor, failure: &choice::Failure) -> String {
    messages::providers::failure(visitor.language(), failure)
}

/// What the form has: each provider's place in the order, and its new key.
#[derive(Default)]
struct Typed {
    places: Option<Vec<(&'static str, usize)>>,
    keys: Vec<(&'static str, String)>,
    untested: bool,
    problem: Option<String>,
}

impl Typed {
    fn of(form: &Form) -> Typed {
        let place = |id: &'static str| (id, form.text(&format!("order_{id}")).parse().unwrap_or(0));
        let key = |id: &'static str| Some((id, form.non_empty(&format!("key_{id}"))?.to_owned()));
        Typed {
            places: Some(choice::offered().map(place).collect()),
            keys: choice::offered().filter_map(key).collect(),
            untested: form.ticked("untested"),
            problem: None,
        }
    }

    fn order(&self) -> Vec<&'static str> {
        let mut used: Vec<(&'static str, usize)> =
            self.places.iter().flatten().copied().filter(|(_, place)| *place > 0).collect();
        used.sort_by_key(|(_, place)| *place);
        used.into_iter().map(|(id, _)| id).collect()
    }

    fn keys(&self) -> Vec<(&'static str, &str)> {
        self.keys.iter().map(|(id, key)| (*id, key.as_str())).collect()
    }
}

async fn page(web: &Web, who: &SignedIn, typed: Typed) -> Result<Page, PageError> {
    let seen = overview(&web.app, who.user_id()).await?;
    let t = &who.visitor.texts.market_data;
    let can_change = who.me.owner && !seen.origin.is_configured();
    let configured =
        seen.origin.is_configured().then(|| t.configured(messages::providers::origin(who.visitor.language(), &seen.origin)));
    let mut rows: Vec<Row> = seen.providers.iter().map(|provider| row(who, provider)).collect();
    rows.extend(seen.without_key.iter().map(|name| without_key(t, name)));
    Ok(Page {
        shell: who.settings(t.title),
        tab: "market-data",
        configured,
        is_set: !seen.providers.is_empty(),
        due: seen.due,
        planned: seen.planned,
        progress: t.progress(seen.due, seen.planned),
        held: seen.held,
        missing: missing(t, &seen),
        outdated_rates: portfolio_picker::outdated_rates(&who.visitor, seen.outdated_rates),
        complete: t.complete(seen.held),
        choices: if can_change { choices(web, t, &seen, &typed).await? } else { Vec::new() },
        untested: typed.untested,
        problem: typed.problem,
        providers: rows,
    })
}

fn row(who: &SignedIn, provider: &ProviderOverview) -> Row {
    let t = &who.visitor.texts.market_data;
    let name = t.name(&provider.name);
    let (status, tone) = match &provider.condition {
        ProviderCondition::Folder => (t.watched.to_owned(), "ok"),
        ProviderCondition::NeverAsked => (t.never_asked.to_owned(), ""),
        ProviderCondition::Answers => (t.answers.to_owned(), "ok"),
        ProviderCondition::Fails(fault) => {
            (t.fails(messages::providers::stored_fault(who.visitor.language(), &provider.name, fault)), "problem")
        }
    };
    Row {
        id: provider.name.clone(),
        name,
        status,
        tone,
        ok_at: provider.ok_at,
        requests: provider.requests.map(|(used, budget)| t.requests_of(used, budget)),
        can_test: who.me.owner && provider.condition != ProviderCondition::Folder,
        test: t.test_of(name),
    }
}

fn without_key(t: &MarketData, id: &str) -> Row {
    let (name, status) = (t.name(id), t.key_unreadable.to_owned());
    Row { id: id.to_owned(), name, status, tone: "problem", ok_at: None, requests: None, can_test: false, test: String::new() }
}

/// Only what is missing.
fn missing(t: &MarketData, seen: &Overview) -> Vec<Missing> {
    let lines = [
        (t.unmatched, t.unmatched_hint, Some("/securities"), seen.unmatched),
        (t.without_price, "", None, seen.without_price),
        (t.without_dividends, t.without_dividends_hint, None, seen.without_dividends),
    ];
    let lacking = lines.into_iter().filter(|(.., count)| *count > 0);
    lacking.map(|(what, hint, link, count)| Missing { what, hint, link, count: t.of_held(count, seen.held) }).collect()
}

async fn choices(web: &Web, t: &MarketData, seen: &Overview, typed: &Typed) -> Result<Vec<Offered>, PageError> {
    let with_key = choice::with_key(&web.app).await?;
    let place = |id: &str| match &typed.places {
        Some(places) => places.iter().find(|(name, _)| *name == id).map_or(0, |(_, place)| *place),
        None => seen.providers.iter().position(|provider| provider.name == id).map_or(0, |at| at + 1),
    };
    let offered = |id: &'static str| Offered {
        id,
        name: t.name(id),
        about: t.about(id),
        order_label: t.order(t.name(id)),
        place: place(id),
        needs_key: choice::needs_key(id),
        has_key: with_key.contains(&id),
    };
    Ok(choice::offered().map(offered).collect())
}
