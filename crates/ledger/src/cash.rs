//! What a transaction comes to, from the figures that were given.

use rust_decimal::Decimal;

use crate::Kind;
use crate::number::Number;

/// The figures of a transaction, in its currency.
#[derive(Clone, Copy, Default, Debug)]
pub struct Given<N = Decimal> {
    pub shares: Option<N>,
    /// Per share.
    pub price: Option<N>,
    /// Gross, before fees and tax.
    pub amount: Option<N>,
    pub fees: Option<N>,
    pub tax: Option<N>,
    pub net: Option<N>,
}

/// As given, else shares × price. Of a dividend with a net and a tax but no gross amount, their sum with the fees.
pub fn gross(kind: Kind, given: Given) -> Option<Decimal> {
    gross_of(kind, given)
}

/// The cash effect: as given, else the gross with fees and tax.
pub fn net(kind: Kind, given: Given) -> Option<Decimal> {
    net_of(kind, given)
}

pub(crate) fn gross_of<N: Number>(kind: Kind, given: Given<N>) -> Option<N> {
    let Given { shares, price, amount, fees, tax, net } = given;
    match (kind, amount, net, tax) {
        (_, Some(amount), ..) => Some(amount),
        (Kind::Dividend, None, Some(net), Some(tax)) => N::sum([Some(net), Some(tax), fees].into_iter().flatten().map(Some)),
        _ => shares?.times(price?),
    }
}

pub(crate) fn net_of<N: Number + Clone>(kind: Kind, given: Given<N>) -> Option<N> {
    if given.net.is_some() {
        return given.net;
    }
    let mut moved = [given.fees.clone(), given.tax.clone()].into_iter().flatten().peekable();
    let gross = gross_of(kind, given)?;
    match kind {
        Kind::Split | Kind::TransferIn | Kind::TransferOut => None,
        _ if moved.peek().is_none() => Some(gross),
        Kind::Buy => N::sum([gross].into_iter().chain(moved).map(Some)),
        Kind::Sell | Kind::ReturnOfCapital | Kind::Dividend => moved.try_fold(gross, N::less),
    }
}
