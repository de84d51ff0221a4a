//! How much disk space uploads may use, and how much stays free.

use anyhow::Context;
use app::operations::disk::Limits;

use super::file::File;
use crate::output::setting;

const MIB_MAX: u64 = 1 << 30;

pub fn read(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Limits> {
    let usual = Limits::default();
    Ok(Limits {
        upload_quota: bytes("DRIPLINE_UPLOAD_QUOTA_MIB", file.upload_quota_mib, variable)?.unwrap_or(usual.upload_quota),
        reserve: bytes("DRIPLINE_DISK_RESERVE_MIB", file.disk_reserve_mib, variable)?.unwrap_or(usual.reserve),
    })
}

fn bytes(name: &str, in_file: Option<u64>, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<u64>> {
    let set = variable(name).filter(|text| !text.trim().is_empty());
    let Some(text) = set.or(in_file.map(|mib| mib.to_string())) else { return Ok(None) };
    let mib = text.trim().parse::<u64>().ok().filter(|mib| *mib <= MIB_MAX);
    let mib = mib.with_context(|| setting().mebibytes(name, text.as_str(), MIB_MAX))?;
    Ok(Some(mib << 20))
}

/// As lines of `dripline.toml`, without defaults.
pub fn print(limits: Limits) -> String {
    let usual = Limits::default();
    let line =
        |name: &str, bytes: u64, usual: u64| if bytes == usual { String::new() } else { format!("{name} = {}\n", bytes >> 20) };
    let quota = line("upload_quota_mib", limits.upload_quota, usual.upload_quota);
    quota + &line("disk_reserve_mib", limits.reserve, usual.reserve)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_limits_are_mebibytes_and_zero_is_allowed() {
        let with = |text: &str| read(&File::default(), &|_| Some(text.to_owned()));
        assert_eq!(with("").unwrap(), Limits { upload_quota: 1 << 30, reserve: 256 << 20 });
        assert_eq!(with(" 0 ").unwrap(), Limits { upload_quota: 0, reserve: 0 });
        for wrong in ["-1", "many", "1073741825"] {
            assert!(with(wrong).unwrap_err().to_string().contains("from 0 to"), "{wrong}");
        }
        let file = File { upload_quota_mib: Some(7), disk_reserve_mib: Some(8), ..File::default() };
        let limits = read(&file, &|_| None).unwrap();
        assert_eq!(print(limits), "upload_quota_mib = 7\ndisk_reserve_mib = 8\n");
        assert_eq!(print(Limits::default()), "");
    }
}
