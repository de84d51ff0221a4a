//! Reference rates of the European Central Bank: a daily file, one of the last 90 days, and one of everything since 1999.

pub mod csv;
pub mod fields;
pub mod xml;
pub mod zip;

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::ability::{Ability, Grade};
use crate::fault::{Detail, Fault};
use crate::http_client::{HttpClient, Request, Response, Urgency};
use crate::provider::{Ask, Provider, Rate};

pub(crate) struct Ecb {
    http_client: HttpClient,
}

impl Ecb {
    pub fn new(http_client: HttpClient) -> Ecb {
        Ecb { http_client }
    }

    async fn since(&self, since: Date, today: Date) -> Result<Vec<Rate>, Fault> {
        let mut rates = Vec::new();
        for files in long_enough(since, today) {
            rates = self.newest_form(files).await?;
            if reaches(&rates, since) {
                break;
            }
        }
        rates.retain(|rate| rate.date >= since);
        Ok(rates)
    }

    /// Falls back to CSV if the XML file is missing or invalid.
    async fn newest_form(&self, files: &Files) -> Result<Vec<Rate>, Fault> {
        if let Some(name) = files.xml {
            match self.file(name, |response| xml::read(response.text()?)).await {
                Err(fault @ (Fault::Malformed(_) | Fault::Status(404))) => {
                    tracing::warn!(provider = "ecb", file = name, %fault, instead = files.zip, "reading the CSV form instead");
                }
                answer => return answer,
            }
        }
        self.file(files.zip, |response| zip::read(&response.bytes, csv::read)).await
    }

    async fn file(&self, name: &str, read: impl Fn(&Response) -> Result<Vec<Rate>, Fault>) -> Result<Vec<Rate>, Fault> {
        let request = Request::get(self.http_client.url(&format!("/{name}"), &[]), Urgency::Background);
        let answer = self.http_client.ask(request, |response| {
            let answer = response.success().and_then(&read).and_then(fields::validated);
            answer.map_err(|fault| match fault {
                // A request for rates has no symbol that could be unknown.
                Fault::Unknown => Fault::Status(404),
                Fault::Malformed(detail) => Fault::Malformed(Detail::InFile { file: name.to_owned(), detail: Box::new(detail) }),
                fault => fault,
            })
        });
        answer.await
    }
}

impl Provider for Ecb {
    fn name(&self) -> &'static str {
        "ecb"
    }

    fn grade(&self, ability: Ability) -> Grade {
        if ability == Ability::Rates { Grade::Good } else { Grade::None }
    }

    fn http_client(&self) -> &HttpClient {
        &self.http_client
    }

    fn rates(&self, since: Date) -> Ask<'_, Vec<Rate>> {
        Box::pin(self.since(since, Timestamp::now().to_zoned(TimeZone::UTC).date()))
    }
}

/// The two formats of one period.
#[derive(Debug)]
pub struct Files {
    /// How many days back it reaches.
    days_max: i64,
    pub xml: Option<&'static str>,
    pub zip: &'static str,
}

/// The shortest first. The XML file of the whole history is several times as large as the zip.
const FILES: &[Files] = &[
    Files { days_max: 4, xml: Some("eurofxref-daily.xml"), zip: "eurofxref.zip" },
    Files { days_max: 90, xml: Some("eurofxref-hist-90d.xml"), zip: "eurofxref-hist.zip" },
    Files { days_max: i64::MAX, xml: None, zip: "eurofxref-hist.zip" },
];

/// The files that reach back to `since`.
pub fn long_enough(since: Date, today: Date) -> impl Iterator<Item = &'static Files> {
    let age_days = today.duration_since(since).as_hours() / 24;
    FILES.iter().filter(move |files| age_days <= files.days_max)
}

/// Whether the rates include every working day from `since` on. The daily file only has one day, so after two days offline the
/// other would be missing. Holidays count as working days here, which at worst costs an extra request.
pub fn reaches(rates: &[Rate], since: Date) -> bool {
    let Some(oldest) = rates.iter().map(|rate| rate.date).min() else { return false };
    let is_weekend = |day: Date| matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    since.series(1.day()).take_while(|day| *day < oldest).all(is_weekend)
}
