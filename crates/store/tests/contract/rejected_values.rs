use store::refreshes::Topic;
use store::rejected_values::{self, RejectedValue};

use crate::sample::Database;

fn held(field: &str, value: &str, seen_at: i64) -> RejectedValue {
    RejectedValue {
        symbol: "A".to_owned(),
        topic: Topic::Quote,
        provider: "acme".to_owned(),
        field: field.to_owned(),
        value: value.to_owned(),
        reason: "twice the last price".to_owned(),
        seen_at,
    }
}

#[tokio::test]
async fn a_value_rejected_again_keeps_its_first_time_and_others_are_deleted() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let reworded = RejectedValue { reason: "three times the last price".to_owned(), ..held("price", "11", 9) };
    for (rows, changed, expected) in [
        (vec![], false, vec![]),
        (vec![held("price", "10", 5), held("pe", "900", 5)], true, vec![held("pe", "900", 5), held("price", "10", 5)]),
        (vec![held("price", "10", 7), held("pe", "900", 7)], false, vec![held("pe", "900", 5), held("price", "10", 5)]),
        (vec![held("price", "11", 8)], true, vec![held("price", "11", 5)]),
        (vec![reworded.clone()], true, vec![RejectedValue { seen_at: 5, ..reworded }]),
        (vec![], true, vec![]),
        (vec![held("price", "11", 10)], true, vec![held("price", "11", 10)]),
    ] {
        assert_eq!(rejected_values::replace(&mut tx, "A", Topic::Quote, "acme", &rows).await.unwrap(), changed, "{rows:?}");
        assert_eq!(rejected_values::of_symbol(&mut tx, "A").await.unwrap(), expected);
    }
}

#[tokio::test]
async fn rejected_values_of_another_symbol_topic_or_provider_stay() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let others = [
        RejectedValue { seen_at: 1, ..held("price", "1", 1) },
        RejectedValue { provider: "zenith".to_owned(), ..held("price", "2", 2) },
        RejectedValue { topic: Topic::History, ..held("price", "3", 4) },
        RejectedValue { symbol: "B".to_owned(), ..held("price", "4", 3) },
    ];
    for row in &others {
        rejected_values::replace(&mut tx, &row.symbol, row.topic, &row.provider, std::slice::from_ref(row)).await.unwrap();
    }
    let [first, zenith, history, b] = others;
    assert_eq!(rejected_values::count(&mut tx).await.unwrap(), 4);
    assert_eq!(rejected_values::list(&mut tx, 3).await.unwrap(), [history.clone(), b.clone(), zenith.clone()], "newest first");
    assert_eq!(rejected_values::of_symbol(&mut tx, "A").await.unwrap(), [history.clone(), first, zenith.clone()]);
    assert!(rejected_values::replace(&mut tx, "A", Topic::Quote, "acme", &[]).await.unwrap());
    assert_eq!(rejected_values::list(&mut tx, 9).await.unwrap(), [history, b, zenith]);
}

#[tokio::test]
async fn what_the_operator_removed_stays_and_is_not_counted() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let removed = RejectedValue { provider: rejected_values::OPERATOR.to_owned(), ..held("dividend", "0.50", 5) };
    rejected_values::put(&mut tx, &removed).await.unwrap();
    rejected_values::replace(&mut tx, "A", removed.topic, "acme", &[]).await.unwrap();
    assert_eq!(rejected_values::removed_by_operator(&mut tx).await.unwrap(), std::slice::from_ref(&removed));
    assert_eq!(rejected_values::of_symbol(&mut tx, "A").await.unwrap(), std::slice::from_ref(&removed));
    assert_eq!((rejected_values::count(&mut tx).await.unwrap(), rejected_values::list(&mut tx, 9).await.unwrap()), (0, vec![]));
    rejected_values::forget_removal(&mut tx, &removed).await.unwrap();
    assert_eq!(rejected_values::removed_by_operator(&mut tx).await.unwrap(), []);
}
