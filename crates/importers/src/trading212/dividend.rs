//! Dividends of all kinds. The price per share is after tax; the tax is given separately.

use ledger::{Decimal, Kind};

use super::cells::{Cells, Money};
use crate::{Reason, Record};

/// A tax of 15% on less than this is printed as 0.00.
const ROUNDED_AWAY: Decimal = Decimal::from_parts(28, 0, 0, false, 3);

/// `Dividend (Ordinary)`, `Dividend (Return of capital non us)`: the action in lowercase.
pub fn kind_of(action: &str) -> Option<Kind> {
    match action.strip_prefix("dividend")?.trim_start() {
        "adjustment" | "" => Some(Kind::Dividend),
        kind if kind.starts_with("(return of capital") => Some(Kind::ReturnOfCapital),
        kind if kind.starts_with('(') => Some(Kind::Dividend),
        _ => None,
    }
}

pub fn dividend(cells: &Cells<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let record = Record { shares: cells.shares()?, note: note(cells), ..cells.record(kind)? };
    let (total, tax, declared) = (cells.paid()?, cells.tax()?, cells.declared()?);
    let (paid, price) = match (record.shares, cells.price()?, declared) {
        (Some(shares), Some(price), _) => (paid(shares, price, total)?, Some(price)),
        (_, None, Some(declared)) => return Ok(in_account_currency(record, declared, total, tax)),
        _ => (total.ok_or_else(|| Reason::missing("price / share"))?, None),
    };
    if let Some(declared) = declared.filter(|declared| is_sum(*declared, total, tax) && declared.currency == paid.currency) {
        return Ok(in_account_currency(record, declared, total, tax));
    }
    let net = total.filter(|total| total.currency == paid.currency).map(|total| total.figure);
    let record = Record { currency: Some(paid.currency), ..record };
    match tax {
        Some(tax) if tax.figure.is_zero() && paid.figure.abs() < ROUNDED_AWAY => Ok(without_tax(record, paid.figure)),
        Some(tax) if tax.figure.is_zero() => {
            let price = price.map(|price| price.figure);
            Ok(Record { amount: Some(paid.figure), price, tax: Some(Decimal::ZERO), net, ..record })
        }
        Some(tax) if tax.currency == paid.currency => {
            let sum = paid.figure.checked_add(tax.figure).ok_or(Reason::FiguresTooLarge)?;
            let (amount, price) = match price.filter(|_| is_before_tax(cells, paid, tax, total)) {
                Some(price) => (paid.figure, Some(price.figure)),
                None => (sum, None),
            };
            Ok(Record { amount: Some(amount), price, tax: Some(tax.figure), net, ..record })
        }
        Some(tax) => {
            let stated = format!("tax of {} {} is stated in another currency", tax.figure, tax.currency);
            let note = record.note.as_ref().map_or(stated.clone(), |note| format!("{note}; {stated}"));
            Ok(without_tax(Record { note: Some(note), ..record }, paid.figure))
        }
        None => Ok(without_tax(record, paid.figure)),
    }
}

/// Both totals are given, and the tax is their difference.
fn is_sum(declared: Money, came: Option<Money>, tax: Option<Money>) -> bool {
    let same = |money: &Money| money.currency == declared.currency;
    let sum = came.filter(same).zip(tax.filter(same)).and_then(|(came, tax)| came.figure.checked_add(tax.figure));
    sum.is_some_and(|sum| sum.saturating_sub(declared.figure).abs() <= Decimal::new(2, 2))
}

fn in_account_currency(record: Record, declared: Money, came: Option<Money>, tax: Option<Money>) -> Record {
    let same = |money: Option<Money>| money.filter(|money| money.currency == declared.currency).map(|money| money.figure);
    let (amount, currency) = (Some(declared.figure), Some(declared.currency));
    Record { amount, tax: same(tax), net: same(came), currency, ..record }
}

/// The amount received is known, but not the declared amount.
fn without_tax(record: Record, paid: Decimal) -> Record {
    match record.kind {
        Kind::ReturnOfCapital => Record { amount: Some(paid), ..record },
        _ => Record { net: Some(paid), ..record },
    }
}

/// Shares × price, or the total if it is in the same currency and more precise: the price is also rounded.
fn paid(shares: Decimal, price: Money, total: Option<Money>) -> Result<Money, Reason> {
    let product = shares.checked_mul(price.figure).ok_or(Reason::FiguresTooLarge)?.round_dp(10).normalize();
    let half_unit = Decimal::new(5, (price.figure.scale() + 1).min(28));
    let is_coarse = shares.checked_mul(half_unit).is_none_or(|blur| blur > Decimal::new(5, 3));
    let exact = total.filter(|total| total.currency == price.currency && is_coarse);
    Ok(exact.unwrap_or(Money { figure: product, currency: price.currency }))
}

/// Whether the total shows that, contrary to the rule, the price is before tax.
fn is_before_tax(cells: &Cells<'_, '_>, paid: Money, tax: Money, total: Option<Money>) -> bool {
    let Some(total) = total else { return false };
    let rate = cells.exchange_rate().ok().flatten();
    let off = |figure: Decimal| -> Option<Decimal> {
        let ways = match total.currency == paid.currency {
            true => [Some(figure), None],
            false => rate.map_or([None, None], |rate| [figure.checked_mul(rate), figure.checked_div(rate)]),
        };
        ways.into_iter().flatten().map(|way| way.saturating_sub(total.figure).abs()).min()
    };
    let after = paid.figure.checked_sub(tax.figure).and_then(off);
    let near = total.figure.abs().saturating_mul(Decimal::new(2, 2)).saturating_add(Decimal::new(1, 2));
    after.zip(off(paid.figure)).is_some_and(|(before, after)| before < after && before <= near)
}

/// The kind of dividend, if it says more than that it is one.
fn note(cells: &Cells<'_, '_>) -> Option<String> {
    let action = cells.action()?;
    let kind = action.split_once('(').and_then(|(_, kind)| kind.strip_suffix(')')).unwrap_or(action);
    let special = !["ordinary", "dividend"].iter().any(|plain| kind.eq_ignore_ascii_case(plain));
    special.then(|| kind.to_lowercase()).as_deref().and_then(crate::reading::fields::short).or_else(|| cells.note())
}
