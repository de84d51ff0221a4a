//! `/dividends/missing`: payments that market data knows and nobody recorded. They are recorded, ignored, or suggested again.

mod form;

use app::automatic::{self, Automatic, Key, Suggestion, Suggestions};
use app::explain::{Figure, Question};
use app::portfolios;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::{Decimal, Money};
use serving::Query;

use self::form::{Problem, Sent, Sentence, Typed, code};
use crate::format::{Html, escaped, figures};
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, PageError, SignedIn, Visitor, links};
use crate::{Reply, Web, portfolio_picker};

#[derive(Template)]
#[template(path = "missing.html")]
struct Page {
    shell: Shell,
    picker: portfolio_picker::Picker,
    /// How many payments are missing, and what they come to.
    headline: Html,
    rows: Vec<Row>,
    beside: Vec<Beside>,
    ignored: Vec<Ignored>,
    ignored_title: String,
    cut_off: Option<String>,
    /// Portfolios for which nothing is suggested, and those for which payments are recorded automatically.
    off: Option<String>,
    automatic: Option<String>,
    problems: Vec<Sentence>,
    /// Dividends were just recorded.
    recorded: bool,
    /// Whether a dividend in the table buys shares.
    reinvests: bool,
}

struct Row {
    what: What,
    picked: bool,
    select_label: String,
    date: Field,
    pay_date_known: bool,
    /// Gross, tax and net.
    amounts: [Field; 3],
    currency: String,
}

struct Field {
    name: &'static str,
    heading: &'static str,
    label: String,
    value: String,
    is_invalid: bool,
}

/// A payment as it stands in all lists.
struct What {
    code: String,
    symbol: String,
    link: String,
    name: Option<String>,
    portfolio: Option<String>,
    special: bool,
    shares: Html,
    per_share: Html,
    /// After estimated tax.
    net: Html,
    /// The shares that it buys, and their price.
    buys: Option<Html>,
}

struct Beside {
    what: What,
    question: String,
    same_label: String,
    both_label: String,
}

struct Ignored {
    what: What,
    date: Html,
    pay_date_known: bool,
    again_label: String,
}

const PATH: &str = "/dividends/missing";
/// Keeps page and form small; the next ones follow when these are recorded or ignored.
const ROWS_MAX: usize = 200;

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let portfolio = portfolio_picker::portfolio(&parts);
    let found = automatic::suggestions(&web.app, who.user_id(), portfolio.as_deref()).await?;
    let query = Query::parse(parts.uri.query()).ok();
    let recorded = query.is_some_and(|query| query.boolean("recorded", false).unwrap_or(false));
    show(&web, &who, portfolio.as_deref(), found, Sent::default(), Vec::new(), recorded).await
}

/// `/dividends/missing/{action}`, reloaded after a form with errors.
pub async fn back(_who: SignedIn, parts: Parts) -> Reply {
    Ok(links::to(&address(portfolio_picker::portfolio(&parts).as_deref())))
}

/// `/dividends/missing/{action}`
pub async fn post(State(web): State<Web>, who: SignedIn, Path(action): Path<String>, form: Form) -> Reply {
    let Some(action) = Action::parse(&action) else { return Err(PageError::not_found()) };
    let portfolio = form.non_empty("portfolio");
    let found = automatic::suggestions(&web.app, who.user_id(), portfolio).await?;
    let sent = Sent::of(&form);
    let address = |recorded: bool| {
        let recorded = recorded.then(|| ("recorded", "true".to_owned()));
        links::with_query(PATH, portfolio.map(|name| ("portfolio", name.to_owned())).into_iter().chain(recorded))
    };
    let t = &who.visitor.texts.missing;
    match act(&web, &who, action, &found, &sent).await? {
        Ok(0) => Ok(links::to_with(&address(false), &Notice::warn(t.gone))),
        Ok(n) => {
            let notice = match action {
                Action::Record | Action::RecordAll | Action::Both => t.recorded(n as u64),
                Action::Ignore | Action::Same => t.ignored(n as u64),
                Action::Again => t.suggested(n as u64),
            };
            let recorded = matches!(action, Action::Record | Action::RecordAll | Action::Both);
            Ok(links::to_with(&address(recorded), &Notice::ok(notice)))
        }
        Err(problems) => show(&web, &who, portfolio, found, sent, problems, false).await,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Record,
    RecordAll,
    Ignore,
    /// A payment beside a recorded one is that one.
    Same,
    /// It is another one.
    Both,
    Again,
}

impl Action {
    fn parse(word: &str) -> Option<Action> {
        Some(match word {
            "record" => Action::Record,
            "record-all" => Action::RecordAll,
            "ignore" => Action::Ignore,
            "same" => Action::Same,
            "both" => Action::Both,
            "again" => Action::Again,
            _ => return None,
        })
    }
}

/// Returns for how many payments it was done: only for the user's own that are still listed.
async fn act(
    web: &Web,
    who: &SignedIn,
    action: Action,
    found: &Suggestions,
    sent: &Sent,
) -> Result<Result<usize, Vec<Problem>>, app::Error> {
    let (app, user_id, visitor) = (&web.app, who.user_id(), &who.visitor);
    let only_picked = matches!(action, Action::Record | Action::Ignore);
    if only_picked && !sent.has_picked() {
        return Ok(Err(vec![Problem::general(visitor.texts.missing.none_selected)]));
    }
    let list = if action == Action::Again { &found.ignored } else { &found.open };
    let meant =
        || list.iter().filter_map(|one| Some((one, sent.get(&one.key)?))).filter(|(_, typed)| !only_picked || typed.picked);
    let keys = || meant().map(|(one, _)| one.key.clone()).collect::<Vec<Key>>();
    let chosen = match action {
        Action::Again => return automatic::unignore(app, user_id, &keys()).await.map(|()| Ok(keys().len())),
        Action::Ignore | Action::Same => return automatic::ignore(app, user_id, &keys()).await.map(|()| Ok(keys().len())),
        Action::Both => Ok(keys().into_iter().map(form::as_suggested).collect()),
        Action::Record | Action::RecordAll => form::chosen(visitor, meant()),
    };
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(problems) => return Ok(Err(problems)),
    };
    match automatic::record(app, user_id, &chosen).await {
        Ok(recorded) => Ok(Ok(recorded)),
        Err(app::Error::Payments(payments)) => Ok(Err(form::problems(visitor, payments))),
        Err(error) => Err(error),
    }
}

async fn show(
    web: &Web,
    who: &SignedIn,
    portfolio: Option<&str>,
    found: Suggestions,
    sent: Sent,
    problems: Vec<Problem>,
    recorded: bool,
) -> Reply {
    let visitor = &who.visitor;
    let t = &visitor.texts.missing;
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let names = |mode: Automatic| {
        let names: Vec<&str> = portfolios.iter().filter(|one| one.automatic == mode).map(|one| one.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let (off, automatic) = (names(Automatic::Off), names(Automatic::Record));
    let headline = headline(visitor, &found, portfolio);
    let (beside, missing): (Vec<_>, Vec<_>) = found.open.into_iter().partition(|one| one.beside.is_some());
    let is_cut = [&missing, &beside, &found.ignored].iter().any(|list| list.len() > ROWS_MAX);
    let shown: Vec<&Suggestion> = missing.iter().take(ROWS_MAX).collect();
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let page = Page {
        reinvests: shown.iter().any(|one| one.bought.is_some()),
        headline: headline.unwrap_or(Html(String::new())),
        rows: shown.iter().map(|one| row(visitor, one, &sent, &problems, portfolio)).collect(),
        problems: form::sentences(visitor, &shown, problems),
        beside: beside.iter().take(ROWS_MAX).filter_map(|one| question(visitor, one, portfolio)).collect(),
        ignored_title: t.ignored_title(found.ignored.len() as u64),
        ignored: found.ignored.iter().take(ROWS_MAX).map(|one| ignored(visitor, one, portfolio)).collect(),
        cut_off: is_cut.then(|| visitor.texts.dividends.cut_off(ROWS_MAX as u64)),
        off: off.map(|names| t.off(names)),
        automatic: automatic.map(|names| t.automatic(names)),
        picker: portfolio_picker::Picker::of(portfolios, portfolio),
        recorded,
        shell: visitor.shell(t.title, Section::Dividends),
    };
    visitor.page_with(status, &page)
}

/// How many payments are missing and what they come to, or how many differ; `None` without any.
pub fn headline(visitor: &Visitor, found: &Suggestions, portfolio: Option<&str>) -> Option<Html> {
    let t = &visitor.texts.missing;
    let beside = found.open.iter().filter(|one| one.beside.is_some()).count();
    match (found.open.len() - beside, beside) {
        (0, 0) => None,
        (0, n) => Some(Html(escaped(&t.differ(n as u64)))),
        (n, _) => {
            let asked = Question { portfolio: portfolio.map(str::to_owned), ..Question::of(Figure::MissingNet) };
            let net = visitor.format.money(&found.net).explained(&asked);
            Some(Html::sentence([net], |[net]| t.headline(n as u64, net)))
        }
    }
}

pub fn address(portfolio: Option<&str>) -> String {
    links::with_query(PATH, portfolio.map(|name| ("portfolio", name)))
}

/// The address of a row; `None` if the page has no such row.
pub fn row_address(found: &Suggestions, is_it: impl Fn(&Suggestion) -> bool, portfolio: Option<&str>) -> Option<String> {
    let at = found.open.iter().filter(|one| one.beside.is_none()).take(ROWS_MAX).position(is_it)?;
    Some(format!("{}#payment-{}", address(portfolio), at + 1))
}

fn row(visitor: &Visitor, one: &Suggestion, sent: &Sent, problems: &[Problem], portfolio: Option<&str>) -> Row {
    let t = visitor.texts;
    let suggested = || Typed {
        picked: false,
        date: one.pay_date.to_string(),
        gross: figures::written_money(&one.gross, &visitor.format),
        tax: figures::written_money(&one.tax, &visitor.format),
        net: figures::written_money(&one.net, &visitor.format),
    };
    let typed = sent.get(&one.key).cloned().unwrap_or_else(suggested);
    let code = code(&one.key);
    let field = |name, value| {
        let heading = form::heading(t, name);
        let is_invalid = problems.iter().any(|problem| problem.field == name && problem.code.as_ref() == Some(&code));
        Field { name, heading, label: form::label(visitor, one, heading), value, is_invalid }
    };
    Row {
        picked: typed.picked,
        select_label: form::label(visitor, one, t.missing.select),
        date: field("date", typed.date),
        pay_date_known: one.pay_date_known,
        amounts: [field("gross", typed.gross), field("tax", typed.tax), field("net", typed.net)],
        currency: one.gross.currency.to_string(),
        what: what(visitor, one, portfolio),
    }
}

fn question(visitor: &Visitor, one: &Suggestion, portfolio: Option<&str>) -> Option<Beside> {
    let (t, f) = (&visitor.texts.missing, visitor.format);
    let (date, recorded) = one.beside.as_ref()?;
    Some(Beside {
        question: t.beside(f.money_text(recorded), f.date_text(*date), f.money_text(&one.gross)),
        same_label: form::label(visitor, one, t.same),
        both_label: form::label(visitor, one, t.both),
        what: what(visitor, one, portfolio),
    })
}

fn ignored(visitor: &Visitor, one: &Suggestion, portfolio: Option<&str>) -> Ignored {
    Ignored {
        date: visitor.format.date(one.pay_date),
        pay_date_known: one.pay_date_known,
        again_label: form::label(visitor, one, visitor.texts.missing.again),
        what: what(visitor, one, portfolio),
    }
}

fn what(visitor: &Visitor, one: &Suggestion, portfolio: Option<&str>) -> What {
    let f = visitor.format;
    let asked = Question {
        portfolio: portfolio.map(str::to_owned),
        ex_date: Some(one.key.ex_date),
        per_share: Some(one.per_share.amount),
        currency: Some(one.per_share.currency),
        ..Question::of(Figure::SuggestedNet).of_position(Figure::SuggestedNet, &one.key.symbol, one.portfolio.as_deref())
    };
    What {
        code: code(&one.key),
        link: links::stock(&one.key.symbol),
        symbol: one.key.symbol.clone(),
        name: one.name.clone(),
        portfolio: one.portfolio.clone(),
        special: one.key.special,
        shares: f.shares(one.shares),
        per_share: f.per_share(&one.per_share),
        net: f.money(&one.net).explained(&asked),
        buys: one.bought.as_ref().map(|(shares, price)| buys(visitor, *shares, price)),
    }
}

fn buys(visitor: &Visitor, shares: Decimal, price: &Money) -> Html {
    let (t, f) = (&visitor.texts.missing, visitor.format);
    let price = f.per_share(price);
    match shares == Decimal::ONE {
        true => Html::sentence([price], |[price]| t.buys_one(price)),
        false => Html::sentence([f.shares_bought(shares), price], |[shares, price]| t.buys(shares, price)),
    }
}
