//! Preview of what saving an entry would do, next to its form.

use app::entries::{self, Defaults, Doubt, Standing};
use askama::Template;
use ledger::Money;

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
    pub figures: Vec<(String, Html)>,
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
    let sum = |label: &str, money: Option<Money>| money.map(|money| (label.to_owned(), f.recorded(&words::normalized(money))));
    let mut figures: Vec<(String, Html)> =
        [sum(t.ledger.amount, checked.amount), sum(t.ledger.estimated_tax, estimated), sum(t.ledger.money_moved, checked.net)]
            .into_iter()
            .flatten()
            .collect();
    figures.extend(checked.after.iter().flat_map(|held| standing(visitor, held, t.ledger.shares_after, t.ledger.cost_after)));
    figures.extend(checked.today.iter().flat_map(|held| standing(visitor, held, t.ledger.shares_today, t.ledger.cost_today)));
    Ok(Preview {
        note: None,
        problems: labelled(visitor, words::problems(visitor, &checked.problems)),
        doubts: Doubts::of(visitor, typed.get("symbol"), &checked.doubts),
        figures,
        name: checked.symbol_name,
    })
}

fn labelled(visitor: &Visitor, problems: Vec<Problem>) -> Vec<(Option<&'static str>, String)> {
    let labelled = |problem: Problem| (words::label(visitor.texts, &problem), problem.reason);
    problems.into_iter().map(labelled).collect()
}

fn standing(visitor: &Visitor, held: &Standing, shares: &str, cost: &str) -> Vec<(String, Html)> {
    let f = visitor.format;
    let mut figures = vec![(shares.to_owned(), f.shares(held.shares))];
    figures.extend(held.average_cost.map(|money| (cost.to_owned(), f.money(&money))));
    figures
}
