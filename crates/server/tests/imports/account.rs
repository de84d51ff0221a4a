//! A separate account for each file.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use app::import::Report;
use testkit::Service;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// With old exchange rates for every currency in the files, which their ledgers need.
pub static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let service = Service::start();
    let currencies = [
        "USD", "GBP", "CHF", "CAD", "AUD", "JPY", "SEK", "NOK", "DKK", "PLN", "HKD", "SGD", "ZAR", "ILS", "RON", "HUF", "CZK",
        "TRY", "MXN", "BRL", "INR", "KRW", "TWD", "NZD", "THB", "BGN", "RUB",
    ];
    let rates: String = currencies.iter().map(|code| format!("1999-01-04,{code},1.5\n2026-11-13,{code},1.5\n")).collect();
    service.load(&[("fx.csv", &format!("date,currency,rate\n{rates}"))]);
    service
});

pub struct Account {
    pub email: String,
    token: String,
}

impl Account {
    pub fn new() -> Account {
        let email = format!("{}@example.com", NUMBER.fetch_add(1, Ordering::Relaxed));
        let token = SERVICE.account(&email, "EUR", Some("ES"));
        Account { email, token }
    }

    /// The report, or the reason why there is none.
    pub fn import(&self, bytes: &[u8], portfolio: Option<&str>) -> Result<Report, String> {
        let report = SERVICE.import_file(&self.email, bytes, portfolio).map_err(|error| error.to_string())?;
        assert_eq!(report.plan.len() as u64, report.rows, "the plan does not list every row");
        Ok(report)
    }

    /// Bodies and tags of every endpoint that depends on the ledger.
    pub fn answers(&self) -> Vec<(String, String)> {
        ["portfolios", "holdings", "dividends", "income", "upcoming?days=120"]
            .map(|path| {
                let answer = SERVICE.get(&format!("/api/v1/{path}"), Some(&self.token));
                assert_eq!(answer.status, 200, "{path}: {}", answer.text());
                (answer.text(), answer.header("etag").to_owned())
            })
            .into()
    }
}

/// Whether the counts of a report add up to the rows of the file.
pub fn adds_up(report: &Report) -> bool {
    let wrong_rows = report.plan.iter().filter(|row| matches!(row.fate, app::import::Fate::Error(_))).count();
    report.rows == report.new + report.joined + report.existing + (report.skips.len() + wrong_rows) as u64
}
