use jiff::civil::{Date, date};
use ledger::Currency;
use store::dividends::{self, Dividend, Kind};
use store::stocks::{self, Stock};
use store::{Tx, tracking, users};

use crate::sample::{Database, currency, decimal, id, new_user, stock};

fn paid(ex_date: Date, amount: &str) -> Dividend {
    Dividend {
        ex_date,
        currency: currency("USD"),
        kind: Kind::Regular,
        pay_date: None,
        declared_date: None,
        amount: decimal(amount),
        provider: None,
    }
}

#[tokio::test]
async fn a_dividend_with_the_same_day_currency_and_kind_is_replaced() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let day = date(2026, 2, 3);
    let special = Dividend { kind: Kind::Special, ..paid(day, "5.00") };
    let euro = Dividend { currency: Currency::EUR, ..paid(day, "0.9") };
    let first = paid(date(2025, 11, 3), "0.25");
    dividends::upsert(&mut tx, "A", &[paid(day, "1"), special.clone(), euro.clone(), first.clone()]).await.unwrap();
    let corrected = Dividend {
        pay_date: Some(date(2026, 2, 20)),
        declared_date: Some(date(2026, 1, 9)),
        provider: Some("acme".to_owned()),
        ..paid(day, "1.10")
    };
    dividends::upsert(&mut tx, "A", std::slice::from_ref(&corrected)).await.unwrap();
    dividends::upsert(&mut tx, "B", &[paid(day, "9")]).await.unwrap();
    assert_eq!(dividends::of_symbol(&mut tx, "A").await.unwrap(), [first, euro, corrected, special]);
}

#[tokio::test]
async fn only_dividends_with_the_named_day_currency_and_kind_are_removed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let day = date(2026, 2, 3);
    let special = Dividend { kind: Kind::Special, ..paid(day, "5") };
    let euro = Dividend { currency: Currency::EUR, ..paid(day, "0.9") };
    let other_day = paid(date(2026, 2, 4), "1");
    let all = [euro.clone(), paid(day, "1"), special.clone(), other_day.clone()];
    for symbol in ["A", "B"] {
        dividends::upsert(&mut tx, symbol, &all).await.unwrap();
    }
    let (usd, missing) = (currency("USD"), date(2020, 1, 1));
    assert_eq!(dividends::remove(&mut tx, "A", &[(day, usd, Kind::Regular), (missing, usd, Kind::Regular)]).await.unwrap(), 1);
    assert_eq!(dividends::of_symbol(&mut tx, "A").await.unwrap(), [euro, special, other_day]);
    assert_eq!(dividends::of_symbol(&mut tx, "B").await.unwrap(), all);
}

async fn symbols(tx: &mut Tx, from: Date, to: Date, holders_min: i64) -> Vec<(String, Date)> {
    dividends::calendar(tx, from, to, holders_min).await.unwrap().into_iter().map(|one| (one.symbol, one.ex_date)).collect()
}

#[tokio::test]
async fn the_calendar_lists_tracked_stocks_once_per_day_including_both_ends() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    let untracked = |symbol| Stock { tracked: false, ..stock(symbol) };
    stocks::upsert(&mut tx, &[stock("OPERATOR"), untracked("HELD"), untracked("NOBODY")]).await.unwrap();
    tracking::replace_for_user(&mut tx, id(1), &["HELD".to_owned()].into()).await.unwrap();
    let (first, last) = (date(2026, 2, 3), date(2026, 2, 10));
    for symbol in ["OPERATOR", "HELD", "NOBODY", "NO ROW"] {
        let special = Dividend { kind: Kind::Special, ..paid(first, "5") };
        let days = [date(2026, 2, 2), first, last, date(2026, 2, 11)].map(|day| paid(day, "1"));
        dividends::upsert(&mut tx, symbol, &days).await.unwrap();
        dividends::upsert(&mut tx, symbol, &[special]).await.unwrap();
    }
    let expected = [("HELD", first), ("OPERATOR", first), ("HELD", last), ("OPERATOR", last)];
    assert_eq!(symbols(&mut tx, first, last, 1).await, expected.map(|(symbol, day)| (symbol.to_owned(), day)));
    let public = [("OPERATOR", first), ("OPERATOR", last)];
    assert_eq!(symbols(&mut tx, first, last, 2).await, public.map(|(symbol, day)| (symbol.to_owned(), day)));
    assert!(symbols(&mut tx, last, first, 1).await.is_empty());
    let row = &dividends::calendar(&mut tx, first, first, 1).await.unwrap()[0];
    assert_eq!((row.name.as_deref(), row.sector.as_deref()), (Some("HELD plc"), Some("Energy")));
}
