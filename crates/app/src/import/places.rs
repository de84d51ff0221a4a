//! Where the rows of a file go, and what is there already.

use std::collections::{HashMap, HashSet};

use store::{Tx, entries, fold, portfolios};
use uuid::Uuid;

use super::mapped::Renamed;
use crate::Error;

/// The name of the portfolio that is made when a user without one imports rows that name none.
pub(crate) const FIRST_PORTFOLIO: &str = "Main";

/// Up to so many rows are looked for one by one; for more, all that is there is read.
const FEW: usize = 64;

/// Where rows go: portfolios by name. Those that do not exist yet are made when the import is stored, and not before.
pub(super) struct Places {
    user_id: Uuid,
    /// Whether the file has few rows.
    few: bool,
    known: HashMap<Option<String>, Uuid>,
    names: HashMap<Uuid, String>,
    identities: HashMap<Uuid, HashSet<String>>,
    made: Vec<Made>,
}

struct Made {
    id: Uuid,
    name: String,
}

impl Places {
    pub fn new(user_id: Uuid, rows: usize) -> Places {
        Places {
            user_id,
            few: rows <= FEW,
            known: HashMap::new(),
            names: HashMap::new(),
            identities: HashMap::new(),
            made: Vec::new(),
        }
    }

    pub async fn portfolio(&mut self, tx: &mut Tx, wanted: Option<&str>) -> Result<Uuid, Error> {
        let key = wanted.map(str::to_owned);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let found = match wanted {
            Some(name) => self.named(tx, name).await?,
            None => self.default(tx).await?,
        };
        let (id, name) = match found {
            Some(found) => found,
            None => self.make(tx, wanted.unwrap_or(FIRST_PORTFOLIO)).await?,
        };
        self.known.insert(key, id);
        self.names.insert(id, name);
        Ok(id)
    }

    /// Of a portfolio that rows went to.
    pub fn name_of(&self, portfolio_id: Uuid) -> &str {
        self.names.get(&portfolio_id).map_or("", String::as_str)
    }

    pub fn makes_any(&self) -> bool {
        !self.made.is_empty()
    }

    pub async fn store(&self, tx: &mut Tx, import_id: Uuid, now: i64) -> Result<(), Error> {
        for made in &self.made {
            crate::portfolios::create_as(tx, self.user_id, made.id, &made.name, now, Some(import_id)).await?;
        }
        Ok(())
    }

    async fn named(&self, tx: &mut Tx, name: &str) -> Result<Option<(Uuid, String)>, Error> {
        let same = |made: &&Made| fold::key(&made.name) == fold::key(name);
        if let Some(made) = self.made.iter().find(same) {
            return Ok(Some((made.id, made.name.clone())));
        }
        Ok(portfolios::find(tx, self.user_id, name).await?.map(|row| (row.id, row.name)))
    }

    /// The first that a user has is the default one.
    async fn default(&self, tx: &mut Tx) -> Result<Option<(Uuid, String)>, Error> {
        let there = portfolios::list(tx, self.user_id).await?;
        if there.is_empty() {
            return Ok(self.made.first().map(|made| (made.id, made.name.clone())));
        }
        Ok(there.into_iter().find(|row| row.is_default).map(|row| (row.id, row.name)))
    }

    async fn make(&mut self, tx: &mut Tx, name: &str) -> Result<(Uuid, String), Error> {
        let others = portfolios::list(tx, self.user_id).await?.len() + self.made.len();
        let name = crate::portfolios::allowed(name, others)?;
        let made = Made { id: Uuid::now_v7(), name: name.to_owned() };
        let found = (made.id, made.name.clone());
        self.made.push(made);
        Ok(found)
    }

    /// Whether the portfolio has an entry of this identity.
    pub async fn has(&mut self, tx: &mut Tx, renamed: &Renamed, portfolio_id: Uuid, identity: &str) -> Result<bool, Error> {
        if self.few && !renamed.any() {
            return Ok(entries::by_identity(tx, self.user_id, portfolio_id, identity).await?.is_some());
        }
        if !self.identities.contains_key(&portfolio_id) {
            self.identities.insert(portfolio_id, renamed.identities(tx, self.user_id, portfolio_id).await?);
        }
        Ok(self.identities[&portfolio_id].contains(identity))
    }
}
