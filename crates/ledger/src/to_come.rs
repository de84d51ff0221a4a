//! The payments to come of one stock: the declared ones, and estimates that follow the last known one.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::{business_day_from, days_after};
use crate::ex_dates::following;
use crate::frequency::Rhythm;
use crate::growth::a_year_before;
use crate::history::per_share_on;
use crate::number::Number;
use crate::{Currency, Fx, History, Money, Payment, Ratio, Split};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    pub ex_date: Date,
    pub pay_date: Date,
    /// Per share on the ex-date; in the trading currency at today's exchange rate, or in its own currency without one.
    pub per_share: Money,
    /// The payment one year earlier, in the same currency and for the same shares. `None` for a special.
    pub previous_per_share: Option<Money>,
    pub declared: bool,
    pub special: bool,
}

impl Item {
    /// The change since the payment one year earlier, as a fraction.
    pub fn change(&self) -> Option<Decimal> {
        change(self.per_share, self.previous_per_share?)
    }
}

/// From one amount per share to another in the same currency, as a fraction.
pub fn change(now: Money, before: Money) -> Option<Decimal> {
    now.amount.checked_div(before.amount)?.checked_sub(Decimal::ONE)
}

/// How many shares one of today's is by a later day, by the splits that are announced.
pub fn announced(splits: &[Split], today: Date, day: Date) -> Option<Decimal> {
    announced_from(Decimal::ONE, splits, today, day, |ratio| [ratio.new, ratio.old])
}

pub(crate) fn announced_from<N: Number>(
    one: N,
    splits: &[Split],
    today: Date,
    day: Date,
    sides: impl Fn(&Ratio) -> [N; 2],
) -> Option<N> {
    let between = splits.iter().filter(|split| today < split.date && split.date <= day);
    between.map(|split| sides(&split.ratio)).try_fold(one, |shares, [new, old]| shares.times(new)?.over(old))
}

/// By ex-date.
pub(crate) fn after_today(
    history: &History,
    rhythm: Rhythm,
    forward_rate: Money,
    splits: &[Split],
    trading: Currency,
    fx: &Fx,
    today: Date,
) -> Vec<Item> {
    let shown = |amount: Decimal, currency: Currency| match fx.convert(amount, currency, trading, today) {
        Some(converted) => Money::new(converted, trading),
        None => Money::new(amount, currency),
    };
    let plain = |ratio: &Ratio| [ratio.new, ratio.old];
    // Per share of the item's ex-date.
    let previous = |ex_date: Date| {
        let regular: Vec<&Payment> = history.regular().filter(|payment| payment.ex_date < ex_date).collect();
        let before = regular[a_year_before(&regular, ex_date)?];
        let amount = per_share_on(ex_date, before.amount, today, splits, plain)?;
        Some(shown(amount, history.currency)).filter(|money| !money.amount.is_zero())
    };
    let declared = history.payments.iter().filter(|payment| payment.ex_date.max(payment.pay_date) >= today).map(|payment| Item {
        ex_date: payment.ex_date,
        pay_date: payment.pay_date,
        per_share: shown(payment.paid_amount, payment.currency),
        previous_per_share: previous(payment.ex_date).filter(|_| !payment.special && payment.currency == history.currency),
        declared: true,
        special: payment.special,
    });
    let mut items: Vec<Item> = declared.collect();
    let per_payment = forward_rate.amount.checked_div(Decimal::from(rhythm.per_year)).filter(|amount| !amount.is_zero());
    if let Some(per_payment) = per_payment {
        let known: Vec<Date> = history.regular().map(|payment| payment.ex_date).collect();
        let estimated = following(&known, rhythm, days_after(today, LAST_DAY)).into_iter().filter(|ex_date| *ex_date >= today);
        items.extend(estimated.filter_map(|ex_date| {
            Some(Item {
                ex_date,
                pay_date: business_day_from(days_after(ex_date, history.lag_days)),
                per_share: Money::new(per_share_on(ex_date, per_payment, today, splits, plain)?, forward_rate.currency),
                previous_per_share: previous(ex_date),
                declared: false,
                special: false,
            })
        }));
    }
    items.sort_by_key(|item| item.ex_date);
    items
}

/// How far estimates reach: past the next payment of every payer that has not stopped, and past every window.
pub(crate) const LAST_DAY: i32 = 400;
