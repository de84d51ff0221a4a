//! `dripline market refresh` and `status` with providers.

use std::process::Command;

use app::market::choice::{self, Choice};
use replay::{Dividend, Fault, Replay, Stock, World};
use serde_json::json;

use crate::dripline::{ANA, BEN, Dripline, Ran, ran};

const KEY: &str = "KEY-NOBODY-MAY-SEE";

fn replay() -> Replay {
    let dividend =
        |month: u8| Dividend { ex_date: format!("2026-{month:02}-10"), amount: "0.50".to_owned(), ..Dividend::default() };
    let stock = |symbol: &str, price: &str| Stock {
        symbol: symbol.to_owned(),
        name: format!("{symbol} Corporation"),
        unit: "USD".to_owned(),
        exchange: "NYQ".to_owned(),
        time_zone: "America/New_York".to_owned(),
        utc_offset: -18_000,
        kind: "EQUITY".to_owned(),
        price: price.to_owned(),
        price_time: 1_794_571_200, // 2026-11-13T12:00:00Z
        dividends: [1, 4, 7, 10].map(dividend).to_vec(),
        ..Stock::default()
    };
    let rates = vec![("2026-11-13".to_owned(), "USD".to_owned(), "1.08".to_owned())];
    Replay::start(World { stocks: vec![stock("KO", "70.00"), stock("ACME", "20.00")], rates, ..World::default() })
}

fn asking(dripline: &Dripline, replay: &Replay, providers: &str, arguments: &[&str]) -> Command {
    let mut command = dripline.command(arguments);
    command.env("DRIPLINE_PROVIDER", providers);
    for name in ["yahoo", "fmp", "ecb"] {
        command.env(format!("DRIPLINE_{}_URL", name.to_uppercase()), replay.url(name));
    }
    command.env("DRIPLINE_FMP_KEY", KEY);
    command
}

fn run(dripline: &Dripline, replay: &Replay, arguments: &[&str]) -> Ran {
    ran(asking(dripline, replay, "yahoo,ecb", arguments).output().unwrap())
}

#[test]
fn a_refresh_loads_everything_and_the_status_names_the_providers() {
    let (dripline, replay) = (Dripline::with_accounts(), replay());
    dripline.done(&["market", "untrack", "IBE.MC", "DGE.L"]);
    let refreshed = run(&dripline, &replay, &["market", "refresh"]);
    assert_eq!((refreshed.code, refreshed.stdout.as_str()), (Some(0), "Refreshed: 4, failed: 0\n"), "{refreshed:?}");
    let status = dripline.json(&["market", "status", "--json"]);
    assert_eq!(status["held_back"], json!([]));
    assert!(status["providers"].as_array().unwrap().iter().any(|one| one["name"] == "yahoo" && one["used"].as_u64() > Some(2)));
    let stock = dripline.json(&["market", "status", "ko", "--json"]);
    let owner = stock["provenance"].as_array().unwrap().iter().find(|one| one["field"] == "dividends").unwrap();
    assert_eq!(owner["provider"], "yahoo");
    let text = dripline.done(&["market", "status"]);
    assert!(text.contains("quote       1 stock, 0 never fetched"), "{text}");
    assert!(dripline.done(&["market", "status", "KO"]).contains("dividends"), "for people, too");
    dripline.refused(&["market", "status", "NOPE"], &["No data for NOPE"]);
}

#[test]
fn an_unknown_symbol_is_looked_up_when_it_is_tracked_or_watched() {
    let (dripline, replay) = (Dripline::with_accounts(), replay());
    assert_eq!(run(&dripline, &replay, &["market", "track", "acme"]).code, Some(0));
    assert_eq!(run(&dripline, &replay, &["radar", "add", "ACME", "--user", ANA]).code, Some(0));
    let refused = run(&dripline, &replay, &["radar", "add", "NOPE", "--user", ANA]);
    assert_eq!(refused.code, Some(1));
    refused.says(&["No data for NOPE. Check the spelling.", "Nothing was changed"]);
    let one = run(&dripline, &replay, &["market", "refresh", "ACME", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&one.stdout).unwrap();
    assert!(rows.as_array().unwrap().iter().all(|row| row["symbol"] == "ACME" && row["done"] == true), "{rows}");
}

#[test]
fn a_failing_provider_is_named_by_refresh_status_and_doctor_and_exits_with_1() {
    let (dripline, replay) = (Dripline::with_accounts(), replay());
    dripline.done(&["market", "untrack", "IBE.MC", "DGE.L"]);
    replay.fail("", Fault::Status(500));
    let failed = run(&dripline, &replay, &["market", "refresh", "KO"]);
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), "Refreshed: 0, failed: 3\n"));
    failed.says(&["quote KO: yahoo answered with status 500"]);
    let status = dripline.done(&["market", "status"]);
    assert!(status.contains("Failing     ") && status.contains("KO: yahoo answered with status 500"), "{status}");
    let doctor = run(&dripline, &replay, &["doctor"]);
    assert!(doctor.stdout.contains("yahoo answered with status 500") || doctor.stdout.contains("yahoo is paused"), "{doctor:?}");
    assert_eq!(doctor.code, Some(0), "a warning, not an illness");
}

#[test]
fn without_a_provider_a_refresh_names_the_setting() {
    Dripline::with_accounts().refused(&["market", "refresh"], &["Choose one or more with DRIPLINE_PROVIDER"]);
}

#[test]
fn commands_use_what_the_owner_chose_unless_a_setting_decides() {
    let (dripline, replay) = (Dripline::with_accounts(), replay());
    dripline.done(&["market", "untrack", "IBE.MC", "DGE.L"]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let app = app::App::open(&dripline.data_dir(), app::Clock::System).await.unwrap();
        let ana = app::accounts::id_of(&app, ANA).await.unwrap();
        let choice = Choice { order: &["fmp", "ecb"], keys: &[("fmp", KEY)] };
        choice::choose(&app, ana, &choice).await.unwrap();
    });
    let with_addresses = |arguments: &[&str]| {
        let mut command = asking(&dripline, &replay, "", arguments);
        command.env_remove("DRIPLINE_PROVIDER").env_remove("DRIPLINE_FMP_KEY");
        command
    };
    let refreshed = ran(with_addresses(&["market", "refresh"]).output().unwrap());
    assert_eq!(refreshed.code, Some(0), "{refreshed:?}");
    assert!(replay.count(KEY) > 0 && replay.count("/ecb") > 0 && replay.count("/yahoo") == 0, "{:?}", replay.requests());
    for command in [&["market", "status"][..], &["doctor"]] {
        let said = ran(with_addresses(command).output().unwrap());
        assert!(said.stdout.contains("fmp, ecb") && said.stdout.contains("chosen by the owner in the web app"), "{said:?}");
        assert!(!said.stdout.contains(KEY) && !said.stderr.contains(KEY));
    }
    let status = ran(with_addresses(&["market", "status"]).env("DRIPLINE_PROVIDER", "ecb").output().unwrap());
    assert!(status.stdout.contains("Providers   ecb (set in the environment with DRIPLINE_PROVIDER)"), "{status:?}");
    dripline.run(&["user", "owner", BEN]).says(&["ben@example.com is now the owner."]);
    let owners: Vec<bool> =
        dripline.json(&["user", "list", "--json"]).as_array().unwrap().iter().map(|user| user["owner"] == true).collect();
    assert_eq!(owners, [false, true]);
}

#[test]
fn a_provider_key_is_never_printed() {
    let (dripline, replay) = (Dripline::with_accounts(), replay());
    let mut outputs = Vec::new();
    for fault in [None, Some(Fault::Status(500)), Some(Fault::Html), Some(Fault::Truncate), Some(Fault::Throttle(None))] {
        replay.heal();
        fault.into_iter().for_each(|fault| replay.fail("", fault));
        for arguments in [&["market", "refresh", "KO"][..], &["market", "status", "--json"], &["doctor"], &["config", "print"]] {
            let mut command = asking(&dripline, &replay, "fmp", arguments);
            outputs.push(ran(command.env("RUST_LOG", "trace").output().unwrap()));
        }
    }
    assert!(replay.requests().iter().any(|request| request.contains(KEY)), "it was used");
    assert!(outputs.iter().all(|ran| !ran.stdout.contains(KEY) && !ran.stderr.contains(KEY)), "{outputs:?}");
    let database = std::fs::read(dripline.data_dir().join("dripline.db")).unwrap();
    assert!(!database.windows(KEY.len()).any(|window| window == KEY.as_bytes()));
}
