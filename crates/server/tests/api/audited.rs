//! Accounts whose figures the independent auditor computed from the same files; `e2e/audit/freeze.py` writes them.

use std::fs;
use std::path::Path;

use app::portfolios;
use app::stocks::radar;
use jiff::Timestamp;
use serde_json::Value;
use testkit::Service;

const ANA: &str = "ana@example.com";

/// Compares every field that is expected; other fields are ignored. Returns the number of values compared.
fn compare(path: &str, expected: &Value, found: Option<&Value>, differences: &mut Vec<String>) -> usize {
    let same = match (expected, found) {
        (Value::Object(fields), _) if fields.contains_key("absent") => found.is_none(),
        (Value::Object(fields), Some(found)) if fields.contains_key("rate") => is_near(&fields["rate"], found),
        (Value::Object(fields), Some(found)) if fields.contains_key("instant") => {
            instant(&fields["instant"]).is_some() && instant(&fields["instant"]) == instant(found)
        }
        (Value::Object(fields), Some(found)) if fields.contains_key("codes") => same_codes(&fields["codes"], found),
        (Value::Object(fields), Some(found)) if fields.contains_key("reasons") => same_reasons(&fields["reasons"], found),
        (Value::Object(fields), Some(Value::Object(found))) => {
            let field = |(name, value)| compare(&format!("{path}.{name}"), value, found.get(name), differences);
            return fields.iter().map(field).sum();
        }
        (Value::Array(rows), Some(Value::Array(found))) if rows.len() == found.len() => {
            let row = |(number, (row, found))| compare(&format!("{path}[{number}]"), row, Some(found), differences);
            return 1 + rows.iter().zip(found).enumerate().map(row).sum::<usize>();
        }
        (Value::Number(number), Some(Value::Number(found))) => number.as_f64() == found.as_f64(),
        _ => Some(expected) == found,
    };
    if !same {
        differences.push(format!("{path}: expected {expected}, got {found:?}"));
    }
    1
}

/// Growth rates are doubles: equal within 1e-9 of their size, or within what a subtraction loses near zero.
#[allow(clippy::float_arithmetic)] // they are no money
fn is_near(expected: &Value, found: &Value) -> bool {
    let (Some(expected), Some(found)) = (expected.as_f64(), found.as_f64()) else { return false };
    (expected - found).abs() <= (expected.abs() * 1e-9).max(1e-14)
}

/// The checks of a safety rating, as "code state", in any order.
fn same_reasons(expected: &Value, found: &Value) -> bool {
    let (Some(expected), Some(found)) = (expected.as_array(), found.as_array()) else { return false };
    let check = |reason: &Value| Some(format!("{} {}", reason["code"].as_str()?, reason["state"].as_str()?));
    let mut found: Vec<_> = found.iter().map(check).collect();
    found.sort();
    found.iter().map(Option::as_deref).eq(expected.iter().map(Value::as_str))
}

/// The codes of notices, in any order.
fn same_codes(expected: &Value, found: &Value) -> bool {
    let Some(found) = found.as_array() else { return false };
    let mut found: Vec<_> = found.iter().map(|notice| notice["code"].as_str()).collect();
    found.sort();
    expected.as_array().is_some_and(|expected| found.into_iter().eq(expected.iter().map(Value::as_str)))
}

fn instant(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// A service with the account, and its token.
fn load(folder: &Path) -> (Service, String) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let account: Value = serde_json::from_str(&read("account.json")).unwrap();
    let text = |name: &str| account[name].as_str().unwrap();
    let service = Service::start_at(&format!("{}T12:00:00Z", text("today")), "");
    let token = service.account(ANA, text("currency"), Some(text("residence")).filter(|country| !country.is_empty()));
    let market =
        ["stocks.csv", "dividends.csv", "splits.csv", "prices.csv", "fx.csv"].map(|name| (name, read(&format!("market/{name}"))));
    service.load(&market.each_ref().map(|(name, text)| (*name, text.as_str())));
    service.import(ANA, &read("ledger.csv"));
    let (app, user_id) = (&service.app, service.user_id(ANA));
    let watched: Vec<String> = serde_json::from_value(account["radar"].clone()).unwrap();
    service.run(radar::add(app, user_id, &watched)).unwrap();
    for (name, slug) in account["shared"].as_object().unwrap() {
        service.run(portfolios::share(app, user_id, name, slug.as_str())).unwrap();
    }
    (service, token)
}

#[test]
fn every_figure_of_the_audited_accounts_is_the_auditors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/audited");
    let (mut values, mut differences) = (0, Vec::new());
    for account in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let (service, token) = load(&account);
        for line in fs::read_to_string(account.join("expected")).unwrap().lines() {
            let (path, expected) = line.split_once(' ').unwrap();
            let answer = service.get(&format!("/api/v1{path}"), Some(&token));
            let place = format!("{} {path}", account.file_name().unwrap().display());
            values += compare(&place, &serde_json::from_str(expected).unwrap(), Some(&answer.json()), &mut differences);
        }
    }
    assert!(differences.is_empty(), "{} of {values} values differ:\n{}", differences.len(), differences.join("\n"));
    assert!(values > 1_500, "only {values} values were compared");
}
