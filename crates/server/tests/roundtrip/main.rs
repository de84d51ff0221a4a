//! Exporting and importing again gives the same bytes.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod account;
mod engines;
mod ledgers;
mod market;
mod snapshots;
mod what_if;

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::Config;

use account::Account;
use ledgers::{Ledger, ledger, shuffled};
use testkit::Service;

/// Two services with the same market data and nothing else in common.
static HERE: LazyLock<Service> = LazyLock::new(market::service);
static THERE: LazyLock<Service> = LazyLock::new(market::service);

fn config() -> Config {
    let cases = testkit::tries(64, 1_000);
    Config { cases, max_shrink_iters: 300, failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn undoing_an_import_restores_the_previous_state(ledger in ledger()) {
        let account = Account::new(&HERE);
        account.import_what_fits(&ledger.earlier);
        let (answers, file) = (account.answers(), account.export());
        if let Some(import) = account.import_what_fits(&ledger.later) {
            account.undo(&import);
        }
        prop_assert_eq!(account.answers(), answers);
        prop_assert_eq!(account.export(), file);
    }

    #[test]
    fn positions_and_dividends_survive_an_export_as_plain_table(ledger in ledger()) {
        let original = Account::new(&HERE);
        original.import_what_fits(&ledger.earlier);
        original.import_what_fits(&ledger.later);
        let copy = Account::new(&THERE);
        let table = original.export_plainly();
        if table.iter().filter(|byte| **byte == b'\n').count() > 1 {
            let report = copy.import_file(&table);
            prop_assert_eq!((&report.errors, report.format), (&vec![], "generic"));
        }
        prop_assert_eq!(copy.positions_and_dividends(), original.positions_and_dividends());
    }

    #[test]
    fn a_ledger_survives_its_export(ledger in ledger(), seed in any::<u64>()) {
        let original = Account::new(&HERE);
        let Ledger { earlier, later } = &ledger;
        original.import_what_fits(earlier);
        original.import_what_fits(later);
        let answers = original.answers();
        let file = original.export();

        let copy = Account::new(&THERE);
        let report = copy.import(&file);
        prop_assert_eq!((report.new, report.existing), (report.rows, 0));
        for (mine, theirs) in answers.iter().zip(copy.answers()) {
            prop_assert_eq!(mine, &theirs);
        }
        prop_assert_eq!(copy.export(), file.clone());

        let report = original.import(&file);
        prop_assert_eq!((report.new, report.existing, report.id), (0, report.rows, None));
        prop_assert_eq!(original.answers(), answers, "importing the export again changed an answer or its ETag");

        let replayed = Account::new(&THERE);
        replayed.import(&shuffled(&file, seed));
        prop_assert_eq!(replayed.holdings(), original.holdings(), "the order of the days in the file matters");
    }
}

/// KO: 85 EUR gross with 0 withheld and 100 USD gross with 15 withheld; their order must not matter.
#[test]
fn the_order_of_dividends_does_not_change_the_withholding_rate() {
    let lines = [
        "2025-03-03,Main,,KO,,buy,100,60,,,,,USD,,,,",
        "2025-12-15,Main,,KO,,dividend,100,,100,,15,,USD,,,,",
        "2026-10-01,Main,,KO,,dividend,100,,85,,0,,EUR,,,,",
    ];
    let income = |order: [usize; 3]| {
        let account = Account::new(&HERE);
        account.import(&ledgers::file(&order.map(|place| lines[place].to_owned())));
        account.answers()
    };
    assert_eq!(income([0, 1, 2]), income([0, 2, 1]));
}
