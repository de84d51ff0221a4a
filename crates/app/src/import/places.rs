//! Where the rows of a file go, and what is there already.

use std::collections::{HashMap, HashSet};

use store::{Tx, entries, portfolios};
use uuid::Uuid;

use crate::{App, Error};

/// The name of the portfolio that is made when a user without one imports rows that name none.
pub(crate) const FIRST_PORTFOLIO: &str = "Main";

/// Where rows go: portfolios by name, made where they do not exist yet.
pub(super) struct Places<'a> {
    app: &'a App,
    user_id: Uuid,
    import_id: Uuid,
    known: HashMap<Option<String>, Uuid>,
    names: HashMap<Uuid, String>,
    identities: HashMap<Uuid, HashSet<String>>,
    pub made_any: bool,
}

impl<'a> Places<'a> {
    pub fn new(app: &'a App, user_id: Uuid, import_id: Uuid) -> Places<'a> {
        Places {
            app,
            user_id,
            import_id,
            known: HashMap::new(),
            names: HashMap::new(),
            identities: HashMap::new(),
            made_any: false,
        }
    }

    pub async fn portfolio(&mut self, tx: &mut Tx, wanted: Option<&str>) -> Result<Uuid, Error> {
        let key = wanted.map(str::to_owned);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let found = match wanted {
            Some(name) => portfolios::find(tx, self.user_id, name).await?,
            None => portfolios::list(tx, self.user_id).await?.into_iter().find(|row| row.is_default),
        };
        let (id, name) = match found {
            Some(row) => (row.id, row.name),
            None => {
                let name = wanted.unwrap_or(FIRST_PORTFOLIO);
                (self.make(tx, name).await?, name.trim().to_owned())
            }
        };
        self.known.insert(key, id);
        self.names.insert(id, name);
        Ok(id)
    }

    /// Of a portfolio that rows went to.
    pub fn name_of(&self, portfolio_id: Uuid) -> &str {
        self.names.get(&portfolio_id).map_or("", String::as_str)
    }

    async fn make(&mut self, tx: &mut Tx, name: &str) -> Result<Uuid, Error> {
        self.made_any = true;
        crate::portfolios::create(tx, self.user_id, name, self.app.clock.now_micros(), Some(self.import_id)).await
    }

    pub async fn identities(&mut self, tx: &mut Tx, portfolio_id: Uuid) -> Result<&HashSet<String>, Error> {
        if !self.identities.contains_key(&portfolio_id) {
            self.identities.insert(portfolio_id, entries::identities(tx, self.user_id, portfolio_id).await?);
        }
        Ok(&self.identities[&portfolio_id])
    }
}
