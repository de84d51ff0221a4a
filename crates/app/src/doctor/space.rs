//! What is free on the disk, and what uploads take of it.

use super::{Check, Verdict, check};
use crate::import::staged;
use crate::{App, Error, disk};

pub(super) async fn checks(app: &App) -> Result<[Check; 2], Error> {
    Ok([free(app), waiting(app).await?])
}

fn free(app: &App) -> Check {
    let (folder, reserve) = (disk::folder(app), app.disk.reserve);
    let at = folder.display();
    match disk::free(&folder) {
        Ok(free) if free < reserve => {
            let finding = format!(
                "{} MiB are free at {at}, less than the {} MiB of DRIPLINE_DISK_RESERVE_MIB; uploads, imports and backups are \
                 refused until you free some space",
                free >> 20,
                reserve >> 20
            );
            check("disk", Verdict::Ill, finding)
        }
        Ok(free) => check("disk", Verdict::Well, format!("{} MiB are free at {at}", free >> 20)),
        Err(error) => check("disk", Verdict::Warning, format!("the free space at {at} cannot be measured: {error}")),
    }
}

async fn waiting(app: &App) -> Result<Check, Error> {
    let total = staged::total(app).await?;
    let quota = app.disk.upload_quota;
    let found = format!("{} upload(s) take {} of {} MiB", total.files, total.bytes.div_ceil(1 << 20), quota >> 20);
    Ok(match total.bytes >= quota {
        true => {
            let finding =
                format!("{found}; no more are taken until older ones are gone after a day: see DRIPLINE_UPLOAD_QUOTA_MIB");
            check("uploads", Verdict::Warning, finding)
        }
        false => check("uploads", Verdict::Well, found),
    })
}
