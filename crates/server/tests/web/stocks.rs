use serde_json::Value;
use testkit::sample::{ANA, BOB, World};
use testkit::{Answer, Browser, Service};

use super::figures::words;

/// A browser in which the account of this address is signed in.
pub fn signed_in(service: &Service, email: &str) -> Browser {
    let password = "orbit walnut teapot seven";
    service.set_password(email, password);
    let browser = service.browser();
    assert_eq!(browser.sign_in(email, password).status, 303);
    browser
}

fn page(browser: &Browser, path: &str) -> String {
    let answer = browser.get(path);
    assert_eq!(answer.status, 200, "{path}");
    answer.text()
}

/// The machine-readable value of a figure on the page.
fn figure(page: &str, path: &str) -> Option<String> {
    let (_, after) = page.split_once(&format!("data-figure=\"{path}\">"))?;
    let marks = ["<data value=\"", "<time datetime=\""];
    let (_, value) = marks.iter().filter_map(|mark| after.split_once(mark)).min_by_key(|(before, _)| before.len())?;
    Some(value.split('"').next().unwrap().to_owned())
}

fn api_value<'a>(body: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(body, |value, name| &value[name])
}

fn assert_same(page: &str, api: &Value, path: &str) {
    let expected = api_value(api, path);
    let expected = if expected["amount"].is_string() { &expected["amount"] } else { expected };
    match (figure(page, path), expected) {
        (shown, Value::Null) => assert_eq!(shown, None, "{path}"),
        (Some(shown), Value::Number(number)) => {
            let decimal = |text: &str| text.parse::<ledger::Decimal>().unwrap().normalize();
            assert_eq!(decimal(&shown), decimal(&number.to_string()), "{path}");
        }
        (shown, text) => assert_eq!(shown.as_deref(), text.as_str(), "{path}"),
    }
}

const FIGURES: [&str; 11] = [
    "price",
    "price.as_of",
    "dividend.annual",
    "dividend.yield_pct",
    "dividend.yield_avg_5y_pct",
    "dividend.cagr_5y",
    "dividend.streak_years",
    "dividend.ex_dividend_date",
    "scores.momentum",
    "scores.rating",
    "scores.value",
];

#[test]
fn the_stock_page_shows_the_figures_of_the_api() {
    let world = World::start();
    let (stranger, ana) = (world.browser(), signed_in(&world, ANA));
    for symbol in ["QTR", "MON", "SEVN", "ANN", "HALT", "SPLT", "BARE"] {
        let path = format!("/stocks/{symbol}");
        let (seen, api) = (page(&stranger, &path), world.get(&format!("/api/v1{path}"), None).json());
        let (own, with_token) = (page(&ana, &path), world.get(&format!("/api/v1{path}"), Some(&world.ana)).json());
        for figure in FIGURES {
            assert_same(&seen, &api, figure);
            assert_same(&own, &with_token, figure);
        }
    }
    // 0.90 × 4: for users only, though each payment can be looked up.
    assert_eq!(figure(&page(&ana, "/stocks/QTR"), "dividend.annual").as_deref(), Some("3.60"));
    assert_eq!(figure(&page(&stranger, "/stocks/QTR"), "dividend.annual"), None);
}

#[test]
fn users_see_the_live_price_and_strangers_the_stored_one() {
    let stock = replay::Stock {
        symbol: "QRT".to_owned(),
        name: "Quartz Rail".to_owned(),
        unit: "USD".to_owned(),
        exchange: "NYQ".to_owned(),
        time_zone: "America/New_York".to_owned(),
        utc_offset: -18_000,
        kind: "EQUITY".to_owned(),
        price: "40.00".to_owned(),
        price_time: "2026-11-16T11:30:00Z".parse::<jiff::Timestamp>().unwrap().as_second(),
        ..replay::Stock::default()
    };
    let replay = replay::Replay::start(replay::World { stocks: vec![stock], ..replay::World::default() });
    let service = Service::start_with_providers("2026-11-16T12:00:00Z", &replay, &["yahoo"]);
    service.account(ANA, "USD", None);
    let ana = signed_in(&service, ANA);
    // It was unknown: it is looked up.
    assert_eq!(ana.fill("/radar", "/radar/add", &[("symbol", "QRT")]).status, 303);
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    replay.change(|world| world.stocks[0].price = "44.00".to_owned());
    let live = page(&ana, "/stocks/QRT");
    assert!(figure(&live, "price").as_deref() == Some("44.00") && live.contains(">live<"), "{live}");
    assert_eq!(figure(&live, "price.as_of"), None);
    let stored = page(&service.browser(), "/stocks/QRT");
    assert!(figure(&stored, "price").as_deref() == Some("40.00") && !stored.contains(">live<"));
    assert_eq!(figure(&stored, "price.as_of").as_deref(), Some("2026-11-16T11:30:00Z"));
}

#[test]
fn the_stock_page_shows_yield_against_average_and_schedule() {
    let world = World::start();
    let quarterly = page(&world.browser(), "/stocks/QTR");
    // 4.5 ÷ 3.6 = 1.25, and 6 ÷ 7.5 = 0.8.
    assert!(words(&quarterly).contains("25% above its 5-year average"), "{quarterly}");
    assert!(quarterly.contains("March, June, September, December") && quarterly.contains("Quarterly"));
    let monthly = page(&world.browser(), "/stocks/MON");
    assert!(words(&monthly).contains("20% below its 5-year average") && monthly.contains("Every month"));
    // The next one is declared: 0.90 on December 10.
    assert!(quarterly.contains("2026-12-10") && quarterly.contains("Declared"));
    assert!(page(&world.browser(), "/stocks/ANN").contains("Estimated"));
}

#[test]
fn the_safety_of_a_dividend_is_explained_with_its_figures() {
    let world = World::start();
    // Severn is a utility, which may pay out 85%; its cash of 1.1 times the dividend is thin.
    let severn = page(&world.browser(), "/stocks/SEVN");
    assert!(severn.contains("Free cash flow covers the dividend only 1.1 times.") && severn.contains("85.0%"), "{severn}");
    assert!(!severn.contains("which leaves little margin"));
    assert!(page(&world.browser(), "/stocks/HALT").contains("Payments seem to have stopped"));
    assert!(page(&world.browser(), "/stocks/QTR").contains("No warning signs"));
    assert!(page(&world.browser(), "/stocks/BARE").contains("Not enough data to rate"));
}

#[test]
fn payments_are_split_adjusted_and_specials_are_marked() {
    let world = World::start();
    // 2.00 before the 4:1 split are 0.50 now: seven payments of that, each once.
    let split = page(&world.browser(), "/stocks/SPLT");
    let (_, payments) = split.split_once("2026-11-10").unwrap();
    assert!(payments.contains("2025-05-12"));
    let (payments, _) = payments.split_once("</table>").unwrap();
    assert_eq!(payments.matches("value=\"0.50\"").count(), 7, "{payments}");
    assert!(page(&world.browser(), "/stocks/RAD").contains(">Special<"));
    assert!(!split.contains(">Special<"));
}

#[test]
fn a_symbol_is_found_in_any_case() {
    let world = World::start();
    assert!(page(&world.browser(), "/stocks/qtr").contains("Quarry Tools"));
}

#[test]
fn only_the_user_sees_their_own_position() {
    let world = World::start();
    let ana = page(&signed_in(&world, ANA), "/stocks/QTR");
    // 605 for ten, 396 for 5.5: 1001 ÷ 15.5 = 64.58. Four more in the other portfolio.
    for own in ["Core", "Élan", "value=\"15.5\"", "$64.58", "value=\"4\""] {
        assert!(ana.contains(own), "{own}");
    }
    // 13.95 + 3.60 = 17.55 gross, less 3.51: 14.04 net, at 1.10 dollars a euro.
    assert!(words(&ana).contains("€12.76 net (€15.95 gross)"), "{ana}");
    for other in [page(&signed_in(&world, BOB), "/stocks/QTR"), page(&world.browser(), "/stocks/QTR")] {
        assert!(!other.contains("Core") && !other.contains("Élan") && !other.contains("15.5"));
    }
}

#[test]
fn an_untracked_symbol_offers_a_search_and_users_can_watch_it() {
    let world = World::start();
    for symbol in ["HIDE", "NOSUCH", "%3Cscript%3E"] {
        let answer = world.browser().get(&format!("/stocks/{symbol}"));
        assert_eq!(answer.status, 404);
        assert!(answer.text().contains("action=\"/search\"") && !answer.text().contains("/radar/add"));
        assert!(!answer.text().contains("<script>"));
    }
    let ana = signed_in(&world, ANA);
    let missing = ana.get("/stocks/HIDE");
    assert!(missing.status == 404 && missing.text().contains("/radar/add"));
    let followed: Answer = ana.post("/radar/add", &[("symbol", "HIDE"), ("next", "/stocks/HIDE")]);
    assert_eq!((followed.status, followed.header("location")), (303, "/stocks/HIDE"));
    assert!(page(&ana, "/stocks/HIDE").contains("Hidden Harbour"));
    assert_eq!(world.browser().get(&format!("/stocks/{}", "A".repeat(500))).status, 404);
    assert_eq!(world.browser().get("/stocks/%FF").status, 404);
}

#[test]
fn the_calendar_marks_what_a_user_holds_and_watches() {
    let world = World::start();
    let ana = page(&signed_in(&world, ANA), "/calendar");
    assert!(ana.contains("href=\"/stocks/QTR\"") && ana.contains(">Held<") && ana.contains(">Watchlist</span>"));
    let stranger = page(&world.browser(), "/calendar");
    assert!(stranger.contains("href=\"/stocks/QTR\"") && !stranger.contains(">Held<") && !stranger.contains(">Watchlist</span>"));
}
