//! The fields of one type of entry: those that it needs, and the others below "More".

use app::entries::Kind;
use app::portfolios;
use messages::web::Texts;

use super::form::{FIELDS, PURCHASE, Problem, REINVESTED, Typed, layout};
use super::suggested::Suggested;
use super::words;
use crate::Web;
use crate::format::choices::CURRENCIES;
use crate::visit::{PageError, SignedIn};

pub struct Fields {
    pub t: &'static Texts,
    pub kind: &'static str,
    pub needed: Vec<Field>,
    /// Only for a dividend.
    pub reinvested: Option<Purchase>,
    /// Name and value of what was typed about the purchase, while another type is chosen.
    pub carried: Vec<(&'static str, String)>,
    pub more: Vec<Field>,
    /// One of those has a value or a problem.
    pub open: bool,
}

/// What a dividend bought.
pub struct Purchase {
    pub ticked: bool,
    pub fields: Vec<Field>,
}

pub struct Field {
    pub name: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
    pub value: String,
    pub problem: Option<String>,
    /// Value, text, and whether it is chosen.
    pub choices: Vec<(String, String, bool)>,
    pub suggested: Option<Suggested>,
}

impl Field {
    pub fn described_by(&self) -> String {
        let parts =
            [(self.problem.is_some(), "problem"), (!self.hint.is_empty(), "hint"), (self.suggested.is_some(), "suggested")];
        let ids = parts.into_iter().filter(|(given, _)| *given).map(|(_, part)| format!("{}-{part}", self.name));
        ids.collect::<Vec<_>>().join(" ")
    }

    pub fn placeholder(&self) -> &str {
        self.suggested.as_ref().map_or("", |suggested| &suggested.placeholder)
    }
}

pub async fn build(
    web: &Web,
    who: &SignedIn,
    editing: Option<i64>,
    typed: &Typed,
    problems: &[Problem],
    suggested: Vec<Suggested>,
) -> Result<Fields, PageError> {
    let t = who.visitor.texts;
    let portfolios: Vec<(String, bool)> =
        portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| (one.name, one.default)).collect();
    let is_default = |name: &str| name.is_empty() || portfolios.iter().any(|(one, default)| one == name && *default);
    let has_problem = |field: &str| problems.iter().any(|problem| problem.field == field);
    let is_filled = |field: &str| match field {
        "portfolio" => !is_default(typed.get(field)),
        _ => !typed.get(field).is_empty(),
    };
    let [needed, more] = layout(typed);
    let stands = |field: &str| {
        ["kind", "symbol", REINVESTED].contains(&field)
            || PURCHASE.contains(&field)
            || needed.contains(&field)
            || more.contains(&field)
    };
    // Editing an imported entry keeps the fields that its type does not have.
    let kept = |field: &&'static str| !stands(field) && (has_problem(field) || (editing.is_some() && is_filled(field)));
    let mut more: Vec<&'static str> = more.iter().copied().chain(FIELDS.into_iter().filter(kept)).collect();
    more.retain(|field| *field != "portfolio" || portfolios.len() > 1 || has_problem(field));
    let field = |name: &'static str| Field {
        name,
        label: label(t, typed, name),
        hint: hint(t, typed, name),
        value: typed.get(name).to_owned(),
        problem: problems.iter().find(|problem| problem.field == name).map(|problem| problem.reason.clone()),
        choices: choices(t, name, typed.get(name), &portfolios),
        suggested: suggested.iter().find(|one| one.field == name).cloned(),
    };
    let is_dividend = typed.kind() == Kind::Dividend;
    let carried = [REINVESTED].into_iter().chain(PURCHASE).filter(|name| !is_dividend && is_filled(name));
    Ok(Fields {
        t,
        kind: typed.kind_word(),
        open: more.iter().any(|name| is_filled(name) || has_problem(name)),
        needed: needed.iter().map(|name| field(name)).collect(),
        reinvested: is_dividend.then(|| Purchase { ticked: typed.is_reinvested(), fields: PURCHASE.map(field).into() }),
        carried: carried.map(|name| (name, typed.get(name).to_owned())).collect(),
        more: more.into_iter().map(field).collect(),
    })
}

fn choices(t: &'static Texts, field: &str, value: &str, portfolios: &[(String, bool)]) -> Vec<(String, String, bool)> {
    match field {
        "portfolio" => {
            let chosen = |name: &str, default: bool| name == value || (value.is_empty() && default);
            portfolios.iter().map(|(name, default)| (name.clone(), name.clone(), chosen(name, *default))).collect()
        }
        "currency" => {
            let own = (String::new(), t.ledger.own_currency.to_owned(), value.is_empty());
            let odd = Some(value).filter(|value| !value.is_empty() && !CURRENCIES.contains(value));
            let codes = CURRENCIES.into_iter().chain(odd).map(|code| (code.to_owned(), code.to_owned(), code == value));
            [own].into_iter().chain(codes).collect()
        }
        _ => Vec::new(),
    }
}

fn label(t: &'static Texts, typed: &Typed, field: &str) -> &'static str {
    match (typed.kind(), field) {
        (Kind::TransferIn, "price") => t.ledger.cost_per_share,
        (Kind::TransferIn, "amount") => t.ledger.total_cost,
        (Kind::Dividend, "price") => t.ledger.dividend_per_share,
        (Kind::Dividend, "amount") => t.ledger.total_dividend,
        (Kind::Buy | Kind::Sell, "amount") => t.ledger.total_amount,
        _ => words::field(t, field),
    }
}

fn hint(t: &'static Texts, typed: &Typed, field: &str) -> &'static str {
    match (typed.kind(), field) {
        (Kind::TransferIn, "price") if typed.is_opening() => t.ledger.opening_price_hint,
        (Kind::TransferIn, "amount") => "",
        (Kind::TransferIn, "price") => t.ledger.transfer_price_hint,
        (Kind::Dividend, "price") => t.ledger.per_share_hint,
        (Kind::Dividend, "amount") => t.ledger.total_dividend_hint,
        (Kind::Buy | Kind::Sell, "price") => t.ledger.price_hint,
        (_, "amount") => t.ledger.amount_hint,
        (_, "net") => t.ledger.net_hint,
        (_, "ratio") => t.ledger.ratio_hint,
        (_, "fx_rate") => t.ledger.fx_rate_hint,
        (_, "reinvested_price") => t.ledger.reinvested_hint,
        (_, "currency") => t.ledger.currency_hint,
        _ => "",
    }
}
