//! Answers come from snapshots instead of entries.

use app::operations::doctor::{self, Check, Finding, Mismatch, Verdict};
use testkit::sample::{self, ANA, World};
use testkit::{NOW, Service};

use super::contract::ok;

const PATHS: [&str; 4] = ["income", "income?years=50&drip=true", "holdings", "holdings?portfolio=Core"];

fn answers(service: &Service, token: &str) -> Vec<String> {
    let answer = |path: &str| service.get(&format!("/api/v1/{path}"), Some(token));
    PATHS.into_iter().map(answer).map(|answer| format!("{} {}", answer.status, answer.text())).collect()
}

fn about_positions(service: &Service) -> Vec<Check> {
    let mut checks = service.run(doctor::examine(&service.app)).unwrap();
    checks.retain(|check| check.name == "positions");
    checks
}

#[test]
fn income_and_holdings_come_from_snapshots_without_reading_entries() {
    let world = World::start();
    let expected = answers(&world, &world.ana);
    assert!(expected.iter().all(|answer| answer.starts_with("200")), "{expected:?}");
    let node = world.second_node(NOW);
    world.tamper("ALTER TABLE entries RENAME TO elsewhere");
    assert_eq!(answers(&node, &world.ana), expected);
    world.tamper("UPDATE positions SET fold = NULL");
    assert!(
        answers(&world.second_node(NOW), &world.ana).iter().all(|answer| answer.starts_with("500")),
        "now only entries can tell"
    );
}

#[test]
fn the_doctor_finds_a_tampered_snapshot() {
    let world = World::start();
    let expected = answers(&world, &world.ana);
    let well = about_positions(&world);
    assert_eq!((well.len(), well[0].verdict), (1, Verdict::Ok), "{:?}", well[0].finding);
    // Both trade in dollars and were never split.
    world.tamper(
        "UPDATE positions SET fold = (SELECT p.fold FROM positions p WHERE p.symbol = 'QTR' LIMIT 1) WHERE symbol = 'HALT'",
    );
    assert_ne!(answers(&world.second_node(NOW), &world.ana), expected);
    let ill = about_positions(&world);
    let ana = world.user_id(ANA);
    let differs = |check: &Check| match &check.finding {
        Finding::SnapshotDiffers { symbol, user_id, mismatch } => {
            (symbol.as_str(), *user_id) == ("HALT", ana) && matches!(mismatch, Mismatch::Different { .. })
        }
        _ => false,
    };
    assert!(ill.iter().all(|check| check.verdict == Verdict::Error) && ill.iter().any(differs), "{ill:?}");
    assert!(matches!(ill[0].finding, Finding::SnapshotsDiffer { .. }), "{ill:?}");
    world.tamper("UPDATE positions SET fold = NULL");
    assert_eq!(answers(&world.second_node(NOW), &world.ana), expected);
    assert_eq!(about_positions(&world)[0].verdict, Verdict::Ok);
}

#[test]
fn the_doctor_finds_entries_without_a_position_and_the_reverse() {
    let world = World::start();
    world.tamper("DELETE FROM positions WHERE symbol = 'QTR'; DELETE FROM entries WHERE symbol = 'MON'");
    let findings: Vec<Finding> = about_positions(&world).into_iter().map(|check| check.finding).collect();
    let found = |of: &str, how: Mismatch| {
        findings.iter().any(
            |finding| matches!(finding, Finding::SnapshotDiffers { symbol, mismatch, .. } if symbol == of && *mismatch == how),
        )
    };
    assert!(found("QTR", Mismatch::NotStored) && found("MON", Mismatch::NoEntries), "{findings:?}");
}

/// Ten of QTR bring 10 × 3.60 USD ÷ 1.25 = 28.80 EUR. Of 7.00 + 9.00, 2.10 + 1.35 was withheld, 21.5625 %; of the second alone 15 %.
#[test]
fn dividends_older_than_two_years_do_not_count_towards_withholding() {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", Some("ES"));
    let ledger = "date,type,symbol,shares,price,amount,tax,currency\n2024-01-10,buy,QTR,10,60,,,USD\n\
        2024-12-20,dividend,QTR,10,,7.00,2.10,USD\n2026-09-20,dividend,QTR,10,,9.00,1.35,USD\n";
    service.import("x@example.com", ledger);
    let net = |service: &Service| ok(service, "/api/v1/income", Some(&token))["net_annual_income"]["amount"].take();
    assert_eq!(net(&service), "22.59");
    assert_eq!(net(&service.second_node("2026-12-20T12:00:00Z")), "22.59");
    assert_eq!(net(&service.second_node("2026-12-21T12:00:00Z")), "24.48");
}
