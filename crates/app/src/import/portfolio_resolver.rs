//! The portfolio of each row, and which entries it already has.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use store::{Tx, entries, name_key, portfolios};
use uuid::Uuid;

use super::symbol_remap::SymbolRemap;
use crate::Error;

/// The name of the portfolio that is created when a user without one imports rows without a portfolio.
pub(crate) const FIRST_PORTFOLIO: &str = "Main";

/// Up to this many rows are looked up individually; for more, all existing identities are read.
const FEW: usize = 64;

/// Portfolios by name. Those that do not exist yet are only created when the import is stored.
pub(super) struct PortfolioResolver {
    user_id: Uuid,
    /// Whether the file has few rows.
    few: bool,
    known: HashMap<Option<String>, ResolvedPortfolio>,
    identities: HashMap<Uuid, HashSet<String>>,
    /// Identities that were looked up, and whether they exist.
    looked_for: HashMap<(Uuid, String), bool>,
    made: Vec<ResolvedPortfolio>,
}

#[derive(Clone)]
pub(super) struct ResolvedPortfolio {
    pub id: Uuid,
    pub name: Arc<str>,
}

impl PortfolioResolver {
    pub fn new(user_id: Uuid, rows: usize) -> PortfolioResolver {
        PortfolioResolver {
            user_id,
            few: rows <= FEW,
            known: HashMap::new(),
            identities: HashMap::new(),
            looked_for: HashMap::new(),
            made: Vec::new(),
        }
    }

    pub async fn portfolio(&mut self, tx: &mut Tx, wanted: Option<&str>) -> Result<ResolvedPortfolio, Error> {
        let key = wanted.map(str::to_owned);
        if let Some(portfolio) = self.known.get(&key) {
            return Ok(portfolio.clone());
        }
        let found = match wanted {
            Some(name) => self.named(tx, name).await?,
            None => self.default(tx).await?,
        };
        let portfolio = match found {
            Some(found) => found,
            None => self.make(tx, wanted.unwrap_or(FIRST_PORTFOLIO)).await?,
        };
        self.known.insert(key, portfolio.clone());
        Ok(portfolio)
    }

    /// The name of a portfolio that rows go to.
    pub fn name(&self, id: Uuid) -> &str {
        self.known.values().find(|portfolio| portfolio.id == id).map_or("", |portfolio| &portfolio.name)
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

    async fn named(&self, tx: &mut Tx, name: &str) -> Result<Option<ResolvedPortfolio>, Error> {
        let same = |made: &&ResolvedPortfolio| name_key::key(&made.name) == name_key::key(name);
        if let Some(made) = self.made.iter().find(same) {
            return Ok(Some(made.clone()));
        }
        Ok(portfolios::find(tx, self.user_id, name).await?.map(ResolvedPortfolio::from))
    }

    /// A user's first portfolio is the default.
    async fn default(&self, tx: &mut Tx) -> Result<Option<ResolvedPortfolio>, Error> {
        let there = portfolios::list(tx, self.user_id).await?;
        if there.is_empty() {
            return Ok(self.made.first().cloned());
        }
        Ok(there.into_iter().find(|row| row.is_default).map(ResolvedPortfolio::from))
    }

    async fn make(&mut self, tx: &mut Tx, name: &str) -> Result<ResolvedPortfolio, Error> {
        let others = portfolios::list(tx, self.user_id).await?.len() + self.made.len();
        let name = crate::portfolios::allowed(name, others)?;
        let made = ResolvedPortfolio { id: Uuid::now_v7(), name: name.into() };
        self.made.push(made.clone());
        Ok(made)
    }

    /// Whether there are so few rows that each is looked up individually.
    pub fn looks_up_each(&self, renamed: &SymbolRemap) -> bool {
        self.few && !renamed.any()
    }

    pub async fn look_for(&mut self, tx: &mut Tx, wanted: Vec<(Uuid, String)>) -> Result<(), Error> {
        let there = entries::have_identities(tx, self.user_id, &wanted).await?;
        self.looked_for = wanted.into_iter().zip(there).collect();
        Ok(())
    }

    /// Whether the portfolio has an entry with this identity.
    pub async fn has(&mut self, tx: &mut Tx, renamed: &SymbolRemap, portfolio_id: Uuid, identity: &str) -> Result<bool, Error> {
        if self.looks_up_each(renamed) {
            return match self.looked_for.get(&(portfolio_id, identity.to_owned())) {
                Some(there) => Ok(*there),
                None => Ok(entries::by_identity(tx, self.user_id, portfolio_id, identity).await?.is_some()),
            };
        }
        if let Some(there) = self.identities.get(&portfolio_id) {
            return Ok(there.contains(identity));
        }
        let there = renamed.identities(tx, self.user_id, portfolio_id).await?;
        Ok(self.identities.entry(portfolio_id).or_insert(there).contains(identity))
    }
}

impl From<portfolios::Portfolio> for ResolvedPortfolio {
    fn from(row: portfolios::Portfolio) -> ResolvedPortfolio {
        ResolvedPortfolio { id: row.id, name: row.name.into() }
    }
}
