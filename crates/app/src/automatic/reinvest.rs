//! What dividends that are recorded automatically buy.

use jiff::civil::Date;
use ledger::{Decimal, Fx, Kind, Money, Reinvestment, Split};
use store::entries::Entry;
use store::payment_decisions::Decision;
use store::portfolios::Reinvest;

use crate::Error;
use crate::book::lots;
use crate::entries::reference::reference;
use crate::import::identity;
use crate::market::day_price::{oldest_of, per_share};
use crate::market::profile::Profile;

/// How the dividends of a position are reinvested. Whether it is by whole shares only, and what decides the price.
#[derive(Clone, Copy)]
pub(super) struct Reinvesting<'a> {
    pub rule: Reinvest,
    /// Adjusted for all splits until today, oldest first.
    pub closes: &'a [(Date, Decimal)],
    pub profile: &'a Profile,
    pub fx: &'a Fx,
    pub today: Date,
}

impl Reinvesting<'_> {
    /// The purchase on the day of a dividend; `None` without a price, or if the dividend is too small.
    pub fn purchase(&self, dividend: &Entry) -> Result<Option<Entry>, Error> {
        match self.price(dividend) {
            Some(price) => at_price(dividend, price, self.rule),
            None => Ok(None),
        }
    }

    /// The last close, in the currency of the dividend.
    fn price(&self, dividend: &Entry) -> Option<Decimal> {
        let known = &self.closes[..self.closes.partition_point(|(date, _)| *date <= dividend.date)];
        let (_, close) = known.last().filter(|(date, _)| *date >= oldest_of(dividend.date))?;
        let splits: &[Split] = &self.profile.splits;
        let price = per_share(*close, self.today, dividend.date, splits)?;
        self.fx.convert(price, self.profile.stock.currency, dividend.currency, dividend.date)
    }
}

/// What the net amount of a dividend buys at this price.
pub(super) fn at_price(dividend: &Entry, price: Decimal, rule: Reinvest) -> Result<Option<Entry>, Error> {
    let net = Money::new(lots::net(dividend).unwrap_or_default(), dividend.currency);
    let bought = match rule {
        Reinvest::Off => None,
        Reinvest::Fractional => ledger::bought(net, price, false)?,
        Reinvest::Whole => ledger::bought(net, price, true)?,
    };
    Ok(bought.map(|bought| of_dividend(dividend, bought)))
}

/// The purchase that the user confirmed with a dividend.
pub(super) fn decided(dividend: &Entry, decision: &Decision) -> Option<Entry> {
    let (shares, price) = (decision.bought_shares?, decision.bought_price?);
    Some(of_dividend(dividend, Reinvestment { shares, price, amount: decision.bought_amount }))
}

fn of_dividend(dividend: &Entry, bought: Reinvestment) -> Entry {
    let id = format!("{} purchase", dividend.source_id.as_deref().unwrap_or_default());
    Entry {
        kind: Kind::Buy,
        shares: Some(bought.shares),
        price: Some(bought.price),
        amount: bought.amount,
        fees: None,
        tax: None,
        net: None,
        ex_date: None,
        note: None,
        gross_known: true,
        identity: identity::by_id(&dividend.source, &id, false),
        source_id: Some(id),
        reinvests: Some(reference(dividend)),
        ..dividend.clone()
    }
}
