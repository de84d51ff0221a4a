//! The purchase that a draft of a dividend includes.

use importers::Record;
use jiff::civil::Date;
use ledger::{Decimal, Money, Reinvestment, money, reinvestment};
use store::entries::{Entry, Kind};

use super::check::fields_of;
use super::{Draft, Problem, Reason, Reinvested, by_hand, export};
use crate::Error;
use crate::book::lots;

/// The purchases of a dividend once the draft is recorded; they still lack what refers to it. `before` has the dividend as recorded,
/// and the purchases that reinvest it. `fresh` is the sequence of a new one.
pub(super) fn purchases(
    draft: &Draft,
    dividend: &Entry,
    net: Option<Decimal>,
    before: (Option<&Entry>, &[Entry]),
    fresh: i64,
    today: Date,
) -> Result<(Vec<Entry>, Vec<Problem>), Error> {
    let (before, recorded) = before;
    let stay = || recorded.iter().map(|one| before.map_or_else(|| one.clone(), |before| moved(one, before, dividend))).collect();
    let (shares, price) = match draft.reinvested {
        // They stay, on their own.
        _ if dividend.kind != Kind::Dividend => return Ok((recorded.to_vec(), Vec::new())),
        Reinvested::No => return Ok((Vec::new(), Vec::new())),
        Reinvested::AsBefore => return Ok((stay(), Vec::new())),
        Reinvested::Yes { shares, price } => (shares, price),
    };
    let mut after: Vec<Entry> = stay();
    let is_same = |one: &Entry| (one.shares, one.price) == (shares, price) && net == before.and_then(lots::net);
    if after.first().is_some_and(is_same) {
        return Ok((after, Vec::new()));
    }
    let mut purchase = after.first().cloned().unwrap_or_else(|| new(dividend, fresh));
    let spent = match net.filter(|_| purchase.currency == dividend.currency) {
        Some(net) => money::sub(net, purchase.fees.unwrap_or_default())?,
        None => Decimal::ZERO,
    };
    let problem = |field, reason| Ok((Vec::new(), vec![Problem { field, reason }]));
    if shares.is_none() && price.is_none() {
        return problem("reinvested_price", Reason::ReinvestmentEmpty);
    }
    let Some(bought) = reinvestment(Money::new(spent, dividend.currency), shares, price)? else {
        let field = if shares.is_none() { "reinvested_shares" } else { "reinvested_price" };
        return problem(field, Reason::NothingToReinvest);
    };
    let Reinvestment { shares, price, amount } = bought;
    (purchase.shares, purchase.price, purchase.amount) = (Some(shares), Some(price), amount);
    let wrong = fields_of(&export::record(purchase.clone(), None), today)
        .into_iter()
        .filter(|problem| !["date", "symbol"].contains(&problem.field));
    let field = |field| if field == "shares" { "reinvested_shares" } else { "reinvested_price" };
    let problems: Vec<Problem> = wrong.map(|one| Problem { field: field(one.field), ..one }).collect();
    match after.first_mut() {
        Some(first) => *first = purchase,
        None => after.push(purchase),
    }
    Ok((after, problems))
}

fn new(dividend: &Entry, sequence: i64) -> Entry {
    let Entry { portfolio_id, date, symbol, isin, name, currency, fx_rate, .. } = dividend.clone();
    let record = Record { fx_rate, ..Record::new(0, date, Kind::Buy) };
    Entry { isin, name, ..by_hand::fresh(sequence, portfolio_id, record, symbol, currency) }
}

/// With what it had in common with its dividend.
fn moved(purchase: &Entry, before: &Entry, dividend: &Entry) -> Entry {
    let Entry { portfolio_id, symbol, isin, name, .. } = dividend.clone();
    let (isin, name) = match purchase.symbol == symbol {
        true => (purchase.isin.clone(), purchase.name.clone()),
        false => (isin, name),
    };
    let date = if purchase.date == before.date { dividend.date } else { purchase.date };
    let paid_in = |entry: &Entry| (entry.currency, entry.fx_rate);
    // A rate of its own is one for the currency that both had.
    let follows =
        paid_in(purchase) == paid_in(before) || (purchase.currency == before.currency && dividend.currency != before.currency);
    let (currency, fx_rate) = paid_in(if follows { dividend } else { purchase });
    Entry { portfolio_id, date, symbol, isin, name, currency, fx_rate, ..purchase.clone() }
}
