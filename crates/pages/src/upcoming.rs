//! `/upcoming`: upcoming payments by month.

use app::explain::{Figure, Question};
use app::income::upcoming::{Item, Upcoming, list, totals};
use app::portfolios;
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use jiff::civil::Date;
use ledger::{Basis, Money};
use serving::Query;

use crate::format::Html;
use crate::page::{Section, Shell};
use crate::securities::Gaps;
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web, portfolio_picker};

#[derive(Template)]
#[template(path = "upcoming.html")]
struct Page<'a> {
    shell: Shell,
    /// The API request that returns the same figures.
    api: String,
    picker: portfolio_picker::Picker,
    days: Vec<(i64, bool)>,
    sums_label: String,
    sums: Vec<Html>,
    months: Vec<(String, Vec<Payment<'a>>)>,
    empty: String,
    gaps: Gaps,
}

/// A payment on the timeline.
pub struct Payment<'a> {
    /// Index in the API's answer.
    pub index: usize,
    pub day: Html,
    pub item: &'a Item,
    asked: Question,
}

impl Payment<'_> {
    /// Whether it is estimated from the user's own dividends.
    pub fn is_from_history(&self) -> bool {
        self.item.basis == Basis::Ledger
    }

    pub fn about(&self, figure: Figure) -> Question {
        self.asked.about(figure)
    }
}

const CHOICES: [i64; 4] = [30, 45, 90, 120];
const DAYS: i64 = 45;

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let query = Query::parse(parts.uri.query()).ok();
    let days = query.and_then(|query| query.integer("days", 1..=120, DAYS).ok()).unwrap_or(DAYS);
    let portfolio = portfolio_picker::portfolio(&parts);
    let portfolio = portfolio.as_deref();
    let seen = list(&web.app, who.user_id(), portfolio, days as i32).await?;
    let t = &visitor.texts.upcoming;
    let asked = Question { portfolio: portfolio.map(str::to_owned), ..Question::of(Figure::Upcoming) };
    let sum = |sum: &Money| {
        let asked = Question { days: Some(days as i32), currency: Some(sum.currency), ..asked.clone() };
        visitor.format.money(sum).explained(&asked)
    };
    let page = Page {
        shell: visitor.shell(t.title, Section::Upcoming),
        api: api(days, portfolio),
        picker: portfolio_picker::Picker::of(portfolios::list(&web.app, who.user_id()).await?, portfolio),
        days: choices(days),
        sums_label: t.sums(days.unsigned_abs()),
        sums: totals(&seen, days as i32)?.iter().map(sum).collect(),
        months: months(visitor, &seen, &asked),
        empty: t.empty_lead(days.unsigned_abs()),
        gaps: Gaps::load(&web, &who, &app::income::without_data(&web.app, who.user_id(), portfolio).await?).await?,
    };
    visitor.page(&page)
}

/// A number of days from the address is added to the usual ones.
fn choices(days: i64) -> Vec<(i64, bool)> {
    let mut choices = CHOICES.to_vec();
    choices.push(days);
    choices.sort_unstable();
    choices.dedup();
    choices.into_iter().map(|choice| (choice, choice == days)).collect()
}

pub fn api(days: i64, portfolio: Option<&str>) -> String {
    let days = days.to_string();
    links::with_query("/api/v1/upcoming", [("days", days.as_str())].into_iter().chain(portfolio.map(|name| ("portfolio", name))))
}

/// Items are sorted by their next date, so each month is a run of items.
fn months<'a>(visitor: &Visitor, seen: &'a Upcoming, asked: &Question) -> Vec<(String, Vec<Payment<'a>>)> {
    let today = seen.from;
    let long: Vec<&str> = visitor.texts.shell.months_long.split(' ').collect();
    let mut months: Vec<(String, Vec<Payment<'_>>)> = Vec::new();
    for (index, item) in seen.items.iter().enumerate() {
        let first = item.first_date(today);
        let month = long.get(usize::from(first.month().unsigned_abs()) - 1).copied().unwrap_or_default();
        let title = visitor.texts.upcoming.month(month, first.year().to_string());
        let payment = payment(visitor, index, item, today, Below::Weekday, asked);
        match months.last_mut().filter(|(last, _)| *last == title) {
            Some((_, payments)) => payments.push(payment),
            None => months.push((title, vec![payment])),
        }
    }
    months
}

/// What to show below the day of the month: some lists have month headings, others do not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Below {
    Weekday,
    Month,
}

pub fn payment<'a>(visitor: &Visitor, index: usize, item: &'a Item, today: Date, below: Below, asked: &Question) -> Payment<'a> {
    let portfolio = item.owned.as_ref().and_then(|owned| owned.portfolio.as_deref());
    let asked = Question {
        ex_date: Some(item.ex_date),
        per_share: Some(item.per_share.amount),
        ..asked.of_position(Figure::Payment, &item.symbol, portfolio)
    };
    Payment { index, day: day(visitor, item, today, below), item, asked }
}

/// The next of the two dates, and which one it is.
fn day(visitor: &Visitor, item: &Item, today: Date, below: Below) -> Html {
    let (t, date) = (visitor.texts, item.first_date(today));
    let which = if date == item.ex_date { t.upcoming.ex_mark } else { t.upcoming.pay_mark };
    let (names, index) = match below {
        Below::Weekday => (t.upcoming.weekdays_short, date.weekday().to_monday_zero_offset()),
        Below::Month => (t.shell.months_short, date.month() - 1),
    };
    let name = names.split(' ').nth(usize::from(index.unsigned_abs())).unwrap_or_default();
    Html(format!("<time class=\"day\" datetime=\"{date}\"><b>{}</b> {name} <small>{which}</small></time>", date.day()))
}
