//! `/settings/market-data`, and the choice of providers on the welcome page.

use std::time::{Duration, Instant};

use app::market::choice;
use app::market::sources::Origin;
use app::operations::encryption;
use replay::{Replay, Stock, World};
use testkit::{Answer, Browser, NOW, Service};

use super::people::{ANOTHER, PASSWORD, main_of, signed_in};

const PAGE: &str = "/settings/market-data";
const CHOOSE: &str = "/settings/market-data/choose";
const OWNER: &str = "owner@example.com";
const GUEST: &str = "guest@example.com";
const KEY: &str = "KEY-NOBODY-MAY-SEE";

fn replay() -> Replay {
    let stock = Stock {
        symbol: "KO".to_owned(),
        name: "Coca-Cola".to_owned(),
        unit: "USD".to_owned(),
        exchange: "NYQ".to_owned(),
        time_zone: "America/New_York".to_owned(),
        kind: "EQUITY".to_owned(),
        price: "70.00".to_owned(),
        price_time: 1_794_571_200, // 2026-11-13T12:00:00Z
        ..Stock::default()
    };
    Replay::start(World { stocks: vec![stock], ..World::default() })
}

/// The owner, who made the first account, and a guest.
fn with_people(service: &Service) -> (Browser, Browser) {
    for email in [OWNER, GUEST] {
        service.account(email, "EUR", None);
        service.set_password(email, PASSWORD);
    }
    (signed_in(service, OWNER), signed_in(service, GUEST))
}

fn welcome(browser: &Browser, fields: &[(&str, &str)]) -> Answer {
    let account = [("email", OWNER), ("password", ANOTHER), ("currency", "EUR"), ("residence", "")];
    browser.fill("/welcome", "/welcome", &[&account, fields].concat())
}

fn order(service: &Service) -> Vec<String> {
    service.app.sources().order.clone()
}

fn soon(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_first_account_chooses_where_market_data_comes_from() {
    let replay = replay();
    let service = Service::start_with_choice(&replay);
    let browser = service.browser();
    let form = main_of(&browser.get("/welcome"));
    assert!(!form.contains("checked"), "nothing is chosen in advance");
    assert!(form.find("recommended") < form.find("None for now") && form.contains("never get amounts"), "{form}");
    for source in [&[][..], &[("source", "all of them")], &[("source", "key"), ("provider", "fmp"), ("key", "")]] {
        let answer = welcome(&browser, source);
        assert_eq!(answer.status, 422, "{source:?}");
        assert!(service.run(app::accounts::is_first_start(&service.app)).unwrap(), "no account without a choice");
    }
    let answer = welcome(&browser, &[("source", "recommended")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/"));
    assert_eq!((order(&service), service.app.sources().origin), (vec!["yahoo".to_owned(), "ecb".to_owned()], Origin::Owner));
    let page = main_of(&browser.get(PAGE));
    assert!(page.contains("data-provider=\"yahoo\"") && page.contains("Not asked yet"), "{page}");
    let restarted = service.second_node(NOW);
    assert_eq!(order(&restarted), ["yahoo", "ecb"], "the choice is stored");
}

#[test]
fn without_a_choice_nobody_is_asked() {
    let replay = replay();
    let service = Service::start_with_choice(&replay);
    let browser = service.browser();
    assert_eq!(welcome(&browser, &[("source", "none")]).header("location"), "/");
    assert!(order(&service).is_empty());
    service.import(OWNER, "date,type,symbol,shares,price,currency\n2026-01-05,buy,KO,10,60,USD\n");
    let _jobs = service.start_jobs();
    for page in ["/", PAGE, "/radar", "/stocks/PEP", "/holdings"] {
        browser.get(page);
    }
    browser.fill("/radar", "/radar/add", &[("symbol", "PEP")]);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(replay.count(""), 0);
    assert!(main_of(&browser.get(PAGE)).contains("Dripline contacts nobody"));
}

#[test]
fn a_key_is_tested_encrypted_and_never_shown() {
    let replay = replay();
    let service = Service::start_with_choice(&replay);
    let browser = service.browser();
    let answer = welcome(&browser, &[("source", "key"), ("provider", "fmp"), ("key", "wrong")]);
    assert_eq!((answer.status, answer.header("location")), (303, PAGE), "the account is made, the key is refused");
    let page = browser.get(PAGE).text();
    assert!(page.contains("Your account is ready") && page.contains("doesn’t accept the key"), "{page}");
    assert!(order(&service).is_empty());
    let choose = |fields: &[(&str, &str)]| browser.fill(PAGE, CHOOSE, fields);
    let fields = [("order_ecb", "2"), ("order_fmp", "1"), ("key_fmp", "wrong")];
    let answer = choose(&fields);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("Nothing was saved") && !answer.text().contains("value=\"wrong\""));
    assert_eq!(choose(&[("order_fmp", "1")]).status, 422, "no key at all");
    assert_eq!(choose(&[("order_fmp", "1"), ("key_fmp", "with a space")]).status, 422);
    assert!(order(&service).is_empty());
    let good = [("order_ecb", "2"), ("order_fmp", "1"), ("key_fmp", KEY)];
    assert_eq!(choose(&good).header("location"), PAGE);
    assert_eq!(order(&service), ["fmp", "ecb"]);
    let page = main_of(&browser.get(PAGE));
    assert!(page.contains("A key is saved") && page.contains("data-provider=\"fmp\""), "{page}");
    for path in [PAGE, "/settings/security", "/settings/data", "/"] {
        assert!(!browser.get(path).text().contains(KEY), "{path}");
    }
    let stored = service.run(async { store::service_settings::all(&mut service.app.store.read().await.unwrap()).await.unwrap() });
    let secret = stored.iter().find(|setting| setting.name == "fmp_key").unwrap().secret.clone().unwrap();
    assert!(!String::from_utf8_lossy(&secret).contains(KEY));
    assert_eq!(choose(&[("order_ecb", "1"), ("order_fmp", "2")]).status, 303, "the key is kept");
    assert_eq!(order(&service), ["ecb", "fmp"]);
    let rotated = service.run(encryption::rotate(&service.app, false)).unwrap();
    assert_eq!((rotated.encrypted, rotated.unreadable), (1, 0));
    service.run(choice::load(&service.app)).unwrap();
    assert_eq!(service.run(choice::with_key(&service.app)).unwrap(), ["fmp"]);
    assert_eq!(order(&service), ["ecb", "fmp"]);
    assert_eq!(browser.fill(PAGE, "/settings/market-data/test", &[("provider", "fmp")]).status, 303);
    assert!(browser.get(PAGE).text().contains("(FMP) answers."));
    assert_eq!(choose(&[("order_ecb", "1")]).status, 303);
    assert!(service.run(choice::with_key(&service.app)).unwrap().is_empty(), "the key of an unused provider is deleted");
    let fields = [("order_fmp", "1"), ("key_fmp", "wrong"), ("untested", "yes")];
    assert_eq!((choose(&fields).status, order(&service)), (303, vec!["fmp".to_owned()]), "saved anyway");
}

#[test]
fn only_the_owner_changes_or_refreshes() {
    let replay = replay();
    let service = Service::start_with_choice(&replay);
    let (owner, guest) = with_people(&service);
    assert_eq!(owner.fill(PAGE, CHOOSE, &[("order_yahoo", "1")]).status, 303);
    let page = main_of(&guest.get(PAGE));
    assert!(page.contains("Only the owner") && page.contains("data-provider=\"yahoo\"") && !page.contains("<form"), "{page}");
    for (action, field) in [("choose", "order_ecb"), ("refresh", "x"), ("test", "provider")] {
        let answer = guest.fill("/settings", &format!("{PAGE}/{action}"), &[(field, "1")]);
        assert_eq!(answer.status, 403, "{action}");
        assert!(answer.text().contains("Only the owner of this server can change this."));
    }
    assert_eq!(order(&service), ["yahoo"]);
    let refused = service.run(choice::choose(&service.app, service.user_id(GUEST), &choice::Choice { order: &[], keys: &[] }));
    assert!(matches!(refused, Err(app::Error::Refused(_))), "whoever calls it");
    service.run(app::accounts::delete(&service.app, OWNER)).unwrap();
    assert_eq!(guest.fill(PAGE, CHOOSE, &[("order_ecb", "1")]).status, 303, "the oldest account left inherits the service");
    let log = guest.get("/settings/security").text();
    assert!(log.contains("Became the owner of this server") && log.contains("Market data providers changed: ecb"));
}

#[test]
fn providers_of_the_operator_are_shown_and_cannot_be_changed() {
    let replay = replay();
    let service = Service::start_with_providers(NOW, &replay, &["ecb"]);
    assert!(!main_of(&service.browser().get("/welcome")).contains("name=\"source\""));
    let (owner, _) = with_people(&service);
    let page = main_of(&owner.get(PAGE));
    assert!(page.contains("DRIPLINE_PROVIDER") && page.contains("data-provider=\"ecb\"") && !page.contains(CHOOSE), "{page}");
    let answer = owner.fill("/settings", CHOOSE, &[("order_yahoo", "1")]);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("The server’s configuration sets the providers."));
    assert_eq!(order(&service), ["ecb"]);
}

#[test]
fn a_choice_is_used_at_once_on_all_nodes() {
    let replay = replay();
    let service = Service::start_with_choice(&replay);
    let second = service.second_node(NOW);
    let (owner, guest) = with_people(&service);
    let _jobs = [service.start_jobs(), second.start_jobs()];
    service.import(OWNER, "date,type,symbol,shares,price,currency\n2026-01-05,buy,KO,10,60,USD\n");
    assert!(main_of(&owner.get("/")).contains("<a href=\"/settings/market-data\">Set up market data</a>"));
    service.import(GUEST, "date,type,symbol,shares,price,currency\n2026-01-05,buy,PEP,10,60,USD\n");
    assert!(main_of(&guest.get("/")).contains("Ask the owner of this server"));
    assert_eq!(owner.fill(PAGE, CHOOSE, &[("order_yahoo", "1"), ("order_ecb", "2")]).status, 303);
    soon("the other node follows", || order(&second) == ["yahoo", "ecb"]);
    soon("the price arrives without a restart", || main_of(&owner.get("/stocks/KO")).contains("70.00"));
    let page = main_of(&owner.get(PAGE));
    assert!(page.contains("Reachable"), "{page}");
    let before = replay.count("KO");
    soon("nothing is due", || main_of(&owner.get(PAGE)).contains("All updates are done."));
    assert_eq!(owner.fill(PAGE, "/settings/market-data/refresh", &[]).header("location"), PAGE);
    soon("everything is fetched again", || replay.count("KO") > before);
    assert_eq!(owner.fill(PAGE, CHOOSE, &[]).status, 303, "none");
    soon("nobody is asked any more", || order(&second).is_empty());
}
