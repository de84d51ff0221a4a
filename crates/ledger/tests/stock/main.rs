//! The derived figures of a stock, each worked out by hand from dividends a reader can follow.

mod forward;
mod frequency;
mod growth;
mod history;
mod safety;
mod scores;
mod yields;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Facts, Fx, MarketDividend, Metrics};

/// A Wednesday; every test that does not say otherwise looks at its stock on this day.
const TODAY: &str = "2026-07-15";

fn day(text: &str) -> Date {
    text.parse().expect("a date as YYYY-MM-DD")
}

fn dec(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).expect("an ISO 4217 code")
}

fn days_ago(days: i32) -> Date {
    day(TODAY).saturating_sub(days.days())
}

fn dividend(ex_date: Date, amount: &str) -> MarketDividend {
    MarketDividend { ex_date, pay_date: None, amount: dec(amount), currency: Currency::EUR, special: false }
}

/// A stock of which nothing but dividends in euros is known.
fn payer(dividends: &[(&str, &str)]) -> Facts {
    stock(dividends.iter().map(|(ex_date, amount)| dividend(day(ex_date), amount)).collect())
}

/// Pays the amounts one after the other, that many months apart.
fn pays_every(months: i32, first: &str, amounts: &[&str]) -> Facts {
    let ex_dates = (0..).map(|count: i32| day(first).saturating_add((count * months).months()));
    stock(ex_dates.zip(amounts).map(|(ex_date, amount)| dividend(ex_date, amount)).collect())
}

fn stock(dividends: Vec<MarketDividend>) -> Facts {
    Facts {
        currency: Currency::EUR,
        dividends,
        splits: Vec::new(),
        closes: Vec::new(),
        price: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        fund: false,
        lenient_payout: false,
    }
}

fn metrics(facts: &Facts) -> Metrics {
    metrics_on(facts, TODAY)
}

fn metrics_on(facts: &Facts, today: &str) -> Metrics {
    ledger::metrics(facts, &Fx::default(), day(today))
}
