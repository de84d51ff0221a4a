//! A user's ledger with what is needed to value it, as one transaction sees it.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::Fx;
use store::accruals::{self, Accrual, Statement};
use store::{Tx, Versions, entries, versions};
use uuid::Uuid;

use crate::account::Account;
use crate::lots::{self, Lot};
use crate::profile::Profile;
use crate::{App, Error};

pub(crate) struct Book<'a> {
    app: &'a App,
    tx: Tx,
    versions: Versions,
    pub account: Account,
    /// Of all portfolios, whichever is selected, in the order of their earliest entry.
    pub lots: Vec<Arc<Lot>>,
    pub fx: Arc<Fx>,
    pub today: Date,
}

impl<'a> Book<'a> {
    pub async fn open(app: &'a App, user_id: Uuid, portfolio: Option<&str>) -> Result<Book<'a>, Error> {
        let mut tx = app.store.read().await?;
        let account = Account::load(&mut tx, user_id, portfolio).await?;
        let versions = versions::get(&mut tx).await?;
        let fx = app.rates.at(&mut tx, versions.rates).await?;
        let lots = lots::gather(&entries::of_user(&mut tx, user_id).await?)?.into_iter().map(Arc::new).collect();
        Ok(Book { app, tx, versions, account, lots, fx, today: app.clock.today() })
    }

    /// The stock of this symbol, when market data knows it.
    pub async fn profile(&mut self, symbol: &str) -> Result<Option<Arc<Profile>>, Error> {
        self.app.profiles.of(&mut self.tx, symbol, self.versions, self.today, &self.fx).await
    }

    /// The brokers' statements of payments to come, the latest first.
    pub async fn broker_statements(&mut self) -> Result<Vec<Statement>, Error> {
        Ok(accruals::statements(&mut self.tx, self.account.user.id).await?)
    }

    /// The payments of one of them.
    pub async fn accruals(&mut self, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
        Ok(accruals::of_statement(&mut self.tx, self.account.user.id, import_id).await?)
    }

    /// The symbols the user watches.
    pub async fn radar(&mut self) -> Result<Vec<String>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().map(|row| row.symbol).collect())
    }
}
