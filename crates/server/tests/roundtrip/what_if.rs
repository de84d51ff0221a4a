//! What a purchase would change is what it does change once it is recorded.

use std::cell::Cell;

use app::entries::{self, Draft, Kind};
use jiff::civil::date;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use testkit::Service;

use crate::HERE;
use crate::account::Account;
use crate::ledgers::{Ledger, ledger};

#[derive(Debug, Clone)]
struct Purchase {
    symbol: &'static str,
    shares: Decimal,
    portfolio: Option<&'static str>,
}

fn purchase() -> impl Strategy<Value = Purchase> {
    let symbol = prop::sample::select(vec!["KO", "PEP", "IBE.MC", "DGE.L", "7203.T", "STRANGE"]);
    let shares = (1..=5_000_000_i64, 0..=6_u32).prop_map(|(units, decimals)| Decimal::new(units, decimals));
    let portfolio = prop::sample::select(vec![None, None, Some("Main"), Some("Growth")]);
    (symbol, shares, portfolio).prop_map(|(symbol, shares, portfolio)| Purchase { symbol, shares, portfolio })
}

impl Purchase {
    fn draft(&self, answer: &Value) -> Draft {
        let price = answer["price"]["amount"].as_str().map(|price| price.parse().unwrap());
        Draft {
            portfolio: self.portfolio.unwrap_or_default().to_owned(),
            date: date(2026, 11, 15),
            kind: Kind::Buy,
            symbol: self.symbol.to_owned(),
            shares: Some(self.shares),
            // The price does not matter to the income.
            price: price.or(Some(Decimal::TEN)),
            amount: None,
            fees: None,
            tax: None,
            net: None,
            currency: None,
            fx_rate: None,
            ratio: None,
            ex_date: None,
            reinvested: Default::default(),
            opening: false,
            note: None,
        }
    }

    fn query(&self) -> String {
        self.portfolio.map(|name| format!("&portfolio={name}")).unwrap_or_default()
    }
}

/// What `/income` says, and its source for the position.
fn compare(figures: &Value, income: &Value, symbol: &str, portfolio: &str) -> Result<(), TestCaseError> {
    for name in ["annual_income", "net_annual_income", "current_yield_pct", "income_year"] {
        prop_assert_eq!(&figures[name], &income[name], "{}", name);
    }
    let of_position = |source: &&Value| {
        source["symbol"] == symbol && source.get("portfolio").is_none_or(|name| name.as_str() == Some(portfolio))
    };
    let source = income["holdings"].as_array().unwrap().iter().find(of_position);
    for name in ["income", "net_income"] {
        let none = json!({"amount": "0.00", "currency": "EUR"});
        prop_assert_eq!(&figures[name], source.map_or(&none, |source| &source[name]), "{}", name);
    }
    Ok(())
}

fn body(account: &Account<'_>, path: &str) -> (u16, Value) {
    let answered = account.get(path);
    (answered.status, serde_json::from_str(&answered.body).unwrap())
}

fn agrees(service: &Service, ledger: &Ledger, purchase: &Purchase) -> Result<bool, TestCaseError> {
    let account = Account::new(service);
    account.import_what_fits(&ledger.earlier);
    let income = || body(&account, &format!("/api/v1/income?years=1{}", purchase.query()));
    let Purchase { symbol, shares, .. } = purchase;
    let (status, answer) = body(&account, &format!("/api/v1/whatif?symbol={symbol}&shares={shares}{}", purchase.query()));
    let (income_status, before) = income();
    if status != 200 {
        // No such portfolio, or nothing is known of STRANGE.
        prop_assert!(income_status == 422 || *symbol == "STRANGE", "{}", answer);
        return Ok(false);
    }
    let portfolio = answer["portfolio"].as_str().unwrap();
    compare(&answer["before"], &before, symbol, portfolio)?;
    let draft = purchase.draft(&answer);
    service.run(entries::add(&service.app, service.user_id(account.email()), &draft)).unwrap();
    let (_, after) = income();
    compare(&answer["after"], &after, symbol, portfolio)?;
    let (_, holdings) = body(&account, &format!("/api/v1/holdings?portfolio={}", escaped(portfolio)));
    let held = holdings["holdings"].as_array().unwrap().iter().find(|held| held["symbol"] == *symbol);
    prop_assert_eq!(Some(&answer["after"]["shares"]), held.map(|held| &held["shares"]));
    Ok(answer["before"]["annual_income"] != answer["after"]["annual_income"])
}

fn escaped(name: &str) -> String {
    name.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn what_a_purchase_would_change_is_what_recording_it_changes() {
    let cases = testkit::tries(150, 1_000);
    let config = Config { cases, max_shrink_iters: 300, failure_persistence: None, ..Config::default() };
    let changed = Cell::new(0);
    let result = TestRunner::new(config).run(&(ledger(), purchase()), |(ledger, purchase)| {
        changed.set(changed.get() + u32::from(agrees(&HERE, &ledger, &purchase)?));
        Ok(())
    });
    result.unwrap();
    assert!(changed.get() > cases / 2, "only {} of {cases} purchases changed the income", changed.get());
}
