//! What a client carries from one round to the next, and may not alter.

use std::sync::Arc;

use rmcp::ErrorData;
use sha2::{Digest, Sha256};

#[derive(Clone)]
pub struct Seal(Arc<[u8; 32]>);

impl Default for Seal {
    fn default() -> Seal {
        let mut key = [0; 32];
        getrandom::fill(&mut key).unwrap();
        Seal(Arc::new(key))
    }
}

impl Seal {
    pub fn close(&self, tool: &str, round: usize) -> String {
        // Over a fixed-length key on both sides, so that nothing can be added at the end.
        let digest = Sha256::new().chain_update(*self.0).chain_update(format!("{tool}:{round}")).chain_update(*self.0).finalize();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{round}.{hex}")
    }

    /// The round that comes now.
    pub fn open(&self, tool: &str, state: &str) -> Result<usize, ErrorData> {
        let round = state.split('.').next().and_then(|round| round.parse().ok());
        round
            .filter(|round| self.close(tool, *round) == state)
            .ok_or_else(|| ErrorData::invalid_params("the state was altered", None))
    }
}
