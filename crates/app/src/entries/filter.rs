//! Entries for a page: filtered, sorted, and fifty at a time.

use std::collections::HashSet;

use jiff::civil::Date;
use ledger::Kind;
use store::entries::listing::{self, Order, Origin, Sort, Wanted};
use store::name_key::search_key;
use store::{Tx, entries};
use uuid::Uuid;

use super::row::{Names, Row, rows};
use crate::book::lots::{AUTOMATIC, AUTOMATIC_ESTIMATED, OPENING, OPENING_ESTIMATED};
use crate::portfolios::account::Account;
use crate::{App, Error};

pub const PER_PAGE: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// By name or slug.
    pub portfolio: Option<String>,
    pub symbol: Option<String>,
    pub kind: Option<Kind>,
    /// Both included.
    pub from: Option<Date>,
    pub to: Option<Date>,
    /// Contained in symbol, name, ISIN or note, ignoring case and accents.
    pub text: Option<String>,
    pub source: Option<Source>,
    /// Only dividends from market data that nobody confirmed.
    pub estimated: bool,
    pub order: Order,
    /// Counted from one; a number beyond the last page means the last page.
    pub page: usize,
}

/// Where entries come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    ByHand,
    Automatic,
    Opening,
    Format(String),
    /// An import.
    File(Uuid),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub rows: Vec<Row>,
    /// On all pages.
    pub total: usize,
    pub page: usize,
    /// At least one.
    pub pages: usize,
}

/// Newest first.
impl Default for Filter {
    fn default() -> Filter {
        Filter {
            portfolio: None,
            symbol: None,
            kind: None,
            from: None,
            to: None,
            text: None,
            source: None,
            estimated: false,
            order: Order { sort: Sort::Date, descending: true },
            page: 1,
        }
    }
}

pub async fn list(app: &App, user_id: Uuid, filter: &Filter) -> Result<Page, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, filter.portfolio.as_deref()).await?;
    let wanted = filter.wanted(&account);
    let found = match filter.search() {
        Some(text) => Some(searched(&mut tx, user_id, &wanted, filter.order, &text).await?),
        None => None,
    };
    let total = match &found {
        Some(found) => found.len(),
        None => usize::try_from(listing::count(&mut tx, user_id, &wanted).await?).unwrap_or_default(),
    };
    let pages = total.div_ceil(PER_PAGE).max(1);
    let page = filter.page.clamp(1, pages);
    let skip = (page - 1) * PER_PAGE;
    let sequences = match found {
        Some(found) => found.into_iter().skip(skip).take(PER_PAGE).collect(),
        None => listing::sequences(&mut tx, user_id, &wanted, filter.order, skip, PER_PAGE).await?,
    };
    let entries = entries::some(&mut tx, user_id, &sequences).await?;
    Ok(Page { rows: rows(&mut tx, &account, entries).await?, total, page, pages })
}

/// The sequences of all entries on the list, in its order.
pub(super) async fn matching(tx: &mut Tx, user_id: Uuid, filter: &Filter) -> Result<Vec<i64>, Error> {
    let account = Account::load(tx, user_id, filter.portfolio.as_deref()).await?;
    let wanted = filter.wanted(&account);
    match filter.search() {
        Some(text) => searched(tx, user_id, &wanted, filter.order, &text).await,
        None => Ok(listing::sequences(tx, user_id, &wanted, filter.order, 0, usize::MAX).await?),
    }
}

/// The entries on the list whose texts match, in its order.
async fn searched(tx: &mut Tx, user_id: Uuid, wanted: &Wanted, order: Order, text: &str) -> Result<Vec<i64>, Error> {
    let texts = listing::texts(tx, user_id, wanted).await?;
    let names = Names::of(tx, texts.iter().map(|one| one.symbol.as_str())).await?;
    let is_match = |one: &&listing::Texts| {
        let name = names.name(&one.symbol, one.name.as_deref());
        let texts = [Some(one.symbol.as_str()), name, one.isin.as_deref(), one.note.as_deref()];
        texts.into_iter().flatten().any(|one| search_key(one).contains(text))
    };
    let matching: HashSet<i64> = texts.iter().filter(is_match).map(|one| one.sequence).collect();
    let mut found = listing::sequences(tx, user_id, wanted, order, 0, usize::MAX).await?;
    found.retain(|sequence| matching.contains(sequence));
    Ok(found)
}

impl Filter {
    fn search(&self) -> Option<String> {
        self.text.as_deref().map(search_key).filter(|text| !text.is_empty())
    }

    fn wanted(&self, account: &Account) -> Wanted {
        let symbol = self.symbol.as_deref().map(|symbol| symbol.trim().to_uppercase());
        Wanted {
            from: self.from,
            to: self.to,
            symbol: symbol.filter(|symbol| !symbol.is_empty()),
            kind: self.kind,
            portfolio_id: account.selected,
            origin: self.origin(),
        }
    }

    fn origin(&self) -> Option<Origin> {
        let mut origin = self.source.as_ref().map(Source::origin);
        if self.estimated {
            let origin = origin.get_or_insert_default();
            let is_possible = origin.sources.is_empty() || origin.sources.iter().any(|one| one == AUTOMATIC_ESTIMATED);
            // No entry has an empty source.
            origin.sources = vec![if is_possible { AUTOMATIC_ESTIMATED.to_owned() } else { String::new() }];
        }
        origin
    }
}

impl Source {
    fn origin(&self) -> Origin {
        let of = |sources: &[&str]| Origin { import_id: None, sources: sources.iter().map(|one| (*one).to_owned()).collect() };
        match self {
            Source::ByHand => of(&[super::BY_HAND]),
            Source::Automatic => of(&[AUTOMATIC, AUTOMATIC_ESTIMATED]),
            Source::Opening => of(&[OPENING, OPENING_ESTIMATED]),
            Source::Format(name) => of(&[&format!("import:{name}")]),
            Source::File(import_id) => Origin { import_id: Some(*import_id), sources: Vec::new() },
        }
    }
}
