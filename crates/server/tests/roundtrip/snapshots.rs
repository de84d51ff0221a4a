//! Snapshots agree with their entries: answers are the same with and without them after any change.

use std::cell::Cell;

use app::entries::{self, Filter, Row};
use app::import;
use app::operations::doctor::{self, Finding};
use app::portfolios::{self, positions};
use jiff::civil::{Date, date};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rust_decimal::Decimal;
use testkit::{Engine, NOW, Service};
use uuid::Uuid;

use crate::ledgers::{self, Ledger, ledger};
use crate::market;

const EMAIL: &str = "folds@example.com";

/// Kept under its ISIN until it is matched.
const UNNAMED: &str = "date,type,isin,shares,price,amount,tax,currency,portfolio\n\
    2022-02-01,buy,FR0000120271,40,38.5,,,EUR,Main\n\
    2023-04-03,dividend,FR0000120271,40,,27.60,3.45,EUR,Main\n\
    2026-02-02,buy,FR0000120271,3,60,,,EUR,Growth\n";

#[derive(Debug, Clone)]
enum Change {
    Import(Vec<String>),
    Undo,
    /// Of one of the entries: shares, day, symbol or portfolio.
    Edit(usize, u8),
    Remove(usize),
    DeletePortfolio(&'static str),
    Name(&'static str),
    Split(&'static str, Date, &'static str),
    Rates(Date, i64),
    Currency(&'static str, &'static str),
    Days(i64),
}

fn change() -> impl Strategy<Value = Change> {
    let day = || (0..2_300i64).prop_map(|days| date(2021, 3, 1).saturating_add(jiff::Span::new().days(days)));
    let symbol = || prop::sample::select(vec!["KO", "IBE.MC", "DGE.L", "7203.T", "STRANGE"]);
    let lines = ledger().prop_map(|ledger| Change::Import(ledger.later));
    prop_oneof![
        2 => lines,
        1 => Just(Change::Undo),
        4 => (any::<usize>(), 0..5u8).prop_map(|(place, how)| Change::Edit(place, how)),
        2 => any::<usize>().prop_map(Change::Remove),
        1 => prop::sample::select(vec!["Growth", "Ümlaut"]).prop_map(Change::DeletePortfolio),
        1 => prop::sample::select(vec!["KO", "NEW"]).prop_map(Change::Name),
        2 => (symbol(), day(), prop::sample::select(vec!["2:1", "1:3", "11:10"]))
            .prop_map(|(symbol, day, ratio)| Change::Split(symbol, day, ratio)),
        1 => (day(), 800..1_500i64).prop_map(|(day, rate)| Change::Rates(day, rate)),
        1 => (symbol(), prop::sample::select(vec!["USD", "EUR", "CHF"]))
            .prop_map(|(symbol, currency)| Change::Currency(symbol, currency)),
        3 => (1..400i64).prop_map(Change::Days),
    ]
}

struct Changing {
    service: Service,
    user: Uuid,
    token: String,
    today: Date,
    imports: Vec<Uuid>,
    compared: usize,
}

impl Changing {
    fn new(engine: Engine, ledger: &Ledger) -> Changing {
        let service = market::service_on(engine);
        let token = service.account(EMAIL, "EUR", Some("ES"));
        let user = service.user_id(EMAIL);
        let mut one = Changing { service, user, token, today: date(2026, 11, 15), imports: Vec::new(), compared: 0 };
        one.import(&ledger.earlier);
        one.service.import_file(EMAIL, UNNAMED.as_bytes(), None).unwrap();
        one
    }

    /// Changes that the ledger refuses are skipped and leave nothing.
    fn change(&mut self, change: &Change) {
        let (app, user) = (&self.service.app, self.user);
        let load = |name: &str, text: String| self.service.load(&[(name, &text)]);
        match change {
            Change::Import(lines) => self.import(lines),
            Change::Undo => drop(self.imports.pop().map(|id| self.service.run(import::undo_of(app, user, id)))),
            Change::Edit(place, how) => self.edit(*place, *how),
            Change::Remove(place) => {
                if let Some(row) = self.entry(*place) {
                    let _ = self.service.run(entries::remove(app, user, row.entry.sequence));
                }
            }
            Change::DeletePortfolio(name) => drop(self.service.run(portfolios::delete(app, user, name))),
            Change::Name(symbol) => {
                let map = [("FR0000120271".to_owned(), (*symbol).to_owned())];
                self.service.run(import::map(app, user, &map)).unwrap();
            }
            Change::Split(symbol, day, ratio) => {
                // A stock without market data has no known splits either.
                if *symbol != "STRANGE" {
                    load("splits.csv", format!("symbol,date,ratio\n{symbol},{day},{ratio}\n"));
                }
            }
            Change::Rates(day, rate) => {
                load("fx.csv", format!("date,currency,rate\n{day},USD,{}\n", Decimal::new(*rate, 3)));
            }
            Change::Currency(symbol, currency) => load("stocks.csv", format!("symbol,currency\n{symbol},{currency}\n")),
            Change::Days(days) => {
                self.today = self.today.saturating_add(jiff::Span::new().days(*days));
                self.service = self.service.second_node(&self.now());
            }
        }
    }

    fn import(&mut self, lines: &[String]) {
        let mut lines = lines.to_vec();
        loop {
            let report = self.service.try_import(EMAIL, &ledgers::file(&lines));
            if report.errors.is_empty() {
                self.imports.extend(report.id);
                return;
            }
            for problem in report.errors.iter().rev() {
                lines.remove(problem.line as usize - 2);
            }
        }
    }

    fn edit(&self, place: usize, how: u8) {
        let Some(row) = self.entry(place) else { return };
        let mut draft = row.draft();
        match how {
            0 => draft.shares = draft.shares.map(|shares| shares + Decimal::ONE),
            1 => draft.date = draft.date.saturating_add(jiff::Span::new().days(200)),
            2 => draft.symbol = "PEP".to_owned(),
            3 => draft.portfolio = "Main".to_owned(),
            _ => draft.tax = Some(Decimal::new(150, 2)),
        }
        let _ = self.service.run(entries::edit(&self.service.app, self.user, row.entry.sequence, &draft));
    }

    fn entry(&self, place: usize) -> Option<Row> {
        let page = self.service.run(entries::list(&self.service.app, self.user, &Filter::default())).unwrap();
        (!page.rows.is_empty()).then(|| page.rows[place % page.rows.len()].clone())
    }

    fn now(&self) -> String {
        NOW.replace("2026-11-15", &self.today.to_string())
    }

    /// Answers of a node with empty caches.
    fn answers(&self) -> Vec<String> {
        let node = self.service.second_node(&self.now());
        let paths = [
            "holdings",
            "holdings?portfolio=Main",
            "income",
            "income?years=50&drip=true",
            "income?portfolio=Growth",
            "upcoming?days=120",
            "upcoming?days=30&portfolio=Main",
        ];
        let answer = |path: &str| {
            let answer = node.get(&format!("/api/v1/{path}"), Some(&self.token));
            format!("{path} {} {}", answer.status, String::from_utf8(answer.body).unwrap())
        };
        let mut answers: Vec<String> = paths.into_iter().map(answer).collect();
        answers.push(format!("{:?}", node.run(positions::list(&node.app, self.user, None)).map_err(|error| error.to_string())));
        answers
    }

    /// With snapshots and without them; the snapshots are restored in the end.
    fn compare(&mut self, after: &Change) {
        let kept = self.answers();
        let check = self.service.run(doctor::examine(&self.service.app)).unwrap();
        let check = check.into_iter().find(|check| check.name == "positions").unwrap();
        let Finding::SnapshotsCurrent { count } = check.finding else { panic!("{:?} after {after:?}", check.finding) };
        self.compared += count;
        self.service.tamper("CREATE TABLE put_by AS SELECT * FROM positions; UPDATE positions SET fold = NULL");
        assert_eq!(kept, self.answers(), "after {after:?}");
        self.service.tamper(
            "UPDATE positions SET fold = (SELECT p.fold FROM put_by p WHERE p.user_id = positions.user_id
                AND p.portfolio_id = positions.portfolio_id AND p.symbol = positions.symbol);
             DROP TABLE put_by",
        );
    }
}

#[test]
fn answers_are_the_same_with_and_without_snapshots() {
    let engine = Engine::chosen();
    let cases = testkit::tries(16, 500);
    let config = Config { cases, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let compared = Cell::new(0);
    let story = (ledger(), prop::collection::vec(change(), 1..6));
    let result = TestRunner::new(config).run(&story, |(ledger, changes)| {
        let mut account = Changing::new(engine, &ledger);
        for change in &changes {
            account.change(change);
            account.compare(change);
        }
        compared.set(compared.get() + account.compared);
        Ok(())
    });
    result.unwrap();
    assert!(compared.get() > cases as usize, "only {} positions were kept at all", compared.get());
}
