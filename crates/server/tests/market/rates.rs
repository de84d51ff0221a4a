//! Exchange rates of the ECB: weekends, holidays, discontinued currencies, and one that was never quoted.

use app::Outcome;
use replay::Replay;
use testkit::Service;

use crate::world::{NOW, simple};

const ANA: &str = "ana@example.com";

fn with_rates(rates: &[(&str, &str, &str)]) -> (Service, String) {
    let mut world = simple();
    world.rates =
        rates.iter().map(|(day, currency, rate)| ((*day).to_owned(), (*currency).to_owned(), (*rate).to_owned())).collect();
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["ecb"]);
    let token = service.account(ANA, "EUR", None);
    let outcomes = service.refresh(&[]);
    // Of a day without a publication, a holiday, it is only known that nothing has come.
    assert!(matches!(outcomes[..], [(_, Outcome::Done | Outcome::Late)]), "{outcomes:?}");
    (service, token)
}

/// One payer in each currency, 100 shares, 1.00 a quarter.
fn hold(service: &Service, currency: &str) {
    let symbol = format!("X{currency}");
    service.load(&[
        ("stocks.csv", &format!("symbol,name,currency,price\n{symbol},{symbol} AG,{currency},100\n")),
        (
            "dividends.csv",
            &format!("symbol,ex_date,amount\n{symbol},2026-01-14,1\n{symbol},2026-04-14,1\n{symbol},2026-07-14,1\n{symbol},2026-10-14,1\n"),
        ),
    ]);
    service.import(ANA, &format!("date,type,symbol,shares,price,currency\n2024-01-05,buy,{symbol},100,50,{currency}\n"));
}

fn income(service: &Service, token: &str) -> (String, Vec<String>) {
    let income = service.get("/api/v1/income", Some(token)).json();
    let left_out = income["unconverted"].as_array().cloned().unwrap_or_default();
    let currencies = left_out.iter().map(|one| one["currency"].as_str().unwrap().to_owned()).collect();
    (income["annual_income"]["amount"].as_str().unwrap().to_owned(), currencies)
}

#[test]
fn on_a_monday_morning_the_friday_rate_applies() {
    // 2026-11-16 is a Monday, and its rates come in the afternoon.
    let (service, token) = with_rates(&[("2026-11-12", "USD", "1.00"), ("2026-11-13", "USD", "1.25")]);
    hold(&service, "USD");
    // 400 ÷ 1.25
    assert_eq!(income(&service, &token), ("320.00".to_owned(), vec![]));
}

#[test]
fn over_holidays_the_rate_before_them_applies() {
    let (service, token) = with_rates(&[("2026-11-11", "USD", "1.25")]);
    hold(&service, "USD");
    assert_eq!(income(&service, &token), ("320.00".to_owned(), vec![]));
}

#[test]
fn a_currency_that_joined_the_euro_converts_at_its_fixed_rate() {
    let (service, token) = with_rates(&[("2025-12-31", "BGN", "1.9558"), ("2026-11-13", "USD", "1.25")]);
    hold(&service, "BGN");
    // 400 ÷ 1.95583 = 204.5167…
    assert_eq!(income(&service, &token), ("204.52".to_owned(), vec![]));
}

#[test]
fn a_suspended_currency_has_no_rate() {
    let (service, token) = with_rates(&[("2022-03-01", "RUB", "117.2010"), ("2026-11-13", "USD", "1.25")]);
    hold(&service, "RUB");
    assert_eq!(income(&service, &token), ("0.00".to_owned(), vec!["RUB".to_owned()]));
}

#[test]
fn a_currency_that_the_ecb_never_quoted_is_named_and_left_out() {
    let (service, token) = with_rates(&[("2026-11-13", "USD", "1.25")]);
    hold(&service, "TWD");
    hold(&service, "USD");
    assert_eq!(income(&service, &token), ("320.00".to_owned(), vec!["TWD".to_owned()]));
}
