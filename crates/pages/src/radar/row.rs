//! One stock of the watchlist, and the form for its targets.

use app::explain::{Figure, Question};
use app::stocks::radar_view::{self, Figures};
use ledger::{Decimal, Money, Target};

use crate::explain;
use crate::format::Html;
use crate::format::figures::{self, FigureError};
use crate::stock::safety::badge;
use crate::visit::{Form, Visitor, links};

pub struct Row {
    pub symbol: String,
    pub link: String,
    pub name: Option<String>,
    /// False if there is no market data for it.
    pub known: bool,
    pub price: Option<Html>,
    pub yield_now: Option<Html>,
    pub average: Option<Html>,
    pub safety: (&'static str, &'static str),
    pub safety_explained: String,
    /// The day, and whether it is declared.
    pub next_ex: Option<(Html, bool)>,
    pub waits: Vec<Wait>,
    pub form: TargetForm,
    pub change_label: String,
    pub remove_label: String,
    pub what_if: String,
    pub what_if_label: String,
}

/// The target.
pub struct Wait {
    pub words: String,
    pub reached: bool,
    pub to_go: Option<Html>,
}

pub struct TargetForm {
    /// The row's number, for its field names.
    pub number: usize,
    pub open: bool,
    pub problem: Option<String>,
    pub yield_pct: Field,
    pub price: Field,
    pub price_label: String,
}

#[derive(Default)]
pub struct Field {
    pub text: String,
    pub problem: Option<String>,
}

pub fn row(visitor: &Visitor, number: usize, row: &radar_view::Row) -> Row {
    let (t, f) = (&visitor.texts.radar, visitor.format);
    let stock = row.stock.as_ref();
    let waits = waits(visitor, row);
    let explained = |shown: Html, figure| shown.explained(Question::of(figure).of_stock(figure, &row.symbol));
    Row {
        symbol: row.symbol.clone(),
        link: links::stock(&row.symbol),
        name: stock.and_then(|stock| stock.name.clone()),
        known: stock.is_some(),
        price: stock.and_then(|stock| stock.price.as_ref()).map(|price| explained(f.per_share(price), Figure::Price)),
        yield_now: stock.and_then(|stock| stock.yield_pct).map(|pct| explained(f.pct(pct), Figure::Yield)),
        average: stock.and_then(|stock| stock.yield_avg_5y_pct).map(|pct| explained(f.pct(pct), Figure::AverageYield)),
        safety: badge(visitor.texts, stock.map_or(ledger::Safety::Unknown, |stock| stock.safety)),
        safety_explained: explain::address(Question::of(Figure::Safety).of_stock(Figure::Safety, &row.symbol)),
        next_ex: stock
            .and_then(|stock| stock.next_ex.as_ref())
            .map(|item| (explained(f.date(item.ex_date), Figure::ExDividendDate), item.declared)),
        form: TargetForm::of(visitor, number, row),
        change_label: if waits.is_empty() { t.set_label(&row.symbol) } else { t.change_label(&row.symbol) },
        waits,
        remove_label: t.remove_label(&row.symbol),
        what_if: links::with_query("/whatif", [("symbol", &row.symbol)]),
        what_if_label: visitor.texts.what_if.link_label(&row.symbol),
    }
}

fn waits(visitor: &Visitor, row: &radar_view::Row) -> Vec<Wait> {
    let (t, f) = (&visitor.texts.radar, visitor.format);
    let plain = |figure: Decimal| f.marked(&figure.normalize().to_string());
    let to_go = |pct: Decimal, figure| {
        let pct = f.pct(pct).explained(Question::of(figure).of_stock(figure, &row.symbol));
        Html::sentence([pct], |[pct]| t.to_go(pct))
    };
    let wait = |words: String, distance: Option<Target>, figure| Wait {
        words,
        reached: distance == Some(Target::Reached),
        to_go: match distance {
            Some(Target::ToGo(pct)) => Some(to_go(pct, figure)),
            _ => None,
        },
    };
    let price_text = |price| match &row.stock {
        Some(Figures { currency, .. }) => f.per_share_text(&Money::new(price, *currency)),
        None => plain(price),
    };
    let by_yield =
        row.target_yield_pct.map(|pct| wait(t.target_yield(format!("{}%", plain(pct))), row.by_yield, Figure::ToTargetYield));
    let by_price = row.target_price.map(|price| wait(t.target_price(price_text(price)), row.by_price, Figure::ToTargetPrice));
    by_yield.into_iter().chain(by_price).collect()
}

impl TargetForm {
    fn of(visitor: &Visitor, number: usize, row: &radar_view::Row) -> TargetForm {
        let t = &visitor.texts.radar;
        let field = |figure: Option<Decimal>| Field {
            text: figure.map(|figure| figures::written(figure, &visitor.format)).unwrap_or_default(),
            problem: None,
        };
        TargetForm {
            number,
            open: false,
            problem: None,
            yield_pct: field(row.target_yield_pct),
            price: field(row.target_price),
            price_label: match &row.stock {
                Some(stock) => t.price_label(stock.currency.code()),
                None => t.price_label_unknown.to_owned(),
            },
        }
    }

    /// Opens the form with what was typed and what is wrong with it.
    pub fn refused(&mut self, visitor: &Visitor, form: &Form, problem: Option<String>) {
        let wrong = |name: &str| figure(visitor, form, name).err().map(|error| error.text(visitor.texts));
        let field = |name: &str| Field { text: form.text(name).to_owned(), problem: wrong(name) };
        (self.open, self.problem, self.yield_pct, self.price) = (true, problem, field("yield"), field("price"));
    }
}

/// What was typed into a field; `None` if nothing.
pub fn figure(visitor: &Visitor, form: &Form, name: &str) -> Result<Option<Decimal>, FigureError> {
    form.non_empty(name).map(|typed| figures::parse(typed, &visitor.format)).transpose()
}
