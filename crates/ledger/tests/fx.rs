//! Which exchange rate applies on which day.
#![allow(clippy::unwrap_used)]

use jiff::civil::Date;
use ledger::fx::{BaseRates, Rates, Series};
use ledger::{Currency, Decimal, Fx};

fn code(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn fx(rates: &[(&str, &str, &str)]) -> Fx {
    Fx::new(rates.iter().map(|(currency, date, rate)| (code(currency), day(date), dec(rate))))
}

/// The rate of the day as text; a dash if there is none.
fn on(fx: &Fx, currency: &str, date: &str) -> String {
    fx.per_euro(code(currency), day(date)).map_or("-".to_owned(), |rate| rate.to_string())
}

#[test]
fn the_latest_rate_on_or_before_the_day_is_used_in_whatever_order_they_came() {
    let fx = fx(&[("USD", "2026-01-05", "1.10"), ("USD", "2026-01-02", "1.20"), ("GBP", "2026-01-02", "0.80")]);
    assert_eq!(on(&fx, "USD", "2026-01-01"), "-");
    assert_eq!(on(&fx, "USD", "2026-01-02"), "1.20");
    assert_eq!(on(&fx, "USD", "2026-01-05"), "1.10");
}

#[test]
fn the_last_of_two_rates_for_a_day_counts_and_zero_is_no_rate() {
    let fx = fx(&[("USD", "2026-01-02", "1.20"), ("USD", "2026-01-02", "1.25"), ("CHF", "2026-01-02", "0")]);
    assert_eq!(on(&fx, "USD", "2026-01-02"), "1.25");
    assert_eq!(on(&fx, "CHF", "2026-01-02"), "-");
}

#[test]
fn cross_rates_go_through_the_euro() {
    let fx = fx(&[("USD", "2026-01-02", "1.20"), ("GBP", "2026-01-02", "0.80")]);
    let convert = |from, to| fx.convert(Decimal::ONE_HUNDRED, code(from), code(to), day("2026-01-02"));
    // 100 GBP = 100 / 0.80 EUR = 125 EUR = 125 × 1.20 USD = 150 USD
    assert_eq!(convert("GBP", "USD"), Some(dec("150")));
    assert_eq!(convert("GBP", "EUR"), Some(dec("125")));
    assert_eq!(convert("EUR", "USD"), Some(dec("120")));
    assert_eq!(convert("JPY", "USD"), None);
    assert_eq!(convert("USD", "JPY"), None);
    assert_eq!(convert("JPY", "JPY"), Some(Decimal::ONE_HUNDRED), "its own currency needs no rate");
}

#[test]
fn weekends_and_holidays_use_the_rate_of_the_day_before() {
    // Wednesday the 24th, then nothing until Monday the 29th: two holidays and a weekend.
    let fx = fx(&[
        ("USD", "2025-12-24", "1.1787"),
        ("SEK", "2025-12-24", "10.80"),
        ("USD", "2025-12-29", "1.1760"),
        ("SEK", "2025-12-29", "10.81"),
    ]);
    for date in ["2025-12-25", "2025-12-27", "2025-12-28"] {
        assert_eq!(on(&fx, "USD", date), "1.1787", "{date}");
    }
    assert_eq!(on(&fx, "USD", "2025-12-29"), "1.1760");
}

#[test]
fn a_currency_that_joined_the_euro_has_its_fixed_rate_from_that_day_on() {
    let fx = fx(&[("BGN", "2025-12-30", "1.9558"), ("BGN", "2025-12-31", "1.9557"), ("USD", "2026-11-13", "1.15")]);
    assert_eq!(on(&fx, "BGN", "2025-12-31"), "1.9557", "still quoted");
    assert_eq!(on(&fx, "BGN", "2026-01-01"), "1.95583");
    assert_eq!(on(&fx, "BGN", "2026-11-15"), "1.95583");
    // 195.583 BGN are 100 EUR, 115 USD
    assert_eq!(fx.convert(dec("195.583"), code("BGN"), code("USD"), day("2026-11-15")), Some(dec("115")));
}

#[test]
fn fixed_rates_hold_without_any_table_and_not_a_day_before() {
    let none = Fx::default();
    for (currency, eve, first_day, rate) in [
        ("BGN", "2025-12-31", "2026-01-01", "1.95583"),
        ("HRK", "2022-12-31", "2023-01-01", "7.53450"),
        ("LTL", "2014-12-31", "2015-01-01", "3.45280"),
        ("LVL", "2013-12-31", "2014-01-01", "0.702804"),
        ("EEK", "2010-12-31", "2011-01-01", "15.6466"),
        ("SKK", "2008-12-31", "2009-01-01", "30.1260"),
        ("CYP", "2007-12-31", "2008-01-01", "0.585274"),
        ("MTL", "2007-12-31", "2008-01-01", "0.429300"),
        ("SIT", "2006-12-31", "2007-01-01", "239.640"),
    ] {
        assert_eq!(on(&none, currency, eve), "-", "{currency}");
        assert_eq!(on(&none, currency, first_day), rate, "{currency}");
        assert_eq!(on(&none, currency, "2026-11-15"), rate, "{currency}");
    }
}

#[test]
fn a_quote_after_the_changeover_does_not_replace_the_fixed_rate() {
    assert_eq!(on(&fx(&[("HRK", "2023-01-02", "7.6")]), "HRK", "2023-01-02"), "7.53450");
}

#[test]
fn a_suspended_currency_has_no_rate_once_the_others_are_a_week_ahead() {
    let mut rates = vec![("RUB", "2022-03-01", "117.2"), ("USD", "2022-03-01", "1.1162")];
    rates.extend(["2022-03-07", "2022-03-08", "2022-03-09", "2026-11-13"].map(|date| ("USD", date, "1.10")));
    let fx = fx(&rates);
    assert_eq!(on(&fx, "RUB", "2022-03-01"), "117.2");
    // The 8th is 7 days after the 1st, the 9th is 8.
    assert_eq!(on(&fx, "RUB", "2022-03-08"), "117.2");
    assert_eq!(on(&fx, "RUB", "2022-03-09"), "-");
    assert_eq!(on(&fx, "RUB", "2026-11-15"), "-");
    assert_eq!(fx.convert(Decimal::ONE, code("RUB"), code("USD"), day("2026-11-15")), None);
    assert_eq!(fx.convert(Decimal::ONE, code("USD"), code("RUB"), day("2026-11-15")), None);
}

#[test]
fn a_redenominated_currency_has_no_rate_after_its_last_one() {
    let fx = fx(&[("ROL", "2005-06-30", "36050"), ("RON", "2005-07-01", "3.6"), ("RON", "2005-07-11", "3.57")]);
    assert_eq!(on(&fx, "ROL", "2005-07-01"), "36050");
    assert_eq!(on(&fx, "ROL", "2005-07-11"), "-", "the 30th of June is 11 days before");
    assert_eq!(on(&fx, "RON", "2005-06-30"), "-");
}

#[test]
fn a_gap_of_years_has_no_rate_until_the_next_one() {
    let fx = fx(&[
        ("ISK", "2008-12-09", "290"),
        ("USD", "2008-12-09", "1.28"),
        ("USD", "2008-12-16", "1.37"),
        ("USD", "2008-12-17", "1.40"),
        ("USD", "2018-01-31", "1.24"),
        ("ISK", "2018-02-01", "125.01"),
        ("USD", "2018-02-01", "1.25"),
    ]);
    assert_eq!(on(&fx, "ISK", "2008-12-16"), "290");
    assert_eq!(on(&fx, "ISK", "2008-12-17"), "-");
    assert_eq!(on(&fx, "ISK", "2018-01-31"), "-");
    assert_eq!(on(&fx, "ISK", "2018-02-01"), "125.01");
}

#[test]
fn a_table_that_is_old_as_a_whole_keeps_its_rates() {
    // Loaded by hand in October, asked for in November: nothing newer is known of any currency.
    let fx = fx(&[("USD", "2026-10-01", "1.15"), ("GBP", "2026-09-30", "0.86"), ("RUB", "2022-03-01", "117.2")]);
    assert_eq!(on(&fx, "USD", "2026-11-15"), "1.15");
    assert_eq!(on(&fx, "GBP", "2026-11-15"), "0.86");
    assert_eq!(on(&fx, "RUB", "2026-11-15"), "-");
}

#[test]
fn a_table_with_one_currency_never_goes_stale() {
    assert_eq!(on(&fx(&[("USD", "2020-01-02", "1.12")]), "USD", "2026-11-15"), "1.12");
}

#[test]
fn rates_after_the_day_do_not_make_earlier_ones_stale() {
    let fx = fx(&[("RUB", "2022-03-01", "117.2"), ("USD", "2022-03-01", "1.1162"), ("USD", "2026-11-13", "1.15")]);
    assert_eq!(on(&fx, "RUB", "2022-03-05"), "117.2");
}

#[test]
fn a_currency_never_quoted_has_no_rate() {
    assert_eq!(on(&fx(&[("USD", "2026-11-13", "1.15")]), "TWD", "2026-11-15"), "-");
}

#[test]
fn a_fingerprint_changes_only_with_the_rates_up_to_its_day() {
    let usd = ("USD", "2026-01-05", "1.10");
    let mark = |rates: &[(&str, &str, &str)]| fx(rates).fingerprint(&[Currency::EUR, code("USD")], day("2026-01-10"));
    let plain = mark(&[usd]);
    // Later rates, and another rate on a day that is there.
    assert_eq!(mark(&[usd, ("USD", "2026-01-11", "1.20"), ("GBP", "2026-02-01", "0.9")]), plain);
    assert_eq!(mark(&[usd, ("GBP", "2026-01-05", "0.9")]), plain);
    for changed in [
        &[("USD", "2026-01-05", "1.11")][..],
        // The same rate may print otherwise.
        &[("USD", "2026-01-05", "1.100")],
        &[("USD", "2026-01-06", "1.10")],
        &[usd, ("USD", "2026-01-10", "1.10")],
        // A later day of any currency can mean that this one was suspended.
        &[usd, ("GBP", "2026-01-06", "0.9")],
        &[],
    ] {
        assert_ne!(mark(changed), plain, "{changed:?}");
    }
}

/// Dollars and pounds until January 2026, roubles until they were suspended.
#[derive(Debug)]
struct Base {
    rates: Vec<(Currency, Rates)>,
    days: Series<Date>,
}

impl BaseRates for Base {
    fn rates(&self, currency: Currency) -> Option<&Rates> {
        self.rates.iter().find(|(code, _)| *code == currency).map(|(_, rates)| rates)
    }

    fn days(&self) -> &Series<Date> {
        &self.days
    }
}

fn base(dollar: &str) -> &'static Base {
    let list = |rates: &[(&str, &str)]| Series::new(rates.iter().map(|(date, rate)| (day(date), dec(rate))).collect());
    let dollars = list(&[("2022-03-01", "1.11"), ("2026-01-05", dollar), ("2026-01-06", "1.21")]);
    let days = Series::new(["2022-03-01", "2026-01-05", "2026-01-06"].map(day).to_vec());
    let rates = [
        ("USD", dollars),
        ("GBP", list(&[("2022-03-01", "0.8"), ("2026-01-06", "0.9")])),
        ("RUB", list(&[("2022-03-01", "117.2")])),
    ];
    Box::leak(Box::new(Base { rates: rates.map(|(name, rates)| (code(name), rates)).to_vec(), days }))
}

#[test]
fn base_rates_count_where_there_is_no_newer_rate() {
    let fx = fx(&[("USD", "2026-01-05", "1.3"), ("USD", "2026-02-02", "1.4")]).with_base(base("1.2"));
    assert_eq!(on(&fx, "USD", "2022-03-01"), "1.11");
    assert_eq!(on(&fx, "USD", "2026-01-05"), "1.3", "ours wins on the same day");
    assert_eq!(on(&fx, "USD", "2026-01-31"), "1.21");
    assert_eq!(on(&fx, "USD", "2026-02-02"), "1.4");
    assert_eq!(on(&fx, "GBP", "2026-02-02"), "0.9", "nobody here delivers pounds");
    assert_eq!(on(&fx, "RUB", "2022-03-08"), "117.2");
    assert_eq!(on(&fx, "RUB", "2026-02-02"), "-");
    assert_eq!(fx.rate_date(code("USD"), day("2026-01-31")), Some(day("2026-01-06")));
    assert_eq!(fx.rate_date(Currency::EUR, day("2026-01-31")), None);
}

#[test]
fn a_suspension_that_only_our_rates_know_holds() {
    let fx = fx(&[("GBP", "2026-01-07", "0.91"), ("USD", "2026-01-07", "1.3"), ("USD", "2026-02-02", "1.4")]);
    assert_eq!(on(&fx.with_base(base("1.2")), "GBP", "2026-02-02"), "-");
}

#[test]
fn days_of_the_base_do_not_make_our_own_rates_stale() {
    let fx = fx(&[("TWD", "2025-11-30", "36")]).with_base(base("1.2"));
    assert_eq!(on(&fx, "TWD", "2026-01-06"), "36");
}

#[test]
fn a_fingerprint_changes_with_the_base_rates_of_its_currencies_and_days() {
    let mark = |base, currency: &str, until| Fx::default().with_base(base).fingerprint(&[code(currency)], day(until));
    assert_ne!(mark(base("1.2"), "USD", "2026-01-05"), mark(base("1.25"), "USD", "2026-01-05"));
    assert_eq!(mark(base("1.2"), "USD", "2026-01-04"), mark(base("1.25"), "USD", "2026-01-04"));
    assert_eq!(mark(base("1.2"), "GBP", "2026-01-05"), mark(base("1.25"), "GBP", "2026-01-05"));
    assert_ne!(mark(base("1.2"), "USD", "2026-01-05"), Fx::default().fingerprint(&[code("USD")], day("2026-01-05")));
}
