//! The home page: what the holdings will pay, what they paid, and what comes next, from one look at the ledger.

use uuid::Uuid;

use crate::book::Book;
use crate::income::{self, Outlook};
use crate::received::{self, Received};
use crate::upcoming::{self, Upcoming};
use crate::{App, Error, open_position};

pub struct Home {
    pub outlook: Outlook,
    /// Whether there is an open position.
    pub holds: bool,
    pub received: Received,
    pub upcoming: Upcoming,
    /// The names of all of them, in the user's order.
    pub portfolios: Vec<String>,
}

/// Each part is what the use case of its name gives; `days` is how far ahead payments are looked for.
pub async fn home(app: &App, user_id: Uuid, portfolio: Option<&str>, years: u32, drip: bool, days: i32) -> Result<Home, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let held = open_position::load(&mut book).await?;
    let outlook = income::of_held(&book, &held, years, drip)?;
    let today = book.today;
    Ok(Home {
        outlook,
        holds: !held.is_empty(),
        received: received::of_book(&mut book, today).await?,
        upcoming: Upcoming { from: today, items: upcoming::of_book(&mut book, days).await? },
        portfolios: book.account.portfolios.iter().map(|portfolio| portfolio.name.clone()).collect(),
    })
}
