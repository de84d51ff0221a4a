//! The entries that a request has read, by lot.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use crate::Error;
use crate::book::lots::{self, Lot};
use crate::error::Unreplayable;

#[derive(Default)]
pub(crate) struct Rows {
    lots: HashMap<(Uuid, String), Arc<Lot>>,
    /// Symbols whose entries are in `lots`.
    symbols: HashSet<String>,
    all: Option<Vec<Arc<Lot>>>,
}

impl Rows {
    pub async fn read(&mut self, tx: &mut Tx, user_id: Uuid, symbols: impl Iterator<Item = &str>) -> Result<(), Error> {
        let missing: BTreeSet<&str> = symbols.filter(|symbol| !self.symbols.contains(*symbol)).collect();
        if self.all.is_some() || missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<&str> = missing.into_iter().collect();
        let found = lots::gather(&entries::of_symbols(tx, user_id, &missing).await?)?;
        self.symbols.extend(missing.iter().map(|symbol| (*symbol).to_owned()));
        self.keep(found.into_iter().map(Arc::new));
        Ok(())
    }

    /// In the order of their earliest entry.
    pub async fn all(&mut self, tx: &mut Tx, user_id: Uuid) -> Result<Vec<Arc<Lot>>, Error> {
        if let Some(all) = &self.all {
            return Ok(all.clone());
        }
        let found = lots::gather(&entries::of_user(tx, user_id).await?)?;
        let all: Vec<Arc<Lot>> = found.into_iter().map(Arc::new).collect();
        self.keep(all.iter().cloned());
        Ok(self.all.insert(all).clone())
    }

    /// A lot that was read before.
    pub fn lot(&self, portfolio_id: Uuid, symbol: &str) -> Result<Arc<Lot>, Error> {
        let found = self.lots.get(&(portfolio_id, symbol.to_owned())).cloned();
        found.ok_or_else(|| Error::Ledger { symbol: symbol.to_owned(), cause: Unreplayable::NoEntries })
    }

    fn keep(&mut self, found: impl Iterator<Item = Arc<Lot>>) {
        self.lots.extend(found.map(|lot| ((lot.portfolio_id, lot.symbol.clone()), lot)));
    }
}

/// The entries of these lots; `others` says how many more lots there are.
pub(crate) async fn entries_of(
    tx: &mut Tx,
    user_id: Uuid,
    lots: &HashSet<(Uuid, String)>,
    others: usize,
) -> Result<Vec<Entry>, Error> {
    let symbols: HashSet<&str> = lots.iter().map(|(_, symbol)| symbol.as_str()).collect();
    let symbols: Vec<&str> = symbols.into_iter().collect();
    let mut rows = match lots.len() > others {
        true => entries::of_user(tx, user_id).await?,
        false => entries::of_symbols(tx, user_id, &symbols).await?,
    };
    rows.retain(|row| lots.contains(&(row.portfolio_id, row.symbol.clone())));
    Ok(rows)
}
