use jiff::civil::Date;
use market::yahoo::{summary, timeseries};
use market::{Fault, NextDividend, Profile};

use super::not_found;
use crate::{day, figure, ok};

fn profile(modules: &str) -> Profile {
    let body = format!(r#"{{"quoteSummary":{{"result":[{{{modules}}}],"error":null}}}}"#);
    summary::parse(&ok(&body), "MILL.L", day("2025-03-01")).unwrap()
}

/// A London payer: price and averages in pence, the rate in pounds.
const LONDON: &str = r#"
    "assetProfile":{"country":"United Kingdom","sector":"Energy","industry":"Mills"},
    "price":{"currency":"GBp","exchange":"LSE","quoteType":"EQUITY","longName":"Mill  plc"},
    "financialData":{"financialCurrency":"GBP"},
    "summaryDetail":{"currency":"GBp","dividendRate":0.33,"dividendYield":0.0668,"payoutRatio":0.85480005,
        "fiveYearAvgDividendYield":6.11,"trailingPE":12.5,"fiftyDayAverage":498.25,"twoHundredDayAverage":450,
        "fiftyTwoWeekLow":400.5,"fiftyTwoWeekHigh":541.346,"trailingAnnualDividendRate":0.334}"#;

#[test]
fn the_rate_of_a_pence_stock_is_in_pounds_and_its_averages_are_in_pence() {
    let profile = profile(LONDON);
    assert_eq!(profile.forward_rate, Some(figure("0.33")));
    assert_eq!((profile.ma50, profile.ma200), (Some(figure("4.9825")), Some(figure("4.5"))));
    assert_eq!((profile.low52, profile.high52), (Some(figure("4.005")), Some(figure("5.41346"))));
    assert_eq!(profile.unit.unwrap().name(), "GBp");
}

#[test]
fn the_rate_is_in_shekels_and_rand_too() {
    for (unit, books) in [("ILA", "ILS"), ("ZAc", "ZAR")] {
        let modules = format!(
            r#""price":{{"currency":"{unit}"}},"financialData":{{"financialCurrency":"{books}"}},
            "summaryDetail":{{"currency":"{unit}","dividendRate":1.2,"fiftyDayAverage":4200}}"#
        );
        let profile = profile(&modules);
        assert_eq!((profile.forward_rate, profile.ma50), (Some(figure("1.2")), Some(figure("42"))), "{unit}");
    }
}

#[test]
fn ratios_keep_their_own_units() {
    let profile = profile(LONDON);
    assert_eq!(profile.payout_ratio, Some(figure("0.8548")), "a fraction, without the float's noise");
    assert_eq!(profile.yield_avg_5y_pct, Some(figure("6.11")), "percent");
    assert_eq!(profile.pe, Some(figure("12.5")));
}

#[test]
fn names_and_kinds_are_kept_and_the_country_is_recognised() {
    let profile = profile(LONDON);
    assert_eq!((profile.name.as_deref(), profile.exchange.as_deref()), (Some("Mill plc"), Some("LSE")));
    assert_eq!((profile.kind.as_deref(), profile.instrument_type.as_deref()), (Some("EQUITY"), Some("equity")));
    assert_eq!((profile.sector.as_deref(), profile.industry.as_deref()), (Some("Energy"), Some("Mills")));
    assert_eq!(ledger::withholding::country_code(&profile.country.unwrap()), Some("GB"));
}

#[test]
fn figures_may_be_wrapped_or_words() {
    let wrapped = profile(
        r#""summaryDetail":{"currency":"USD","dividendRate":{"raw":2.5,"fmt":"2.50"},"payoutRatio":{},
        "trailingPE":"Infinity","fiftyDayAverage":{"raw":40,"fmt":"40.00"}},"calendarEvents":null,
        "quoteType":{"quoteType":"EQUITY","shortName":"MILL    INC","exchange":"NYQ"}"#,
    );
    assert_eq!((wrapped.forward_rate, wrapped.ma50), (Some(figure("2.5")), Some(figure("40"))));
    assert_eq!((wrapped.payout_ratio, wrapped.pe), (None, None));
    assert_eq!((wrapped.name.as_deref(), wrapped.exchange.as_deref()), (Some("MILL INC"), Some("NYQ")));
}

#[test]
fn a_dividend_rate_is_ignored_if_the_financials_are_in_another_currency() {
    let books = |currency: &str| {
        let detail = r#""summaryDetail":{"currency":"USD","dividendRate":2,"trailingAnnualDividendRate":7.221}"#;
        profile(&format!(r#"{detail},"financialData":{{"financialCurrency":"{currency}"}}"#)).forward_rate
    };
    assert_eq!(books("CNY"), None);
    assert_eq!(books("USD"), Some(figure("2")));
}

#[test]
fn the_trailing_dividend_is_never_taken_for_the_forward_rate() {
    let lost = profile(r#""summaryDetail":{"currency":"EUR","dividendRate":0.25,"trailingAnnualDividendRate":0}"#);
    assert_eq!(lost.forward_rate, Some(figure("0.25")));
    let fund = profile(r#""summaryDetail":{"currency":"USD","trailingAnnualDividendRate":1.77,"yield":0.0054}"#);
    assert_eq!(fund.forward_rate, None);
}

#[test]
fn a_stock_without_a_dividend_has_no_payout_ratio() {
    let stopped = profile(r#""summaryDetail":{"currency":"DKK","payoutRatio":0}"#);
    assert_eq!((stopped.payout_ratio, stopped.forward_rate), (None, None));
    let eager = profile(r#""summaryDetail":{"currency":"EUR","dividendRate":6.6,"payoutRatio":15.5}"#);
    assert_eq!(eager.payout_ratio, Some(figure("15.5")), "above its earnings is possible");
}

fn next_on(today: &str, calendar: &str) -> Option<NextDividend> {
    let body = format!(r#"{{"quoteSummary":{{"result":[{{"calendarEvents":{calendar}}}],"error":null}}}}"#);
    summary::parse(&ok(&body), "MILL", day(today)).unwrap().next
}

#[test]
fn the_next_dividend_is_not_before_today_in_utc() {
    // Midnight UTC on 2025-04-15 and 2025-05-15.
    let dates = r#"{"exDividendDate":1744675200,"dividendDate":1747267200}"#;
    let next: fn(&str, &str) -> (Date, Option<Date>) = |ex, pay| (day(ex), Some(day(pay)));
    let found = next_on("2025-03-01", dates).unwrap();
    assert_eq!((found.ex_date, found.pay_date), next("2025-04-15", "2025-05-15"));
    assert!(next_on("2025-04-15", dates).is_some());
    assert_eq!(next_on("2025-04-16", dates), None);
}

#[test]
fn past_dates_mean_no_known_next_dividend() {
    // Stopped in 2023; and a payment date of 2020 with a future ex-date.
    assert_eq!(next_on("2025-03-01", r#"{"exDividendDate":1678233600}"#), None);
    assert_eq!(next_on("2025-03-01", r#"{"dividendDate":1586390400}"#), None);
    let left_over = next_on("2025-03-01", r#"{"exDividendDate":1744675200,"dividendDate":1586390400}"#).unwrap();
    assert_eq!((left_over.ex_date, left_over.pay_date), (day("2025-04-15"), None));
}

#[test]
fn an_etf_without_calendar_or_financials_has_a_profile_and_an_unknown_symbol_none() {
    let etf = profile(r#""assetProfile":{"companyOfficers":[]},"price":{"currency":"USD","quoteType":"ETF","exchange":"NGM"}"#);
    assert_eq!((etf.kind.as_deref(), etf.instrument_type.as_deref(), etf.next), (Some("ETF"), Some("etf"), None));
    assert_eq!(summary::parse(&not_found("quoteSummary"), "GONE", day("2025-03-01")), Err(Fault::Unknown));
}

fn cover(series: &str) -> Option<String> {
    let body = format!(r#"{{"timeseries":{{"result":[{series}],"error":null}}}}"#);
    timeseries::cover(&ok(&body)).unwrap().map(|cover| cover.to_string())
}

fn series(name: &str, reports: &[(&str, i64)]) -> String {
    let report = |(date, value): &(&str, i64)| {
        format!(r#"{{"asOfDate":"{date}","currencyCode":"USD","reportedValue":{{"raw":{value},"fmt":"x"}}}}"#)
    };
    let reports: Vec<String> = reports.iter().map(report).collect();
    format!(r#"{{"meta":{{"type":["{name}"]}},"timestamp":[1],"{name}":[null,{}]}}"#, reports.join(","))
}

#[test]
fn cash_cover_uses_cash_flow_and_dividends_of_the_same_twelve_months() {
    let flow = series("trailingFreeCashFlow", &[("2024-09-30", 300), ("2024-12-31", 450)]);
    let paid = series("trailingCashDividendsPaid", &[("2024-09-30", -100), ("2024-12-31", -180)]);
    let annual = [series("annualFreeCashFlow", &[("2023-12-31", 90)]), series("annualCashDividendsPaid", &[("2023-12-31", -60)])];
    assert_eq!(cover(&[&*flow, &*paid].join(",")).as_deref(), Some("2.5"), "450 / 180");
    assert_eq!(cover(&annual.join(",")).as_deref(), Some("1.5"), "90 / 60, for want of trailing figures");
    let late = series("trailingCashDividendsPaid", &[("2024-09-30", -100)]);
    assert_eq!(cover(&[&*flow, &*late, &*annual[0], &*annual[1]].join(",")).as_deref(), Some("1.5"), "not of the same months");
    assert_eq!(cover(&flow), None);
    assert_eq!(cover(&[&*flow, &*series("trailingCashDividendsPaid", &[("2024-12-31", 0)])].join(",")), None);
    let in_yuan = paid.replace("USD", "CNY");
    assert_eq!(cover(&[&*flow, &*in_yuan].join(",")), None, "nor in one currency");
}
