//! By month, and year over year.

use app::explain::Question;
use app::income::received::Received;
use jiff::civil::Date;
use ledger::received::{YearTotals, quarter};
use ledger::{Decimal, Money};

use super::of_year;
use crate::chart::{self, Bar, Group};
use crate::format::Html;
use crate::visit::Visitor;

pub struct Years {
    /// Oldest first.
    pub years: Vec<i16>,
    pub months: Vec<(String, Vec<Cell>)>,
    pub totals: Vec<Html>,
    pub compared: Option<Compared>,
}

pub struct Cell {
    pub class: &'static str,
    /// `None` for a month without a dividend.
    pub amount: Option<Html>,
}

/// The last years side by side.
pub struct Compared {
    pub chart: String,
    pub years: Vec<i16>,
    /// `None` for future months.
    pub months: Vec<(String, Vec<Option<Html>>)>,
}

const LEVELS: [&str; 5] = ["none", "l1", "l2", "l3", "l4"];
const YEARS_COMPARED: usize = 4;

pub fn build(visitor: &Visitor, seen: &Received, today: Date, asked: &Question) -> Years {
    let f = visitor.format;
    let highest = seen.years.iter().flat_map(|year| &year.months).map(|month| month.net.amount).max().unwrap_or_default();
    let cell = |year: i16, at: usize, month: &Money| Cell {
        class: LEVELS[usize::from(quarter(month.amount, highest))],
        amount: (!month.amount.is_zero()).then(|| f.money(month).explained(of_month(asked, year, at))),
    };
    Years {
        years: seen.years.iter().map(|year| year.year).collect(),
        months: by_month(visitor, &seen.years, cell),
        totals: seen.years.iter().map(|year| f.money(&year.total.net).explained(of_year(asked, year.year))).collect(),
        compared: compared(visitor, &seen.years, today, asked),
    }
}

/// Months count from 0.
fn of_month(asked: &Question, year: i16, month: usize) -> Question {
    let from = Date::new(year, month as i8 + 1, 1).unwrap_or_default();
    Question { from: Some(from), to: Some(from.last_of_month()), ..asked.clone() }
}

fn by_month<T>(visitor: &Visitor, years: &[YearTotals], cell: impl Fn(i16, usize, &Money) -> T) -> Vec<(String, Vec<T>)> {
    let names = visitor.texts.shell.months_long.split(' ').enumerate();
    let cells = |at: usize| years.iter().map(|year| cell(year.year, at, &year.months[at].net)).collect();
    names.map(|(at, name)| (name.to_owned(), cells(at))).collect()
}

/// A month without a dividend is shown only once it has begun. Months count from 0.
fn is_shown(year: i16, month: usize, amount: &Money, today: Date) -> bool {
    !amount.amount.is_zero() || (year, month) < (today.year(), usize::from(today.month().unsigned_abs()))
}

/// `None` before the second year.
fn compared(visitor: &Visitor, years: &[YearTotals], today: Date, asked: &Question) -> Option<Compared> {
    let years = &years[years.len().saturating_sub(YEARS_COMPARED)..];
    let classes: &[&'static str] = match years.len() {
        0 | 1 => return None,
        2 => &["s1", "s4"],
        3 => &["s1", "s3", "s4"],
        _ => &["s1", "s2", "s3", "s4"],
    };
    let (t, f) = (&visitor.texts.dividends, visitor.format);
    let long = visitor.texts.shell.months_long.split(' ');
    let short = visitor.texts.shell.months_short.split(' ');
    let bar = |at: usize, month: &str, year: &YearTotals, class| {
        let amount = f.money_text(&year.months[at].net);
        let title = t.bar(month, year.year.to_string(), &amount);
        let bar = Bar { label: String::new(), title, value: year.months[at].net.amount, class };
        Some(bar).filter(|_| is_shown(year.year, at, &year.months[at].net, today))
    };
    let groups: Vec<Group> = (0..12)
        .zip(long.zip(short))
        .map(|(at, (month, label))| Group {
            label: label.to_owned(),
            bars: years.iter().zip(classes).map(|(year, class)| bar(at, month, year, *class)).collect(),
        })
        .collect();
    let names: Vec<String> = years.iter().map(|year| year.year.to_string()).collect();
    let legend: Vec<(&str, &str)> = classes.iter().copied().zip(names.iter().map(String::as_str)).collect();
    let tick = |tick: Decimal| f.marked(&tick.to_string());
    Some(Compared {
        chart: chart::legend(&legend) + &chart::grouped("years-chart", t.years_chart, &groups, tick),
        years: years.iter().map(|year| year.year).collect(),
        months: by_month(visitor, years, |year, at, month| {
            is_shown(year, at, month, today).then(|| f.money(month).explained(of_month(asked, year, at)))
        }),
    })
}
