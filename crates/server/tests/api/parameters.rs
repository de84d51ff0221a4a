use testkit::sample::World;

use super::contract::{error, get, ok};

fn refused(world: &World, path: &str, query: &str, parameter: &str) {
    let message = error(world, &format!("/api/v1/{path}?{query}"), Some(&world.ana), 422, "invalid_params");
    assert!(message.contains(&format!("`{parameter}`")), "{path}?{query}: {message}");
}

const NO_INTEGERS: [&str; 32] = [
    "",
    "+",
    "%20",
    "%205",
    "5%20",
    "+5",
    "%2B5",
    "5+",
    "1.5",
    "5.0",
    "1e2",
    "0x5",
    "0b1",
    "1_0",
    "1,0",
    "NaN",
    "inf",
    "five",
    "-",
    "--5",
    "5-",
    "%EF%BC%95",
    "%D9%A5",
    "%00",
    "5%00",
    "%FF",
    "%C0%B5",
    "%ED%A0%80",
    "%0d%0a5",
    "%",
    "%2",
    "%zz",
];

#[test]
fn a_malformed_integer_is_refused_and_the_message_says_which_and_what_is_accepted() {
    let world = World::start();
    for value in NO_INTEGERS {
        refused(&world, "calendar", &format!("days={value}"), "days");
        refused(&world, "upcoming", &format!("days={value}"), "days");
        refused(&world, "income", &format!("years={value}"), "years");
        refused(&world, "transactions", &format!("limit={value}"), "limit");
    }
    refused(&world, "calendar", "days", "days");
    let days = error(&world, "/api/v1/calendar?days=x", None, 422, "invalid_params");
    assert!(days.contains("from 1 to 120"), "{days}");
    let years = error(&world, "/api/v1/income?years=x", Some(&world.ana), 422, "invalid_params");
    assert!(years.contains("from 1 to 50"), "{years}");
}

#[test]
fn an_integer_out_of_range_is_clamped_however_long_it_is() {
    let world = World::start();
    let long = "9".repeat(5000);
    for (value, days, years) in [
        ("0", 1, 1),
        ("-0", 1, 1),
        ("-3", 1, 1),
        ("121", 120, 50),
        ("51", 51, 50),
        ("99999999999999999999", 120, 50),
        ("-99999999999999999999", 1, 1),
        ("9223372036854775808", 120, 50),
        ("%35", 5, 5),
        ("007", 7, 7),
        (&long, 120, 50),
    ] {
        for path in ["calendar", "upcoming"] {
            let body = ok(&world, &format!("/api/v1/{path}?days={value}"), Some(&world.ana));
            assert_eq!(body["days"], days, "{path} {value}");
        }
        assert_eq!(ok(&world, &format!("/api/v1/income?years={value}"), Some(&world.ana))["years"], years, "{value}");
    }
}

#[test]
fn a_repeated_parameter_is_refused_even_when_equal() {
    let world = World::start();
    for (path, query, parameter) in [
        ("calendar", "days=5&days=6", "days"),
        ("calendar", "days=5&days=5", "days"),
        ("calendar", "days=5&x=1&day%73=6", "days"),
        ("upcoming", "days=5&days=6", "days"),
        ("upcoming", "portfolio=Core&portfolio=Core", "portfolio"),
        ("income", "years=5&years=6", "years"),
        ("income", "drip=true&drip=false", "drip"),
        ("holdings", "portfolio=Core&portfolio=Core", "portfolio"),
        ("dividends", "symbol=QTR&symbol=MON", "symbol"),
        ("dividends", "from=2026-01-01&from=2026-01-01", "from"),
        ("dividends", "to=2026-01-01&to=2026-01-02", "to"),
        ("stocks", "q=a&q=b", "q"),
        ("status", "portfolio=Core&portfolio=Core", "portfolio"),
        ("valuation", "portfolio=Core&portfolio=Core", "portfolio"),
        ("transactions", "type=buy&type=buy", "type"),
        ("transactions", "limit=5&limit=5", "limit"),
        ("received", "from=2026-01-01&from=2026-01-01", "from"),
    ] {
        refused(&world, path, query, parameter);
    }
}

#[test]
fn drip_is_exactly_true_or_false() {
    let world = World::start();
    for value in ["TRUE", "True", "FALSE", "1", "0", "yes", "no", "on", "t", "", "%20true", "true%20", "null"] {
        refused(&world, "income", &format!("drip={value}"), "drip");
    }
    assert_eq!(ok(&world, "/api/v1/income?drip=true", Some(&world.ana))["drip"], true);
    assert_eq!(ok(&world, "/api/v1/income?drip=%66alse", Some(&world.ana))["drip"], false);
}

#[test]
fn a_date_is_a_real_day_written_in_one_way() {
    let world = World::start();
    let wrong = [
        "",
        "2026-02-30",
        "2025-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2026-2-3",
        "20260203",
        "2026-02-03T00:00Z",
        "2026/02/03",
        "03-02-2026",
        "02026-02-03",
        "-026-02-03",
        "2026-02-03%20",
        "+2026-02-03",
        "today",
        "1770076800",
        "%EF%BC%92026-02-03",
        "2026-02-0%00",
        "%FF",
    ];
    for value in wrong {
        for path in ["dividends", "transactions", "received"] {
            refused(&world, path, &format!("from={value}"), "from");
            refused(&world, path, &format!("to={value}"), "to");
        }
    }
    for value in ["0000-01-01", "9999-12-31", "2024-02-29", "2026%2D01-31"] {
        for name in ["from", "to"] {
            for path in ["dividends", "transactions", "received"] {
                ok(&world, &format!("/api/v1/{path}?{name}={value}"), Some(&world.ana));
            }
        }
    }
}

#[test]
fn an_unknown_portfolio_is_refused_by_every_endpoint_that_takes_one() {
    let world = World::start();
    for path in ["holdings", "dividends", "income", "upcoming", "status", "valuation", "transactions", "received"] {
        for value in ["none", "Cor", "Core2", "Main", "%25", "%F0%9F%92%B6", "%E2%80%AECore"] {
            refused(&world, path, &format!("portfolio={value}"), "portfolio");
        }
        for value in ["", "%20", "+", "%E3%80%80", "%00", "Core%00", "%FF", "%C0%AF", "%ED%A0%80", "%", "%2", "%zz"] {
            refused(&world, path, &format!("portfolio={value}"), "portfolio");
        }
    }
}

#[test]
fn an_unknown_portfolio_is_answered_with_the_names_of_the_users_own() {
    let world = World::start();
    let told = |token: &str| error(&world, "/api/v1/income?portfolio=none", Some(token), 422, "invalid_params");
    let sentence = "The parameter `portfolio` must be the name or slug of one of your portfolios";
    assert_eq!(told(&world.ana), format!("{sentence}: Core, Élan."));
    assert_eq!(told(&world.account("new@example.com", "EUR", None)), format!("{sentence} (you have none)."));
}

#[test]
fn a_symbol_in_the_query_is_not_empty_and_is_text() {
    let world = World::start();
    for value in ["", "%20", "+", "%00", "Q%00", "%FF", "%C0%AF", "%ED%A0%80", "%zz"] {
        refused(&world, "dividends", &format!("symbol={value}"), "symbol");
    }
}

#[test]
fn q_is_required_not_blank_and_at_most_100_characters() {
    let world = World::start();
    refused(&world, "stocks", "", "q");
    refused(&world, "stocks", "Q=abc", "q");
    for value in ["", "%20", "++", "%09", "%0d%0a", "%E3%80%80", "%00", "a%00", "%FF", "%C0%AF", "%ED%A0%80", "%", "%2", "%zz"] {
        refused(&world, "stocks", &format!("q={value}"), "q");
    }
    refused(&world, "stocks", &format!("q={}", "q".repeat(101)), "q");
    refused(&world, "stocks", &format!("q={}", "q".repeat(7 << 10)), "q");
    // Characters, not bytes: 100 of é are 200 bytes. Blanks around do not count.
    ok(&world, &format!("/api/v1/stocks?q={}", "%C3%A9".repeat(100)), Some(&world.ana));
    ok(&world, &format!("/api/v1/stocks?q=+{}+", "q".repeat(100)), Some(&world.ana));
    error(&world, "/api/v1/stocks", None, 422, "invalid_params");
}

#[test]
fn an_unknown_parameter_is_ignored() {
    let world = World::start();
    let ledger = ["status", "valuation", "transactions", "received", "radar"];
    for path in ["calendar", "upcoming", "income", "holdings", "dividends", "portfolios", "me"].into_iter().chain(ledger) {
        let path = format!("/api/v1/{path}");
        let plain = get(&world, &path, Some(&world.ana)).body;
        for query in ["x=1", "DAYS=5", "days[]=5", "Portfolio=none", "YEARS=x", "x=%FF&x=%00&x", "&&=&", "symbols=Q"] {
            let answer = get(&world, &format!("{path}?{query}"), Some(&world.ana));
            assert_eq!((answer.status, &answer.body), (200, &plain), "{path}?{query}");
        }
    }
}

#[test]
fn escapes_and_plus_are_read_as_in_a_form() {
    let world = World::start();
    let core = ok(&world, "/api/v1/holdings?portfolio=Core", Some(&world.ana));
    for query in ["portfolio=%43ore", "port%66olio=Core", "portfolio=+Core+", "portfolio=%20Core%09"] {
        assert_eq!(ok(&world, &format!("/api/v1/holdings?{query}"), Some(&world.ana)), core, "{query}");
    }
}
