//! A database copied to the other engine and back gives the same bytes and tags.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

#[allow(dead_code)] // shared with the tests of exports, which use more of it
#[path = "../roundtrip/ledgers.rs"]
mod ledgers;

use app::entries::export;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use store::copy;
use testkit::Engine;
use testkit::Service;
use testkit::sample::World;

const CID: &str = "cid@example.com";

#[test]
#[ignore = "needs PostgreSQL"]
fn answers_and_their_tags_survive_copying_to_postgresql_and_back() {
    let mut runner = TestRunner::default();
    let world = World::of(Service::start_on(Engine::Sqlite));
    let cid = world.account(CID, "GBP", Some("DE"));
    for _ in 0..3 {
        let ledger = ledgers::ledger().new_tree(&mut runner).unwrap().current();
        import_what_fits(&world, &ledger.earlier);
        import_what_fits(&world, &ledger.later);
    }
    let tokens = [Some(world.ana.as_str()), Some(world.bob.as_str()), Some(cid.as_str()), None];
    let expected = answers(&world, &tokens);
    assert!(expected.iter().filter(|answer| answer.1 == 200).count() > 40, "{expected:?}");

    let (server, back) = (Service::start_on(Engine::Postgres), Service::start_on(Engine::Sqlite));
    server.run(copy::run(&world.app.store, &server.app.store, &mut |_| Ok(()))).unwrap();
    same(&expected, &answers(&server, &tokens), "on PostgreSQL");
    server.run(copy::run(&server.app.store, &back.app.store, &mut |_| Ok(()))).unwrap();
    same(&expected, &answers(&back, &tokens), "and back");
    let file = |service: &Service| service.run(export::ledger_file(&service.app, service.user_id(CID))).unwrap();
    assert!(file(&world) == file(&server) && file(&world) == file(&back), "the exports differ");
}

/// Path, status, tag and body.
type Answer = (String, u16, String, String);

fn answers(service: &Service, tokens: &[Option<&str>]) -> Vec<Answer> {
    let paths = [
        "me",
        "portfolios",
        "holdings",
        "holdings?portfolio=Core",
        "dividends",
        "dividends?from=2024-01-01&to=2025-06-30",
        "income",
        "income?years=3&drip=true",
        "upcoming?days=120",
        "status",
        "status?portfolio=Core",
        "valuation",
        "received",
        "received?from=2020-01-01",
        "transactions",
        "transactions?limit=3&type=dividend",
        "transactions?symbol=QTR",
        "radar",
        "calendar",
        "stocks?query=quarry",
        "stocks/QTR",
        "stocks/SEVN",
        "stocks/NONE",
        "openapi.json",
    ];
    let ask = |path: &str, token: Option<&str>| {
        let answer = service.get(&format!("/api/v1/{path}"), token);
        // The document names the address it was asked at.
        let body = answer.text().replace(&service.address.to_string(), "");
        let tag = if path == "openapi.json" { "" } else { answer.header("etag") };
        (path.to_owned(), answer.status, tag.to_owned(), body)
    };
    tokens.iter().flat_map(|token| paths.map(|path| ask(path, *token))).collect()
}

fn same(expected: &[Answer], found: &[Answer], place: &str) {
    for (expected, found) in expected.iter().zip(found) {
        assert_eq!(expected, found, "{place}");
    }
    assert_eq!(expected.len(), found.len());
}

/// Refused lines, such as overselling, are removed until the rest is accepted.
fn import_what_fits(service: &Service, lines: &[String]) {
    let mut lines = lines.to_vec();
    loop {
        let report = service.try_import(CID, &ledgers::file(&lines));
        if report.errors.is_empty() {
            return;
        }
        for problem in report.errors.iter().rev() {
            lines.remove(problem.line as usize - 2);
        }
    }
}
