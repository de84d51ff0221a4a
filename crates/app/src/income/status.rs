//! The state of an account at a glance: income, the current month, the next payments, and what the user should know.

use std::collections::{BTreeSet, HashSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::expected::State;
use ledger::{Currency, Decimal, Money};
use uuid::Uuid;

use crate::book::{Book, OpenPosition};
use crate::income::expected::{self, Expected};
use crate::income::received::{self, Received};
use crate::income::upcoming::{self, Item, Upcoming};
use crate::income::{self, Outlook};
use crate::market::rates;
use crate::portfolios::notices::{self, notices};
use crate::{App, Error};

pub struct Status {
    pub today: Date,
    pub outlook: Outlook,
    /// Net, in the preferred currency.
    pub received_this_month: Money,
    /// Net, in the preferred currency, at today's exchange rates.
    pub expected_this_month: Money,
    /// Net, in the preferred currency.
    pub received_12_months: Money,
    /// The user's next payment.
    pub next: Option<Item>,
    pub upcoming: Vec<Item>,
    pub notices: Vec<Notice>,
}

pub enum Notice {
    /// Symbols with an old price, and the day of the oldest one.
    PricesOld {
        symbols: Vec<String>,
        oldest: Date,
    },
    /// The day of the oldest exchange rate in use.
    RatesOld {
        oldest: Date,
    },
    WithoutData {
        symbols: Vec<String>,
    },
    Unconverted {
        positions: Vec<(String, Currency)>,
    },
    /// Symbols and payment dates, newest first.
    PaymentsMissing {
        payments: Vec<(String, Date)>,
    },
    SplitNotApplied(notices::Notice),
}

/// How far ahead payments are listed.
const UPCOMING_DAYS: i32 = 14;
/// How far ahead the next payment may be: as far as upcoming payments can be listed.
const NEXT_DAYS: i32 = 120;

pub async fn status(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Status, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let today = book.today;
    let held = book.open_positions().await?;
    let outlook = income::of_held(&book, &held, 0, false)?;
    let received = received::of_book(&mut book, Date::MIN, today).await?;
    let compared = expected::of_book(&mut book, expected::first_day(today), Date::MAX).await?.payments;
    let soon = upcoming::of_book(&mut book, UPCOMING_DAYS).await?.items;
    let to_come = upcoming::of_book(&mut book, NEXT_DAYS).await?;
    let mut notices = market_notices(&book, &held, &outlook);
    let missing = compared.iter().filter(|payment| payment.state == State::Missing);
    let payments: Vec<(String, Date)> = missing.map(|payment| (payment.symbol.clone(), payment.pay_date)).collect();
    notices.extend((!payments.is_empty()).then_some(Notice::PaymentsMissing { payments }));
    let selected = book.account.selected.map(|id| book.account.name_of(id));
    let splits = self::notices(app, user_id).await?.into_iter();
    notices.extend(splits.filter(|one| selected.is_none_or(|name| name == one.portfolio)).map(Notice::SplitNotApplied));
    Ok(Status {
        today,
        received_this_month: received_this_month(&received, today),
        expected_this_month: expected_this_month(&book, &compared, &to_come)?,
        received_12_months: received.last_12_months.net,
        next: to_come.items.into_iter().find(|item| item.owned.is_some()),
        upcoming: soon,
        notices,
        outlook,
    })
}

fn received_this_month(received: &Received, today: Date) -> Money {
    let year = received.years.iter().find(|year| year.year == today.year());
    let month = year.map(|year| year.months[usize::from(today.month().unsigned_abs()) - 1].net);
    month.unwrap_or(Money::new(Decimal::ZERO, received.currency))
}

/// Upcoming payments until the end of the month, and those of this month that are due. A recorded one is no longer to come.
fn expected_this_month(book: &Book<'_>, compared: &[Expected], to_come: &Upcoming) -> Result<Money, Error> {
    let (first, today, last) = (book.today.first_of_month(), book.today, book.today.last_of_month());
    let recorded = compared.iter().filter(|payment| payment.received.is_some());
    let recorded: HashSet<(&str, Option<&str>, Date)> =
        recorded.map(|payment| (payment.symbol.as_str(), payment.portfolio.as_deref(), payment.ex_date)).collect();
    let later = to_come.items.iter().filter(|item| today <= item.pay_date && item.pay_date <= last);
    let later = later.filter_map(|item| {
        let owned = item.owned.as_ref()?;
        let is_recorded = recorded.contains(&(item.symbol.as_str(), owned.portfolio.as_deref(), item.ex_date));
        (!is_recorded).then_some(owned.expected_net)
    });
    let is_due = |payment: &&Expected| payment.state == State::Due && first <= payment.pay_date && payment.pay_date < today;
    book.sum(later.chain(compared.iter().filter(is_due).map(|payment| payment.expected_net)))
}

fn market_notices(book: &Book<'_>, held: &[OpenPosition], outlook: &Outlook) -> Vec<Notice> {
    let day = |held: &OpenPosition| {
        let stock = &held.profile.as_ref()?.stock;
        stock.price?;
        Some(stock.price_time()?.to_zoned(TimeZone::UTC).date())
    };
    let old = |held: &OpenPosition| day(held).filter(|day| rates::is_old(*day, book.today));
    let symbols: BTreeSet<String> =
        held.iter().filter(|held| old(held).is_some()).map(|held| held.holding.symbol.clone()).collect();
    let prices = held.iter().filter_map(old).min();
    let prices = prices.map(|oldest| Notice::PricesOld { symbols: symbols.into_iter().collect(), oldest });
    let rates = book.outdated_rates(held).map(|oldest| Notice::RatesOld { oldest });
    let symbols = outlook.income.coverage.without_data.clone();
    let without = (!symbols.is_empty()).then_some(Notice::WithoutData { symbols });
    let positions = outlook.income.unconverted.clone();
    let unconverted = (!positions.is_empty()).then_some(Notice::Unconverted { positions });
    [prices, rates, without, unconverted].into_iter().flatten().collect()
}
