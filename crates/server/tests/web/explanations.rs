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
const PAGES: [&str; 29] = [
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
    "/whatif?symbol=QTR&amount=100",
    "/whatif?symbol=RAD&shares=3",
    "/whatif?symbol=ANN&shares=5",
    "/ledger/new?kind=buy&symbol=QTR&shares=10&price=80&fees=1.50&date=2026-11-13",
    "/ledger/new?kind=buy&symbol=QTR&amount=805.25&shares=10&date=2024-05-02",
    "/ledger/new?kind=buy&symbol=MON&shares=3&price=51&date=2027-01-04",
    "/ledger/new?kind=buy&symbol=RAD&shares=2&date=2026-11-14",
    "/ledger/new?kind=sell&symbol=QTR&shares=2.5&price=90&fees=2&tax=1&date=2026-11-10",
    "/ledger/new?kind=dividend&symbol=QTR&price=0.95&date=2026-11-12",
    "/ledger/new?kind=dividend&symbol=QTR&net=10&tax=2&fees=0.50&date=2026-11-12",
    "/ledger/new?kind=dividend&symbol=QTR&price=0.95&date=2026-11-12&reinvested=true&reinvested_price=41",
    "/ledger/new?kind=dividend&symbol=QTR&amount=20&tax=3&date=2026-11-12&reinvested=true&reinvested_shares=0.3",
    "/ledger/new?kind=return_of_capital&symbol=MON&amount=50&date=2026-11-12",
];

/// With the page of an import and that of a changed transaction. One missing payment is ignored first.
pub fn pages(browser: &Browser) -> Vec<String> {
    let after = |page: &str, start: &str| {
        let page = browser.get(page).text();
        let rest = page.split_once(start).unwrap_or_else(|| panic!("no {start}: {page}")).1;
        rest.split(['"', '?', '#']).next().unwrap().to_owned()
    };
    let key = unescaped(&after("/dividends/missing", "name=\"key.1\" value=\""));
    let ignored = browser.post("/dividends/missing/ignore", &[("key.1", &key), ("pick.1", "yes")]);
    assert_eq!(ignored.status, 303, "{}", ignored.text());
    let import = after("/import", "href=\"/import/done/");
    let entry = after("/ledger?symbol=QTR&kind=buy", "data-edit=\"");
    let changed = format!("/ledger/{entry}?kind=buy&symbol=QTR&shares=7&price=60&date=2026-09-21");
    PAGES.into_iter().map(str::to_owned).chain([format!("/import/done/{import}"), changed]).collect()
}

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
        for page in pages(&browser) {
            for link in links(&browser.get(&page).text()) {
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
    let all = pages(&ana);
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
            &[
                "annual_income",
                "net_annual_income",
                "current_yield",
                "shares",
                "income",
                "net_income",
                "share_of_income",
                "month_income",
                "added_income",
                "added_net_income",
                "purchase_cost",
                "purchase_yield",
            ],
        ),
        ("/whatif?symbol=QTR&amount=100", &["bought_shares"]),
        (&all[all.len() - 2], &["import_net_income"]),
        (&all[all.len() - 1], &["entry_amount", "entry_net", "shares", "average_cost", "income", "yield_on_cost"]),
        ("/ledger/new?kind=dividend&symbol=QTR&price=0.95&date=2026-11-12", &["entry_amount", "entry_tax", "entry_net"]),
        (
            "/ledger/new?kind=dividend&symbol=QTR&price=0.95&date=2026-11-12&reinvested=true&reinvested_price=41",
            &["reinvested_shares", "reinvested_price", "reinvested_cost"],
        ),
        ("/dividends/missing", &["missing_net", "suggested_net"]),
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
        "?figure=added_income",
        "?figure=added_income&buy=QTR",
        "?figure=added_income&buy=QTR&shares=-1",
        "?figure=added_income&buy=QTR&shares=1&amount=1",
        "?figure=added_income&buy=QTR&shares=1&entry.kind=buy",
        "?figure=annual_income&buy=QTR&shares=many",
        "?figure=entry_amount&symbol=QTR&buy=QTR&shares=1",
        "?figure=shares&symbol=QTR&entry.kind=buy&entry.symbol=QTR&entry.shares=1",
        "?figure=import_net_income",
        "?figure=suggested_net&symbol=QTR&ex_date=2026-06-10",
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
        "figure=added_income&buy=NOSUCH&shares=1",
        "figure=purchase_cost&buy=ANN&shares=1",
        "figure=annual_income&buy=QTR&shares=79228162514264337593543950335",
        "figure=shares&symbol=QTR&entry.kind=sell&entry.symbol=QTR&entry.shares=100&entry.date=2026-11-13",
        "figure=shares&symbol=QTR&entry.kind=buy&entry.symbol=QTR&entry.date=2026-11-13&entry.shares=1&editing=999",
        "figure=import_net_income&import=00000000-0000-0000-0000-000000000000",
        "figure=suggested_net&symbol=QTR&ex_date=2020-01-01&per_share=0.9&currency=USD",
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
