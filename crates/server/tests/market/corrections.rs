//! Dividends that a source corrects, and those that the operator removes.

use app::market::{Choice, remove_dividend};
use replay::{Dividend, Fault, Replay};
use testkit::Service;

use crate::world::{NOW, ledger, paid, simple};

const ANA: &str = "ana@example.com";

fn started(replay: &Replay, providers: &[&str]) -> (Service, String) {
    let service = Service::start_with_providers(NOW, replay, providers);
    let token = service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    (service, token)
}

/// Those of the stock since a day, as ex-date, amount and kind.
fn stored(service: &Service, symbol: &str, since: &str) -> Vec<String> {
    let rows = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, symbol).await.unwrap()
    });
    let text = |row: store::dividends::Dividend| format!("{} {} {}", row.ex_date, row.amount.normalize(), row.kind.word());
    rows.into_iter().map(text).filter(|row| row.as_str() >= since).collect()
}

fn remove(service: &Service, symbol: &str, ex_date: &str) -> Result<store::dividends::Dividend, app::Error> {
    service.run(remove_dividend(&service.app, symbol, ex_date.parse().unwrap(), &Choice::default()))
}

#[test]
fn a_payment_that_its_provider_moves_is_moved_not_doubled() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay, &["fmp"]);
    // More than 45 days ago, so that it is not just withdrawn.
    replay.change(|world| {
        let july = world.stocks[0].dividends.iter_mut().find(|row| row.ex_date == "2026-07-14").unwrap();
        *july = paid("2026-07-24", "2026-08-07", "0.50");
    });
    service.refresh(&["QRT"]);
    let expected = ["2026-04-14 0.5 regular", "2026-07-24 0.5 regular", "2026-10-14 0.5 regular"];
    assert_eq!(stored(&service, "QRT", "2026-04"), expected);
    assert_eq!(stored(&service, "QRT", "").len(), 20, "older ones stay");
    let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
    assert_eq!(stock["dividend"]["frequency"], "quarterly");
}

#[test]
fn a_moved_payment_in_the_calendar_replaces_the_declared_one_and_touches_no_other() {
    let replay = Replay::start(simple());
    let declared =
        |ex_date, pay_date| Dividend { declared_date: Some("2026-11-02".to_owned()), ..paid(ex_date, pay_date, "0.50") };
    replay.change(|world| world.stocks[0].dividends.push(declared("2026-11-20", "2026-12-04")));
    let (service, _) = started(&replay, &["fmp"]);
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    replay.change(|world| *world.stocks[0].dividends.last_mut().unwrap() = declared("2026-12-18", "2026-12-31"));
    replay.fail("/fmp/dividends?", Fault::Status(404));
    service.run(app::operations::jobs::refresh_now(&service.app, &[], &|_, _| {})).unwrap();
    assert_eq!(
        stored(&service, "QRT", "2026-07"),
        ["2026-07-14", "2026-10-14", "2026-12-18"].map(|day| format!("{day} 0.5 regular"))
    );
    assert_eq!(stored(&service, "QRT", "").len(), 21);
}

#[test]
fn files_correct_their_own_rows() {
    let service = Service::start_at(NOW, "");
    let load = |rows: &str| {
        let stocks = "symbol,currency\nACME,USD\nWEEK,USD\n";
        service.load(&[("stocks.csv", stocks), ("dividends.csv", &format!("symbol,ex_date,amount,kind\n{rows}"))]);
    };
    let weeks = "WEEK,2026-10-02,0.1,\nWEEK,2026-10-09,0.1,\nWEEK,2026-10-16,0.1,\n";
    load(&format!("ACME,2026-03-10,0.5,\nACME,2026-06-10,0.5,\nACME,2026-09-10,3,\n{weeks}"));
    load("ACME,2026-06-20,0.5,\nACME,2026-09-10,3,special\nWEEK,2026-10-23,0.1,\n");
    assert_eq!(stored(&service, "ACME", ""), ["2026-03-10 0.5 regular", "2026-06-20 0.5 regular", "2026-09-10 3 special"]);
    assert_eq!(stored(&service, "WEEK", "").len(), 4);
}

#[test]
fn a_removed_dividend_stays_away_until_the_provider_changes_it() {
    let mut world = simple();
    world.stocks[0].dividends.push(paid("2026-08-20", "2026-09-03", "0.40"));
    let replay = Replay::start(world);
    let (service, token) = started(&replay, &["fmp"]);
    let before = service.get("/api/v1/stocks/QRT", Some(&token)).header("etag").to_owned();
    let removed = remove(&service, " qrt ", "2026-08-20").unwrap();
    assert_eq!((removed.amount.to_string().as_str(), removed.provider.as_deref()), ("0.4", Some("fmp")));
    assert_ne!(service.get("/api/v1/stocks/QRT", Some(&token)).header("etag"), before);
    let wrong = "2026-08-20";
    for _ in 0..2 {
        service.refresh(&["QRT"]);
        assert!(!stored(&service, "QRT", "").iter().any(|row| row.starts_with(wrong)));
    }
    let status = service.run(app::market::status(&service.app)).unwrap();
    assert_eq!((status.held_back_count, status.held_back.len()), (0, 0), "what the operator decided needs no review");
    let one = service.run(app::market::stock_status(&service.app, "QRT")).unwrap().unwrap();
    let fields: Vec<&str> = one.held_back.iter().map(|value| value.field.as_str()).collect();
    assert_eq!(fields, ["dividend 2026-08-20 USD regular"]);
    replay.change(|world| world.stocks[0].dividends.last_mut().unwrap().amount = "0.45".to_owned());
    service.refresh(&["QRT"]);
    assert!(stored(&service, "QRT", "").contains(&"2026-08-20 0.45 regular".to_owned()));
}

#[test]
fn a_removed_dividend_comes_back_from_a_file_that_the_operator_loads() {
    let replay = Replay::start(simple());
    let (service, _) = started(&replay, &["fmp"]);
    remove(&service, "QRT", "2026-07-14").unwrap();
    service.load(&[("dividends.csv", "symbol,ex_date,amount\nQRT,2026-07-14,0.50\n")]);
    service.refresh(&["QRT"]);
    assert!(stored(&service, "QRT", "").contains(&"2026-07-14 0.5 regular".to_owned()));
    let one = service.run(app::market::stock_status(&service.app, "QRT")).unwrap().unwrap();
    assert_eq!(one.held_back, []);
}

/// 100 bought and 50 sold; then a 1:10 split before the sale becomes known. 50 × 4 × 0.50 = 100.
#[test]
fn a_split_that_contradicts_recorded_sales_does_not_take_the_income_away() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let token = service.account(ANA, "USD", Some("US"));
    service.import(ANA, &ledger(&["2026-01-05,buy,QRT,100,30,USD", "2026-06-01,sell,QRT,50,35,USD"]));
    service.refresh(&[]);
    let figures = || {
        let income = service.get("/api/v1/income", Some(&token)).json()["annual_income"]["amount"].clone();
        let holding = service.get("/api/v1/holdings", Some(&token)).json()["holdings"][0]["shares"].clone();
        (holding, income)
    };
    assert_eq!(figures(), ("50".into(), "100.00".into()));
    service.load(&[("splits.csv", "symbol,date,ratio\nQRT,2026-03-02,1:10\n")]);
    assert_eq!(figures(), ("50".into(), "100.00".into()));
    let checks = service.run(app::operations::doctor::examine(&service.app)).unwrap();
    let texts: Vec<String> = (checks.iter().filter(|check| check.name == "splits"))
        .map(|check| messages::doctor::finding(messages::by_preference(""), &check.finding))
        .collect();
    assert!(texts.len() == 1 && texts[0].contains("QRT") && texts[0].contains("1:10 split of 2026-03-02"), "{texts:?}");
    assert!(texts[0].contains(&service.user_id(ANA).to_string()) && texts[0].contains("record the split"), "{texts:?}");
    service.import(ANA, &ledger(&["2026-10-01,buy,QRT,1,30,USD"]));
    assert_eq!(figures().0, "51");
    let oversold = service.try_import(ANA, &ledger(&["2026-10-02,sell,QRT,52,30,USD"]));
    assert_eq!((oversold.errors.len(), figures().0), (1, "51".into()), "more than is held");
}
