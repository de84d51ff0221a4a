//! Preview of what saving an entry would do, next to its form.

use app::entries::{self, Checked, Defaults, Doubt, Draft, Kind};
use app::explain::{Figure, Question, Supposed};
use app::portfolios;
use askama::Template;
use jiff::civil::Date;
use ledger::{Decimal, Money};

use super::doubts::Doubts;
use super::form::{Problem, Typed};
use super::suggested::Suggested;
use super::words;
use crate::Web;
use crate::format::Html;
use crate::visit::{PageError, SignedIn, Visitor};

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
    let mut draft = match typed.draft(&f, t) {
        Ok(draft) => draft,
        Err(problems) => return Ok(Preview { problems: labelled(visitor, problems), ..Preview::default() }),
    };
    defaults.fill(&mut draft);
    let tax = draft.tax.filter(|_| typed.get("tax").is_empty());
    let mut checked = entries::check(&web.app, who.user_id(), editing, &draft).await?;
    let estimated = tax.zip(checked.currency).map(|(tax, currency)| Money::new(tax, currency));
    let links = Links::of(web, who, editing, Draft { note: None, ..draft }, &checked).await?;
    let links = Links { is_tax_estimated: tax.is_some(), ..links };
    if checked.doubts.iter().any(|doubt| matches!(doubt, Doubt::SymbolUnknown { .. })) {
        // The question comes first.
        checked.problems.retain(|problem| !["symbol", "currency"].contains(&problem.field));
    }
    let sum = |label, money: Option<Money>, figure| {
        money.map(|money| (label, links.after(f.recorded(&words::normalized(money)), figure, None)))
    };
    let moved = if typed.kind() == Kind::Dividend { t.ledger.net } else { t.ledger.money_moved };
    let sums = [
        sum(t.ledger.amount, checked.amount, Figure::EntryAmount),
        sum(t.ledger.estimated_tax, estimated, Figure::EntryTax),
        sum(moved, checked.net, Figure::EntryNet),
    ];
    let mut figures: Vec<(&'static str, Html)> = sums.into_iter().flatten().collect();
    if let Some(purchase) = &checked.purchase {
        let money = |figure: Decimal| Money::new(figure, purchase.currency);
        let cost = purchase.amount.or_else(|| purchase.shares?.checked_mul(purchase.price?));
        let shown = |shown: Html, figure| links.after(shown, figure, None);
        figures.extend(purchase.shares.map(|shares| (t.ledger.bought_shares, shown(f.shares(shares), Figure::ReinvestedShares))));
        let price = purchase.price.map(|price| f.per_share(&money(price)));
        figures.extend(price.map(|price| (t.ledger.bought_price, shown(price, Figure::ReinvestedPrice))));
        figures.extend(sum(t.ledger.bought_cost, cost.map(money), Figure::ReinvestedCost));
    }
    if let Some(held) = checked.after.as_ref().filter(|_| checked.today.is_some()) {
        let after = |shown: Html, figure| if held.shares.is_zero() { shown } else { links.after(shown, figure, Some(held.day)) };
        figures.push((t.ledger.shares_after, after(f.shares(held.shares), Figure::Shares)));
        figures.extend(held.average_cost.map(|money| (t.ledger.cost_after, after(f.money(&money), Figure::AverageCost))));
    }
    Ok(Preview {
        note: None,
        problems: labelled(visitor, words::problems(visitor, &checked.problems)),
        doubts: Doubts::of(visitor, &checked.doubts),
        figures,
        changes: changes(visitor, &checked, &links),
        name: checked.symbol_name,
        columns: [t.ledger.before, t.ledger.after],
    })
}

/// What is different with the entry.
fn changes(visitor: &Visitor, checked: &Checked, links: &Links) -> Vec<(&'static str, [Option<Html>; 2])> {
    let (t, f) = (&visitor.texts.ledger, visitor.format);
    let Some(held) = checked.before.as_ref().zip(checked.today.as_ref().or(checked.after.as_ref())) else { return Vec::new() };
    let held = [held.0, held.1];
    let pays = checked.pays.map_or([None; 2], |pays| pays.map(Some));
    let rows = [
        (t.shares, Figure::Shares, held.map(|held| Some(f.shares(held.shares)))),
        (t.average_cost, Figure::AverageCost, held.map(|held| held.average_cost.map(|cost| f.cost(&cost)))),
        (t.annual_income, Figure::Income, pays.map(|pays| pays?.income.map(|income| f.money(&income)))),
        (t.yield_on_cost, Figure::YieldOnCost, pays.map(|pays| pays?.yield_on_cost_pct.map(|pct| f.pct(pct)))),
    ];
    let explained = |figure, [before, after]: [Option<Html>; 2]| {
        let is_held = held.map(|held| !held.shares.is_zero());
        let before = before.map(|shown| if is_held[0] { links.before(shown, figure) } else { shown });
        [before, after.map(|shown| if is_held[1] { links.after(shown, figure, links.day) } else { shown })]
    };
    let changed = rows.into_iter().filter(|(_, _, [before, after])| before != after);
    changed.map(|(label, figure, shown)| (label, explained(figure, shown))).collect()
}

/// How the figures are calculated.
struct Links {
    /// `None` if the entry cannot be recorded.
    after: Option<Question>,
    before: Question,
    /// Of the position, if it is not today.
    day: Option<Date>,
    /// The figures of the form explain the tax, those of the position take it as it is.
    is_tax_estimated: bool,
}

impl Links {
    async fn of(web: &Web, who: &SignedIn, editing: Option<i64>, draft: Draft, checked: &Checked) -> Result<Links, PageError> {
        let portfolios = portfolios::list(&web.app, who.user_id()).await?;
        let wanted = draft.portfolio.trim().to_lowercase();
        let is_chosen = |one: &&portfolios::Portfolio| match wanted.as_str() {
            "" => one.default,
            wanted => one.name.to_lowercase() == wanted || one.slug.as_deref() == Some(wanted),
        };
        let chosen = portfolios.iter().find(is_chosen).filter(|_| portfolios.len() > 1);
        let symbol = draft.symbol.trim().to_uppercase();
        let of = Question::of(Figure::Shares).of_position(Figure::Shares, &symbol, chosen.map(|one| one.name.as_str()));
        let day = checked.before.as_ref().map(|held| held.day).filter(|day| *day != web.app.clock.today());
        let supposed = Some(Supposed::Entry { editing, draft: Box::new(draft) });
        let after = Question { supposed, position: None, ..of.clone() };
        let after = Some(after).filter(|_| checked.problems.is_empty());
        Ok(Links { after, before: Question { to: day, ..of }, day, is_tax_estimated: false })
    }

    fn before(&self, shown: Html, figure: Figure) -> Html {
        shown.explained(self.before.about(figure))
    }

    fn after(&self, shown: Html, figure: Figure, to: Option<Date>) -> Html {
        let Some(after) = &self.after else { return shown };
        let mut question = Question { to, ..after.about(figure) };
        if self.is_tax_estimated
            && figure.is_of_form()
            && let Some(Supposed::Entry { draft, .. }) = &mut question.supposed
        {
            draft.tax = None;
        }
        shown.explained(question)
    }
}

fn labelled(visitor: &Visitor, problems: Vec<Problem>) -> Vec<(Option<&'static str>, String)> {
    let labelled = |problem: Problem| (words::label(visitor.texts, &problem), problem.reason);
    problems.into_iter().map(labelled).collect()
}
