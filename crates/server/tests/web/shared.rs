use app::{accounts, portfolios};
use testkit::sample::{ANA, World};
use testkit::{Answer, Service};

use super::people::main_of;
use super::stocks::signed_in;

/// Ana's larger portfolio, shared as "core", with a note on one of its entries and a name on the account.
fn with_core_shared() -> World {
    let world = World::start();
    let noted = "date,type,symbol,shares,price,currency,portfolio,note\n2025-03-03,buy,MON,7,41.5,EUR,Core,for the children\n";
    world.import(ANA, noted);
    let profile = accounts::NewProfile {
        name: Some("Anabel Sommer"),
        currency: "EUR",
        residence: Some("ES"),
        number_format: None,
        session_idle_minutes: 60,
    };
    world.run(accounts::set_profile(&world.app, world.user_id(ANA), &profile)).unwrap();
    world.run(portfolios::share(&world.app, world.user_id(ANA), "Core", Some("core"))).unwrap();
    world
}

fn show_amounts(service: &Service) {
    service.run(portfolios::set_show_amounts(&service.app, service.user_id(ANA), "Core", true)).unwrap();
}

/// The page without random values.
fn without_nonce(answer: &Answer) -> String {
    let text = answer.text();
    match text.split_once("nonce=\"") {
        Some((before, after)) => format!("{before}{}", after.split_once('"').unwrap().1),
        None => text,
    }
}

#[test]
fn a_shared_portfolio_shows_percentages_yields_and_dates_to_anybody() {
    let world = with_core_shared();
    let answer = world.browser().get("/p/core");
    assert_eq!(answer.status, 200);
    let page = answer.text();
    for shown in ["Core", "Quarry Tools", "Monthly Malls Trust", "2026-12-10", "Declared", "January"] {
        assert!(page.contains(shown), "{shown}");
    }
    // In euros a year: MON 107 × 3 = 321, SEVN 150 × 0.40 ÷ 0.8 = 75, SPLT 40 × 2 ÷ 1.25 = 64, QTR 15.5 × 3.60 ÷ 1.25 = 44.64,
    // ANN 30 × 1.20 = 36: 540.64 in all. 321 of them are 59.37%, 75 are 13.87%.
    assert!(page.contains("59.37%") && page.contains("13.87%"), "{page}");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
    assert!(page.contains("<meta name=\"robots\" content=\"noindex\">"));
}

#[test]
fn hidden_amounts_and_the_owner_are_nowhere_on_the_page() {
    let world = with_core_shared();
    let page = world.browser().get("/p/core").text();
    let income = world.get("/api/v1/income?portfolio=Core", Some(&world.ana)).json();
    let annual = income["annual_income"]["amount"].as_str().unwrap().to_owned();
    assert_eq!(annual, "540.64");
    let amounts = [&annual, "321", "75.00", "64.00", "44.64", "36.00"];
    // Ten, then 5.5 of QTR; 107 of MON, 150 of SEVN; what is expected of them next.
    let shares = ["15.5", "107", "value=\"150\"", "value=\"40\"", "value=\"30\"", "13.95", "26.75"];
    let owner = ["ana@", "example.com", "Anabel", "Sommer", "Élan", "elan-income", "children", "EUR", "€"];
    // Around the content stand random letters, which may happen to be these digits.
    let (_, content) = page.split_once("<main").unwrap();
    let (content, _) = content.split_once("</main>").unwrap();
    // June's percentage has the same digits as one of the amounts.
    let content = ["<title>June: 13.95%</title>", "<data value=\"13.95\">13.95%</data>"]
        .iter()
        .fold(content.to_owned(), |content, june| content.replacen(june, "", 1));
    for hidden in amounts.into_iter().chain(shares) {
        assert!(!content.contains(hidden), "{hidden} in {content}");
    }
    for hidden in owner {
        assert!(!page.contains(hidden), "{hidden} in {page}");
    }
}

#[test]
fn shown_amounts_are_those_of_the_api() {
    let world = with_core_shared();
    show_amounts(&world);
    let page = world.browser().get("/p/core").text();
    let income = world.get("/api/v1/income?portfolio=Core", Some(&world.ana)).json();
    let upcoming = world.get("/api/v1/upcoming?portfolio=Core&days=90", Some(&world.ana)).json();
    let holdings = world.get("/api/v1/holdings?portfolio=Core", Some(&world.ana)).json();
    let value = |text: &serde_json::Value| format!("value=\"{}\"", text.as_str().unwrap());
    assert!(page.contains(&value(&income["annual_income"]["amount"])));
    for source in income["holdings"].as_array().unwrap() {
        assert!(page.contains(&value(&source["income"]["amount"])), "{source}");
    }
    for item in upcoming["items"].as_array().unwrap() {
        assert!(page.contains(&value(&item["expected"]["amount"])), "{item}");
    }
    for holding in holdings["holdings"].as_array().unwrap() {
        assert!(page.contains(&value(&holding["shares"])), "{holding}");
    }
    for hidden in ["ana@", "example.com", "Anabel", "Sommer", "Élan", "elan-income", "children"] {
        assert!(!page.contains(hidden), "{hidden}");
    }
}

#[test]
fn an_unshared_portfolio_looks_unknown() {
    let world = with_core_shared();
    let nowhere = world.browser().get("/no/such/page");
    assert_eq!(nowhere.status, 404);
    let same = |answer: Answer, what: &str| {
        assert_eq!((answer.status, without_nonce(&answer)), (404, without_nonce(&nowhere)), "{what}");
        assert_eq!(answer.header("x-robots-tag"), nowhere.header("x-robots-tag"), "{what}");
        assert_eq!(answer.cookies, nowhere.cookies, "{what}");
    };
    let stranger = || world.browser();
    same(stranger().get("/p/never-existed"), "a slug that nobody took");
    same(stranger().get("/p/%FF"), "a slug that cannot be");
    world.run(portfolios::unshare(&world.app, world.user_id(ANA), "Core")).unwrap();
    same(stranger().get("/p/core"), "a portfolio that is shared no more");
    same(stranger().get("/p/Core"), "its name");
    let ana = signed_in(&world, ANA);
    let (own, unknown) = (ana.get("/p/core"), ana.get("/no/such/page"));
    assert_eq!((own.status, main_of(&own)), (404, main_of(&unknown)), "the owner's own");
    assert_eq!(stranger().get("/p/elan-income").status, 200);
    world.run(accounts::set_disabled(&world.app, ANA, true)).unwrap();
    same(stranger().get("/p/elan-income"), "a disabled owner's");
}
