use std::fs;

use store::error::{CopyProblem, Damage};
use store::{Error, Store};

use crate::places::{File, Server, copied, file_content};
use crate::rows::fill;

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_backup_of_a_server_is_one_checked_file_that_can_be_restored() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 3);
    copied(&original.store, &server.store).await;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("backup.db");
    fs::write(&target, "an older backup").unwrap();
    for left in ["backup.db.partial", "backup.db.partial-wal"] {
        fs::write(folder.path().join(left), "left by a crash").unwrap();
    }
    server.store.backup_to(&target).await.unwrap();
    let names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, ["backup.db"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(file_content(&target) == original.content());
    let elsewhere = File::new().await;
    Store::restore(&target, elsewhere.folder()).await.unwrap();
    assert!(elsewhere.content()["entries"] == original.content()["entries"]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_backup_of_a_server_over_a_database_in_use_is_refused() {
    let (file, server) = (File::new().await, Server::new().await);
    let error = server.store.backup_to(&file.path()).await.unwrap_err();
    assert_eq!(error, CopyProblem::TargetInUse { path: file.path() }.into());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_backup_of_a_server_that_fails_leaves_nothing() {
    let server = Server::new().await;
    server.change("INSERT INTO prices VALUES ('A', '2026-01-02', 1e40)").await;
    let folder = tempfile::tempdir().unwrap();
    let error = server.store.backup_to(&folder.path().join("backup.db")).await.unwrap_err();
    assert!(matches!(&error, Error::Corrupt(Damage::Value { statement, .. }) if statement.contains("prices")), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
