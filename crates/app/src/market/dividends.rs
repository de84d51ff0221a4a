//! How dividends enter the database, from every source, and how the operator removes one.

use jiff::civil::Date;
use ledger::{Currency, Decimal};
use market::validation::{self, Arrival, KnownDividend, Reason};
use store::dividends::{self, Dividend, Kind};
use store::refreshes::Topic;
use store::rejected_values::{self, OPERATOR, RejectedValue};
use store::{Tx, WriteLock, stocks, versions};

use crate::{App, Error, refusal};

/// How many ex-dates are suggested if there is none on the given day.
const NEAR_MAX: usize = 4;

/// Merges the rows of a source with the stored ones; true if anything changed.
pub(super) async fn put(
    app: &App,
    tx: &mut Tx,
    symbol: &str,
    known: &[KnownDividend],
    arrival: Arrival<'_>,
    rank: &(dyn Fn(Option<&str>) -> usize + Sync),
) -> Result<bool, Error> {
    let merge = validation::merge(known, arrival, rank, app.clock.today());
    let removed: Vec<_> =
        merge.remove.iter().map(|(ex_date, currency, special)| (*ex_date, *currency, (*special).into())).collect();
    dividends::remove(tx, symbol, &removed).await?;
    let changed = !merge.upsert.is_empty() || !merge.remove.is_empty();
    let rows: Vec<_> = merge.upsert.into_iter().map(stored_dividend).collect();
    dividends::upsert(tx, symbol, &rows).await?;
    Ok(changed)
}

pub(super) fn known_dividend(row: Dividend) -> KnownDividend {
    KnownDividend {
        ex_date: row.ex_date,
        currency: row.currency,
        special: row.kind.is_special(),
        pay_date: row.pay_date,
        declared_date: row.declared_date,
        amount: row.amount,
        provider: row.provider,
    }
}

pub(super) fn stored_dividend(row: KnownDividend) -> Dividend {
    Dividend {
        ex_date: row.ex_date,
        currency: row.currency,
        kind: row.special.into(),
        pay_date: row.pay_date,
        declared_date: row.declared_date,
        amount: row.amount,
        provider: row.provider,
    }
}

/// Which dividend of a day, if it has several.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    pub special: Option<bool>,
    /// Its code.
    pub currency: Option<String>,
}

/// Removes the dividend of an ex-date and returns it. No provider brings it back unless with another amount or day.
pub async fn remove_dividend(app: &App, symbol: &str, ex_date: Date, choice: &Choice) -> Result<Dividend, Error> {
    let symbol = symbol.trim().to_uppercase();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    if stocks::by_symbol(&mut tx, &symbol).await?.is_none() {
        return Err(refusal::Lookup::Unknown { symbol }.into());
    }
    let stored = dividends::of_symbol(&mut tx, &symbol).await?;
    let chosen = chosen(&symbol, stored, ex_date, choice)?;
    dividends::remove(&mut tx, &symbol, &[(chosen.ex_date, chosen.currency, chosen.kind)]).await?;
    rejected_values::put(&mut tx, &removal(&symbol, &chosen, app.clock.now_micros())).await?;
    stocks::mark_changed(&mut tx, &[&symbol]).await?;
    versions::bump_market(&mut tx).await?;
    tx.commit().await?;
    Ok(chosen)
}

fn chosen(symbol: &str, stored: Vec<Dividend>, ex_date: Date, choice: &Choice) -> Result<Dividend, refusal::Market> {
    let symbol = symbol.to_owned();
    let wanted = |row: &&Dividend| {
        row.ex_date == ex_date
            && choice.special.is_none_or(|special| row.kind.is_special() == special)
            && choice.currency.as_deref().is_none_or(|code| row.currency.code().eq_ignore_ascii_case(code))
    };
    let found: Vec<&Dividend> = stored.iter().filter(wanted).collect();
    match found[..] {
        [one] => Ok(one.clone()),
        [] if stored.is_empty() => Err(refusal::Market::NoDividends { symbol }),
        [] => {
            let mut near: Vec<Date> = stored.iter().map(|row| row.ex_date).collect();
            near.dedup();
            near.sort_by_key(|date| date.duration_since(ex_date).abs());
            near.truncate(NEAR_MAX);
            near.sort();
            let near = near.iter().map(Date::to_string).collect();
            Err(refusal::Market::NoDividendOn { symbol, date: ex_date.to_string(), near })
        }
        [..] => {
            let rows = found.iter().map(|row| format!("{} {} ({})", row.amount, row.currency, row.kind.word())).collect();
            Err(refusal::Market::SeveralDividends { symbol, date: ex_date.to_string(), rows })
        }
    }
}

fn removal(symbol: &str, row: &Dividend, now: i64) -> RejectedValue {
    RejectedValue {
        symbol: symbol.to_owned(),
        topic: Topic::History,
        provider: OPERATOR.to_owned(),
        field: format!("dividend {} {} {}", row.ex_date, row.currency, row.kind.word()),
        value: row.amount.to_string(),
        reason: Reason::RemovedByOperator.to_stored(),
        seen_at: now,
    }
}

/// The dividends that the operator removed, of all stocks.
pub(super) struct Removed(Vec<(RejectedValue, KnownDividend)>);

impl Removed {
    pub async fn load(tx: &mut Tx) -> Result<Removed, Error> {
        let rows = rejected_values::removed_by_operator(tx).await?;
        Ok(Removed(rows.into_iter().filter_map(|row| parsed(&row).map(|dividend| (row, dividend))).collect()))
    }

    /// The removals of a row, even if its kind is another one now: a provider that does not tell the kind changes it.
    fn of<'s>(&'s self, symbol: &'s str, row: &'s KnownDividend) -> impl Iterator<Item = &'s RejectedValue> {
        let same = move |(removal, dividend): &&(RejectedValue, KnownDividend)| {
            removal.symbol == symbol && validation::same_payment(dividend, row)
        };
        self.0.iter().filter(same).map(|(removal, _)| removal)
    }

    /// Rows that the operator has not removed.
    pub fn without(&self, symbol: &str, mut rows: Vec<KnownDividend>) -> Vec<KnownDividend> {
        rows.retain(|row| self.of(symbol, row).next().is_none());
        rows
    }

    /// For rows that the operator loads after removing them.
    pub async fn forget(&self, tx: &mut Tx, symbol: &str, rows: &[KnownDividend]) -> Result<(), Error> {
        for removal in rows.iter().flat_map(|row| self.of(symbol, row)) {
            rejected_values::forget_removal(tx, removal).await?;
        }
        Ok(())
    }
}

/// The inverse of [`removal`].
fn parsed(removal: &RejectedValue) -> Option<KnownDividend> {
    let mut words = removal.field.strip_prefix("dividend ")?.split(' ');
    Some(KnownDividend {
        ex_date: words.next()?.parse().ok()?,
        currency: Currency::parse(words.next()?).ok()?,
        special: Kind::of_word(words.next()?)?.is_special(),
        pay_date: None,
        declared_date: None,
        amount: removal.value.parse::<Decimal>().ok()?,
        provider: None,
    })
}
