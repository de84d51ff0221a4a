use std::fs;

use store::error::{CopyProblem, FileRole, Outage};
use store::uploads::{Choices, Upload};
use store::{Error, Store, entries, uploads, versions};

use crate::sample::{Database, buy, id, user_with_entry};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_taken_during_writes_is_sound_and_holds_everything_committed() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    tx.commit().await.unwrap();
    let writing = database.store.clone();
    let writer = tokio::spawn(async move {
        for sequence in 2..200 {
            let mut tx = writing.write().await.unwrap();
            entries::add(&mut tx, user, &[buy(id(12), sequence, "AAA")]).await.unwrap();
            versions::bump_market(&mut tx).await.unwrap();
            tx.commit().await.unwrap();
        }
    });
    let mut copies = 0;
    while copies < 3 || !writer.is_finished() {
        let before = database.store.versions().await.unwrap().market;
        let path = database.folder().join(format!("copy-{copies}.db"));
        database.store.backup_to(&path).await.unwrap();
        let copy = Store::open_file(&path).await.unwrap();
        assert_eq!(copy.integrity_check().await.unwrap(), []);
        let mut tx = copy.read().await.unwrap();
        let market = versions::get(&mut tx).await.unwrap().market;
        assert!(market >= before, "{market} {before}");
        assert_eq!(entries::of_user(&mut tx, user).await.unwrap().len() as i64, market, "one transaction, all or nothing");
        copies += 1;
    }
    writer.await.unwrap();
}

#[tokio::test]
async fn a_backup_is_one_file_only_its_owner_can_read_and_replaces_an_older_one() {
    let database = Database::embedded().await;
    let target = database.folder().join("backup.db");
    fs::write(&target, "an older backup").unwrap();
    fs::write(database.folder().join("backup.db.partial"), "left by a crash").unwrap();
    database.store.backup_to(&target).await.unwrap();
    let mut names: Vec<String> = fs::read_dir(database.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("backup"))
        .collect();
    names.sort();
    assert_eq!(names, ["backup.db"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(Store::open_file(&target).await.unwrap().schema_version().await.unwrap(), 17);
}

#[tokio::test]
async fn a_backup_leaves_out_uploads_that_were_not_imported() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let upload =
        Upload { id: id(30), file_name: "f.csv".to_owned(), created_at: 7, import_id: None, choices: Choices::default() };
    let file = b"a canary in a broker's file, ".repeat(1 << 20);
    uploads::add(&mut tx, user, &upload, &file).await.unwrap();
    tx.commit().await.unwrap();
    let target = database.folder().join("backup.db");
    database.store.backup_to(&target).await.unwrap();
    let bytes = fs::read(&target).unwrap();
    assert!(bytes.len() < file.len() / 4, "{} bytes", bytes.len());
    assert!(!bytes.windows(8).any(|part| part == b"a canary"));
    let copy = Store::open_file(&target).await.unwrap();
    assert_eq!(uploads::list(&mut copy.read().await.unwrap(), user).await.unwrap(), []);
    assert_eq!(uploads::list(&mut database.store.read().await.unwrap(), user).await.unwrap(), [upload], "the service has it");
}

#[tokio::test]
async fn a_backup_over_a_database_in_use_is_refused() {
    let database = Database::embedded().await;
    let other = Database::embedded().await;
    for target in [database.file(), other.file()] {
        let error = database.store.backup_to(&target).await.unwrap_err();
        assert_eq!(error, CopyProblem::TargetInUse { path: target }.into());
    }
    assert_eq!(other.store.integrity_check().await.unwrap(), []);
}

#[tokio::test]
async fn a_backup_into_a_folder_that_does_not_exist_names_it_and_leaves_nothing() {
    let database = Database::embedded().await;
    let target = database.folder().join("missing/backup.db");
    let error = database.store.backup_to(&target).await.unwrap_err();
    let folder = target.parent();
    assert!(
        matches!(&error, Error::Unavailable(Outage::File { role: FileRole::Backup, path, .. }) if path.parent() == folder),
        "{error}"
    );
}
