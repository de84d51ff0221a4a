//! The audit log and sign-in failures.

use store::audit::Record;
use store::sign_in_failures::Failures;
use store::{Error, Rule, audit, sign_in_failures};

use crate::sample::{Database, hash, id};

pub fn record(position: i64) -> Record {
    Record {
        position,
        at: position * 10,
        event: "signed_in".to_owned(),
        detail: "192.0.2.0/24".to_owned(),
        digest: Some(hash(5)),
        salt: Some(hash(6)),
        hash: hash(7),
    }
}

#[tokio::test]
async fn audit_records_are_read_from_either_end_and_no_position_is_written_twice() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for position in [1, 2, 3] {
        audit::add(&mut tx, id(1), &record(position)).await.unwrap();
    }
    audit::add(&mut tx, id(2), &record(1)).await.unwrap();
    let positions = |records: Vec<Record>| records.iter().map(|record| record.position).collect::<Vec<_>>();
    assert_eq!(positions(audit::list(&mut tx, id(1), 2).await.unwrap()), [3, 2]);
    assert_eq!(positions(audit::all(&mut tx, id(1)).await.unwrap()), [1, 2, 3]);
    assert_eq!(audit::list(&mut tx, id(2), 9).await.unwrap(), [record(1)]);
    assert_eq!(audit::users(&mut tx).await.unwrap(), [id(1), id(2)]);
    assert_eq!(audit::add(&mut tx, id(1), &record(3)).await, Err(Error::Conflict(Rule::Key)));
}

#[tokio::test]
async fn a_blanked_audit_record_keeps_its_digest_and_leaves_others_alone() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let of_before = Record { digest: None, salt: None, ..record(2) };
    for row in [&record(1), &of_before] {
        audit::add(&mut tx, id(1), row).await.unwrap();
    }
    audit::add(&mut tx, id(2), &record(1)).await.unwrap();
    assert_eq!(audit::all(&mut tx, id(1)).await.unwrap(), [record(1), of_before]);
    audit::blank(&mut tx, id(1), 2, &hash(8), &hash(9)).await.unwrap();
    let blank = Record { detail: String::new(), digest: Some(hash(8)), salt: None, hash: hash(9), ..record(2) };
    assert_eq!(audit::all(&mut tx, id(1)).await.unwrap(), [record(1), blank]);
    assert_eq!(audit::all(&mut tx, id(2)).await.unwrap(), [record(1)]);
}

#[tokio::test]
async fn sign_in_failures_are_pruned_when_window_and_block_are_over() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for (number, window_start, blocked_until) in [(1, 99, 0), (2, 99, 100), (3, 100, 0), (4, 10, 99)] {
        let failures = Failures { window_start, failures: 1, consecutive: 1, blocked_until };
        sign_in_failures::put(&mut tx, &hash(number), &failures).await.unwrap();
    }
    assert_eq!(sign_in_failures::prune(&mut tx, 100).await.unwrap(), 2);
    for (number, kept) in [(1, false), (2, true), (3, true), (4, false)] {
        assert_eq!(sign_in_failures::get(&mut tx, &hash(number)).await.unwrap().is_some(), kept, "{number}");
    }
}

#[tokio::test]
async fn sign_in_failures_are_replaced_and_cleared_per_account() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let one = Failures { window_start: 1, failures: 2, consecutive: 3, blocked_until: 4 };
    let other = Failures { failures: 9, ..one };
    sign_in_failures::put(&mut tx, &hash(1), &one).await.unwrap();
    sign_in_failures::put(&mut tx, &hash(2), &one).await.unwrap();
    sign_in_failures::put(&mut tx, &hash(1), &other).await.unwrap();
    assert_eq!(sign_in_failures::get(&mut tx, &hash(1)).await.unwrap(), Some(other));
    sign_in_failures::clear(&mut tx, &hash(1)).await.unwrap();
    assert_eq!(sign_in_failures::get(&mut tx, &hash(1)).await.unwrap(), None);
    assert_eq!(sign_in_failures::get(&mut tx, &hash(2)).await.unwrap(), Some(one));
}
