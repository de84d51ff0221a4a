//! SQLite and PostgreSQL give the same answers, to the byte and with the same tags.

use proptest::test_runner::{Config, TestRunner};
use testkit::Engine;

use crate::account::{Account, Answered};
use crate::ledgers::ledger;
use crate::market;

/// What is compared in each state of an account, in addition to every private endpoint.
const ALSO: [&str; 10] = [
    "portfolios?x=1",
    "stocks/KO",
    "stocks/ibe.mc",
    "stocks/STRANGE",
    "stocks/search?q=co",
    "stocks/search?q=str",
    "calendar?days=120",
    "holdings?portfolio=Stra%C3%9Fe",
    "dividends?symbol=%C3%A9",
    "income?years=x",
];

#[test]
#[ignore = "needs PostgreSQL"]
fn thousands_of_answers_about_random_ledgers_are_the_same_on_both_engines() {
    let (here, there) = (market::service_on(Engine::Sqlite), market::service_on(Engine::Postgres));
    let cases = testkit::tries(45, 1_000);
    let config = Config { cases, max_shrink_iters: 100, failure_persistence: None, ..Config::default() };
    let (count, number) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let result = TestRunner::new(config).run(&ledger(), |ledger| {
        number.set(number.get() + 1);
        let accounts = [&here, &there].map(|service| Account::of(service, format!("{}@example.com", number.get())));
        let same = |accounts: &[Account<'_>; 2], what: &str| {
            let [mine, theirs] = accounts.each_ref().map(all);
            count.set(count.get() + mine.len());
            for (mine, theirs) in mine.iter().zip(&theirs) {
                assert_eq!(mine, theirs, "{what}");
            }
            let [mine, theirs] = accounts.each_ref().map(Account::export);
            assert_eq!(mine, theirs, "{what}");
        };
        for account in &accounts {
            account.import_what_fits(&ledger.earlier);
        }
        same(&accounts, "after the first file");
        let imports = accounts.each_ref().map(|account| account.import_what_fits(&ledger.later));
        same(&accounts, "after the second file");
        for (account, import) in accounts.iter().zip(imports) {
            if let Some(import) = import {
                account.undo(&import);
            }
        }
        same(&accounts, "after the second file was undone");
        Ok(())
    });
    result.unwrap();
    assert!(count.get() >= 70 * cases as usize, "{} answers were compared", count.get());
}

fn all(account: &Account<'_>) -> Vec<Answered> {
    let also = ALSO.iter().map(|path| account.get(&format!("/api/v1/{path}")));
    account.answers().into_iter().chain(also).collect()
}
