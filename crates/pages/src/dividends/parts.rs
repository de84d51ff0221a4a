//! Dividends of each stock and each portfolio, by year.

use app::explain::{Figure, Question};
use app::income::received::Received;
use ledger::received::Sum;

use super::of_year;
use crate::format::Html;
use crate::visit::{Visitor, links};

/// Years are columns, the newest on the right.
pub struct Table {
    pub years: Vec<i16>,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub key: String,
    /// Link to the stock's page.
    pub link: Option<String>,
    pub name: Option<String>,
    /// Net; `None` for a year without a dividend.
    pub years: Vec<Option<Html>>,
    pub net: Html,
    pub gross: Html,
}

pub fn by_stock(visitor: &Visitor, seen: &Received, asked: &Question) -> Table {
    let years: Vec<i16> = seen.years.iter().map(|year| year.year).collect();
    let rows = seen.by_stock.iter().map(|stock| Row {
        link: Some(links::stock(&stock.symbol)),
        name: stock.name.clone(),
        ..row(visitor, &stock.symbol, &years, &stock.years, &stock.total, &asked.of_stock(asked.figure, &stock.symbol))
    });
    Table { rows: rows.collect(), years }
}

pub fn by_portfolio(visitor: &Visitor, seen: &Received, asked: &Question) -> Table {
    let years: Vec<i16> = seen.years.iter().map(|year| year.year).collect();
    let of = |name: &str| Question { position: Some(name.to_owned()), ..asked.clone() };
    let rows = seen.by_portfolio.iter().map(|part| row(visitor, &part.key, &years, &part.years, &part.total, &of(&part.key)));
    Table { rows: rows.collect(), years }
}

fn row(visitor: &Visitor, key: &str, years: &[i16], paid: &[(i16, Sum)], total: &Sum, asked: &Question) -> Row {
    let f = visitor.format;
    let of_year = |year: &i16| {
        paid.iter().find(|(paid, _)| paid == year).map(|(_, sum)| f.money(&sum.net).explained(of_year(asked, *year)))
    };
    let gross = f.money(&total.gross).explained(asked.about(Figure::ReceivedGross));
    Row {
        key: key.to_owned(),
        link: None,
        name: None,
        years: years.iter().map(of_year).collect(),
        net: f.money(&total.net).explained(asked),
        gross: Html::sentence([gross], |[gross]| visitor.texts.dividends.gross_of(gross)),
    }
}
