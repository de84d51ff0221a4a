//! What commands report when the disk is below its reserve.

use crate::dripline::{ANA, Dripline, ran};

const LEDGER: &str = "date,type,symbol,shares,price,currency\n2026-01-05,buy,KO,10,20,USD\n";

#[test]
fn without_space_imports_and_backups_are_refused_with_the_reason_and_the_doctor_says_so() {
    let dripline = Dripline::with_accounts();
    let file = dripline.write("ledger.csv", LEDGER);
    let with = |reserve: &str, arguments: &[&str]| {
        ran(dripline.command(arguments).env("DRIPLINE_DISK_RESERVE_MIB", reserve).output().unwrap())
    };
    let (import, backup) = (["import", file, "--user", ANA], ["backup", "copy.db"]);
    for arguments in [import.as_slice(), &backup] {
        let refused = with("1073741824", arguments);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("enough free disk space") && refused.stderr.contains("Free some space"), "{refused:?}");
    }
    let doctor = with("1073741824", &["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    assert!(doctor.stdout.contains("less than the reserve of 1073741824 MiB (DRIPLINE_DISK_RESERVE_MIB)"), "{doctor:?}");
    assert!(!dripline.path().join("copy.db").exists());
    let doctor = with("0", &["doctor"]);
    assert!(doctor.stdout.contains("MiB are free at") && doctor.stdout.contains("0 uploads take 0 of 1024 MiB"), "{doctor:?}");
    for arguments in [import.as_slice(), &backup] {
        assert_eq!(with("0", arguments).code, Some(0));
    }
}
