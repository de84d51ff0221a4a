//! The questions that a stock's page asks about its figures.

use app::explain::{Figure, Question};
use jiff::civil::Date;
use ledger::Money;

use crate::format::Html;
use crate::visit::Visitor;

/// For users only.
pub fn explained(visitor: &Visitor, shown: Html, figure: Figure, symbol: &str) -> Html {
    explained_as(visitor, shown, asked(figure, symbol))
}

pub fn explained_as(visitor: &Visitor, shown: Html, question: Question) -> Html {
    match visitor.me {
        Some(_) => shown.explained(question),
        None => shown,
    }
}

pub fn of_payment(figure: Figure, symbol: &str, ex_date: Date, per_share: &Money) -> Question {
    Question {
        ex_date: Some(ex_date),
        per_share: Some(per_share.amount),
        currency: Some(per_share.currency),
        ..asked(figure, symbol)
    }
}

/// The page shows the live price, and what depends on it.
pub fn asked(figure: Figure, symbol: &str) -> Question {
    let live = matches!(
        figure,
        Figure::Price
            | Figure::Yield
            | Figure::AboveAverage
            | Figure::Safety
            | Figure::ValueScore
            | Figure::MomentumScore
            | Figure::RatingScore
    );
    Question { live, ..Question::of(figure).of_stock(figure, symbol) }
}
