//! The stock's payments: a bar per year, and a table of all payments.

use app::explain::{Figure, Question};
use app::stocks::stock_page::{Payment, StockPage};
use ledger::{Money, YearPaid};

use crate::chart::{self, Bar};
use crate::format::Html;
use crate::visit::Visitor;

use super::asked::{asked, explained_as, of_payment};

pub struct Years {
    pub chart: String,
    /// What the kinds of bars mean; empty if there is only one kind.
    pub legend: String,
    /// Newest first.
    pub rows: Vec<Year>,
}

pub struct Year {
    pub year: i16,
    pub total: Html,
    pub payments: usize,
    pub note: Option<&'static str>,
}

pub struct Payments {
    pub recent: Vec<Row>,
    pub older: Vec<Row>,
    pub older_title: String,
}

pub struct Row {
    pub ex_date: Html,
    pub pay_date: Html,
    pub pay_date_known: bool,
    pub per_share: Html,
    pub special: bool,
    pub to_come: bool,
}

const RECENT: usize = 12;

pub fn years(visitor: &Visitor, seen: &StockPage, this_year: i16) -> Option<Years> {
    let (t, f) = (&visitor.texts.stock, visitor.format);
    let money = |year: &YearPaid| Money::new(year.total, seen.paid_in);
    let kind = |year: &YearPaid| match (year.complete, year.changed) {
        (true, false) => ("", None),
        (true, true) => ("estimated", Some(t.changed)),
        (false, _) if year.year == this_year => ("future", Some(t.running)),
        (false, _) => ("thin", Some(t.incomplete)),
    };
    let bar = |year: &YearPaid| {
        let (class, note) = kind(year);
        let (amount, number) = (f.per_share_text(&money(year)), year.year.to_string());
        let title = match note {
            Some(note) => t.bar_noted(&number, &amount, note),
            None => t.bar(&number, &amount),
        };
        Bar { label: number, title, value: year.total, class }
    };
    let bars: Vec<Bar> = seen.years.iter().map(bar).collect();
    let meanings = [("", t.complete), ("estimated", t.changed), ("future", t.running), ("thin", t.incomplete)];
    let used: Vec<_> = meanings.into_iter().filter(|(class, _)| bars.iter().any(|bar| bar.class == *class)).collect();
    let row = |year: &YearPaid| {
        let asked = Question { year: Some(year.year), ..asked(Figure::YearTotal, &seen.stock.symbol) };
        let total = explained_as(visitor, f.per_share(&money(year)), asked);
        Year { year: year.year, total, payments: year.payments, note: kind(year).1 }
    };
    (!bars.is_empty()).then(|| Years {
        chart: chart::bars("years", t.history_chart, &bars, |tick| f.marked(&tick.to_string()), None),
        legend: if used.len() > 1 { chart::legend(&used) } else { String::new() },
        rows: seen.years.iter().rev().map(row).collect(),
    })
}

pub fn payments(visitor: &Visitor, seen: &StockPage) -> Payments {
    let f = visitor.format;
    // Without a split since, it is as the provider has it.
    let per_share = |payment: &Payment| match payment.adjusted {
        true => {
            let asked = of_payment(Figure::AdjustedPayment, &seen.stock.symbol, payment.ex_date, &payment.per_share);
            explained_as(visitor, f.per_share(&payment.per_share), asked)
        }
        false => f.per_share(&payment.per_share),
    };
    let row = |payment: &Payment| Row {
        ex_date: f.date(payment.ex_date),
        pay_date: f.date(payment.pay_date),
        pay_date_known: payment.pay_date_known,
        per_share: per_share(payment),
        special: payment.special,
        to_come: payment.to_come,
    };
    let (recent, older) = seen.payments.split_at(seen.payments.len().min(RECENT));
    Payments {
        recent: recent.iter().map(row).collect(),
        older: older.iter().map(row).collect(),
        older_title: visitor.texts.stock.older(older.len() as u64),
    }
}
