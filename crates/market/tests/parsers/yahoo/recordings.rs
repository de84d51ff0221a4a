//! Recorded answers, if available: each gives data or a named fault.

use std::fs;
use std::path::{Path, PathBuf};

use market::yahoo::consent::{self, Step};
use market::yahoo::{chart, quote, search, session, summary, timeseries};
use market::{Fault, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use crate::{day, figure, response, samples};

#[derive(Deserialize)]
struct Recording {
    response: Recorded,
}

/// The original payload, so that no digit changes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    status: u16,
    body_json: Option<Box<RawValue>>,
    body: Option<String>,
    body_text: Option<String>,
}

fn folder() -> Option<PathBuf> {
    samples("provider-samples/yahoo")
}

fn read(path: &Path) -> Response {
    let text = fs::read_to_string(path).unwrap();
    let Ok(Recording { response: recorded }) = serde_json::from_str(&text) else { return response(200, &text) };
    let json = recorded.body_json.map(|body| body.get().to_owned());
    response(recorded.status, &json.or(recorded.body).or(recorded.body_text).unwrap_or_default())
}

/// The answers of a folder whose file names contain `name`, by name.
fn answers(part: &str, name: &str) -> Vec<(String, Response)> {
    let Some(folder) = folder() else { return Vec::new() };
    let paths = fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().path());
    let named = paths.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    named.filter(|(file, _)| file.contains(name)).map(|(file, path)| (file, read(&path))).collect()
}

/// How many of them gave data; the others must be faults that a caller can handle.
fn good<T>(answers: &[(String, Response)], parse: impl Fn(&Response) -> Result<T, Fault>) -> usize {
    let good = |(file, answer): &&(String, Response)| match parse(answer) {
        Ok(_) => true,
        Err(Fault::Unknown | Fault::Malformed(_) | Fault::Status(404)) => false,
        Err(other) => panic!("{file}: {other}"),
    };
    answers.iter().filter(good).count()
}

#[test]
fn recorded_quotes_are_parsed() {
    if folder().is_none() {
        return;
    }
    let recorded = [answers("v7-quote", ""), answers("yfinance-rs", "quote_v7")].concat();
    // All but one of 25: that row was recorded without its currency.
    assert_eq!((recorded.len(), good(&recorded, quote::parse)), (25, 24));
    let found = |file: &str| {
        let (_, answer) = recorded.iter().find(|(name, _)| name == file).unwrap();
        quote::parse(answer).unwrap()
    };
    for gone in ["quote-SIX.json", "quote-APS.AX.json", "quote-BRKS.json", "quote-SIMP.json", "quote-ADH.json"] {
        assert_eq!(found(gone), Vec::new(), "{gone}");
    }
    assert_eq!(found("quote-OCDO.L.json")[0].price, figure("3.088"));
    assert_eq!(found("quote-AAPL-BABA.json").len(), 2);
    assert_eq!(good(&answers("errors", "NONEXIST"), quote::parse), 1);
    assert_eq!((answers("errors", "").len(), good(&answers("errors", ""), quote::parse)), (4, 1));
}

#[test]
fn recorded_charts_are_parsed() {
    if folder().is_none() {
        return;
    }
    let since = day("1900-01-01");
    let pages = [answers("v8-chart", ""), answers("yfinance-rs", "history_chart"), answers("portfolio-performance", "")];
    let recorded = pages.concat();
    assert_eq!((recorded.len(), good(&recorded, |answer| chart::parse(answer, since))), (21, 21));
    let found = |part: &str| {
        let (_, answer) = recorded.iter().find(|(name, _)| name.contains(part)).unwrap();
        chart::parse(answer, since).unwrap()
    };
    assert_eq!(found("notimestamp-quotes-length").closes, Vec::new());
    assert_eq!(found("chart-OCDO.L").closes, [(day("2020-01-02"), figure("12.595"))]);
    assert_eq!(found("australian").closes[0].0, day("2021-10-13"));
    let fund = found("VFINX").dividends;
    assert!(fund.iter().any(|dividend| dividend.special == Some(true)));
    assert_eq!(fund[0].ex_date, day("1980-06-27"), "the date inside, four years before its key");
}

#[test]
fn recorded_profiles_are_parsed() {
    if folder().is_none() {
        return;
    }
    let today = day("2025-02-24");
    let parse = |answer: &Response| summary::parse(answer, "X", today);
    let recorded = [answers("v10-quoteSummary", ""), answers("yfinance-rs", "_api_")].concat();
    let unknown = recorded.iter().filter(|(_, answer)| parse(answer) == Err(Fault::Unknown)).count();
    assert_eq!((recorded.len(), good(&recorded, parse)), (recorded.len(), recorded.len() - unknown));
    assert!((45..=52).contains(&(recorded.len() - unknown)), "{} of {}", recorded.len() - unknown, recorded.len());
    let found = |file: &str| parse(&recorded.iter().find(|(name, _)| name.contains(file)).unwrap().1).unwrap();
    assert_eq!(found("all-OCDO.L").ma50, Some(figure("3.08432")));
    assert_eq!(found("all-OCDO.L").payout_ratio, None);
    assert_eq!(found("all-QQQ").kind.as_deref(), Some("ETF"));
    assert_eq!(found("calendarEvents-ORSTED").next, None);
    assert_eq!(found("calendarEvents-ABBV").next.unwrap().ex_date, day("2025-04-15"));
    for (_, answer) in recorded.iter().filter(|(name, _)| name.contains("assetProfile")) {
        let country = parse(answer).ok().and_then(|profile| profile.country);
        assert!(country.is_none_or(|country| ledger::withholding::country_code(&country).is_some()));
    }
}

#[test]
fn recorded_searches_and_cash_flows_are_parsed() {
    if folder().is_none() {
        return;
    }
    let hits = [answers("v1-search", ""), answers("yfinance-rs", "search_v1")].concat();
    assert_eq!((hits.len(), good(&hits, search::parse)), (11, 11));
    // Another site's answer in another language.
    assert_eq!(good(&answers("yfinance-rs", "isin_search"), search::parse), 0);
    let flows = [answers("fundamentals-timeseries", ""), answers("yfinance-rs", "timeseries")].concat();
    assert_eq!((flows.len(), good(&flows, timeseries::cover)), (3, 3));
    let apple = timeseries::cover(&answers("fundamentals-timeseries", "AAPL")[0].1).unwrap();
    assert_eq!(apple, Some(figure("7.142379")), "108807 / 15234");
}

/// Answers for hundreds of symbols in one file, each without its envelope.
#[derive(Deserialize)]
struct Kept {
    value: Vec<(String, Box<RawValue>)>,
}

fn kept(file: &str, envelope: impl Fn(&str) -> String) -> Vec<(String, Response)> {
    let Some(folder) = folder() else { return Vec::new() };
    let text = fs::read_to_string(folder.join("export-to-ghostfolio").join(file)).unwrap();
    let kept: Kept = serde_json::from_str(&text).unwrap();
    kept.value.into_iter().map(|(symbol, answer)| (symbol, response(200, &envelope(answer.get())))).collect()
}

#[test]
fn profiles_and_searches_of_hundreds_of_symbols_are_parsed() {
    if folder().is_none() {
        return;
    }
    let parse = |answer: &Response| summary::parse(answer, "X", day("2024-06-01"));
    let profiles = kept("yahooFinanceQuoteSummaryResults.json", |result| {
        format!(r#"{{"quoteSummary":{{"result":[{result}],"error":null}}}}"#)
    });
    // The others are futures in hundredths of a dollar, which are refused.
    assert_eq!((profiles.len(), good(&profiles, parse)), (725, 720));
    let aviva = parse(&profiles.iter().find(|(symbol, _)| symbol == "AV.L").unwrap().1).unwrap();
    assert_eq!(
        (aviva.forward_rate, aviva.ma50),
        (Some(figure("0.33")), Some(figure("4.81024"))),
        "pounds, and pence made pounds"
    );
    let hits = kept("yahooFinanceSearchResults.json", str::to_owned);
    assert_eq!((hits.len(), good(&hits, search::parse)), (232, 232));
}

#[test]
fn the_recorded_consent_flow_leads_to_a_crumb() {
    if folder().is_none() {
        return;
    }
    let recorded = |name: &str| answers("crumb-consent", name).remove(0).1;
    assert_eq!(session::crumb(&recorded("getcrumb.json")).unwrap().len(), 11);
    let page = Url::parse("https://consent.yahoo.com/v2/collectConsent?sessionId=1").unwrap();
    let Ok(Step::Post(to, form)) = consent::next(&page, &recorded("collectConsent.html")) else { panic!("no form") };
    assert_eq!(to, page);
    let names: Vec<String> = url::form_urlencoded::parse(form.as_bytes()).map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["csrfToken", "sessionId", "originalDoneUrl", "namespace", "agree", "agree"]);
}
