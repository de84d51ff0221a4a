//! `/ledger`: search all entries and add one.

pub mod confirm;
mod doubts;
pub mod edit;
mod fields;
mod form;
mod paging;
mod preview;
pub mod question;
pub mod remove;
mod sheet;
mod suggested;
pub mod words;

use std::collections::HashMap;

use app::automatic::Automatic;
use app::book::lots;
use app::entries::{self, Filter, Kind};
use app::{import, portfolios};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::Money;
use uuid::Uuid;

pub use paging::{Paging, paging};

use crate::http::Query;
use crate::web::format::Html;
use crate::web::page::{Section, Shell};
use crate::web::visit::{SignedIn, Visitor, links};
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "ledger.html")]
struct Page {
    shell: Shell,
    portfolios: Vec<String>,
    kinds: Vec<(&'static str, &'static str)>,
    params: Params,
    rows: Vec<Row>,
    total: String,
    /// There are no entries.
    blank: bool,
    /// Whether estimates can be selected.
    has_estimates: bool,
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
    /// For labels.
    day: String,
    note: Option<String>,
    /// They reinvest this dividend.
    purchases: Vec<Row>,
}

impl Row {
    /// The dividend and its purchases.
    fn both(&self) -> impl Iterator<Item = &Row> {
        std::iter::once(self).chain(&self.purchases)
    }
}

/// Query parameters. Malformed ones are ignored.
#[derive(Default)]
struct Params {
    portfolio: String,
    symbol: String,
    kind: String,
    from: String,
    to: String,
    text: String,
    estimated: bool,
    page: usize,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let t = visitor.texts;
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let records = portfolios.iter().any(|one| one.automatic == Automatic::Record);
    let names: Vec<String> = portfolios.into_iter().map(|one| one.name).collect();
    let params = Params::parse(&parts, &names);
    let found = entries::list(&web.app, who.user_id(), &params.filter()).await?;
    let files = imported_files(&web, &who).await?;
    let rows = entries::with_purchases(&web.app, who.user_id(), found.rows).await?;
    let page = Page {
        shell: visitor.shell(t.ledger.title, Section::Ledger),
        portfolios: names,
        kinds: kinds(visitor),
        blank: found.total == 0 && params.address() == "/ledger",
        total: t.ledger.total(found.total as u64),
        paging: paging(t, &params.address(), found.page, entries::PER_PAGE, found.total),
        has_estimates: records || params.estimated || rows.iter().any(|(row, _)| lots::is_estimated(&row.entry)),
        rows: rows.into_iter().map(|row| folded(visitor, row, &files)).collect(),
        params,
    };
    visitor.page(&page)
}

/// Code and name of every type.
fn kinds(visitor: &Visitor) -> Vec<(&'static str, &'static str)> {
    Kind::ALL.iter().map(|kind| (kind.word(), words::kind(visitor.texts, *kind))).collect()
}

/// The names of the imported files.
async fn imported_files(web: &Web, who: &SignedIn) -> Result<HashMap<Uuid, String>, app::Error> {
    let imports = import::list(&web.app, who.user_id()).await?;
    Ok(imports.into_iter().map(|import| (import.id, import.file_name)).collect())
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
        day: f.date_text(entry.date),
        note: entry.note,
        purchases: Vec::new(),
        symbol: entry.symbol,
    }
}

/// A dividend with the purchases that are part of its line.
fn folded(visitor: &Visitor, (row, purchases): (entries::Row, Vec<entries::Row>), files: &HashMap<Uuid, String>) -> Row {
    let purchases = purchases.into_iter().map(|purchase| shown(visitor, purchase, files)).collect();
    Row { purchases, ..shown(visitor, row, files) }
}

impl Params {
    fn parse(parts: &Parts, portfolios: &[String]) -> Params {
        let Ok(query) = Query::parse(parts.uri.query()) else { return Params::default() };
        let text = |name: &str| query.text(name).ok().flatten().unwrap_or_default().to_owned();
        let day = |name: &str| query.date(name).ok().flatten().map(|date| date.to_string()).unwrap_or_default();
        let portfolio = text("portfolio");
        Params {
            portfolio: portfolios
                .iter()
                .find(|name| name.to_lowercase() == portfolio.to_lowercase())
                .cloned()
                .unwrap_or_default(),
            symbol: text("symbol").chars().take(32).collect(),
            kind: Kind::parse(&text("kind")).map_or("", Kind::word).to_owned(),
            from: day("from"),
            to: day("to"),
            text: text("text").chars().take(100).collect(),
            estimated: query.boolean("estimated", false).unwrap_or(false),
            page: query.integer("page", 1..=1_000_000, 1).unwrap_or(1) as usize,
        }
    }

    fn filter(&self) -> Filter {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Filter {
            portfolio: given(&self.portfolio),
            symbol: given(&self.symbol),
            kind: Kind::parse(&self.kind),
            from: self.from.parse().ok(),
            to: self.to.parse().ok(),
            text: given(&self.text),
            estimated: self.estimated,
            page: self.page,
        }
    }

    /// Without the page number.
    fn address(&self) -> String {
        let estimated = if self.estimated { "true".to_owned() } else { String::new() };
        let parts = [
            ("portfolio", &self.portfolio),
            ("symbol", &self.symbol),
            ("kind", &self.kind),
            ("from", &self.from),
            ("to", &self.to),
            ("text", &self.text),
            ("estimated", &estimated),
        ];
        links::with_query("/ledger", parts.into_iter().filter(|(_, value)| !value.is_empty()))
    }
}
