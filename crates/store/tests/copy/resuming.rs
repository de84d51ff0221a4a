use store::copy::{self, Doing, Step};
use store::error::{CopyProblem, Outage};
use store::{Error, Store};

use crate::places::{File, Server, copied};
use crate::rows::fill;

/// Fails after this many steps, like a lost connection.
async fn copied_for(steps: usize, from: &Store, to: &Store) -> Result<(), Error> {
    let mut left = steps;
    let mut stop = |_| {
        left = left.checked_sub(1).ok_or_else(|| Error::from(Outage::Unreachable))?;
        Ok(())
    };
    copy::run(from, to, &mut stop).await.map(drop)
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn an_interrupted_copy_is_resumed() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 7);
    let mut attempts = 0;
    // Each run gets a few steps further than the one before.
    while copied_for(attempts * 9, &original.store, &server.store).await.is_err() {
        assert!(copy::is_unfinished(&mut server.store.read().await.unwrap()).await.unwrap());
        attempts += 1;
    }
    assert!(attempts > 5, "{attempts}");
    assert!(server.content().await == original.content());
    assert!(!copy::is_unfinished(&mut server.store.read().await.unwrap()).await.unwrap());
}

/// Default portfolios change, an address moves to another user, and so on.
const CHANGES: &str = "
    UPDATE portfolios SET is_default = 0;
    UPDATE portfolios SET is_default = 1 WHERE id IN (SELECT MAX(id) FROM portfolios GROUP BY user_id);
    UPDATE users SET email_key = 'x' || email_key;
    UPDATE users SET email_key = (SELECT SUBSTR(MAX(u.email_key), 2) FROM users u) WHERE id = (SELECT MIN(id) FROM users);
    UPDATE versions SET value = 77;
    DELETE FROM totp;
    DELETE FROM radar WHERE added_at >= 0;
    UPDATE prices SET close = close || '0' WHERE close = '18.00';
    DELETE FROM accruals;
    DELETE FROM statements WHERE import_id < (SELECT MAX(import_id) FROM statements);
    UPDATE entries SET import_id = NULL;
    UPDATE entries SET note = 'changed' WHERE sequence % 2 = 0";

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_resumed_copy_has_the_changes_made_meanwhile() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 8);
    assert!(copied_until(Doing::Checking, &original.store, &server.store).await.is_err());
    original.change(CHANGES);
    copied(&original.store, &server.store).await;
    assert!(server.content().await == original.content());
}

async fn copied_until(doing: Doing, from: &Store, to: &Store) -> Result<(), Error> {
    let mut stop = |step: Step| if step.doing == doing { Err(Error::from(Outage::Unreachable)) } else { Ok(()) };
    copy::run(from, to, &mut stop).await.map(drop)
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn changes_made_to_an_unfinished_copy_are_undone() {
    let (original, server) = (File::new().await, Server::new().await);
    fill(&original.raw(), 9);
    assert!(copied_until(Doing::Checking, &original.store, &server.store).await.is_err());
    server
        .change(
            "INSERT INTO users SELECT gen_random_uuid(), 'x', 'extra', NULL, 'EUR', NULL, NULL, FALSE, 1, 1, NULL, 1;
             INSERT INTO tracking SELECT 'EXTRA', id FROM users;
             INSERT INTO portfolios SELECT id, gen_random_uuid(), 'x', 'extra', NULL, NULL, FALSE, 1, 1, NULL, FALSE FROM users;
             UPDATE entries SET portfolio_id = p.id FROM portfolios p WHERE p.user_id = entries.user_id AND p.name_key = 'extra'
                 AND entries.sequence % 3 = 0;
             UPDATE prices SET close = 1 WHERE close = 0;
             DELETE FROM import_files; DELETE FROM versions WHERE name = 'market';
             UPDATE audit SET detail = detail || '.'",
        )
        .await;
    copied(&original.store, &server.store).await;
    assert!(server.content().await == original.content());
}

#[tokio::test]
async fn a_difference_is_found_before_the_copy_is_finished() {
    let changes = [
        ("users", "UPDATE users SET name = COALESCE(name, '') || '.' WHERE id = (SELECT MAX(id) FROM users)"),
        ("prices", "UPDATE prices SET close = '0.000' WHERE close = '0.00'"),
        ("dividends", "DELETE FROM dividends WHERE symbol = (SELECT MAX(symbol) FROM dividends)"),
        ("splits", "INSERT INTO splits VALUES ('zzz', '2026-01-02', '2', '1')"),
        ("import_files", "UPDATE import_files SET file = zeroblob(LENGTH(file)) WHERE LENGTH(file) > 0"),
        ("leases", "INSERT INTO leases VALUES ('other', 'x', 1)"),
    ];
    for (table, sql) in changes {
        let (original, file) = (File::new().await, File::new().await);
        fill(&original.raw(), 10);
        let mut change = |step: Step| {
            if step.doing == Doing::Copying && step.table == "versions" {
                file.change(sql);
            }
            Ok(())
        };
        let error = copy::run(&original.store, &file.store, &mut change).await.unwrap_err();
        assert_eq!(error, CopyProblem::Differs { table }.into());
        copied(&original.store, &file.store).await;
        assert!(file.content() == original.content(), "{table}");
    }
}
