use store::copy::TABLES;

use crate::places::{File, Server, copied};
use crate::rows::fill;

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_value_of_every_table_survives_a_copy_both_ways() {
    for seed in 0..3 {
        let (original, server, back) = (File::new().await, Server::new().await, File::new().await);
        fill(&original.raw(), seed);
        let expected = original.content();
        assert!(TABLES.iter().all(|table| expected[table.name].len() >= 5), "rows in every table");
        let copy = copied(&original.store, &server.store).await;
        assert!(server.content().await == expected, "on the server, seed {seed}");
        let rows = |name: &str| expected[name].len() as u64;
        assert_eq!(copy.tables, TABLES.iter().map(|table| (table.name, rows(table.name))).collect::<Vec<_>>());
        assert_eq!(copied(&server.store, &back.store).await, copy);
        assert!(back.content() == expected, "back in a file, seed {seed}");
        assert_eq!(back.store.integrity_check().await.unwrap(), []);
        assert_eq!(back.store.versions().await.unwrap(), original.store.versions().await.unwrap());
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_negative_zero_of_an_old_file_is_copied_as_zero() {
    let (original, server) = (File::new().await, Server::new().await);
    original.change("INSERT INTO prices VALUES ('A', '2026-01-02', '-0.00')");
    copied(&original.store, &server.store).await;
    assert_eq!(server.content().await["prices"][0][2].as_deref(), Some("0.00"));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_copy_has_the_state_at_its_start() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 1);
    let expected = original.content();
    let mut changed = false;
    let mut change = |_| {
        if !std::mem::replace(&mut changed, true) {
            original.change("DELETE FROM prices; DELETE FROM radar; UPDATE users SET name = 'later'");
        }
        Ok(())
    };
    store::copy::run(&original.store, &server.store, &mut change).await.unwrap();
    assert!(server.content().await == expected);
    assert!(original.content() != expected);
}
