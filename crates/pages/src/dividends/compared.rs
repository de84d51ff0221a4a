//! Expected payments compared with recorded ones.

use std::cmp::Reverse;

use app::automatic::{Suggestion, Suggestions};
use app::explain::{Figure, Question};
use app::income::expected::{Comparison, Expected, Extra};
use jiff::civil::Date;
use ledger::expected::State;

use super::missing;
use crate::format::Html;
use crate::visit::{Visitor, links};

pub struct Compared {
    /// Payments that differ, are missing or due, or were not expected.
    pub open: Vec<Row>,
    pub received: Vec<Row>,
    pub received_title: String,
    /// Shown if not all rows are.
    pub cut_off: Option<String>,
    pub not_compared: Option<String>,
    /// The sentence about payments that the user ignores, and the link to them.
    pub ignored: Option<(String, String)>,
}

pub struct Row {
    day: Date,
    pub symbol: String,
    pub link: String,
    pub name: Option<String>,
    pub portfolio: Option<String>,
    pub date: Html,
    pub date_known: bool,
    pub special: bool,
    /// Shares, amount per share, and their product.
    pub expected: Option<(Html, Html, Html)>,
    pub recorded: Option<Html>,
    pub recorded_on: Option<String>,
    pub net_only: bool,
    pub off_by: Option<Html>,
    pub badge: &'static str,
    pub word: &'static str,
    pub record: Option<Record>,
}

/// Link to where a missing payment is recorded.
pub struct Record {
    pub link: String,
    pub label: String,
}

/// Keeps the page small for users with hundreds of monthly payers.
const ROWS_MAX: usize = 300;

pub fn build(visitor: &Visitor, seen: Comparison, suggested: &Suggestions, portfolio: Option<&str>) -> Compared {
    let t = &visitor.texts.dividends;
    let (received, open): (Vec<Expected>, Vec<Expected>) =
        seen.payments.into_iter().partition(|payment| payment.state == State::Received);
    let record = |payment: &Expected| (payment.state == State::Missing).then(|| record(visitor, payment, suggested, portfolio));
    let mut open: Vec<Row> =
        open.iter().map(|payment| Row { record: record(payment), ..row(visitor, payment, portfolio) }).collect();
    open.extend(seen.extra.iter().map(|extra| extra_row(visitor, extra, portfolio)));
    open.sort_by(|a, b| (Reverse(a.day), &a.symbol, &a.portfolio).cmp(&(Reverse(b.day), &b.symbol, &b.portfolio)));
    let cut_off = (open.len() > ROWS_MAX || received.len() > ROWS_MAX).then(|| t.cut_off(ROWS_MAX as u64));
    open.truncate(ROWS_MAX);
    let names = seen.not_compared.join(", ");
    Compared {
        open,
        received_title: t.as_expected(received.len() as u64),
        received: received.iter().take(ROWS_MAX).map(|payment| row(visitor, payment, portfolio)).collect(),
        ignored: (!suggested.ignored.is_empty())
            .then(|| (t.ignored(suggested.ignored.len() as u64), missing::address(portfolio) + "#ignored")),
        cut_off,
        not_compared: (!names.is_empty()).then(|| t.not_compared(&names)),
    }
}

fn row(visitor: &Visitor, payment: &Expected, portfolio: Option<&str>) -> Row {
    let (t, f) = (&visitor.texts.dividends, visitor.format);
    let (badge, word) = match payment.state {
        State::Received => ("safe", t.received),
        State::Different => ("watch", t.different),
        State::Missing => ("at-risk", t.missing),
        State::Due => ("estimated", t.due),
    };
    let about = |figure| Question {
        ex_date: Some(payment.ex_date),
        per_share: Some(payment.per_share.amount),
        ..asked(figure, &payment.symbol, payment.portfolio.as_deref(), portfolio)
    };
    let due = f.money(&payment.expected).explained(about(Figure::DuePayment));
    let different = payment.difference.filter(|_| payment.state == State::Different);
    Row {
        day: payment.pay_date,
        link: links::stock(&payment.symbol),
        symbol: payment.symbol.clone(),
        name: payment.name.clone(),
        portfolio: payment.portfolio.clone(),
        date: f.date(payment.pay_date),
        date_known: payment.pay_date_known,
        special: payment.special,
        expected: Some((f.shares(payment.shares), f.per_share(&payment.per_share), due)),
        recorded: payment.received.map(|money| f.money(&money).explained(about(Figure::Recorded))),
        recorded_on: payment.received_on.filter(|day| *day != payment.pay_date).map(|day| t.on(f.date_text(day))),
        net_only: payment.net_only,
        off_by: different
            .map(|money| Html::sentence([f.money(&money).explained(about(Figure::Difference))], |[money]| t.off_by(money))),
        badge,
        word,
        record: None,
    }
}

fn asked(figure: Figure, symbol: &str, position: Option<&str>, portfolio: Option<&str>) -> Question {
    Question { portfolio: portfolio.map(str::to_owned), ..Question::of(figure).of_position(figure, symbol, position) }
}

fn is_same(payment: &Expected, suggested: &Suggestion) -> bool {
    let key = &suggested.key;
    (&payment.symbol, payment.ex_date, payment.per_share.currency, payment.special)
        == (&key.symbol, key.ex_date, key.currency, key.special)
        && payment.portfolio == suggested.portfolio
}

/// A prefilled form if the payment is not suggested.
fn record(visitor: &Visitor, payment: &Expected, suggested: &Suggestions, portfolio: Option<&str>) -> Record {
    let day = visitor.format.date_text(payment.pay_date);
    let label = visitor.texts.dividends.record_of(&payment.symbol, &day);
    if let Some(link) = missing::row_address(suggested, |one| is_same(payment, one), portfolio) {
        return Record { link, label };
    }
    let (date, expected) = (payment.pay_date.to_string(), &payment.expected);
    let mut query = vec![
        ("kind", "dividend".to_owned()),
        ("symbol", payment.symbol.clone()),
        ("date", date),
        ("amount", expected.aggregate_text()),
        ("currency", expected.currency.to_string()),
        ("shares", ledger::shares_text(payment.shares)),
        ("price", payment.per_share.per_share_text()),
        ("ex_date", payment.ex_date.to_string()),
    ];
    query.extend(payment.portfolio.as_deref().or(portfolio).map(|name| ("portfolio", name.to_owned())));
    Record { link: links::with_query("/ledger/new", query), label }
}

fn extra_row(visitor: &Visitor, extra: &Extra, portfolio: Option<&str>) -> Row {
    let f = visitor.format;
    let of_record = Question {
        to: Some(extra.date),
        per_share: Some(extra.received.amount),
        currency: Some(extra.received.currency),
        ..asked(Figure::Recorded, &extra.symbol, extra.portfolio.as_deref(), portfolio)
    };
    Row {
        day: extra.date,
        link: links::stock(&extra.symbol),
        symbol: extra.symbol.clone(),
        name: extra.name.clone(),
        portfolio: extra.portfolio.clone(),
        date: f.date(extra.date),
        date_known: true,
        special: false,
        expected: None,
        recorded: Some(f.money(&extra.received).explained(of_record)),
        recorded_on: None,
        net_only: extra.net_only,
        off_by: None,
        badge: "unknown",
        word: visitor.texts.dividends.extra,
        record: None,
    }
}
