//! `/ledger`: search all entries and add one.

pub mod confirm;
mod doubts;
pub mod edit;
pub mod export;
mod fields;
pub mod form;
mod paging;
mod params;
mod preview;
pub mod question;
pub mod remove;
pub mod selected;
mod sheet;
mod suggested;
pub mod undo;
pub mod words;

use std::collections::{BTreeSet, HashMap};

use app::automatic::Automatic;
use app::book::lots;
use app::entries::{self, Kind};
use app::import::{self, Import};
use app::portfolios;
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::Money;
use uuid::Uuid;

pub use paging::{Paging, paging};

use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web};
use params::{Column, Params};
use undo::Undo;

#[derive(Template)]
#[template(path = "ledger.html")]
struct Page {
    shell: Shell,
    portfolios: Vec<String>,
    kinds: Vec<(&'static str, &'static str)>,
    /// Value and name of every source.
    sources: Vec<(String, String)>,
    columns: Vec<Column>,
    params: Params,
    rows: Vec<Row>,
    total: String,
    /// On all pages.
    matching: usize,
    all_matching: String,
    on_page: String,
    undo: Option<Undo>,
    /// For links to forms that lead back to this list.
    next: String,
    /// There are no entries.
    blank: bool,
    /// Whether estimates can be selected.
    has_estimates: bool,
    /// The sequences of the dividends on the page that can be confirmed.
    to_confirm: Vec<i64>,
    paging: Option<Paging>,
}

struct Row {
    sequence: i64,
    date: Html,
    kind: &'static str,
    symbol: String,
    link: String,
    name: Option<String>,
    ratio: Option<String>,
    shares: Option<Html>,
    price: Option<Html>,
    amount: Option<Html>,
    /// For a dividend.
    net: Option<Html>,
    portfolio: String,
    source: String,
    /// From market data, and not confirmed.
    estimated: bool,
    /// From market data: once deleted, it is not recorded again.
    automatic: bool,
    is_dividend: bool,
    /// For labels.
    day: String,
    /// Names its box.
    select: String,
    note: Option<String>,
    /// A purchase that a dividend paid for.
    reinvests: bool,
    /// They reinvest this dividend.
    purchases: Vec<Row>,
}

impl Row {
    /// The dividend and its purchases.
    fn both(&self) -> impl Iterator<Item = &Row> {
        std::iter::once(self).chain(&self.purchases)
    }

    /// A purchase is confirmed with its dividend.
    fn can_be_confirmed(&self) -> bool {
        self.estimated && self.is_dividend
    }
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let t = visitor.texts;
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let records = portfolios.iter().any(|one| one.automatic == Automatic::Record);
    let names: Vec<String> = portfolios.into_iter().map(|one| one.name).collect();
    let params = Params::parse(parts.uri.query(), &names);
    let found = entries::list(&web.app, who.user_id(), &params.filter()).await?;
    let on_page = found.rows.len();
    let rows = entries::with_purchases(&web.app, who.user_id(), found.rows).await?;
    let imports = import::list(&web.app, who.user_id()).await?;
    let files = file_names(&imports);
    let has_estimates = records || params.estimated || rows.iter().any(|(row, _)| lots::is_estimated(&row.entry));
    let rows: Vec<Row> = rows.into_iter().map(|row| folded(visitor, row, &files)).collect();
    let page = Page {
        shell: visitor.shell(t.ledger.title, Section::Ledger),
        portfolios: names,
        kinds: kinds(visitor),
        sources: sources(visitor, &imports),
        columns: params.columns(t),
        blank: found.total == 0 && !params.is_filtered(),
        total: t.ledger.total(found.total as u64),
        next: sheet::back_query(&params.page_address()),
        undo: Undo::of(&web, &who).await?,
        matching: found.total,
        all_matching: t.ledger.all_matching(found.total as u64),
        on_page: t.ledger.on_page(on_page as u64),
        paging: paging(t, &params.address(), found.page, entries::PER_PAGE, found.total),
        has_estimates,
        to_confirm: rows.iter().filter(|row| row.can_be_confirmed()).map(|row| row.sequence).collect(),
        rows,
        params,
    };
    visitor.page(&page)
}

/// Code and name of every type.
fn kinds(visitor: &Visitor) -> Vec<(&'static str, &'static str)> {
    Kind::ALL.iter().map(|kind| (kind.word(), words::kind(visitor.texts, *kind))).collect()
}

/// Where entries can come from: the formats of imported files, and each file, the newest first.
fn sources(visitor: &Visitor, imports: &[Import]) -> Vec<(String, String)> {
    let mut words: Vec<String> = params::SOURCES.map(str::to_owned).to_vec();
    let formats: BTreeSet<&str> = imports.iter().map(|import| import.format.as_str()).collect();
    words.extend(formats.into_iter().map(|format| format!("{}{format}", params::FORMAT)));
    let named = words.into_iter().map(|word| {
        let name = words::source(visitor.texts, &word);
        (word, name)
    });
    let files = imports.iter().rev().map(|import| {
        let day = visitor.format.day_text(import.created_at);
        (import.id.to_string(), visitor.texts.ledger.file(import.file_name.as_str(), day))
    });
    named.chain(files).collect()
}

async fn imported_files(web: &Web, who: &SignedIn) -> Result<HashMap<Uuid, String>, app::Error> {
    Ok(file_names(&import::list(&web.app, who.user_id()).await?))
}

/// The names of the imported files.
fn file_names(imports: &[Import]) -> HashMap<Uuid, String> {
    imports.iter().map(|import| (import.id, import.file_name.clone())).collect()
}

fn shown(visitor: &Visitor, row: entries::Row, files: &HashMap<Uuid, String>) -> Row {
    let f = visitor.format;
    let amount = row.amount().map(|amount| f.recorded(&amount));
    let entry = row.entry;
    let (estimated, automatic) = (lots::is_estimated(&entry), lots::is_automatic(&entry));
    let money = |figure| Money::new(figure, entry.currency);
    Row {
        sequence: entry.sequence,
        date: f.date(entry.date),
        kind: words::kind(visitor.texts, entry.kind),
        link: links::stock(&entry.symbol),
        name: row.name,
        ratio: entry.ratio.map(|ratio| ratio.to_string()),
        shares: entry.shares.map(|shares| f.shares(shares)),
        price: entry.price.map(|price| f.per_share(&money(price))),
        amount,
        net: entry.net.filter(|_| entry.kind == Kind::Dividend).map(|net| f.recorded(&money(net))),
        portfolio: row.portfolio,
        source: match entry.import_id.and_then(|id| files.get(&id)) {
            Some(file_name) => file_name.clone(),
            None => words::source(visitor.texts, &entry.source),
        },
        estimated,
        automatic,
        is_dividend: entry.kind == Kind::Dividend,
        day: f.date_text(entry.date),
        select: {
            let (kind, day) = (words::kind(visitor.texts, entry.kind), f.date_text(entry.date));
            visitor.texts.ledger.select_row(kind, entry.symbol.as_str(), day)
        },
        note: entry.note,
        reinvests: entry.reinvests.is_some(),
        purchases: Vec::new(),
        symbol: entry.symbol,
    }
}

/// A dividend with the purchases that are part of its line.
fn folded(visitor: &Visitor, (row, purchases): (entries::Row, Vec<entries::Row>), files: &HashMap<Uuid, String>) -> Row {
    let purchases = purchases.into_iter().map(|purchase| shown(visitor, purchase, files)).collect();
    Row { purchases, ..shown(visitor, row, files) }
}
