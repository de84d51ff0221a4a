//! How much is stored for one user, and for all of them.

use store::{Tx, imports, uploads};
use uuid::Uuid;

use crate::{App, Error, NoSpace, refusal};

const UPLOADS_MAX: usize = 20;
/// Compressed size of all files, both uploaded and imported.
pub const KEPT_MIB_MAX: u64 = 200;

/// Evicts files that were already imported; unfinished ones stay.
pub(super) async fn make(app: &App, tx: &mut Tx, user_id: Uuid, packed: u64) -> Result<(), Error> {
    let there = uploads::list(tx, user_id).await?;
    if there.len() >= UPLOADS_MAX {
        let Some(done) = there.iter().find(|upload| upload.import_id.is_some()) else {
            return Err(refusal::Import::TooManyUploads { max: UPLOADS_MAX }.into());
        };
        uploads::delete(tx, user_id, done.id).await?;
    }
    let kept = uploads::waiting_bytes(tx, user_id).await? + imports::bytes(tx, user_id).await?;
    fits(u64::try_from(kept).unwrap_or_default(), packed)?;
    match uploads::total(tx).await?.bytes.saturating_add(packed) > app.disk.upload_quota {
        true => Err(service_is_full(app)),
        false => Ok(()),
    }
}

pub(super) fn service_is_full(app: &App) -> Error {
    let most = app.disk.upload_quota >> 20;
    tracing::warn!(quota_mib = most, "uploads are refused: those of all users together are at their quota");
    Error::NoSpace(NoSpace::Uploads { max_mib: most })
}

fn fits(kept: u64, more: u64) -> Result<(), Error> {
    if kept.saturating_add(more) <= KEPT_MIB_MAX << 20 {
        return Ok(());
    }
    let kept = kept.div_ceil(1 << 20);
    Err(Error::NoSpace(NoSpace::OwnFiles { used_mib: kept, max_mib: KEPT_MIB_MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quota_is_exactly_two_hundred_mebibytes() {
        let most = 200 * 1024 * 1024;
        assert!(fits(0, most).is_ok() && fits(most - 1, 1).is_ok());
        let refused = fits(most - 1, 2).unwrap_err();
        assert!(matches!(refused, Error::NoSpace(NoSpace::OwnFiles { used_mib: 200, max_mib: 200 })), "{refused}");
    }
}
