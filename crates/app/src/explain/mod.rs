//! How a figure came about, as a tree of its inputs.

mod compared;
mod figures;
mod payments;
mod positions;
mod question;
mod received;
mod supposed;
mod target;

use std::collections::BTreeSet;

use ledger::explain::Node;
use uuid::Uuid;

use crate::automatic::suggestions;
use crate::book::Book;
use crate::stocks::stock::price_now;
use crate::{App, Error, Viewer, import};
pub use figures::BIGGEST;
use figures::of_book;
use positions::Explained;
pub use question::{Figure, Question, Supposed};
pub use supposed::UNSAVED;

/// `None` if the symbol is unknown, if the figure needs an open position and there is none, or if what is supposed is impossible.
pub async fn explain(app: &App, user_id: Uuid, question: &Question) -> Result<Option<Node>, Error> {
    match &question.supposed {
        Some(supposed) => supposed::explain(app, user_id, question, supposed).await,
        None => recorded(app, user_id, question).await,
    }
}

/// From what is recorded.
async fn recorded(app: &App, user_id: Uuid, question: &Question) -> Result<Option<Node>, Error> {
    let price = match &question.symbol {
        Some(symbol) if question.live => price_now(app, symbol, Viewer::User(user_id)).await?,
        _ => None,
    };
    let missing = match question.figure {
        Figure::MissingNet | Figure::SuggestedNet => Some(suggestions(app, user_id, question.portfolio.as_deref()).await?),
        _ => None,
    };
    let imported = match question.import {
        Some(id) => import::entries_of(app, user_id, id).await?.into_iter().map(|entry| entry.symbol).collect(),
        None => BTreeSet::new(),
    };
    let mut book = Book::open(app, user_id, question.portfolio.as_deref()).await?;
    let rates = book.rates_source().await?;
    if let Some(missing) = missing {
        return match question.figure {
            Figure::MissingNet => compared::missing(&mut book, &missing, &rates).await.map(Some),
            _ => compared::suggested(&mut book, question, &missing, &rates).await,
        };
    }
    if question.figure == Figure::ImportNetIncome {
        let explained = Explained::load(&mut book, None, rates).await?;
        return explained.net_income_of_symbols(question.figure.as_str(), &imported);
    }
    book.day = question.to.filter(|_| question.figure.is_of_position()).unwrap_or(book.today);
    of_book(&mut book, question, price, rates).await
}
