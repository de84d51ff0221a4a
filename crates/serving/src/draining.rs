//! Whether this node is stopping.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// While draining, the node is not ready, and every response closes its connection, so that none is
/// open when the listener closes. Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
