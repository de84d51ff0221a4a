use store::deleted_entries::{self, Deletion};
use store::entries::{self, Entry};

use crate::sample::{Database, buy, id, user_with_entry};

#[tokio::test]
async fn the_last_deletion_of_a_user_is_kept_until_the_next_or_until_it_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (one, two) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    let rows = [buy(id(12), 7, "AAA"), buy(id(12), 3, "BBB")];
    deleted_entries::put(&mut tx, two, id(40), 100, &[buy(id(22), 2, "AAA")]).await.unwrap();
    deleted_entries::put(&mut tx, one, id(41), 100, &[buy(id(12), 2, "CCC")]).await.unwrap();
    deleted_entries::put(&mut tx, one, id(42), 200, &rows).await.unwrap();
    let last = Deletion { deletion_id: id(42), deleted_at: 200, entries: 2 };
    assert_eq!(deleted_entries::last(&mut tx, one).await.unwrap(), Some(last));
    let kept = deleted_entries::of_user(&mut tx, one).await.unwrap();
    assert_eq!(kept.iter().map(|one| one.entry.clone()).collect::<Vec<_>>(), [rows[1].clone(), rows[0].clone()]);
    assert_eq!(deleted_entries::expired(&mut tx, 200).await.unwrap(), [two]);
    assert_eq!(deleted_entries::delete_before(&mut tx, two, 200).await.unwrap(), 1);
    assert_eq!(deleted_entries::delete_before(&mut tx, one, 200).await.unwrap(), 0);
    assert_eq!(deleted_entries::last(&mut tx, two).await.unwrap(), None);
    deleted_entries::clear(&mut tx, two).await.unwrap();
    assert_eq!(deleted_entries::of_user(&mut tx, one).await.unwrap().len(), 2, "another user's stay");
}

#[tokio::test]
async fn a_new_entry_never_takes_the_sequence_of_one_that_could_come_back() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    deleted_entries::put(&mut tx, user, id(40), 100, &[buy(id(12), 7, "AAA")]).await.unwrap();
    assert_eq!(entries::next_sequence(&mut tx, user).await.unwrap(), 8);
    deleted_entries::clear(&mut tx, user).await.unwrap();
    assert_eq!(entries::next_sequence(&mut tx, user).await.unwrap(), 2);
}

#[tokio::test]
async fn a_deleted_entry_is_renamed_for_its_user_alone() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (one, two) = (user_with_entry(&mut tx, 10).await, user_with_entry(&mut tx, 20).await);
    for (user, portfolio) in [(one, id(12)), (two, id(22))] {
        deleted_entries::put(&mut tx, user, id(40), 100, &[buy(portfolio, 2, "AAA"), buy(portfolio, 3, "AAA")]).await.unwrap();
    }
    let before = deleted_entries::of_user(&mut tx, one).await.unwrap();
    let (symbol, identity, reinvests) = ("BBB".to_owned(), "new".to_owned(), Some("other".to_owned()));
    let renamed = Entry { symbol, identity, reinvests, ..before[0].entry.clone() };
    let others = deleted_entries::of_user(&mut tx, two).await.unwrap();
    deleted_entries::rename(&mut tx, one, std::slice::from_ref(&renamed)).await.unwrap();
    let after: Vec<Entry> = deleted_entries::of_user(&mut tx, one).await.unwrap().into_iter().map(|one| one.entry).collect();
    assert_eq!(after, [renamed, before[1].entry.clone()]);
    assert_eq!(deleted_entries::of_user(&mut tx, two).await.unwrap(), others);
}
