//! Every figure links to how it is calculated.

use testkit::Answer;
use testkit::Browser;
use testkit::sample::{ANA, BOB, World};

use super::figures::unescaped;
use super::other_users_data::plain;
use super::people::{session, signed_in, world};

/// A link of a page and the value that it explains.
pub struct Link {
    pub address: String,
    pub value: String,
}

/// Those with figures.
pub const PAGES: [&str; 16] = [
    "/",
    "/?years=4&drip=true",
    "/?portfolio=Core",
    "/upcoming?days=120",
    "/dividends",
    "/dividends?portfolio=Core",
    "/dividends/missing",
    "/holdings",
    "/radar",
    "/stocks/QTR",
    "/stocks/MON",
    "/stocks/SEVN",
    "/stocks/SPLT",
    "/stocks/HALT",
    "/whatif?symbol=QTR&shares=10",
    "/whatif?symbol=QTR&shares=10&portfolio=Core",
];

pub fn links(page: &str) -> Vec<Link> {
    let link = |rest: &str| {
        let (address, rest) = rest.split_once('"').unwrap();
        Link { address: unescaped(address), value: value(rest.split_once("</a>").unwrap().0) }
    };
    page.split("<a class=\"how\" href=\"").skip(1).map(link).collect()
}

/// What the reader sees of the first figure.
fn value(part: &str) -> String {
    let shown = part.split("<span class=\"hidden\"").next().unwrap();
    let mut text = String::new();
    let mut inside = false;
    for letter in shown.split_once('>').unwrap().1.chars() {
        match letter {
            '<' => inside = true,
            '>' => inside = false,
            letter if !inside => text.push(letter),
            _ => {}
        }
    }
    text.trim().to_owned()
}

fn explained(answer: &Answer) -> String {
    let page = answer.text();
    let rest = page.split_once("<span class=\"value\">").unwrap_or_else(|| panic!("no value: {page}")).1;
    value(&format!(">{}", rest.split_once("</p>").unwrap().0))
}

fn fragment(world: &World, browser: &Browser, address: &str) -> Answer {
    let session = format!("__Host-s={}", session(browser));
    world.request("GET", address, None, &[("Cookie", session.as_str()), ("X-Fragment", "1")])
}

#[test]
fn every_figure_opens_an_explanation_with_the_same_value() {
    let world = world();
    for (who, least) in [(ANA, 150), (BOB, 100)] {
        let browser = signed_in(&world, who);
        let mut compared = 0;
        for page in PAGES {
            for link in links(&browser.get(page).text()) {
                let answer = browser.get(&link.address);
                assert_eq!(answer.status, 200, "{who}, {page}: {}", link.address);
                let mut shown = explained(&answer);
                // The page says "12% below".
                if link.address.contains("figure=above_average") {
                    shown = shown.replace('\u{2212}', "");
                }
                assert_eq!(shown, link.value, "{who}, {page}: {}", link.address);
                compared += 1;
            }
        }
        assert!(compared >= least, "{who}: {compared} figures");
    }
}

#[test]
fn each_page_explains_its_figures() {
    let world = world();
    let ana = signed_in(&world, ANA);
    for (page, figures) in [
        (
            "/",
            &[
                "annual_income",
                "net_annual_income",
                "monthly_average",
                "current_yield",
                "growth",
                "income",
                "received",
                "net_payment",
                "likely_low",
                "likely_high",
                "month_income",
                "biggest_months",
                "projected_income",
                "projected_net_income",
                "missing_net",
            ][..],
        ),
        ("/upcoming", &["upcoming", "payment", "net_payment"]),
        ("/dividends", &["received", "received_gross", "due_payment", "recorded", "missing_net"]),
        (
            "/holdings",
            &[
                "shares",
                "average_cost",
                "income",
                "net_income",
                "share_of_income",
                "yield_pct",
                "yield_on_cost",
                "safety",
                "ex_dividend_date",
            ],
        ),
        ("/radar", &["price", "yield_pct", "safety", "ex_dividend_date"]),
        (
            "/stocks/QTR",
            &[
                "price",
                "yield_pct",
                "above_average",
                "forward_rate",
                "streak",
                "safety",
                "ex_dividend_date",
                "shares",
                "received",
                "received_gross",
                "value_score",
                "momentum_score",
                "rating_score",
                "year_total",
                "per_share",
            ],
        ),
        ("/stocks/SPLT", &["adjusted_payment"]),
        (
            "/whatif?symbol=QTR&shares=10",
            &["annual_income", "net_annual_income", "current_yield", "shares", "income", "net_income", "share_of_income"],
        ),
    ] {
        let found = links(&ana.get(page).text());
        for figure in figures {
            let start = format!("/explain?figure={figure}");
            assert!(found.iter().any(|link| link.address.split('&').next() == Some(&start)), "{page} does not explain {figure}");
        }
    }
}

#[test]
fn an_explanation_goes_down_to_transactions_payments_rates_and_rows_of_the_table() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let page = unescaped(&ana.get("/explain?figure=net_income&symbol=QTR&position=Core").text());
    // 15.5 shares × 4 × 0.90 USD ÷ 1.25 = 44.64 EUR, of which 20% was withheld.
    for part in [
        "Shares × Annual dividend per share ÷ Exchange rate",
        "15.5 × $3.60 ÷ 1.25 USD per euro = €44.64",
        "€44.64 × (1 − 20%) = €35.71",
        "Payment × Payments a year",
        "ex-date",
        "Files on the server",
        "Withholding-tax table: United States → Spain",
        "What was really withheld",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let transaction = page.split_once("<a href=\"/ledger/").unwrap().1.split_once('"').unwrap().0.to_owned();
    assert!(ana.get(&format!("/ledger/{transaction}")).text().contains("QTR"));
}

#[test]
fn the_panel_is_the_page_without_its_layout() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let address = "/explain?figure=income&symbol=QTR&portfolio=Core";
    let panel = fragment(&world, &ana, address);
    assert_eq!((panel.status, panel.text().contains("<html")), (200, false));
    assert_eq!(explained(&panel), explained(&ana.get(address)));
    assert!(panel.text().contains("data-close") && panel.text().contains("id=\"explained\""));
}

#[test]
fn a_figure_without_a_value_says_why_and_what_to_do() {
    let world = world();
    let ana = signed_in(&world, ANA);
    for (query, why, next) in [
        ("figure=income&symbol=SHIP", "no exchange rate", "/settings/market-data"),
        ("figure=value&symbol=ANN", "no price", "/settings/market-data"),
        ("figure=yield_pct&symbol=ANN", "no price", "/settings/market-data"),
        ("figure=forward_rate&symbol=BARE", "No dividend of this stock is known", "/settings/market-data"),
    ] {
        let page = ana.get(&format!("/explain?{query}")).text();
        assert!(page.contains(why) && page.contains(&format!("href=\"{next}\"")), "{query}: {page}");
    }
    let page = ana.get("/explain?figure=expected&symbol=HALT").text();
    assert!(page.contains("No payment is declared or expected."), "{page}");
}

#[test]
fn unknown_figures_and_stocks_are_not_found() {
    let world = world();
    let ana = signed_in(&world, ANA);
    for query in [
        "",
        "?figure=INCOME&symbol=QTR",
        "?figure=income",
        "?figure=annual_income&symbol=QTR",
        "?figure=payment&symbol=QTR",
        "?figure=received&from=yesterday",
        "?figure=projected_income",
        "?figure=month_income",
        "?figure=due_payment&symbol=QTR",
        "?figure=year_total&symbol=QTR",
        "?figure=per_share&symbol=QTR&ex_date=2026-11-20",
    ] {
        let answer = ana.get(&format!("/explain{query}"));
        assert_eq!(answer.status, 404, "{query}");
        assert!(unescaped(&answer.text()).contains("We can’t explain this figure."), "{query}");
    }
    for query in [
        "figure=income&symbol=NOSUCH",
        "figure=streak&symbol=HIDE",
        "figure=received&symbol=NOSUCH",
        "figure=share_of_income&symbol=NOSUCH",
        "figure=payment&symbol=QTR&ex_date=2020-01-01",
        "figure=income&symbol=QTR&position=Nowhere",
        "figure=due_payment&symbol=QTR&ex_date=2020-01-01",
        "figure=recorded&symbol=QTR&to=2020-01-01",
        "figure=year_total&symbol=QTR&year=1990",
        "figure=to_target_yield&symbol=QTR",
    ] {
        let answer = ana.get(&format!("/explain?{query}"));
        assert_eq!(answer.status, 404, "{query}");
        assert!(answer.text().contains("You have no open position in this stock"), "{query}");
    }
}

#[test]
fn other_users_and_strangers_see_no_explanation() {
    let world = world();
    let bob = signed_in(&world, BOB);
    // SHIP and Core are Ana's alone.
    for (theirs, nobodys) in [("SHIP", "NOSUCH"), ("Core", "Nowhere")] {
        for query in [
            "figure=income&symbol=ASK",
            "figure=received&symbol=ASK",
            "figure=recorded&symbol=ASK&to=2026-09-20",
            "figure=due_payment&symbol=ASK&ex_date=2025-12-29",
            "figure=share_of_income&symbol=ASK",
            "figure=annual_income&portfolio=ASK",
            "figure=income&symbol=MON&position=ASK",
        ] {
            let ask = |name: &str| plain(&bob.get(&format!("/explain?{}", query.replace("ASK", name))), &[name]);
            assert_eq!(ask(theirs), ask(nobodys), "{query}");
        }
    }
    let stranger = world.browser();
    let answer = stranger.get("/explain?figure=streak&symbol=QTR");
    assert_eq!(answer.status, 303);
    assert!(answer.header("location").starts_with("/sign-in?next=%2Fexplain"));
    for page in ["/calendar", "/p/elan-income", "/stocks/QTR"] {
        assert!(!stranger.get(page).text().contains("/explain"), "{page}");
    }
}
