//! An entry as it is shown.

use std::collections::{BTreeSet, HashMap};

use ledger::{Event, Money};
use store::entries::{self, Entry};
use store::{Tx, stocks};
use uuid::Uuid;

use super::{Draft, Reinvested};
use crate::book::lots;
use crate::portfolios::account::Account;
use crate::{App, Error};

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub entry: Entry,
    /// The name of its portfolio.
    pub portfolio: String,
    /// The name of the stock: from market data, else from the imported file.
    pub name: Option<String>,
}

impl Row {
    /// Gross; for a dividend with an unknown gross amount, the net amount.
    pub fn amount(&self) -> Option<Money> {
        let gross = lots::shown_gross(&self.entry).ok().flatten();
        gross.map(|amount| Money::new(amount, self.entry.currency))
    }

    /// What a dividend came to after tax and fees; for others, only if it is recorded.
    pub fn net(&self) -> Option<Money> {
        let net = match lots::entry(&self.entry).ok()?.event {
            Event::Dividend(paid) => Some(paid.net()),
            _ => self.entry.net,
        };
        net.map(|net| Money::new(net, self.entry.currency))
    }

    /// For editing.
    pub fn draft(&self) -> Draft {
        let entry = self.entry.clone();
        Draft {
            portfolio: self.portfolio.clone(),
            date: entry.date,
            kind: entry.kind,
            opening: lots::is_opening(&self.entry),
            symbol: entry.symbol,
            shares: entry.shares,
            price: entry.price,
            amount: entry.amount,
            fees: entry.fees,
            tax: entry.tax,
            net: entry.net,
            currency: Some(entry.currency),
            fx_rate: entry.fx_rate,
            ratio: entry.ratio,
            ex_date: entry.ex_date,
            reinvested: Reinvested::AsBefore,
            note: entry.note,
        }
    }
}

/// Another user's entry is not found.
pub async fn one(app: &App, user_id: Uuid, sequence: i64) -> Result<Option<Row>, Error> {
    let mut tx = app.store.read().await?;
    let Some(entry) = entries::one(&mut tx, user_id, sequence).await? else { return Ok(None) };
    let account = Account::load(&mut tx, user_id, None).await?;
    Ok(rows(&mut tx, &account, vec![entry]).await?.pop())
}

pub(super) async fn rows(tx: &mut Tx, account: &Account, entries: Vec<Entry>) -> Result<Vec<Row>, Error> {
    let names = Names::of(tx, entries.iter().map(|entry| entry.symbol.as_str())).await?;
    Ok(entries.into_iter().map(|entry| row(entry, account, &names)).collect())
}

fn row(entry: Entry, account: &Account, names: &Names) -> Row {
    let name = names.name(&entry.symbol, entry.name.as_deref()).map(str::to_owned);
    Row { portfolio: account.name_of(entry.portfolio_id).to_owned(), name, entry }
}

/// Stock names from market data.
pub(super) struct Names {
    by_symbol: HashMap<String, Option<String>>,
}

impl Names {
    pub async fn of<'a>(tx: &mut Tx, symbols: impl Iterator<Item = &'a str>) -> Result<Names, Error> {
        let symbols: Vec<&str> = symbols.collect::<BTreeSet<_>>().into_iter().collect();
        let names = stocks::by_symbols(tx, &symbols).await?.into_iter().map(|stock| stock.and_then(|stock| stock.name));
        Ok(Names { by_symbol: symbols.iter().map(|symbol| (*symbol).to_owned()).zip(names).collect() })
    }

    /// From market data, else as recorded.
    pub fn name<'a>(&'a self, symbol: &str, recorded: Option<&'a str>) -> Option<&'a str> {
        self.by_symbol.get(symbol).and_then(Option::as_deref).or(recorded)
    }
}
