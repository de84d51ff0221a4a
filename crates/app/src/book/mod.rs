//! A user's ledger with everything needed to value it, as seen by one transaction. Entries are only read if the snapshots are not
//! sufficient.

pub(crate) mod account;
pub(crate) mod holding;
pub mod lots;
pub(crate) mod open_position;
pub mod position_snapshot;
pub(crate) mod rows;
pub(crate) mod snapshot_freshness;
pub(crate) mod tracking;
pub(crate) mod withholding;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Fx, Position};
use store::accruals::{self, Accrual, Statement};
use store::{Tx, Versions, versions};
use uuid::Uuid;

use crate::book::account::Account;
use crate::book::holding::Holding;
use crate::book::lots::Lot;
use crate::book::rows::Rows;
use crate::market::profile::Profile;
use crate::market::traded::Traded;
use crate::{App, Error};

pub(crate) struct Book<'a> {
    app: &'a App,
    tx: Tx,
    versions: Versions,
    pub account: Account,
    /// In all portfolios, whichever is selected, in the order of their earliest entry.
    pub holdings: Vec<Arc<Holding>>,
    rows: Rows,
    pub fx: Arc<Fx>,
    pub today: Date,
}

impl<'a> Book<'a> {
    pub async fn open(app: &'a App, user_id: Uuid, portfolio: Option<&str>) -> Result<Book<'a>, Error> {
        let mut tx = app.store.read().await?;
        let account = Account::load(&mut tx, user_id, portfolio).await?;
        let versions = versions::get(&mut tx).await?;
        let fx = app.rates.at(&mut tx, versions.rates).await?;
        let today = app.clock.today();
        let holdings = holding::of_user(&mut tx, user_id, today).await?.into_iter().map(Arc::new).collect();
        Ok(Book { app, tx, versions, account, holdings, rows: Rows::default(), fx, today })
    }

    /// The stock with this symbol, if there is market data for it.
    pub async fn profile(&mut self, symbol: &str) -> Result<Option<Arc<Profile>>, Error> {
        self.app.profiles.get(&mut self.tx, symbol, self.versions, self.today, &self.fx).await
    }

    /// The user's stocks that are public.
    pub async fn public_symbols(&mut self) -> Result<BTreeSet<String>, Error> {
        Ok(store::tracking::public_of_user(&mut self.tx, self.account.user.id, self.app.public_holders.min()).await?)
    }

    /// The open position at the end of today.
    pub async fn position(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<Position>, Error> {
        let traded = Traded::from(profile);
        match holding.stored_position(traded, &self.fx) {
            Some(position) => Ok(position),
            None => self.lot(holding).await?.position(traded, &self.fx, self.today),
        }
    }

    /// Whether [`Book::position`] has to read entries.
    pub fn is_unread(&self, holding: &Holding, profile: Option<&Profile>) -> bool {
        holding.lot().is_none() && holding.stored_position(profile.into(), &self.fx).is_none()
    }

    /// Reads the entries of several holdings at once, for [`Book::lot`].
    pub async fn read(&mut self, holdings: &[&Holding]) -> Result<(), Error> {
        let unread = holdings.iter().filter(|holding| holding.lot().is_none()).map(|holding| holding.symbol.as_str());
        self.rows.read(&mut self.tx, self.account.user.id, unread).await
    }

    pub async fn lot(&mut self, holding: &Holding) -> Result<Arc<Lot>, Error> {
        if let Some(lot) = holding.lot() {
            return Ok(lot);
        }
        self.read(&[holding]).await?;
        self.rows.lot(holding.portfolio_id, &holding.symbol)
    }

    /// All lots with their entries, in the order of the holdings.
    pub async fn lots(&mut self) -> Result<Vec<Arc<Lot>>, Error> {
        self.rows.all(&mut self.tx, self.account.user.id).await
    }

    /// Brokers' statements of announced payments, the latest first.
    pub async fn broker_statements(&mut self) -> Result<Vec<Statement>, Error> {
        Ok(accruals::statements(&mut self.tx, self.account.user.id).await?)
    }

    /// The payments of one statement.
    pub async fn accruals(&mut self, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
        Ok(accruals::of_statement(&mut self.tx, self.account.user.id, import_id).await?)
    }

    /// The symbols on the user's watchlist.
    pub async fn radar(&mut self) -> Result<Vec<String>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().map(|row| row.symbol).collect())
    }
}
