//! Connections for the look-up of every request. Requests share them: each sends its query immediately and reads the answer when
//! it arrives, so a look-up never waits for a transaction or a free connection.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use deadpool_postgres::ClientWrapper;
use tokio::time::timeout;

use super::connect::{Address, CONNECT_TIME};
use super::failure::{failure, silent};
use super::run::{Failed, Kind, RunOptions, RunSettings};
use super::wait_budget::WaitBudget;
use crate::row::{self, Columns, ReadRow, Row};
use crate::statement::Statement;
use crate::table::Query;
use crate::value::Param;
use crate::{Error, Work};

const CONNECTIONS: usize = 2;

pub(super) struct LookUps {
    address: Address,
    run_settings: RunSettings,
    turn: AtomicUsize,
    slots: [Slot; CONNECTIONS],
}

#[derive(Default)]
struct Slot {
    open: Mutex<Option<Arc<ClientWrapper>>>,
    /// One task at a time opens a connection; the others wait for it.
    opening: tokio::sync::Mutex<()>,
}

impl LookUps {
    pub(super) fn new(address: Address, run_settings: RunSettings) -> LookUps {
        LookUps { address, run_settings, turn: AtomicUsize::new(0), slots: Default::default() }
    }

    /// A single statement outside any transaction. It only reads, so it is retried once if the connection breaks.
    pub(super) async fn query<R: Columns>(&self, query: &'static Query<R>, params: &[Param<'_>]) -> Result<Vec<R>, Error> {
        let options = self.run_settings.options();
        let mut again = true;
        loop {
            let mut found = Vec::new();
            let mut read = |row: &Row<'_>| row::read(row).map(|value| found.push(value));
            let failed = match self.attempt(&options, query, params, &mut read).await {
                Ok(()) => return Ok(found),
                Err(failed) => failed,
            };
            // A silent server has used up all the time there is.
            if failed.kind != Kind::Gone || !again {
                return Err(failed.error);
            }
            again = false;
        }
    }

    fn attempt<'a>(
        &'a self,
        options: &'a RunOptions,
        statement: &'static Statement,
        params: &'a [Param<'a>],
        read: &'a mut ReadRow<'a>,
    ) -> Work<'a, Result<(), Failed>> {
        Box::pin(async move {
            let slot = &self.slots[self.turn.fetch_add(1, Ordering::Relaxed) % CONNECTIONS];
            let client = self.client(slot, &options.wait_budget).await.map_err(Failed::ours)?;
            let result = options.query(&client, statement, params, usize::MAX, read).await;
            if result.as_ref().is_err_and(Failed::is_broken) {
                slot.forget(&client);
            }
            result
        })
    }

    /// For waiting on another request's statement.
    pub(super) fn wait_budget(&self) -> WaitBudget {
        self.run_settings.options().wait_budget
    }

    async fn client(&self, slot: &Slot, wait_budget: &WaitBudget) -> Result<Arc<ClientWrapper>, Error> {
        if let Some(client) = slot.current() {
            return Ok(client);
        }
        let opened = wait_budget.wait(timeout(CONNECT_TIME, async {
            let _turn = slot.opening.lock().await;
            if let Some(client) = slot.current() {
                return Ok(client);
            }
            let (client, task) = self.address.connect().await.map_err(|error| failure(&error))?;
            let client = Arc::new(ClientWrapper::new(client, task));
            *slot.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(client.clone());
            Ok(client)
        }));
        opened.await.and_then(Result::ok).unwrap_or_else(|| Err(silent()))
    }
}

impl Slot {
    fn current(&self) -> Option<Arc<ClientWrapper>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clone().filter(|client| !client.is_closed())
    }

    fn forget(&self, client: &Arc<ClientWrapper>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.as_ref().is_some_and(|current| Arc::ptr_eq(current, client)) {
            *open = None;
        }
    }
}
