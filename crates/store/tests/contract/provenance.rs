use store::provenance::{self, Provenance};

use crate::sample::Database;

fn from(field: &str, provider: &str, seen_at: i64) -> Provenance {
    Provenance { field: field.to_owned(), provider: provider.to_owned(), seen_at }
}

#[tokio::test]
async fn a_field_belongs_to_the_provider_that_set_it_last() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    provenance::put(&mut tx, "A", &[("price", "acme"), ("name", "acme")], 5).await.unwrap();
    provenance::put(&mut tx, "B", &[("price", "acme")], 6).await.unwrap();
    assert!(provenance::put(&mut tx, "A", &[("price", "zenith")], 7).await.unwrap(), "another provider");
    assert!(!provenance::put(&mut tx, "A", &[("price", "zenith")], 7).await.unwrap(), "the same provider");
    assert_eq!(provenance::of_symbol(&mut tx, "A").await.unwrap(), [from("name", "acme", 5), from("price", "zenith", 7)]);
    assert_eq!(provenance::remove(&mut tx, "A", &["price", "pe"]).await.unwrap(), 1);
    assert_eq!(provenance::of_symbol(&mut tx, "A").await.unwrap(), [from("name", "acme", 5)]);
    assert_eq!(provenance::of_symbol(&mut tx, "B").await.unwrap(), [from("price", "acme", 6)]);
}

#[tokio::test]
async fn stocks_with_provider_data_are_listed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    provenance::put(&mut tx, "B", &[("price", "acme"), ("name", "acme")], 5).await.unwrap();
    provenance::put(&mut tx, "A", &[("price", "acme")], 5).await.unwrap();
    assert_eq!(provenance::symbols(&mut tx).await.unwrap(), ["A".to_owned(), "B".to_owned()].into());
}
