//! The pages that show income in detail, for ledgers whose figures are worked out by hand. Today is 2026-11-15.

use app::authentication::tokens;
use app::automatic::{self, Automatic};
use app::stocks::radar;
use app::{accounts, portfolios};
use testkit::{Browser, Service, sample};

use crate::figures::{compare, unescaped};
use crate::people::main_of;

const PASSWORD: &str = "a password of the test";

/// Somebody who is signed in, with a token of the same account.
struct Reader {
    browser: Browser,
    token: String,
}

fn market() -> Service {
    let service = Service::start();
    sample::load_market(&service);
    service
}

fn reader(service: &Service, email: &str, currency: &str, residence: &str, ledger: &str) -> Reader {
    let account = accounts::NewAccount { email, name: None, currency, residence: Some(residence), password: Some(PASSWORD) };
    let id = service.run(accounts::add(&service.app, &account)).unwrap();
    if !ledger.is_empty() {
        service.import(email, ledger);
    }
    let browser = service.browser();
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    Reader { browser, token: service.run(tokens::create(&service.app, id, "test")).unwrap().token }
}

/// Euros, Spain, two portfolios, QTR and RAD on the watchlist.
fn ana(service: &Service) -> Reader {
    let ana = reader(service, sample::ANA, "EUR", "ES", sample::LEDGER);
    let user = service.user_id(sample::ANA);
    service.run(radar::add(&service.app, user, &["RAD".to_owned(), "QTR".to_owned()])).unwrap();
    ana
}

/// Dollars, the United States, one portfolio.
fn bob(service: &Service) -> Reader {
    reader(service, sample::BOB, "USD", "US", sample::PLAIN)
}

impl Reader {
    fn text(&self, page: &str) -> String {
        let answer = self.browser.get(page);
        assert_eq!(answer.status, 200, "{page}");
        unescaped(&answer.text())
    }
}

/// The first figure after a marker.
fn value_after<'a>(page: &'a str, mark: &str) -> &'a str {
    let rest = page.split_once(mark).unwrap_or_else(|| panic!("there is no {mark}")).1;
    rest.split_once("<data value=\"").unwrap().1.split_once('"').unwrap().0
}

fn values(part: &str) -> Vec<&str> {
    part.split("<data value=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

#[test]
fn every_figure_on_the_pages_equals_the_api() {
    let service = market();
    for (who, name) in [(ana(&service), "ana"), (bob(&service), "bob")] {
        // At least: each of the sources on the home page, each holding twice and its income, each payment's dates.
        for (page, least) in [
            ("/", 20),
            ("/upcoming", 20),
            ("/upcoming?days=120", 30),
            ("/holdings", 18),
            ("/holdings?sort=-net", 18),
            ("/holdings?sort=symbol", 18),
        ] {
            let compared = compare(&service, &who.browser, &who.token, page);
            assert!(compared >= least, "{name}: {compared} figures on {page}");
        }
    }
}

#[test]
fn every_figure_on_the_filtered_dividends_page_equals_the_api() {
    let service = market();
    let ana = ana(&service);
    // Nine dividends: date, amount and net of each, shares, and tax or amount a share where there is one.
    assert!(compare(&service, &ana.browser, &ana.token, "/dividends") >= 9 * 3);
    // Four in 2026 without Élan's, of which one is SEVN's.
    assert!(compare(&service, &ana.browser, &ana.token, "/dividends?year=2026&portfolio=Core") >= 4 * 3);
    let severn = compare(&service, &ana.browser, &ana.token, "/dividends?symbol=sevn&year=2026");
    // And the total of the last twelve months, which is never filtered.
    assert!((4..=7).contains(&severn), "{severn}");
    assert_eq!(compare(&service, &ana.browser, &ana.token, "/dividends?symbol=NONE"), 1);
    assert!(ana.text("/dividends?symbol=NONE").contains("No payments match"));
}

#[test]
fn upcoming_payments_are_summed_by_currency_after_tax() {
    let service = market();
    let page = bob(&service).text("/upcoming");
    // MON 100 × 0.25 twice, less 15%: 21.25 + 21.25 = 42.50 EUR; ANN goes ex in these days and is paid after them. SEVN
    // 100 × 0.12 GBP, nothing withheld: 12.00. QTR 10 × 0.90 and SPLT 40 × 0.50 at home: 29.00 USD.
    let sums = page.split_once("class=\"value sums\"").unwrap().1.split_once("</dd>").unwrap().0;
    assert_eq!(values(sums), ["42.50", "12.00", "29.00"]);
    let badges = |class: &str| page.matches(&format!("class=\"badge {class}\"")).count();
    // MON of November, SEVN, SPLT and QTR are declared; MON of December and ANN are expected.
    assert_eq!((badges("declared"), badges("estimated")), (4, 2));
}

#[test]
fn watched_stocks_are_marked_and_have_no_expected_amount() {
    let service = market();
    let radar_only = reader(&service, "rita@example.com", "EUR", "FR", "");
    service.run(radar::add(&service.app, service.user_id("rita@example.com"), &["RAD".to_owned()])).unwrap();
    let page = radar_only.text("/upcoming");
    // The regular and the special payment of November.
    assert_eq!(page.matches(">Watchlist</span>").count(), 2);
    assert!(!page.contains(".expected\""));
    assert!(page.contains(".per_share\""));
    compare(&service, &radar_only.browser, &radar_only.token, "/upcoming");
}

/// Twice 25.00 before, 30.00 since: euros, so that nothing is converted.
const GROWN: &str = "\
date,type,symbol,shares,price,amount,tax,currency
2024-01-10,buy,MON,100,40.00,,,EUR
2024-01-10,buy,SHIP,20,50000,,,KRW
2024-12-15,dividend,MON,100,,10.00,2.00,EUR
2025-03-15,dividend,MON,100,,20.00,3.00,EUR
2026-03-15,dividend,MON,100,,40.00,10.00,EUR
2026-04-15,dividend,SHIP,20,,20000,3000,KRW
";

#[test]
fn received_dividends_are_summed_and_compared_with_the_year_before() {
    let service = market();
    let page = reader(&service, "carl@example.com", "EUR", "ES", GROWN).text("/dividends");
    // Net 40 − 10 = 30 in the twelve months, (10 − 2) + (20 − 3) = 25 in the twelve before: 30 ÷ 25 − 1 = 0.2.
    assert_eq!(value_after(&page, "id=\"net-12\""), "30.00");
    assert_eq!(value_after(&page, "id=\"gross-12\""), "40.00");
    assert_eq!(value_after(&page, "id=\"growth-12\""), "0.2");
    assert_eq!(value_after(&page, "id=\"all-time\""), "55.00");
    let matrix = page.split_once("id=\"months\"").unwrap().1.split_once("</section>").unwrap().0;
    // March: 2025 and 2026; December: 2024. Then the years. 17 of 30 is in the third quarter, 8 in the second.
    assert_eq!(values(matrix), ["17.00", "30.00", "8.00", "8.00", "17.00", "30.00"]);
    let level = |level: &str| values(matrix.split_once(&format!("class=\"{level}\"")).unwrap().1)[0];
    assert_eq!([level("l2"), level("l3"), level("l4")], ["8.00", "17.00", "30.00"]);
    assert!(page.contains("no exchange rate): SHIP (KRW)."), "the dividend in won is named");
}

#[test]
fn dividends_recorded_net_only_are_mentioned() {
    let service = market();
    let page = ana(&service).text("/dividends");
    assert!(page.contains("1 dividend has no gross amount"));
    // SEVN 24 and 56 GBP at 0.9, ANN 29.16, QTR 11.16 and 2.88 USD at 1.1, MON 25:
    // 26.6667 + 62.2222 + 29.16 + 10.1455 + 2.6182 + 25 = 155.8125.
    assert_eq!(value_after(&page, "id=\"net-12\""), "155.81");
    // And HALT's 2.50 USD of 2024: 2.2727.
    assert_eq!(value_after(&page, "id=\"all-time\""), "158.09");
    let portfolios = page.split_once("id=\"by-portfolio\"").unwrap().1.split_once("</section>").unwrap().0;
    // Core: 2.27 in 2024, in 2025 the second of three bookings of SEVN, and 126.5277 in 2026; Élan 2.62. Their gross amounts: of
    // QTR 13.95 instead of 11.16, and 3.60 instead of 2.88.
    assert_eq!(values(portfolios), ["2.27", "26.67", "126.53", "155.47", "158.00", "2.62", "2.62", "3.27"]);
}

#[test]
fn a_missing_payment_is_recorded_with_the_others_or_by_a_prefilled_form() {
    let service = market();
    let form = |symbol: &str, rest: &str| format!("/ledger/new?kind=dividend&symbol={symbol}&{rest}");
    let (ana, bob) = (ana(&service), bob(&service));
    let page = ana.text("/dividends");
    assert!(page.contains("href=\"/dividends/missing#payment-") && !page.contains(&form("MON", "")));
    for (email, portfolio) in [(sample::ANA, "Core"), (sample::BOB, "Main")] {
        service.run(automatic::set_mode(&service.app, service.user_id(email), portfolio, Automatic::Off)).unwrap();
    }
    let page = ana.text("/dividends");
    assert!(page.contains(&form(
        "MON",
        "date=2026-09-15&amount=25.00&currency=EUR&shares=100&price=0.25&ex_date=2026-09-05&portfolio=Core\""
    )));
    assert!(!page.contains(&form("MON", "date=2026-10-15")), "the one of October is recorded");
    // Bob has one portfolio, which need not be named, and has recorded nothing.
    let page = bob.text("/dividends");
    assert!(page.contains(&form("QTR", "date=2026-09-20&amount=9.00&currency=USD&shares=10&price=0.90&ex_date=2026-09-10\"")));
}

#[test]
fn holdings_are_sorted_by_any_column_and_keep_their_api_index() {
    let service = market();
    let bob = bob(&service);
    let order = |page: &str| -> Vec<String> {
        let text = bob.text(page);
        let rows = text.split_once("<tbody>").unwrap().1.rsplit_once("<tbody>").unwrap().1.to_owned();
        rows.split("class=\"symbol\"")
            .skip(1)
            .map(|row| row.split_once('>').unwrap().1.split_once('<').unwrap().0.to_owned())
            .collect()
    };
    assert_eq!(order("/holdings"), ["QTR", "MON", "SEVN", "ANN", "SPLT"]);
    assert_eq!(order("/holdings?sort=symbol"), ["ANN", "MON", "QTR", "SEVN", "SPLT"]);
    // In dollars a year: MON 100 × 3.00 × 1.25 = 375; SPLT 40 × 2 = 80; ANN 50 × 1.20 × 1.25 = 75;
    // SEVN 100 × 0.40 ÷ 0.8 × 1.25 = 62.50; QTR 10 × 3.60 = 36.
    assert_eq!(order("/holdings?sort=-gross"), ["MON", "SPLT", "ANN", "SEVN", "QTR"]);
    assert_eq!(order("/holdings?sort=gross"), ["QTR", "SEVN", "ANN", "SPLT", "MON"]);
    // Without a price there is no yield: last either way.
    assert_eq!(order("/holdings?sort=yield").last().unwrap(), "ANN");
    assert_eq!(order("/holdings?sort=-yield").last().unwrap(), "ANN");
    assert_eq!(order("/holdings?sort=nonsense"), order("/holdings"));
    assert!(bob.text("/holdings?sort=-gross").contains("aria-sort=\"descending\""));
    assert_eq!(value_after(&bob.text("/holdings"), "data-figure=\"annual_income\""), "628.50");
}

#[test]
fn the_pages_show_the_figures_of_the_selected_portfolio() {
    let service = market();
    let ana = ana(&service);
    let chosen = "portfolio=%C3%89lan";
    for page in ["/", "/upcoming", "/dividends", "/holdings"] {
        let all = ana.text(page);
        assert!(all.contains("<option>Core</option>") && all.contains("<option>Élan</option>"), "{page}");
        assert!(ana.text(&format!("{page}?{chosen}")).contains("<option selected>Élan</option>"), "{page}");
        assert!(compare(&service, &ana.browser, &ana.token, &format!("{page}?{chosen}")) > 0, "{page}");
    }
    // Four of QTR, bought at 50.00, are all of it.
    let holdings = ana.text(&format!("/holdings?{chosen}"));
    assert_eq!(value_after(&holdings, "positions.0.shares"), "4");
    assert_eq!(value_after(&holdings, "holdings.0.average_cost"), "50.00");
    assert!(!holdings.contains("positions.1.shares"));
}

#[test]
fn holdings_without_an_exchange_rate_are_named_and_left_out_of_income() {
    let service = market();
    let page = ana(&service).text("/holdings");
    assert!(page.contains("no exchange rate): SHIP (KRW)."));
    assert_eq!(page.matches("title=\"No dividend data or no exchange rate\">–<").count(), 2);
}

#[test]
fn figures_that_rest_on_old_exchange_rates_say_of_when_they_are() {
    let service = market();
    // The rate of 13 November 2026 is current; on the day of the payment, the latest one was of 2 January 2023.
    let ledger = "date,type,symbol,shares,price,amount,currency\n\
        2024-01-10,buy,QTR,10,70,,USD\n2025-03-15,dividend,QTR,10,,8,USD\n";
    let reader = reader(&service, "old@example.com", "EUR", "ES", ledger);
    let page = reader.text("/dividends");
    let sentence = page.split_once("id=\"outdated-rates\">").unwrap().1.split_once(" <a").unwrap().0;
    assert!(sentence.starts_with("Exchange rates of ") && sentence.contains("2023"), "{sentence}");
    for current in ["/", "/holdings", "/settings/market-data"] {
        assert!(!reader.text(current).contains("id=\"outdated-rates\""), "{current}");
    }
}

#[test]
fn an_empty_account_is_shown_the_next_step() {
    let service = market();
    let nobody = reader(&service, "new@example.com", "EUR", "ES", "");
    for page in ["/", "/upcoming", "/dividends", "/holdings"] {
        let text = nobody.text(page);
        assert!(text.contains("href=\"/import\"") && text.contains("class=\"empty\""), "{page}");
        assert_eq!(compare(&service, &nobody.browser, &nobody.token, page), 0, "{page}");
    }
}

#[test]
fn another_users_portfolio_is_not_found_like_an_unknown_one() {
    let service = market();
    ana(&service);
    let bob = bob(&service);
    service.run(portfolios::share(&service.app, service.user_id(sample::ANA), "Élan", Some("elan-income"))).unwrap();
    for page in ["/", "/upcoming", "/dividends", "/holdings"] {
        let unknown = bob.browser.get(&format!("{page}?portfolio=Nowhere"));
        assert_eq!(unknown.status, 404, "{page}");
        for anothers in ["%C3%89lan", "elan-income"] {
            let answer = bob.browser.get(&format!("{page}?portfolio={anothers}"));
            assert_eq!((answer.status, main_of(&answer)), (404, main_of(&unknown)), "{page}");
        }
    }
}

#[test]
fn invalid_query_parameters_still_show_the_page() {
    let service = market();
    let ana = ana(&service);
    for page in [
        "/upcoming?days=x",
        "/upcoming?days=9999999999999999999",
        "/upcoming?portfolio=",
        "/dividends?page=0",
        "/dividends?page=99999999999999999999999",
        "/dividends?page=7&year=-5&symbol=",
        "/dividends?year=99999",
        "/holdings?sort=",
        "/holdings?sort=-&sort=x",
        "/holdings?%zz",
    ] {
        assert_eq!(ana.browser.get(page).status, 200, "{page}");
    }
}

#[test]
fn the_home_page_shows_what_was_received_and_what_comes_next() {
    let service = market();
    let page = reader(&service, "carl@example.com", "EUR", "ES", GROWN).text("/");
    assert_eq!(value_after(&page, "id=\"received-12\""), "30.00");
    assert_eq!(value_after(&page, "id=\"received-growth\""), "0.2");
    // MON pays today and goes ex on the 4th of December (the 5th is a Saturday); SHIP is expected to go ex on the 29th.
    let next = page.split_once("class=\"timeline\"").unwrap().1.split_once("</ol>").unwrap().0;
    let links = |symbol: &str| next.matches(&format!("href=\"/stocks/{symbol}\"")).count();
    assert_eq!((links("MON"), links("SHIP")), (2, 1));
    // With its month, and which of its dates it is.
    assert!(next.contains("<b>15</b> Nov <small>pays</small>") && next.contains("<b>4</b> Dec <small>ex</small>"), "{next}");
}
