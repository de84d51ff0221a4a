//! Everything of an account in one file.

use std::io::{Cursor, Read};

use app::authentication::{feeds, tokens};
use app::entries::export;
use app::stocks::radar;
use serde_json::json;
use testkit::sample::{ANA, BOB, LEDGER};
use testkit::{Answer, Browser};
use zip::ZipArchive;

use super::people::{later, moved, session, signed_in, world};

fn export(browser: &Browser) -> Answer {
    browser.fill("/settings/data", "/settings/data/export", &[])
}

fn files(answer: &Answer) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(answer.body.clone())).unwrap();
    let count = archive.len();
    let read = |index: usize| {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

#[test]
fn an_export_holds_all_data_of_the_user_and_no_secret() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let user_id = world.user_id(ANA);
    let targets = (Some("4.5".parse().unwrap()), None);
    world.run(radar::set_target(&world.app, user_id, "RAD", targets.0, targets.1)).unwrap();
    let feed = world.run(feeds::create(&world.app, user_id, "Phone")).unwrap();
    let answer = export(&ana);
    assert_eq!(
        (answer.status, answer.header("content-type"), answer.header("cache-control")),
        (200, "application/zip", "no-store")
    );
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"dripline-2026-11-15.zip\"");
    assert_eq!(answer.header("content-length"), answer.body.len().to_string());
    let files = files(&answer);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["files/1-ledger.csv", "account.json", "ledger.csv", "README.txt"]);
    assert_eq!(files[0].1, LEDGER.as_bytes());
    assert_eq!(files[2].1, world.run(export::ledger_file(&world.app, user_id)).unwrap());
    let account: serde_json::Value = serde_json::from_slice(&files[1].1).unwrap();
    assert_eq!((&account["user"]["email"], &account["user"]["residence"]), (&json!(ANA), &json!("ES")));
    assert_eq!(account["radar"][1], json!({"symbol": "RAD", "target_yield_pct": "4.5", "target_price": null}));
    assert_eq!((&account["portfolios"][1]["name"], &account["portfolios"][1]["slug"]), (&json!("Élan"), &json!("elan-income")));
    assert_eq!((&account["tokens"][0]["name"], &account["calendar_feeds"][0]["name"]), (&json!("test"), &json!("Phone")));
    assert_eq!(
        (&account["imports"][0]["file"], &account["imports"][0]["file_name"]),
        (&json!("files/1-ledger.csv"), &json!("ledger.csv"))
    );
    assert_eq!(account["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(account["activity"].as_array().unwrap().last().unwrap()["event"], "exported");
    let all: String = files.iter().map(|(_, bytes)| String::from_utf8(bytes.clone()).unwrap()).collect();
    for secret in [world.ana.as_str(), &session(&ana), &feed.secret, &feed.secret[9..], "argon2", BOB] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[test]
fn an_export_gives_the_same_figures_in_a_new_account() {
    let world = world();
    let files = files(&export(&signed_in(&world, ANA)));
    let file = |wanted: &str| &files.iter().find(|(name, _)| name == wanted).unwrap().1;
    let account: serde_json::Value = serde_json::from_slice(file("account.json")).unwrap();
    let token = world.account("cleo@example.com", "EUR", Some("ES"));
    world.import("cleo@example.com", std::str::from_utf8(file("ledger.csv")).unwrap());
    let symbol = |row: &serde_json::Value| row["symbol"].as_str().unwrap().to_owned();
    let watched: Vec<String> = account["radar"].as_array().unwrap().iter().map(symbol).collect();
    world.run(radar::add(&world.app, world.user_id("cleo@example.com"), &watched)).unwrap();
    for path in ["holdings", "dividends", "income", "upcoming?days=120", "status", "valuation", "received", "radar"] {
        let body = |token: &str| world.get(&format!("/api/v1/{path}"), Some(token)).text();
        assert_eq!(body(&token), body(&world.ana), "{path}");
    }
}

#[test]
fn a_full_export_is_limited_to_five_a_day() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    for _ in 0..5 {
        assert_eq!(export(&ana).status, 200);
    }
    let refused = export(&ana);
    // The clock is fixed: the first of the five expires in a day and a second.
    assert_eq!((refused.status, refused.header("retry-after")), (429, "86401"));
    assert!(refused.text().contains("role=\"alert\""));
    assert_eq!(export(&bob).status, 200, "each for themselves");
    let node = world.second_node(&later(24 * 60 * 60));
    let there = moved(&ana, &node);
    assert_eq!(there.fill("/confirm", "/confirm", &[("password", super::people::PASSWORD)]).status, 303);
    assert_eq!(export(&there).status, 200);
}

#[test]
fn an_api_token_does_not_work_for_pages() {
    let world = world();
    assert_eq!(world.get("/settings/data", Some(&world.ana)).status, 303);
    assert_eq!(world.run(tokens::list(&world.app, world.user_id(ANA))).unwrap().len(), 1);
}
