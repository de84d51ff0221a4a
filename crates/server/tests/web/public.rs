//! Public pages: what they show, and their rate limit.

use testkit::sample::{ANA, BOB};
use testkit::{Answer, NOW, Service};

use super::other_users_data::plain;
use super::people::{signed_in, world};

const STOCKS: &str = "symbol,name,currency,price,tracked\n\
    OPEN,Open Orchards,USD,10,true\nHELD,Held Harvest,USD,20,false\nLONE,Lone Lemons,USD,30,false\n";
const DIVIDENDS: &str = "symbol,ex_date,amount\nOPEN,2026-11-20,1\nHELD,2026-11-21,1\nLONE,2026-11-22,1\n";
const LEDGER: &str = "date,type,symbol,shares,price,currency,portfolio\n\
    2025-01-10,buy,HELD,1,10,USD,Main\n2025-01-10,buy,OPEN,1,10,USD,Main\n";

fn with_one_holder() -> Service {
    let service = Service::start();
    service.load(&[("stocks.csv", STOCKS), ("dividends.csv", DIVIDENDS)]);
    service.account(ANA, "USD", None);
    service.import(ANA, LEDGER);
    service
}

#[test]
fn public_pages_show_nothing_that_only_one_user_holds() {
    let service = with_one_holder();
    let stranger = service.browser();
    for page in ["/calendar", "/search?q=e", "/search?q=held", "/search/suggest?q=e", "/search/suggest?q=harvest"] {
        let shown = stranger.get(page);
        assert_eq!((shown.status, shown.text().contains("Held Harvest")), (200, false), "{page}");
    }
    assert!(stranger.get("/calendar").text().contains("Open Orchards"));
    let ask = |symbol: &str| plain(&stranger.get(&format!("/stocks/{symbol}")), &[symbol]).replace(symbol, "ASKED");
    assert_eq!(ask("HELD"), ask("NOPE"));
    assert_eq!(ask("LONE"), ask("NOPE"));
    for email in ["b@example.com", "c@example.com"] {
        service.account(email, "USD", None);
        service.import(email, LEDGER);
    }
    for page in ["/calendar", "/search?q=held", "/search/suggest?q=held", "/stocks/HELD"] {
        let shown = stranger.get(page);
        assert_eq!((shown.status, shown.text().contains("Held Harvest")), (200, true), "{page}, with three holders");
    }
}

#[test]
fn a_shared_portfolio_links_strangers_to_public_stocks_only() {
    let service = with_one_holder();
    let slug = service.run(app::portfolios::share(&service.app, service.user_id(ANA), "Main", None)).unwrap();
    let shown = service.browser().get(&format!("/p/{slug}")).text();
    assert!(shown.contains("Held Harvest") && shown.contains("Open Orchards"), "{shown}");
    assert!(shown.contains("href=\"/stocks/OPEN\"") && !shown.contains("/stocks/HELD"), "{shown}");
}

#[test]
fn a_generated_slug_cannot_be_guessed() {
    let service = with_one_holder();
    let share = || service.run(app::portfolios::share(&service.app, service.user_id(ANA), "Main", None)).unwrap();
    let (one, other) = (share(), share());
    assert_ne!(one, other);
    for slug in [one, other] {
        assert!(slug.len() == 16 && slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{slug}");
    }
}

fn ask(service: &Service, path: &str, from: &str) -> Answer {
    service.request("GET", path, None, &[("X-Forwarded-For", from)])
}

#[test]
fn strangers_are_limited_to_120_pages_a_minute_per_address() {
    let service = Service::start_at(NOW, "127.0.0.0/8");
    service.account(ANA, "EUR", None);
    let pages = ["/calendar", "/search?q=a", "/search/suggest?q=a", "/stocks/NOPE", "/p/nope", "/sign-in", "/", "/feed/nope.ics"];
    for page in pages.iter().cycle().take(120) {
        assert_ne!(ask(&service, page, "203.0.113.7").status, 429, "{page}");
    }
    for page in pages {
        let refused = ask(&service, page, "203.0.113.7");
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert_eq!((refused.status, (1..=60).contains(&wait)), (429, true), "{page}");
        assert!(refused.text().contains(&format!("Try again in {wait} seconds.")), "{}", refused.text());
        assert_eq!(refused.header("cache-control"), "no-store");
    }
    for free in ["/healthz", "/robots.txt", "/favicon.ico", "/api/v1/calendar"] {
        assert_eq!(ask(&service, free, "203.0.113.7").status, 200, "{free}");
    }
    assert_eq!(ask(&service, "/calendar", "203.0.113.8").status, 200, "another address");
}

#[test]
fn signed_in_users_are_not_limited() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let stranger = world.browser();
    while stranger.get("/calendar").status == 200 {}
    for _ in 0..130 {
        assert_eq!(ana.get("/search/suggest?q=a").status, 200);
    }
    assert_eq!(stranger.sign_in(BOB, "whatever it is").status, 429, "from the same address");
}
