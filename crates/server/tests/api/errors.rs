use serde_json::Value;
use testkit::Service;
use testkit::sample::World;

use super::contract::{ask, error, get};

#[test]
fn every_error_has_the_one_shape_with_its_status_and_code() {
    let world = World::start();
    for (path, token, status, code) in [
        ("/api/v1/me", None, 401, "unauthorized"),
        ("/api/v1/nothing", None, 404, "not_found"),
        ("/api/v1/stocks/NOPE", None, 404, "not_found"),
        ("/api/v1/stocks", None, 422, "invalid_params"),
        ("/api/v1/calendar?days=x", None, 422, "invalid_params"),
        ("/api/v1/holdings?portfolio=none", Some(world.ana.as_str()), 422, "invalid_params"),
    ] {
        let answer = get(&world, path, token);
        assert_eq!(answer.status, status, "{path}");
        let body = answer.json();
        let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        assert_eq!(
            (keys(&body), keys(&body["error"])),
            (vec!["error".to_owned()], vec!["code".to_owned(), "message".to_owned()])
        );
        assert_eq!(body["error"]["code"], code, "{path}");
        assert!(body["error"]["message"].as_str().unwrap().ends_with('.'), "a whole sentence");
    }
}

#[test]
fn a_path_that_does_not_exist_is_not_found_and_never_a_redirect() {
    let world = World::start();
    for path in [
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/",
        "/api/v2/me",
        "//api/v1/me",
        "/api/v1//me",
        "/api/v1/me/",
        "/API/V1/me",
        "/api/v1/ME",
        "/api/v1/../v1/me",
        "/api/v1/%2e%2e/me",
        "/api/v1/m%65",
        "/api/v1/me;x=1",
        "/api/v1/stocks/",
        "/api/v1/stocks/QTR/",
        "/api/v1/stocks/a/b",
        "/api/v1/openapi.yaml",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let answer = ask(&world, method, path, Some(&world.ana), &[]);
            assert_eq!((answer.status, answer.error_code().as_str()), (404, "not_found"), "{method} {path}");
            assert!(!answer.headers.contains_key("location"), "{path}");
        }
    }
}

#[test]
fn a_symbol_in_the_path_that_cannot_be_one_is_not_found() {
    let world = World::start();
    for symbol in [
        "a%2Fb",
        "%2e%2e",
        "%FF",
        "%C0%AF",
        "%ED%A0%80",
        "%00",
        "QTR%00",
        "%20",
        "%",
        "%2",
        "%zz",
        "%0d%0aX:1",
        "%F0%9F%92%B6",
        "%E2%80%AEQTR",
        "QTR%3B",
        "%27%20OR%201=1--",
    ] {
        for token in [None, Some(world.ana.as_str())] {
            error(&world, &format!("/api/v1/stocks/{symbol}"), token, 404, "not_found");
        }
    }
    error(&world, &format!("/api/v1/stocks/{}", "Q".repeat(7000)), None, 404, "not_found");
}

#[test]
fn an_address_over_8_kilobytes_or_headers_over_16_are_refused_in_the_one_shape() {
    let world = World::start();
    let long = format!("/api/v1/stocks?q={}", "q".repeat(8 << 10));
    assert_eq!(error(&world, &long, None, 414, "bad_request"), "The address is longer than 8 KB. Shorten the query.");
    let header = "x".repeat(17 << 10);
    let answer = ask(&world, "GET", "/api/v1/me", Some(&world.ana), &[("X-Long", &header)]);
    assert_eq!((answer.status, answer.error_code().as_str()), (431, "bad_request"));
    let short = format!("/api/v1/stocks?q=qtr&x={}", "q".repeat(7 << 10));
    assert_eq!(get(&world, &short, None).status, 200);
}

#[test]
fn a_failure_of_the_service_is_internal_and_shows_no_cause() {
    let service = Service::start();
    // A trillion shares × a trillion a year × a rate of a trillion is more than a decimal holds.
    service.load(&[
        ("stocks.csv", "symbol,currency,forward_rate\nHUGE,EUR,999999999999\n"),
        ("fx.csv", "date,currency,rate\n2026-11-13,HUF,999999999999\n"),
    ]);
    let token = service.account("x@example.com", "HUF", None);
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,HUGE,999999999999,1,EUR\n");
    let message = error(&service, "/api/v1/income", Some(&token), 500, "internal");
    for cause in ["HUGE", "overflow", "large", "decimal", "sql", "SELECT", "/", ".rs", "panic"] {
        assert!(!message.to_lowercase().contains(&cause.to_lowercase()), "{cause} in {message}");
    }
    assert_eq!(get(&service, "/api/v1/holdings", Some(&token)).status, 200, "the rest goes on");
}

#[test]
fn no_error_echoes_markup_from_the_request() {
    let world = World::start();
    for path in [
        "/api/v1/holdings?portfolio=%3Cscript%3Ealert(1)%3C/script%3E",
        "/api/v1/stocks/%3Cscript%3E",
        "/api/v1/%3Cscript%3E",
        "/api/v1/income?years=%3Cscript%3E",
        "/api/v1/income?%3Cscript%3E=%zz",
    ] {
        let answer = get(&world, path, Some(&world.ana));
        assert!(answer.status >= 400 && !String::from_utf8_lossy(&answer.body).contains("script"), "{path}");
    }
}
