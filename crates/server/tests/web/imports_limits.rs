//! Limits for uploads: number, quota, disk space and lifetime.

use app::import::staged;
use app::operations::disk::Limits;
use testkit::Service;
use testkit::sample::{ANA, BOB, World};
use uuid::Uuid;

use crate::fixture::Fixture;
use crate::imports::{LEDGER, bring};

#[test]
fn a_third_upload_at_the_same_time_is_refused_and_others_are_not() {
    let fixture = Fixture::new();
    let (app, ana) = (&fixture.world.app, fixture.world.user_id(ANA));
    fixture.ana.get("/import");
    let sending: Vec<_> = (0..staged::PER_USER).map(|_| fixture.world.run(staged::begin(app, ana)).unwrap()).collect();
    let refused = fixture.ana.upload("/import", &[], "file.csv", LEDGER);
    assert_eq!((refused.status, refused.header("retry-after")), (429, "5"));
    assert!(refused.text().contains("You are already uploading two files."));
    bring(&fixture.bob(), LEDGER);
    drop(sending);
    bring(&fixture.ana, LEDGER);
}

#[test]
fn uploads_over_the_limit_of_the_node_are_asked_to_retry() {
    let fixture = Fixture::new();
    fixture.ana.get("/import");
    let app = &fixture.world.app;
    let begin = |user| fixture.world.run(staged::begin(app, Uuid::from_u128(user))).unwrap();
    let sending: Vec<_> = (0..staged::AT_ONCE).map(|user| begin(user as u128)).collect();
    let refused = fixture.ana.upload("/import", &[], "file.csv", LEDGER);
    assert_eq!((refused.status, refused.header("retry-after")), (503, "5"));
    assert!(fixture.world.metrics(None).contains(&format!("dripline_uploads_receiving {}", staged::AT_ONCE)));
    drop(sending);
    bring(&fixture.ana, LEDGER);
}

#[test]
fn an_upload_over_the_server_quota_gets_an_explanation() {
    let limits = Limits { upload_quota: 100, reserve: 0 };
    let fixture = Fixture::of(World::of(Service::start_with_disk(limits)));
    fixture.ana.get("/import");
    let refused = fixture.ana.upload("/import", &[], "file.csv", &LEDGER.repeat(10));
    assert_eq!(refused.status, 507, "{}", refused.text());
    assert!(refused.text().contains("space for uploads is full"), "{}", refused.text());
    assert!(fixture.world.metrics(None).contains("dripline_uploads_waiting_bytes 0"));
}

#[test]
fn on_a_full_disk_uploads_are_refused_and_everything_else_works() {
    let limits = Limits { reserve: u64::MAX / 2, ..Limits::default() };
    let world = Service::start_with_disk(limits);
    world.account(ANA, "EUR", None);
    world.account(BOB, "EUR", None);
    world.run(app::accounts::set_password(&world.app, ANA, "a lantern over quiet water")).unwrap();
    let ana = world.browser();
    assert_eq!(ana.sign_in(ANA, "a lantern over quiet water").status, 303);
    ana.get("/import");
    let refused = ana.upload("/import", &[], "file.csv", LEDGER);
    assert_eq!(refused.status, 507);
    assert!(refused.text().contains("No space is left on the server"), "{}", refused.text());
    assert_eq!(ana.post("/settings/data/export", &[]).status, 507);
    assert_eq!(ana.get("/import").status, 200);
    assert!(world.metrics(None).contains("dripline_disk_free_bytes "));
}

#[test]
fn abandoned_uploads_are_deleted_after_a_day() {
    let fixture = Fixture::new();
    bring(&fixture.ana, LEDGER);
    bring(&fixture.bob(), LEDGER);
    assert!(fixture.world.metrics(None).contains("dripline_uploads_waiting 2"));
    let before = fixture.world.second_node("2026-11-16T11:59:00Z");
    assert_eq!(before.run(staged::expire(&before.app)).unwrap(), 0);
    let after = fixture.world.second_node("2026-11-16T12:00:01Z");
    let jobs = after.start_jobs();
    let mut looks = 0;
    while !after.metrics(None).contains("dripline_uploads_waiting 0") {
        looks += 1;
        assert!(looks < 600, "they are still there");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    jobs.abort();
}
