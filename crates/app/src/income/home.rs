//! The home page: expected, received and upcoming payments, from one read of the ledger.

use jiff::civil::Date;
use uuid::Uuid;

use crate::book::Book;
use crate::income::received::{self, Received};
use crate::income::upcoming::{self, Upcoming};
use crate::income::{self, Outlook};
use crate::{App, Error};

pub struct Home {
    pub outlook: Outlook,
    /// Whether there is an open position.
    pub holds: bool,
    pub received: Received,
    pub upcoming: Upcoming,
    /// The day of the oldest exchange rate that the outlook uses, if it is an old one.
    pub outdated_rates: Option<Date>,
    /// All portfolio names, in the user's order.
    pub portfolios: Vec<String>,
}

/// Each part is the result of the use case of the same name; `days` is how far ahead payments are listed.
pub async fn home(app: &App, user_id: Uuid, portfolio: Option<&str>, years: u32, drip: bool, days: i32) -> Result<Home, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let held = book.open_positions().await?;
    let outlook = income::of_held(&book, &held, years, drip)?;
    let today = book.today;
    Ok(Home {
        outlook,
        holds: !held.is_empty(),
        outdated_rates: book.outdated_rates(&held),
        received: received::of_book(&mut book, Date::MIN, today).await?,
        upcoming: upcoming::of_book(&mut book, days).await?,
        portfolios: book.account.portfolios.iter().map(|portfolio| portfolio.name.clone()).collect(),
    })
}
