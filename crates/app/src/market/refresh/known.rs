//! What is known about a stock, as validation needs it.

use jiff::Timestamp;
use market::validation::Known;
use store::dividends;
use store::stocks::Stock;
use store::{Tx, splits};

use crate::Error;
use crate::market::dividends::known_dividend;

/// Without dividends: everything that a quote is compared with.
pub(super) async fn of_price(tx: &mut Tx, stock: &Stock) -> Result<Known, Error> {
    Ok(Known {
        // A placeholder's currency comes from a ledger, not from the exchange.
        unit: (!stock.placeholder).then_some(stock.quote_unit),
        price: stock.price,
        price_as_of: stock.price_as_of.and_then(|at| Timestamp::from_microsecond(at).ok()),
        forward_rate: stock.forward_rate,
        dividends: Vec::new(),
        splits: splits::of_symbol(tx, &stock.symbol).await?,
        fund: crate::market::profile::is_fund(stock),
    })
}

pub(super) async fn of_stock(tx: &mut Tx, stock: &Stock) -> Result<Known, Error> {
    let dividends = dividends::of_symbol(tx, &stock.symbol).await?.into_iter().map(known_dividend).collect();
    Ok(Known { dividends, ..of_price(tx, stock).await? })
}
