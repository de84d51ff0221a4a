//! Free disk space, and how much of it uploads take.

use super::{Check, Finding, Verdict, check};
use crate::import::staged;
use crate::operations::disk;
use crate::{App, Error};

pub(super) async fn checks(app: &App) -> Result<[Check; 2], Error> {
    Ok([free(app), uploads(app).await?])
}

fn free(app: &App) -> Check {
    let (folder, reserve) = (disk::folder(app), app.disk.reserve);
    let (verdict, finding) = match disk::free(&folder) {
        Ok(free) if free < reserve => {
            (Verdict::Error, Finding::DiskLow { free_mib: free >> 20, reserve_mib: reserve >> 20, folder })
        }
        Ok(free) => (Verdict::Ok, Finding::DiskFree { free_mib: free >> 20, folder }),
        Err(error) => (Verdict::Warning, Finding::DiskUnmeasured { folder, cause: error.to_string() }),
    };
    check("disk", verdict, finding)
}

async fn uploads(app: &App) -> Result<Check, Error> {
    let total = staged::total(app).await?;
    let quota = app.disk.upload_quota;
    let (files, used_mib, quota_mib) = (total.files, total.bytes.div_ceil(1 << 20), quota >> 20);
    Ok(match total.bytes >= quota {
        true => check("uploads", Verdict::Warning, Finding::UploadsFull { files, used_mib, quota_mib }),
        false => check("uploads", Verdict::Ok, Finding::Uploads { files, used_mib, quota_mib }),
    })
}
