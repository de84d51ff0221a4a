//! One account of a service, used through the API and the app crate.

use std::sync::atomic::{AtomicU32, Ordering};

use app::entries::export;
use app::import;
use app::stocks::radar;
use testkit::Service;

use super::ledgers;

pub struct Account<'a> {
    service: &'a Service,
    email: String,
    token: String,
}

/// A body with its tag, and the path that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    path: String,
    pub status: u16,
    etag: String,
    pub body: String,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl<'a> Account<'a> {
    /// Resident in Spain, in euros, with the same watchlist as every other account.
    pub fn new(service: &'a Service) -> Account<'a> {
        Account::of(service, format!("{}@example.com", NUMBER.fetch_add(1, Ordering::Relaxed)))
    }

    pub fn of(service: &'a Service, email: String) -> Account<'a> {
        let token = service.account(&email, "EUR", Some("ES"));
        service.run(radar::add(&service.app, service.user_id(&email), &["PEP".to_owned(), "KO".to_owned()])).unwrap();
        Account { service, email, token }
    }

    pub fn email(&self) -> &str {
        &self.email
    }

    pub fn import(&self, ledger: &str) -> import::Report {
        self.service.import(&self.email, ledger)
    }

    /// Refused lines, such as overselling, are removed until the rest is accepted. Returns the
    /// ID of the import, if it added anything.
    pub fn import_what_fits(&self, lines: &[String]) -> Option<String> {
        let mut lines = lines.to_vec();
        loop {
            let report = self.service.try_import(&self.email, &ledgers::file(&lines));
            assert_eq!(report.rows, lines.len() as u64);
            assert_eq!(report.rows, report.new + report.existing + (report.skips.len() + report.errors.len()) as u64);
            if report.errors.is_empty() {
                return report.id.map(|id| id.to_string());
            }
            for problem in report.errors.iter().rev() {
                lines.remove(problem.line as usize - 2);
            }
        }
    }

    pub fn undo(&self, import: &str) {
        self.service.run(import::undo(&self.service.app, import)).unwrap();
    }

    pub fn export(&self) -> String {
        String::from_utf8(self.service.run(export::ledger_file(&self.service.app, self.service.user_id(&self.email))).unwrap())
            .unwrap()
    }

    /// As a plain table for other programs.
    pub fn export_plainly(&self) -> Vec<u8> {
        self.service.run(export::write(&self.service.app, self.service.user_id(&self.email), export::Form::Generic)).unwrap()
    }

    pub fn import_file(&self, bytes: &[u8]) -> import::Report {
        self.service.import_file(&self.email, bytes, None).unwrap()
    }

    /// Holdings and dividends without the source, which a plain table does not have.
    pub fn positions_and_dividends(&self) -> (String, serde_json::Value) {
        let mut dividends: serde_json::Value = serde_json::from_str(&self.get("/api/v1/dividends").body).unwrap();
        for item in dividends["dividends"].as_array_mut().unwrap() {
            item.as_object_mut().unwrap().remove("source");
        }
        (self.holdings(), dividends)
    }

    pub fn holdings(&self) -> String {
        self.get("/api/v1/holdings").body
    }

    /// Every private endpoint but `/me`, which names the account.
    pub fn answers(&self) -> Vec<Answered> {
        let paths = [
            "portfolios",
            "holdings",
            "holdings?portfolio=Main",
            "holdings?portfolio=%C3%BCMLAUT",
            "dividends",
            "dividends?symbol=ko",
            "dividends?from=2024-01-01&to=2025-06-30",
            "dividends?portfolio=Growth",
            "income",
            "income?years=3&drip=true",
            "income?years=50&portfolio=main",
            "upcoming",
            "upcoming?days=120",
            "upcoming?days=120&portfolio=Growth",
        ];
        paths.into_iter().map(|path| self.get(&format!("/api/v1/{path}"))).collect()
    }

    pub fn get(&self, path: &str) -> Answered {
        let answer = self.service.get(path, Some(&self.token));
        assert!(matches!(answer.status, 200 | 404 | 422), "{path}: {answer:?}");
        Answered {
            path: path.to_owned(),
            status: answer.status,
            etag: answer.header("etag").to_owned(),
            body: String::from_utf8(answer.body).unwrap(),
        }
    }
}
