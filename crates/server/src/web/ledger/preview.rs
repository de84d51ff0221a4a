//! Preview of what saving an entry would do, next to its form.

use app::entries::{self, Checked, Defaults, Doubt, Kind};
use askama::Template;
use ledger::{Decimal, Money};

use super::doubts::Doubts;
use super::form::{Problem, Typed};
use super::suggested::Suggested;
use super::words;
use crate::web::Web;
use crate::web::format::Html;
use crate::web::visit::{PageError, SignedIn, Visitor};

#[derive(Default)]
pub struct Preview {
    pub note: Option<String>,
    /// Label, unless the reason begins with it, and reason.
    pub problems: Vec<(Option<&'static str>, String)>,
    pub doubts: Doubts,
    /// Label and figure.
    pub figures: Vec<(&'static str, Html)>,
    /// Label, and what it changes from and to.
    pub changes: Vec<(&'static str, [Option<Html>; 2])>,
    /// The heads of both columns.
    pub columns: [&'static str; 2],
    pub name: Option<String>,
}

#[derive(Template)]
#[template(path = "entry_checked.html")]
pub struct Fragment {
    pub preview: Preview,
    pub suggested: Vec<Suggested>,
}

impl Preview {
    pub fn say(sentence: String) -> Preview {
        Preview { note: Some(sentence), ..Preview::default() }
    }
}

/// As if the form had shown these defaults.
pub async fn build(
    web: &Web,
    who: &SignedIn,
    editing: Option<i64>,
    typed: &Typed,
    defaults: &Defaults,
) -> Result<Preview, PageError> {
    let (visitor, t, f) = (&who.visitor, who.visitor.texts, who.visitor.format);
    let estimated;
    let mut checked = match typed.draft(&f, t) {
        Ok(mut draft) => {
            defaults.fill(&mut draft);
            let tax = draft.tax.filter(|_| typed.get("tax").is_empty());
            let checked = entries::check(&web.app, who.user_id(), editing, &draft).await?;
            estimated = tax.zip(checked.currency).map(|(tax, currency)| Money::new(tax, currency));
            checked
        }
        Err(problems) => return Ok(Preview { problems: labelled(visitor, problems), ..Preview::default() }),
    };
    if checked.doubts.iter().any(|doubt| matches!(doubt, Doubt::SymbolUnknown { .. })) {
        // The question comes first.
        checked.problems.retain(|problem| !["symbol", "currency"].contains(&problem.field));
    }
    let sum = |label, money: Option<Money>| money.map(|money| (label, f.recorded(&words::normalized(money))));
    let moved = if typed.kind() == Kind::Dividend { t.ledger.net } else { t.ledger.money_moved };
    let sums = [sum(t.ledger.amount, checked.amount), sum(t.ledger.estimated_tax, estimated), sum(moved, checked.net)];
    let mut figures: Vec<(&'static str, Html)> = sums.into_iter().flatten().collect();
    if let Some(purchase) = &checked.purchase {
        let money = |figure: Decimal| Money::new(figure, purchase.currency);
        let cost = purchase.amount.or_else(|| purchase.shares?.checked_mul(purchase.price?));
        figures.extend(purchase.shares.map(|shares| (t.ledger.bought_shares, f.shares(shares))));
        figures.extend(purchase.price.map(|price| (t.ledger.bought_price, f.per_share(&money(price)))));
        figures.extend(sum(t.ledger.bought_cost, cost.map(money)));
    }
    if let Some(held) = checked.after.as_ref().filter(|_| checked.today.is_some()) {
        figures.push((t.ledger.shares_after, f.shares(held.shares)));
        figures.extend(held.average_cost.map(|money| (t.ledger.cost_after, f.money(&money))));
    }
    Ok(Preview {
        note: None,
        problems: labelled(visitor, words::problems(visitor, &checked.problems)),
        doubts: Doubts::of(visitor, typed.get("symbol"), &checked.doubts),
        figures,
        changes: changes(visitor, &checked),
        name: checked.symbol_name,
        columns: [t.ledger.before, t.ledger.after],
    })
}

/// What is different with the entry.
fn changes(visitor: &Visitor, checked: &Checked) -> Vec<(&'static str, [Option<Html>; 2])> {
    let (t, f) = (&visitor.texts.ledger, visitor.format);
    let Some(held) = checked.before.as_ref().zip(checked.today.as_ref().or(checked.after.as_ref())) else { return Vec::new() };
    let held = [held.0, held.1];
    let pays = checked.pays.map_or([None; 2], |pays| pays.map(Some));
    let rows = [
        (t.shares, held.map(|held| Some(f.shares(held.shares)))),
        (t.average_cost, held.map(|held| held.average_cost.map(|cost| f.cost(&cost)))),
        (t.annual_income, pays.map(|pays| pays?.income.map(|income| f.money(&income)))),
        (t.yield_on_cost, pays.map(|pays| pays?.yield_on_cost_pct.map(|pct| f.pct(pct)))),
    ];
    rows.into_iter().filter(|(_, [before, after])| before != after).collect()
}

fn labelled(visitor: &Visitor, problems: Vec<Problem>) -> Vec<(Option<&'static str>, String)> {
    let labelled = |problem: Problem| (words::label(visitor.texts, &problem), problem.reason);
    problems.into_iter().map(labelled).collect()
}
