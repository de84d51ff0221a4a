//! What a purchase would change.

use testkit::sample::{ANA, BOB, PLAIN, World};

use super::figures::{compare, unescaped};
use super::stocks::signed_in;

#[test]
fn the_page_shows_the_figures_of_the_api_and_stores_nothing() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    let ledger = ana.get("/ledger").text().len();
    // Four of the purchase and seven before and after.
    for (page, least) in [
        ("/whatif?symbol=qtr&shares=10", 18),
        ("/whatif?symbol=QTR&shares=&amount=640&portfolio=", 18),
        ("/whatif?symbol=QTR&shares=10&portfolio=%C3%89lan", 18),
        ("/whatif?symbol=RAD&shares=1%2C250.5", 18),
        ("/whatif?symbol=ANN&shares=5", 16),
        ("/whatif?symbol=SHIP&shares=5", 8),
    ] {
        assert!(compare(&world, &ana, &world.ana, page) >= least, "{page}");
    }
    assert_eq!(ana.get("/ledger").text().len(), ledger);
}

#[test]
fn only_shares_that_an_amount_buys_are_rounded() {
    let world = World::start();
    world.account("nine@example.com", "EUR", None);
    world.import("nine@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,QTR,58.146471207,70.00,USD\n");
    let browser = signed_in(&world, "nine@example.com");
    let page = browser.get("/whatif?symbol=QTR&shares=12.5").text();
    assert!(page.contains(">58.146471207<") && page.contains(">70.646471207<"), "{page}");
    // 100 ÷ 64 of euros, and a third of that.
    let page = browser.get("/whatif?symbol=QTR&amount=33.333333333").text();
    assert!(page.contains(">58.146471207<") && page.contains(">58.66730454<"), "{page}");
}

#[test]
fn the_months_are_shown_before_and_after() {
    let world = World::start();
    world.account("four@example.com", "EUR", None);
    let four_payers: Vec<&str> = PLAIN.lines().filter(|line| !line.contains("QTR")).collect();
    world.import("four@example.com", &(four_payers.join("\n") + "\n"));
    let page = |email: &str, query: &str| unescaped(&signed_in(&world, email).get(&format!("/whatif?shares=10&{query}")).text());
    let bars = |page: &str| ["s1", "s4"].map(|class| page.matches(&format!("<rect class=\"bar {class}")).count());
    let one = page(ANA, "symbol=QTR&portfolio=elan-income");
    assert!(one.contains("once you hold five dividend payers") && bars(&one) == [0, 0]);
    assert_eq!(bars(&page("four@example.com", "symbol=QTR")), [0, 12], "the fifth");
    assert_eq!(bars(&page(BOB, "symbol=QTR")), [12, 12]);
}

#[test]
fn the_purchase_can_be_recorded_from_there() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    let page = unescaped(&ana.get("/whatif?symbol=QTR&amount=100").text());
    let link = "/ledger/new?kind=buy&symbol=QTR&shares=1.5625&price=80&portfolio=Core";
    assert!(page.contains(&format!("href=\"{link}\"")), "{page}");
    let form = ana.get(link).text();
    for (name, value) in [("symbol", "QTR"), ("shares", "1.5625"), ("price", "80")] {
        let field = form.split_once(&format!("name=\"{name}\"")).unwrap().1;
        assert!(field.split_once('>').unwrap().0.contains(&format!("value=\"{value}\"")), "{name}");
    }
}

#[test]
fn what_cannot_be_computed_is_explained_and_what_was_typed_stays() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    for (query, status, reason) in [
        ("symbol=QTR&shares=&amount=", 422, "Enter a number of shares or an amount."),
        ("symbol=QTR&shares=1&amount=1", 422, "not both"),
        ("symbol=QTR&shares=0", 422, "above zero"),
        ("symbol=QTR&shares=-3", 422, "above zero"),
        ("symbol=QTR&shares=many", 422, "Enter a number such as"),
        ("symbol=&shares=1", 422, "Enter a ticker."),
        ("symbol=ANN&amount=50", 422, "no price for ANN"),
        ("symbol=SHIP&amount=50", 422, "no exchange rate from EUR to KRW"),
        ("symbol=NOSUCH&shares=77", 404, "No data for NOSUCH"),
    ] {
        let answer = ana.get(&format!("/whatif?{query}"));
        let page = unescaped(&answer.text());
        assert_eq!(answer.status, status, "{query}");
        assert!(page.contains(reason), "{query}: {page}");
        assert!(page.contains("role=\"alert\"") && !page.contains("data-figure"), "{query}");
    }
    let kept = ana.get("/whatif?symbol=NOSUCH&shares=77").text();
    assert!(kept.contains("value=\"NOSUCH\"") && kept.contains("value=\"77\""));
    assert_eq!(ana.get("/whatif?symbol=QTR&shares=1&portfolio=none").status, 404);
}

#[test]
fn it_is_offered_on_the_page_of_a_stock_and_on_the_watchlist() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    assert!(unescaped(&ana.get("/stocks/QTR").text()).contains("What if I bought QTR?"));
    assert!(ana.get("/radar").text().contains("href=\"/whatif?symbol=RAD\""));
    let empty = ana.get("/whatif?symbol=RAD");
    assert_eq!(empty.status, 200);
    assert!(empty.text().contains("value=\"RAD\"") && !empty.text().contains("role=\"alert\""));
    let stranger = world.browser().get("/whatif?symbol=RAD");
    assert_eq!((stranger.status, stranger.header("location")), (303, "/sign-in?next=%2Fwhatif%3Fsymbol%3DRAD"));
}

#[test]
fn a_stock_that_nobody_tracks_has_no_page_to_link_to() {
    let world = World::start();
    let ana = signed_in(&world, ANA);
    let page = ana.get("/whatif?symbol=HIDE&shares=10").text();
    assert!(page.contains("<span class=\"symbol\">HIDE</span>") && !page.contains("/stocks/HIDE"), "{page}");
    let links: Vec<&str> = page.split("class=\"how\" href=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
    assert!(links.iter().any(|link| link.contains("figure=price")));
    for link in links {
        assert_eq!(ana.get(&link.replace("&#38;", "&")).status, 200, "{link}");
    }
    assert!(unescaped(&page).contains("SHIP (KRW)"), "what is left out for lack of an exchange rate");
}
