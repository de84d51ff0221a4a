//! How figures came about: trees down to transactions, payments, exchange rates and rows of tables. They are computed by the same
//! functions as the figures.

mod cash;
mod node;
mod outlook;
mod payment;
mod position;
mod purchase;
mod received;
mod scores;
mod stock;
mod totals;
mod withholding;

use jiff::civil::Date;

use crate::fx::{Place, Quoted};
use crate::{Currency, Fx, Payment};
pub use cash::{entry_amount, entry_net, reinvested_cost, reinvested_net, reinvested_price, reinvested_shares};
pub use node::{Node, Rule, Source, Unit, Value};
pub use outlook::{biggest_months_share, likely, month, projected};
pub use payment::{booked, difference, estimated};
pub use position::{Lot, announced_shares, average_cost, exact_average_cost};
pub use purchase::{added, bought_shares, cost as purchase_cost, purchase_yield};
pub use received::{converted, gross_receipt, net_receipt, received_growth};
pub use stock::Stock;
pub use totals::{
    change_pct, current_yield, growth_rate, income, monthly_average, net_income, net_payment, own_payment, percentage, sum,
    to_target, total, unknown_as_zero, value, withheld_share,
};
pub use withholding::{Paid, withholding};

/// Where data comes from.
pub trait Origins: Sync {
    /// The amount of a payment as it was paid.
    fn paid(&self, payment: &Payment) -> Node;

    /// Adds the source of a stock's field.
    fn field(&self, name: &str, node: Node) -> Node;
}

/// The units per euro of two currencies; `None` inside if they are the same, and outside if a rate is missing.
pub fn exchange(fx: &Fx, from: Currency, to: Currency, day: Date, rates: &Source) -> Option<Option<[Node; 2]>> {
    if from == to {
        return Some(None);
    }
    let rate = |currency| Some(exchange_rate(currency, fx.quoted(currency, day)?, rates));
    Some(Some([rate(from)?, rate(to)?]))
}

fn exchange_rate(currency: Currency, quoted: Quoted, rates: &Source) -> Node {
    let source = match quoted.place {
        Place::Fixed => Source::Table,
        Place::Own => rates.clone(),
        // The rates in the program are those of the European Central Bank.
        Place::Base => Source::Provider("ecb".to_owned()),
    };
    let node = Node::number("exchange_rate", quoted.rate, Unit::PerEuro(currency)).with_source(source);
    match quoted.date {
        Some(date) => node.as_of(date),
        None => node,
    }
}
