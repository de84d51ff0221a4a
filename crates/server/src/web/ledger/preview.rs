//! What saving an entry would do, beside its form.

use app::entries::{self, Checked, Problem};
use askama::Template;

use super::form::Typed;
use super::words;
use crate::web::Web;
use crate::web::format::Html;
use crate::web::oops::Oops;
use crate::web::visitor::SignedIn;

#[derive(Default)]
pub struct Preview {
    pub said: Option<String>,
    /// Label and reason.
    pub problems: Vec<(&'static str, String)>,
    /// Label and figure.
    pub figures: Vec<(&'static str, Html)>,
    pub name: Option<String>,
}

#[derive(Template)]
#[template(path = "entry_preview.html")]
pub struct Fragment {
    pub preview: Preview,
}

impl Preview {
    pub fn say(sentence: String) -> Preview {
        Preview { said: Some(sentence), ..Preview::default() }
    }
}

pub async fn of(web: &Web, who: &SignedIn, editing: Option<i64>, typed: &Typed) -> Result<Preview, Oops> {
    let visitor = &who.visitor;
    let checked = match typed.draft(&visitor.format, visitor.texts) {
        Ok(draft) => entries::check(&web.app, who.user_id(), editing, &draft).await?,
        Err(problems) => Checked { problems, ..Checked::default() },
    };
    let t = visitor.texts;
    let problem = |problem: &Problem| (words::field(t, problem.field), words::reason(t, &problem.reason));
    let f = visitor.format;
    let figures = [
        (t.ledger.amount, checked.amount.map(|money| f.recorded(&words::tidy(money)))),
        (t.ledger.money_moved, checked.net.map(|money| f.recorded(&words::tidy(money)))),
        (t.ledger.shares_after, checked.shares_after.map(|shares| f.shares(shares))),
        (t.ledger.cost_after, checked.average_cost_after.map(|money| f.money(&money))),
    ];
    Ok(Preview {
        said: None,
        problems: checked.problems.iter().map(problem).collect(),
        figures: figures.into_iter().filter_map(|(label, figure)| Some((label, figure?))).collect(),
        name: checked.symbol_name,
    })
}
