//! Several users with large files at once, and forms sent twice.

use std::task::{Context, Waker};

use app::operations::job_limit;
use uuid::Uuid;

use crate::fixture::{Fixture, location};
use crate::imports::{LEDGER, UNKNOWN, bring};

#[test]
fn a_plan_is_shown_while_somebody_else_writes() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, LEDGER);
    let writes = fixture.world.run(fixture.world.app.store.write()).unwrap();
    let page = fixture.ana.get(&plan);
    assert_eq!(page.status, 200);
    assert!(page.text().contains("2 of 2 rows will be added"));
    drop(writes);
}

#[test]
fn a_full_job_queue_is_a_page_with_the_wait() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, LEDGER);
    let app = &fixture.world.app;
    let mut users = (1..).map(Uuid::from_u128);
    let working: Vec<_> =
        users.by_ref().take(job_limit::AT_ONCE).map(|user| fixture.world.run(job_limit::turn(app, user)).unwrap()).collect();
    let mut waiting: Vec<_> = users.take(job_limit::WAITING_MAX).map(|user| Box::pin(job_limit::turn(app, user))).collect();
    fixture.world.run(async {
        for one in &mut waiting {
            assert!(one.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
    });
    let refused = [
        fixture.ana.get(&plan),
        fixture.ana.post(&format!("{plan}/apply"), &[]),
        fixture.ana.upload("/import", &[], "file.csv", LEDGER),
        fixture.ana.post("/settings/data/export", &[]),
    ];
    for (at, answer) in refused.iter().enumerate() {
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{at}");
        assert!(answer.text().contains("processing several large files"), "{at}");
    }
    assert_eq!(fixture.ana.get("/import").status, 200, "all else is served");
    drop((working, waiting));
    assert_eq!(fixture.ana.get(&plan).status, 200);
}

#[test]
fn an_idempotency_key_header_takes_precedence_over_the_form_key() {
    let fixture = Fixture::new();
    fixture.ana.get("/import");
    let send = |form: &str, header: &str, bytes: &[u8]| {
        fixture.ana.upload_with("/import", &[("key", form)], &[("file.csv", bytes)], &[("Idempotency-Key", header)])
    };
    let first = location(&send("one", "the key", LEDGER));
    assert_eq!(location(&send("two", "the key", LEDGER)), first);
    assert_ne!(location(&send("one", "another key", LEDGER)), first);
    assert_eq!(send("three", "the key", UNKNOWN).status, 422, "another file under a key that is taken");
    assert_eq!(fixture.ana.get("/import").text().matches("/discard\"").count(), 2);
}

#[test]
fn several_uploaded_files_wait_separately_and_are_added_once() {
    let fixture = Fixture::new();
    fixture.ana.get("/import");
    let files: [(&str, &[u8]); 2] = [("one.csv", LEDGER), ("two.csv", UNKNOWN)];
    for _ in 0..2 {
        assert_eq!(location(&fixture.ana.upload_with("/import", &[("key", "of the page")], &files, &[])), "/import");
    }
    let page = fixture.ana.get("/import").text();
    assert!(page.contains("2 files uploaded"), "{page}");
    assert_eq!(page.matches("/discard\"").count(), 2);
    assert!(page.contains("one.csv") && page.contains("two.csv"));
    let many = vec![("f.csv", LEDGER); 21];
    assert_eq!(fixture.ana.upload_with("/import", &[], &many, &[]).status, 422);
}
