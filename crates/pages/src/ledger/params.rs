//! What of the ledger is shown, and in which order, as in the address of the page.

use app::entries::{Filter, Kind, Order, Sort, Source};
use messages::web::Texts;
use serving::Query;

use crate::visit::links;

/// Sources that are not files, as in the address.
pub const SOURCES: [&str; 3] = ["manual", "automatic", "opening"];
/// What the name of a format follows.
pub const FORMAT: &str = "import:";

const SORTS: [(&str, Sort); 3] = [("date", Sort::Date), ("kind", Sort::Kind), ("symbol", Sort::Symbol)];

/// Malformed ones are ignored.
#[derive(Default)]
pub struct Params {
    pub portfolio: String,
    pub symbol: String,
    pub kind: String,
    pub source: String,
    pub from: String,
    pub to: String,
    pub text: String,
    pub estimated: bool,
    /// Empty for newest first; a minus means descending.
    pub sort: String,
    pub page: usize,
}

/// A heading of the table.
pub struct Column {
    pub title: &'static str,
    pub numeric: bool,
    /// `None` if rows are not sorted by it.
    pub link: Option<String>,
    pub label: String,
    pub sorted: Option<&'static str>,
}

impl Params {
    pub fn parse(query: Option<&str>, portfolios: &[String]) -> Params {
        let Ok(query) = Query::parse(query) else { return Params::default() };
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
            source: Some(text("source")).filter(|text| source(text).is_some()).unwrap_or_default(),
            from: day("from"),
            to: day("to"),
            text: text("text").chars().take(100).collect(),
            estimated: query.boolean("estimated", false).unwrap_or(false),
            sort: Some(text("sort")).filter(|text| *text != word(Filter::default().order)).unwrap_or_default(),
            page: query.integer("page", 1..=1_000_000, 1).unwrap_or(1) as usize,
        }
    }

    pub fn filter(&self) -> Filter {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Filter {
            portfolio: given(&self.portfolio),
            symbol: given(&self.symbol),
            kind: Kind::parse(&self.kind),
            source: source(&self.source),
            from: self.from.parse().ok(),
            to: self.to.parse().ok(),
            text: given(&self.text),
            estimated: self.estimated,
            order: self.order(),
            page: self.page,
        }
    }

    fn order(&self) -> Order {
        order(&self.sort).unwrap_or(Filter::default().order)
    }

    pub fn is_filtered(&self) -> bool {
        self.address_at("", "").contains('?')
    }

    /// Without the page number.
    pub fn address(&self) -> String {
        self.address_at("/ledger", &self.sort)
    }

    pub fn page_address(&self) -> String {
        let (list, page) = (self.address(), self.page);
        let separator = if list.contains('?') { '&' } else { '?' };
        if page > 1 { format!("{list}{separator}page={page}") } else { list }
    }

    fn address_at(&self, path: &str, sort: &str) -> String {
        let estimated = if self.estimated { "true" } else { "" };
        let parts = [
            ("portfolio", self.portfolio.as_str()),
            ("symbol", &self.symbol),
            ("kind", &self.kind),
            ("source", &self.source),
            ("from", &self.from),
            ("to", &self.to),
            ("text", &self.text),
            ("estimated", estimated),
            ("sort", sort),
        ];
        links::with_query(path, parts.into_iter().filter(|(_, value)| !value.is_empty()))
    }

    pub fn columns(&self, t: &'static Texts) -> Vec<Column> {
        let now = self.order();
        let plain = |title, numeric| Column { title, numeric, link: None, label: String::new(), sorted: None };
        let sorted = |title: &'static str, sort: Sort| {
            let is_sorted = now.sort == sort;
            // Dates are first sorted from the newest, texts from A.
            let descending = if is_sorted { !now.descending } else { sort == Sort::Date };
            let sort = Some(word(Order { sort, descending })).filter(|_| sort != Sort::Date || !descending);
            Column {
                link: Some(self.address_at("/ledger", &sort.unwrap_or_default())),
                label: t.holdings.sort_by(title),
                sorted: is_sorted.then_some(if now.descending { "descending" } else { "ascending" }),
                ..plain(title, false)
            }
        };
        vec![
            sorted(t.ledger.date, Sort::Date),
            sorted(t.ledger.kind, Sort::Kind),
            sorted(t.ledger.security, Sort::Symbol),
            plain(t.ledger.shares, true),
            plain(t.ledger.amount, true),
            plain(t.shell.portfolio, false),
            plain(t.ledger.source, false),
        ]
    }
}

fn word(order: Order) -> String {
    let name = SORTS.iter().find(|(_, sort)| *sort == order.sort).map_or("", |(name, _)| name);
    format!("{}{name}", if order.descending { "-" } else { "" })
}

fn order(text: &str) -> Option<Order> {
    let (descending, name) = text.strip_prefix('-').map_or((false, text), |name| (true, name));
    SORTS.iter().find(|(known, _)| *known == name).map(|(_, sort)| Order { sort: *sort, descending })
}

fn source(text: &str) -> Option<Source> {
    match text {
        "manual" => Some(Source::ByHand),
        "automatic" => Some(Source::Automatic),
        "opening" => Some(Source::Opening),
        _ => match text.strip_prefix(FORMAT) {
            Some(format) => app::import::formats().any(|known| known == format).then(|| Source::Format(format.to_owned())),
            None => text.parse().ok().map(Source::File),
        },
    }
}
