//! The stock page: its payments, how they compare, and the user's own position.

use jiff::civil::Date;
use ledger::upcoming::Item;
use ledger::{Check, Currency, Decimal, Money, YearPaid};
use uuid::Uuid;

use crate::income::received::{self, StockTotal};
use crate::portfolios::positions::{self, Position};
use crate::stocks::stock::{self, Price, Stock};
use crate::{App, Error, Viewer};

pub struct StockPage {
    pub stock: Stock,
    /// Newest ex-date first, including specials and declared ones.
    pub payments: Vec<Payment>,
    /// By ex-date, oldest first, without specials.
    pub years: Vec<YearPaid>,
    /// The currency of the years.
    pub paid_in: Currency,
    pub yields: Yields,
    pub safety_reasons: Vec<Check>,
    /// Fraction of earnings.
    pub payout_ratio: Option<Decimal>,
    /// Free cash flow ÷ dividends.
    pub fcf_cover: Option<Decimal>,
    /// The payment with the next date, declared or estimated.
    pub next: Option<Item>,
    /// For signed-in users.
    pub own: Option<Own>,
}

#[derive(Clone, Debug)]
pub struct Payment {
    pub ex_date: Date,
    pub pay_date: Date,
    /// False if the payment date is an estimate.
    pub pay_date_known: bool,
    /// Split-adjusted.
    pub per_share: Money,
    /// Whether there was a split since.
    pub adjusted: bool,
    pub special: bool,
    /// Its ex-date is today or later.
    pub to_come: bool,
}

/// The yield, and its own five-year average.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Yields {
    pub yield_pct: Option<Decimal>,
    pub average_5y_pct: Option<Decimal>,
    /// Yield ÷ average, from the exact figures, two decimals.
    pub ratio: Option<Decimal>,
}

impl Yields {
    /// By how many percent the yield is above its average, or below if negative; a whole number.
    pub fn above_average_pct(&self) -> Option<Decimal> {
        let above = self.ratio?.checked_sub(Decimal::ONE)?;
        Some(above.checked_mul(Decimal::ONE_HUNDRED)?.round_dp(0).normalize())
    }
}

pub struct Own {
    /// One per portfolio that holds it, in the order of the holdings; shares of income are of all portfolios together.
    pub positions: Vec<Position>,
    /// All dividends ever received from it.
    pub received: Option<StockTotal>,
}

/// `None` if the symbol is not tracked, or for strangers if it is not public. `price` comes from [`stock::price_now`]; without
/// it, the stored price is used.
pub async fn page(app: &App, symbol: &str, price: Option<Price>, user_id: Option<Uuid>) -> Result<Option<StockPage>, Error> {
    let symbol = symbol.to_uppercase();
    let viewer = user_id.map_or(Viewer::Stranger, Viewer::User);
    let Some(stock) = stock::stock(app, &symbol, price, viewer).await? else { return Ok(None) };
    let own = match user_id {
        Some(user_id) => Some(own(app, user_id, &symbol).await?),
        None => None,
    };
    let (today, metrics) = (app.clock.today(), &stock.metrics);
    Ok(Some(StockPage {
        payments: payments(&stock, today),
        years: metrics.years.clone(),
        paid_in: metrics.history.currency,
        yields: Yields {
            yield_pct: metrics.yield_pct,
            average_5y_pct: metrics.yield_avg_5y_pct,
            ratio: metrics.relative_yield.map(|ratio| ratio.round_dp(2)),
        },
        safety_reasons: metrics.safety_reasons.clone(),
        payout_ratio: stock.payout_ratio,
        fcf_cover: stock.fcf_cover,
        next: ledger::upcoming::next(metrics, today, |_| true),
        own,
        stock,
    }))
}

fn payments(stock: &Stock, today: Date) -> Vec<Payment> {
    let newest_first = stock.metrics.history.payments.iter().rev();
    let payment = |payment: &ledger::Payment| Payment {
        ex_date: payment.ex_date,
        pay_date: payment.pay_date,
        pay_date_known: payment.pay_date_known,
        per_share: Money::new(payment.amount, payment.currency),
        adjusted: payment.amount != payment.paid_amount,
        special: payment.special,
        to_come: payment.ex_date >= today,
    };
    newest_first.map(payment).collect()
}

async fn own(app: &App, user_id: Uuid, symbol: &str) -> Result<Own, Error> {
    let mut positions = positions::list(app, user_id, None).await?.rows;
    positions.retain(|position| position.holding.symbol == symbol);
    let received = received::received(app, user_id, None, app.clock.today()).await?;
    Ok(Own { positions, received: received.by_stock.into_iter().find(|stock| stock.symbol == symbol) })
}
