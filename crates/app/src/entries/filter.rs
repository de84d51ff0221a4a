//! Entries for a page: newest first, fifty at a time, filtered.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Event, Kind, Money};
use store::entries::{self, Entry};
use store::{Tx, stocks};
use uuid::Uuid;

use super::{Draft, Reinvested};
use crate::book::lots;
use crate::portfolios::account::Account;
use crate::{App, Error};

pub const PER_PAGE: usize = 50;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// By name or slug.
    pub portfolio: Option<String>,
    pub symbol: Option<String>,
    pub kind: Option<Kind>,
    /// Both included.
    pub from: Option<Date>,
    pub to: Option<Date>,
    /// Contained in symbol, name, ISIN or note, ignoring case.
    pub text: Option<String>,
    /// Only dividends from market data that nobody confirmed.
    pub estimated: bool,
    /// Counted from one; a number beyond the last page means the last page.
    pub page: usize,
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

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub entry: Entry,
    /// The name of its portfolio.
    pub portfolio: String,
    /// The name of the stock: from market data, else from the imported file.
    pub name: Option<String>,
}

impl Row {
    /// Gross; for a dividend with an unknown gross amount, the net amount.
    pub fn amount(&self) -> Option<Money> {
        let gross = lots::shown_gross(&self.entry).ok().flatten();
        gross.map(|amount| Money::new(amount, self.entry.currency))
    }

    /// What a dividend came to after tax and fees; for others, only if it is recorded.
    pub fn net(&self) -> Option<Money> {
        let net = match lots::entry(&self.entry).ok()?.event {
            Event::Dividend(paid) => Some(paid.net()),
            _ => self.entry.net,
        };
        net.map(|net| Money::new(net, self.entry.currency))
    }

    /// For editing.
    pub fn draft(&self) -> Draft {
        let entry = self.entry.clone();
        Draft {
            portfolio: self.portfolio.clone(),
            date: entry.date,
            kind: entry.kind,
            opening: lots::is_opening(&self.entry),
            symbol: entry.symbol,
            shares: entry.shares,
            price: entry.price,
            amount: entry.amount,
            fees: entry.fees,
            tax: entry.tax,
            net: entry.net,
            currency: Some(entry.currency),
            fx_rate: entry.fx_rate,
            ratio: entry.ratio,
            ex_date: entry.ex_date,
            reinvested: Reinvested::AsBefore,
            note: entry.note,
        }
    }
}

pub async fn list(app: &App, user_id: Uuid, filter: &Filter) -> Result<Page, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, filter.portfolio.as_deref()).await?;
    let mut entries = entries::of_user(&mut tx, user_id).await?;
    let symbol = filter.symbol.as_deref().map(|symbol| symbol.trim().to_uppercase()).filter(|symbol| !symbol.is_empty());
    entries.retain(|entry| {
        account.includes(entry.portfolio_id)
            && symbol.as_ref().is_none_or(|symbol| entry.symbol == *symbol)
            && filter.kind.is_none_or(|kind| entry.kind == kind)
            && filter.from.is_none_or(|from| entry.date >= from)
            && filter.to.is_none_or(|to| entry.date <= to)
            && (!filter.estimated || lots::is_estimated(entry))
    });
    let mut names = Names::default();
    if let Some(text) = filter.text.as_deref().map(store::name_key::key).filter(|text| !text.is_empty()) {
        for entry in &entries {
            names.learn(&mut tx, entry).await?;
        }
        entries.retain(|entry| names.mentions(entry, &text));
    }
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.date, entry.sequence)));
    let total = entries.len();
    let pages = total.div_ceil(PER_PAGE).max(1);
    let page = filter.page.clamp(1, pages);
    let mut rows = Vec::new();
    for entry in entries.into_iter().skip((page - 1) * PER_PAGE).take(PER_PAGE) {
        names.learn(&mut tx, &entry).await?;
        rows.push(row(entry, &account, &names));
    }
    Ok(Page { rows, total, page, pages })
}

/// Another user's entry is not found.
pub async fn one(app: &App, user_id: Uuid, sequence: i64) -> Result<Option<Row>, Error> {
    let mut tx = app.store.read().await?;
    let Some(entry) = entries::one(&mut tx, user_id, sequence).await? else { return Ok(None) };
    let account = Account::load(&mut tx, user_id, None).await?;
    let mut names = Names::default();
    names.learn(&mut tx, &entry).await?;
    Ok(Some(row(entry, &account, &names)))
}

pub(super) fn row(entry: Entry, account: &Account, names: &Names) -> Row {
    let name = names.name(&entry).map(str::to_owned);
    Row { portfolio: account.name_of(entry.portfolio_id).to_owned(), name, entry }
}

/// Stock names from market data.
#[derive(Default)]
pub(super) struct Names {
    by_symbol: HashMap<String, Option<String>>,
}

impl Names {
    pub async fn learn(&mut self, tx: &mut Tx, entry: &Entry) -> Result<(), Error> {
        if !self.by_symbol.contains_key(&entry.symbol) {
            let name = stocks::by_symbol(tx, &entry.symbol).await?.and_then(|stock| stock.name);
            self.by_symbol.insert(entry.symbol.clone(), name);
        }
        Ok(())
    }

    fn name<'a>(&'a self, entry: &'a Entry) -> Option<&'a str> {
        self.by_symbol.get(&entry.symbol).and_then(Option::as_deref).or(entry.name.as_deref())
    }

    /// `text` is case-folded.
    fn mentions(&self, entry: &Entry, text: &str) -> bool {
        let texts = [Some(entry.symbol.as_str()), self.name(entry), entry.isin.as_deref(), entry.note.as_deref()];
        texts.into_iter().flatten().any(|one| store::name_key::key(one).contains(text))
    }
}
