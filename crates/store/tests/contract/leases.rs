use store::leases;

use crate::sample::Database;

#[tokio::test]
async fn a_lease_has_one_holder_until_it_is_released_or_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(leases::take(&mut tx, "refresh", "one", 10, 20).await.unwrap());
    assert!(!leases::take(&mut tx, "refresh", "two", 19, 30).await.unwrap());
    assert!(leases::take(&mut tx, "refresh", "one", 19, 40).await.unwrap(), "it may hold on");
    assert!(leases::take(&mut tx, "other", "two", 19, 30).await.unwrap(), "other work, other lease");
    assert!(leases::take(&mut tx, "refresh", "two", 40, 50).await.unwrap(), "the first fell silent");
    assert!(!leases::take(&mut tx, "refresh", "one", 41, 60).await.unwrap());
    leases::release(&mut tx, "refresh", "one").await.unwrap();
    assert!(!leases::take(&mut tx, "refresh", "one", 42, 60).await.unwrap(), "not the first's to release");
    leases::release(&mut tx, "refresh", "two").await.unwrap();
    assert!(leases::take(&mut tx, "refresh", "one", 43, 60).await.unwrap());
}
