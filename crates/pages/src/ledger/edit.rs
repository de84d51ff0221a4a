//! `/ledger/new` and `/ledger/{sequence}`: add or edit an entry of any type.

use app::entries::{self, Draft, Put, Reinvested, Row};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::Decimal;
use serving::Query;

use super::doubts::{self, Doubts};
use super::form::Typed;
use super::preview::{self, Preview};
use super::question::Question;
use super::selected::list_of;
use super::sheet::{self, Place, Sheet, show};
use super::{fields, suggested, words};
use crate::format::figures;
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web, is_fragment};

/// What the script shows after saving in the list.
#[derive(Template)]
#[template(path = "entry_saved.html")]
struct Saved {
    sequence: i64,
    text: String,
}

pub async fn get_new(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let typed = dated(&web, prefilled(&who, &parts));
    show(&web, &who, StatusCode::OK, Sheet { typed, place: place(&parts), ..Sheet::default() }).await
}

pub async fn get(State(web): State<Web>, who: SignedIn, Path(sequence): Path<String>, parts: Parts) -> Reply {
    let (sequence, row) = find_entry(&web, &who, &sequence).await?;
    if let Some(dividend) = entries::dividend_of(&web.app, who.user_id(), &row.entry).await? {
        let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Ok(links::to(&format!("/ledger/{dividend}{query}")));
    }
    let given = prefilled(&who, &parts);
    let typed = match given.get("kind").is_empty() {
        true => Typed::of_draft(&draft(&web, &who, &row).await?, &who.visitor.format),
        false => given,
    };
    show(&web, &who, StatusCode::OK, Sheet { editing: Some(sequence), typed, place: place(&parts), ..Sheet::default() }).await
}

/// With the first purchase of a dividend.
async fn draft(web: &Web, who: &SignedIn, row: &Row) -> Result<Draft, PageError> {
    let purchases = entries::purchases(&web.app, who.user_id(), row).await?;
    let reinvested = match purchases.first().map(|purchase| &purchase.entry) {
        Some(purchase) => Reinvested::Yes { shares: purchase.shares, price: purchase.price },
        None => Reinvested::No,
    };
    Ok(Draft { reinvested, ..row.draft() })
}

pub async fn post_new(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    save(&web, &who, None, &form, false).await
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(sequence): Path<String>, parts: Parts, form: Form) -> Reply {
    let (sequence, _) = find_entry(&web, &who, &sequence).await?;
    save(&web, &who, Some(sequence), &form, is_fragment(&parts)).await
}

/// `/ledger/kind`: the form with the fields of another type, keeping everything typed; only the fields for the script.
pub async fn post_kind(State(web): State<Web>, who: SignedIn, parts: Parts, form: Form) -> Reply {
    if is_fragment(&parts) {
        let (editing, typed) = (form.text("editing").parse::<i64>().ok(), typed_in(&form));
        let suggested = match editing {
            Some(_) => Vec::new(),
            None => suggested::of(&who.visitor, &suggested::defaults(&web, &who, None, &typed).await?),
        };
        let fields = fields::build(&web, &who, editing, &typed, &[], suggested).await?;
        return who.visitor.page(&sheet::Fragment { fields });
    }
    let page = form.text("editing").parse::<i64>().map_or("/ledger/new".to_owned(), |sequence| format!("/ledger/{sequence}"));
    let next = form.non_empty("next").map(|next| format!("&next={}", links::escaped(next))).unwrap_or_default();
    Ok(links::to(&format!("{page}?typed=1{}{next}", typed_in(&form).query())))
}

/// `/ledger/check`: a preview of what saving would do, for the script.
pub async fn post_check(State(web): State<Web>, who: SignedIn, parts: Parts, form: Form) -> Reply {
    if !is_fragment(&parts) {
        return Ok(links::to("/ledger"));
    }
    let visitor = &who.visitor;
    let editing = form.text("editing").parse::<i64>().ok();
    if let Some(sequence) = editing {
        find_entry(&web, &who, &sequence.to_string()).await?;
    }
    let typed = typed_in(&form);
    let defaults = suggested::defaults(&web, &who, editing, &typed).await?;
    let preview = match changed_kind(&form, &typed) {
        true => Preview::say(visitor.texts.ledger.other_kind(words::kind_of_form(visitor.texts, &typed))),
        false => preview::build(&web, &who, editing, &typed, &defaults).await?,
    };
    let suggested = if editing.is_none() { suggested::of(visitor, &defaults) } else { Vec::new() };
    visitor.page(&preview::Fragment { preview, suggested })
}

async fn save(web: &Web, who: &SignedIn, editing: Option<i64>, form: &Form, in_list: bool) -> Reply {
    let (visitor, t) = (&who.visitor, who.visitor.texts);
    let typed = typed_in(form);
    let place = Place { in_list, list: list_of(form).to_owned() };
    let sheet = Sheet { editing, typed: typed.clone(), confirmed: doubts::confirmed(form), place, ..Sheet::default() };
    let again = |sheet: Sheet| show(web, who, StatusCode::UNPROCESSABLE_ENTITY, sheet);
    if changed_kind(form, &typed) {
        let note = t.ledger.kind_changed(words::kind_of_form(t, &typed));
        return again(Sheet { note: Some(note), ..sheet }).await;
    }
    let mut draft = match typed.draft(&visitor.format, t) {
        Ok(draft) => draft,
        Err(problems) => return again(Sheet { problems, ..sheet }).await,
    };
    if editing.is_none() {
        suggested::fill(web, who, form, &typed, &mut draft).await?;
    }
    match entries::put(&web.app, who.user_id(), editing, &draft, |doubts| doubts::are_known(form, doubts)).await {
        Ok(Put::Recorded(sequence)) => {
            let symbol = draft.symbol.to_uppercase();
            let saved = if editing.is_some() { t.ledger.changed(symbol) } else { t.ledger.added(symbol) };
            if in_list {
                return visitor.page(&Saved { sequence, text: saved });
            }
            Ok(links::to_with(&next_page(form, &typed), &Notice::ok(saved)))
        }
        Ok(Put::Doubted(doubts)) => match Question::of(web, who, typed.get("symbol"), &doubts).await? {
            Some(question) => again(Sheet { question: Some(question), ..sheet }).await,
            None => again(Sheet { doubts: Doubts::of(visitor, &doubts), ..sheet }).await,
        },
        Err(app::Error::Entry(problems)) => again(Sheet { problems: words::problems(visitor, &problems), ..sheet }).await,
        Err(error) => Err(error.into()),
    }
}

/// Another user's entry is not found.
pub(super) async fn find_entry(web: &Web, who: &SignedIn, sequence: &str) -> Result<(i64, Row), PageError> {
    let sequence = sequence.parse::<i64>().map_err(|_| PageError::not_found())?;
    let row = entries::one(&web.app, who.user_id(), sequence).await?.ok_or_else(PageError::not_found)?;
    Ok((sequence, row))
}

/// A match or currency that was chosen when the symbol was unknown counts.
fn typed_in(form: &Form) -> Typed {
    let chosen = |field: &str| match field {
        "symbol" => form.non_empty("match"),
        "currency" => form.non_empty("anyway").and_then(|_| form.non_empty("anyway_currency")),
        _ => None,
    };
    Typed::by(|field| chosen(field).or_else(|| form.non_empty(field)).map(str::to_owned))
}

/// After saving: the ledger, or the form for another entry like this one.
fn next_page(form: &Form, typed: &Typed) -> String {
    if !form.ticked("another") {
        return list_of(form).to_owned();
    }
    let list = Some(list_of(form)).filter(|list| *list != "/ledger").unwrap_or_default();
    let kept = ["kind", "date", "portfolio"].map(|field| (field, typed.get(field))).into_iter().chain([("next", list)]);
    links::with_query("/ledger/new", kept.filter(|(_, value)| !value.is_empty()))
}

/// As the address says.
fn place(parts: &Parts) -> Place {
    Place { in_list: is_fragment(parts), list: list_from(parts) }
}

/// The list that a page leads back to.
pub(super) fn list_from(parts: &Parts) -> String {
    let query = Query::parse(parts.uri.query());
    let next = query.as_ref().ok().and_then(|query| query.text("next").ok().flatten());
    next.map_or("/ledger", links::own_path).to_owned()
}

/// Today, unless a date was given.
fn dated(web: &Web, mut typed: Typed) -> Typed {
    if typed.get("date").is_empty() {
        typed.set("date", &web.app.clock.today().to_string());
    }
    typed
}

/// The form was sent with the fields of another type than the chosen one.
fn changed_kind(form: &Form, typed: &Typed) -> bool {
    form.non_empty("shown").is_some_and(|shown| shown != typed.kind_word())
}

/// Values from the address: as typed if the form itself links here, else with numbers as in the API.
fn prefilled(who: &SignedIn, parts: &Parts) -> Typed {
    let Ok(query) = Query::parse(parts.uri.query()) else { return Typed::default() };
    let given = |name: &str| query.text(name).ok().flatten().map(str::to_owned);
    let as_typed = given("typed").is_some();
    Typed::by(|field| {
        let text = given(field)?;
        match field {
            "shares" | "price" | "amount" | "fees" | "tax" | "net" | "fx_rate" | "reinvested_shares" | "reinvested_price"
                if !as_typed =>
            {
                text.parse::<Decimal>().ok().map(|figure| figures::written(figure, &who.visitor.format))
            }
            _ => Some(text),
        }
    })
}
