use app::accounts;
use app::accounts::audit::{self, Event};
use app::authentication::sessions;

use crate::world::{ANA, PASSWORD, World};

#[tokio::test]
async fn account_events_are_logged_without_secrets_or_full_addresses() {
    let (world, id) = World::with_ana().await;
    world.try_password(0, ANA, "three loud herons in march").await;
    world.try_password(0, "nobody@example.com", "three loud herons in march").await;
    let (session, device) = world.sign_in(0).await;
    let visit = world.visit(0, &session).await.unwrap();
    let app = world.at(0);
    sessions::sign_out(&app, &visit).await.unwrap();
    accounts::set_email(&app, id, "anna@example.com").await.unwrap();
    audit::note(&app, id, Event::Exported, "").await.unwrap();
    let rows = audit::list(&app, id, 100).await.unwrap();
    let events: Vec<_> = rows.iter().rev().map(|row| row.event.as_str()).collect();
    assert_eq!(events, ["account_made", "sign_in_failed", "signed_in", "signed_out", "email_changed", "exported"]);
    assert_eq!(rows[4].detail, "203.0.113.0/24");
    let all: String = rows.iter().map(|row| row.detail.as_str()).collect();
    for secret in [session.as_str(), &device, PASSWORD, "203.0.113.77", "ana@", "anna@"] {
        assert!(!all.contains(secret), "{all}");
    }
    assert_eq!(audit::list(&app, id, 2).await.unwrap().len(), 2);
    assert!(audit::verify(&app, id).await.unwrap());
}

#[tokio::test]
async fn a_changed_moved_or_deleted_audit_record_breaks_the_chain() {
    for tampering in [
        "UPDATE audit SET detail = 'x' WHERE position = 2",
        "UPDATE audit SET at = at + 1 WHERE position = 2",
        "UPDATE audit SET event = 'exported' WHERE position = 1",
        "UPDATE audit SET event = 'ab', detail = 'c' WHERE position = 3",
        "DELETE FROM audit WHERE position = 2",
        "DELETE FROM audit WHERE position = 1",
        "DELETE FROM audit WHERE position = 2; UPDATE audit SET position = 2 WHERE position = 3",
        "UPDATE audit SET hash = zeroblob(32) WHERE position = 3",
    ] {
        let world = World::new().await;
        let (app, id) = (world.at(0), uuid::Uuid::from_u128(7));
        let mut tx = world.store.write().await.unwrap();
        for detail in ["one", "two", "bc"] {
            audit::record(&mut tx, id, 5, Event::TokenCreated, detail).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert!(audit::verify(&app, id).await.unwrap());
        world.raw(tampering);
        assert!(!audit::verify(&app, id).await.unwrap(), "{tampering}");
    }
}

/// The hash of a record before digests were added: over the texts themselves.
fn hash_of_before(before: &[u8], id: uuid::Uuid, position: i64, at: i64, event: &str, detail: &str) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new().chain_update(before).chain_update(id.as_bytes());
    digest.update(position.to_be_bytes());
    digest.update(at.to_be_bytes());
    for text in [event, detail] {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    digest.finalize().to_vec()
}

#[tokio::test]
async fn audit_records_from_before_digests_verify_and_are_blanked_with_their_account() {
    for broken in [false, true] {
        let (world, id) = World::with_ana().await;
        let app = world.at(0);
        world.raw("DELETE FROM audit");
        let mut before = vec![0; 32];
        for (position, detail) in [(1, "laptop of Ana"), (2, "phone of Ana")] {
            before = hash_of_before(&before, id, position, 7, "token_created", detail);
            let hex: String = before.iter().map(|byte| format!("{byte:02x}")).collect();
            world.raw(&format!(
                "INSERT INTO audit (user_id, position, at, event, detail, hash)
                 VALUES ('{id}', {position}, 7, 'token_created', '{detail}', x'{hex}')"
            ));
        }
        audit::note(&app, id, Event::Exported, "new words of Ana").await.unwrap();
        assert!(audit::verify(&app, id).await.unwrap());
        if broken {
            world.raw("UPDATE audit SET at = 8 WHERE position = 1");
        }
        accounts::delete_by_id(&app, id).await.unwrap();
        assert_eq!(audit::verify(&app, id).await.unwrap(), !broken, "what was broken is not mended");
        let rows = audit::list(&app, id, 9).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.event.as_str()).collect::<Vec<_>>()[..2], ["deleted", "exported"]);
        assert!(rows.iter().all(|row| row.detail.is_empty() && row.salt.is_none() && row.digest.is_some()));
    }
}

#[tokio::test]
async fn tampering_with_the_audit_records_of_a_deleted_account_is_detected() {
    let (world, id) = World::with_ana().await;
    world.sign_in(0).await;
    let app = world.at(0);
    let whole = audit::list(&app, id, 1).await.unwrap()[0].hash;
    accounts::delete_by_id(&app, id).await.unwrap();
    let rows = audit::list(&app, id, 9).await.unwrap();
    assert_eq!(rows[1].hash, whole, "the chain is the one that it was");
    assert!(audit::verify(&app, id).await.unwrap());
    for tampering in
        ["UPDATE audit SET detail = 'x' WHERE position = 2", "UPDATE audit SET event = 'exported' WHERE position = 2"]
    {
        world.raw(tampering);
        assert!(!audit::verify(&app, id).await.unwrap(), "{tampering}");
        world.raw("UPDATE audit SET detail = '', event = 'signed_in' WHERE position = 2");
        assert!(audit::verify(&app, id).await.unwrap());
    }
}

#[tokio::test]
async fn an_event_of_a_rolled_back_transaction_is_not_logged() {
    let (world, id) = World::with_ana().await;
    let mut tx = world.store.write().await.unwrap();
    audit::record(&mut tx, id, 5, Event::TokenCreated, "").await.unwrap();
    drop(tx);
    assert_eq!(audit::list(&world.at(0), id, 9).await.unwrap().len(), 1);
}

#[test]
fn an_ip_address_is_logged_as_its_network() {
    for (address, network) in [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:aaaa:bbbb::1", "2001:db8:aaaa::/48"),
        ("somewhere", "unknown"),
    ] {
        assert_eq!(audit::network(address), network);
    }
}
