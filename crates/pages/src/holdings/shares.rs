//! Sources of income, as one bar.

use app::explain::{BIGGEST, Figure, Question};
use app::portfolios::positions::{Position, Positions};
use ledger::{Decimal, Money};

use crate::chart::{self, Part};
use crate::format::Html;
use crate::visit::{PageError, Visitor};

pub struct Shares {
    pub bar: String,
    pub rows: Vec<Share>,
}

pub struct Share {
    pub name: String,
    /// Index among the sources of income; `None` for the rest.
    pub source: Option<usize>,
    pub income: Html,
    pub share: Option<Html>,
}

const CLASSES: [&str; BIGGEST] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];

/// `None` if nothing has income.
pub fn build(visitor: &Visitor, seen: &Positions, asked: &Question) -> Result<Option<Shares>, PageError> {
    let biggest = seen.biggest(BIGGEST)?;
    let (t, f) = (&visitor.texts.holdings, visitor.format);
    let mut shares = Shares { bar: String::new(), rows: Vec::new() };
    let mut parts = Vec::new();
    let mut add = |name: String, row: Option<&Position>, income: Money, pct: Option<Decimal>, class| {
        let share = pct.map(|pct| f.pct_text(pct)).unwrap_or_default();
        let title = t.part(&name, f.money_text(&income), &share);
        parts.push(Part { name: name.clone(), title, value: income.amount, class });
        let about = |figure| row.map(|row| asked.of_position(figure, &row.holding.symbol, row.holding.portfolio.as_deref()));
        let explained = |shown: Html, figure, of_rest| shown.explained(about(figure).unwrap_or_else(|| asked.about(of_rest)));
        shares.rows.push(Share {
            name,
            source: row.and_then(|row| row.source),
            income: explained(f.money(&income), Figure::Income, Figure::RestOfIncome),
            share: pct.map(|pct| explained(f.pct(pct), Figure::ShareOfIncome, Figure::RestShare)),
        });
    };
    for (row, class) in biggest.rows.iter().zip(CLASSES) {
        if let Some(income) = row.income {
            add(name(row), Some(*row), income, row.share_pct, class);
        }
    }
    if let Some((income, pct)) = biggest.rest {
        add(t.rest.to_owned(), None, income, pct, "rest");
    }
    shares.bar = chart::share_bar("shares", t.share_chart, &parts);
    Ok(Some(shares).filter(|shares| !shares.rows.is_empty()))
}

fn name(row: &Position) -> String {
    match &row.holding.portfolio {
        Some(portfolio) => format!("{}, {portfolio}", row.holding.symbol),
        None => row.holding.symbol.clone(),
    }
}
