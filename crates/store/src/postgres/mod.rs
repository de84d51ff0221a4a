//! The engine for several nodes: a PostgreSQL database, its connection pool and write locks.

mod batch;
mod connect;
mod failure;
mod gather;
pub(crate) mod inspect;
pub(crate) mod lease;
mod lock_queue;
mod look_up;
mod migrate;
mod numeric;
mod pool;
mod replica;
mod run;
pub(crate) mod value;
mod wait_budget;

pub use batch::batch_sql;
pub use connect::Settings;
pub use wait_budget::{TimeWaited, is_wait_budget_spent, wait_for_another};

use std::sync::Arc;

use connect::{Address, Role};
use gather::Gathering;
use lease::Lease;
use look_up::LookUps;
use pool::Pool;
use replica::Replica;
use run::RunSettings;

use crate::row::Columns;
use crate::table::Query;
use crate::value::Param;
use crate::{Error, Session, Work, WriteLock};

pub(crate) struct Database {
    look_ups: Arc<LookUps>,
    gathering: Arc<Gathering>,
    primary: Pool,
    replica: Option<Replica>,
}

impl Database {
    /// Connects, refuses a server it does not support, and migrates.
    pub(crate) fn open(settings: &Settings) -> Work<'_, Result<Database, Error>> {
        Box::pin(async move {
            let run_settings = RunSettings { prepared: !settings.transaction_pooler, wait_limit: settings.wait_limit };
            let primary = Address::new(&settings.url, Role::Primary, settings)?;
            let replica = settings.replica_url.as_deref().map(|url| Address::new(url, Role::Replica, settings)).transpose()?;
            migrate::run(&primary).await?;
            Ok(Database {
                look_ups: Arc::new(LookUps::new(primary.clone(), run_settings)),
                gathering: Arc::default(),
                primary: Pool::new(primary, settings.connections, run_settings)?,
                replica: replica
                    .map(|address| Pool::new(address, settings.connections, run_settings).map(Replica::new))
                    .transpose()?,
            })
        })
    }

    pub(crate) async fn look_up<R: Columns>(&self, query: &'static Query<R>, params: &[Param<'_>]) -> Result<Option<R>, Error> {
        Ok(self.look_ups.query(query, params).await?.into_iter().next())
    }

    pub(crate) fn session<'a>(&'a self, hash: &'a [u8; 32]) -> Work<'a, Result<Option<Session>, Error>> {
        Box::pin(gather::session(&self.gathering, &self.look_ups, hash))
    }

    pub(crate) fn read(&self) -> Work<'_, Result<Lease, Error>> {
        Box::pin(self.primary.read())
    }

    pub(crate) fn has_replica(&self) -> bool {
        self.replica.is_some()
    }

    /// On the replica, if there is one that responds.
    pub(crate) fn read_replica(&self) -> Work<'_, Option<Lease>> {
        Box::pin(async { self.replica.as_ref()?.read().await })
    }

    pub(crate) fn pause_replica(&self) {
        self.replica.as_ref().map(Replica::pause);
    }

    pub(crate) fn write(&self, turn: WriteLock) -> Work<'_, Result<Lease, Error>> {
        Box::pin(self.primary.write(turn))
    }
}
