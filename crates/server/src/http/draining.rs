//! Whether this node is about to go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// From when it begins, the node says that it is not ready, and every answer is the last on its connection, so that none is
/// open when the listener closes. Clones are of one node.
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
