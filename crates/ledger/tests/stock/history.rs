use jiff::civil::Date;
use ledger::{Currency, Fx, History, MarketDividend, Ratio, Split};

use crate::{TODAY, currency, day, dec, dividend, metrics, metrics_on, payer, pays_every};

fn split(date: &str, ratio: &str) -> Split {
    Split { date: day(date), ratio: Ratio::parse(ratio).expect("a ratio as 4:1") }
}

fn history(dividends: &[MarketDividend], splits: &[Split], fx: &Fx) -> History {
    History::new(dividends, splits, Currency::EUR, fx, day(TODAY))
}

/// Ex-date, amount per share of today, amount as paid.
fn amounts(history: &History) -> Vec<(Date, String, String)> {
    let text = |amount: ledger::Decimal| amount.normalize().to_string();
    history.payments.iter().map(|payment| (payment.ex_date, text(payment.amount), text(payment.paid_amount))).collect()
}

fn paid_on(ex_date: &str, pay_date: &str) -> MarketDividend {
    MarketDividend { pay_date: Some(day(pay_date)), ..dividend(day(ex_date), "1.00") }
}

fn paid_in(code: &str, ex_date: &str, amount: &str) -> MarketDividend {
    MarketDividend { currency: currency(code), ..dividend(day(ex_date), amount) }
}

#[test]
fn a_dividend_is_divided_by_the_splits_after_its_ex_date() {
    let dividends = [
        dividend(day("2014-05-08"), "3.29"),
        dividend(day("2020-05-08"), "0.82"),
        dividend(day("2020-08-31"), "0.205"),
        dividend(day("2026-05-08"), "0.27"),
    ];
    // 3.29 ÷ 7 ÷ 4 = 0.1175; 0.82 ÷ 4 = 0.205; the ex-date on the day of the split is of new shares; 2027 is yet to come.
    let splits = [split("2014-06-09", "7:1"), split("2020-08-31", "4:1"), split("2027-01-01", "2:1")];
    let expected = [
        ("2014-05-08", "0.1175", "3.29"),
        ("2020-05-08", "0.205", "0.82"),
        ("2020-08-31", "0.205", "0.205"),
        ("2026-05-08", "0.27", "0.27"),
    ];
    let expected = expected.map(|(ex_date, amount, paid)| (day(ex_date), amount.to_owned(), paid.to_owned()));
    assert_eq!(amounts(&history(&dividends, &splits, &Fx::default())), expected);
}

#[test]
fn a_reverse_split_raises_what_was_paid_before_it() {
    // 0.05 × 10
    let history = history(&[dividend(day("2024-05-08"), "0.05")], &[split("2025-01-02", "1:10")], &Fx::default());
    assert_eq!(amounts(&history), [(day("2024-05-08"), "0.5".to_owned(), "0.05".to_owned())]);
}

#[test]
fn a_split_within_the_last_year_does_not_distort_the_forward_rate() {
    // 1.00 before a 4:1 split is 0.25 after it: 4 × 0.25, even.
    let mut facts = pays_every(3, "2025-09-05", &["1.00", "1.00", "0.25", "0.25"]);
    facts.splits = vec![split("2026-01-15", "4:1")];
    assert_eq!(metrics(&facts).forward_rate, dec("1.00"));
}

#[test]
fn of_two_currencies_on_one_ex_date_the_trading_currency_wins() {
    let fx = Fx::new([(currency("USD"), day("2020-01-01"), dec("1.25")), (currency("CAD"), day("2020-01-01"), dec("1.60"))]);
    let amount =
        |rows: &[MarketDividend]| amounts(&history(rows, &[], &fx)).into_iter().map(|(_, amount, _)| amount).collect::<Vec<_>>();
    let (usd, cad, eur) =
        (paid_in("USD", "2026-05-08", "0.50"), paid_in("CAD", "2026-05-08", "0.72"), paid_in("EUR", "2026-05-08", "0.41"));
    assert_eq!(amount(&[usd, cad, eur]), ["0.41"]);
    // Else the first: 0.50 ÷ 1.25 = 0.40, 0.72 ÷ 1.60 = 0.45.
    assert_eq!(amount(&[usd, cad]), ["0.4"]);
    assert_eq!(amount(&[cad, usd]), ["0.45"]);
    // The first that has a rate, when one has none.
    assert_eq!(amount(&[paid_in("JPY", "2026-05-08", "80"), cad]), ["0.45"]);
}

#[test]
fn a_dividend_without_a_rate_is_left_out() {
    let fx = Fx::new([(currency("USD"), day("2026-01-01"), dec("1.25"))]);
    let rows = [paid_in("USD", "2025-12-31", "0.50"), paid_in("JPY", "2026-05-08", "80"), paid_in("USD", "2026-05-08", "0.50")];
    assert_eq!(amounts(&history(&rows, &[], &fx)), [(day("2026-05-08"), "0.4".to_owned(), "0.4".to_owned())]);
}

#[test]
fn a_declared_dividend_is_converted_at_todays_rate() {
    // 0.60 ÷ 1.20, the rate of today, not the one of a day to come.
    let fx = Fx::new([(currency("USD"), day(TODAY), dec("1.20")), (currency("USD"), day("2026-08-01"), dec("2.00"))]);
    assert_eq!(amounts(&history(&[paid_in("USD", "2026-08-08", "0.60")], &[], &fx))[0].1, "0.5");
}

#[test]
fn parts_of_one_payment_add_up_and_repeated_rows_count_once() {
    let rows =
        [("2026-03-08", "0.30"), ("2026-03-08", "0.30"), ("2026-03-08", "0.05"), ("2026-06-08", "0"), ("2026-06-09", "0.31")];
    let history = metrics(&payer(&rows)).history;
    let expected = [("2026-03-08", "0.35"), ("2026-06-09", "0.31")]
        .map(|(ex_date, amount)| (day(ex_date), amount.to_owned(), amount.to_owned()));
    assert_eq!(amounts(&history), expected);
}

#[test]
fn a_duplicate_payment_fills_in_a_missing_pay_date() {
    let paid = |row: MarketDividend, pay_date| MarketDividend { pay_date: Some(day(pay_date)), ..row };
    let (usd, eur) = (paid_in("USD", "2026-05-08", "0.50"), paid_in("EUR", "2026-05-08", "0.41"));
    let pay_date = |rows: &[MarketDividend]| history(rows, &[], &Fx::default()).payments[0].pay_date;
    assert_eq!(pay_date(&[paid(usd, "2026-05-20"), paid(eur, "2026-05-29")]), day("2026-05-29"));
    assert_eq!(pay_date(&[paid(usd, "2026-05-20"), eur]), day("2026-05-20"));
    // Of two parts the first to be paid counts.
    let gain = paid_in("EUR", "2026-05-08", "0.10");
    assert_eq!(pay_date(&[paid(eur, "2026-05-29"), paid(gain, "2026-06-12")]), day("2026-05-29"));
}

#[test]
fn a_special_on_the_ex_date_of_a_regular_payment_stays_apart() {
    let special = MarketDividend { special: true, ..dividend(day("2026-05-08"), "7.00") };
    let (income, gain) = (dividend(day("2026-05-08"), "0.50"), dividend(day("2026-05-08"), "0.20"));
    let history = history(&[income, special, gain], &[], &Fx::default());
    assert_eq!(history.payments.iter().map(|payment| payment.amount).collect::<Vec<_>>(), [dec("0.70"), dec("7.00")]);
    assert_eq!(history.regular().map(|payment| payment.amount).collect::<Vec<_>>(), [dec("0.70")]);
}

#[test]
fn a_missing_pay_date_follows_the_stocks_own_lag() {
    let missing = dividend(day("2026-06-01"), "1.00");
    let special = MarketDividend { special: true, ..paid_on("2025-12-10", "2026-03-10") };
    // Lags of 10, 14 and 40 days: median 14. The special's 90 do not count.
    let odd = [
        paid_on("2025-09-01", "2025-09-11"),
        paid_on("2025-12-01", "2025-12-15"),
        paid_on("2026-03-01", "2026-04-10"),
        special,
        missing,
    ];
    // Lags of 10 and 15 days: 12.5, so 12.
    let even = [paid_on("2025-12-01", "2025-12-11"), paid_on("2026-03-01", "2026-03-16"), missing];
    for (rows, lag_days, pay_date) in [(&odd[..], 14, "2026-06-15"), (&even, 12, "2026-06-13"), (&[missing], 21, "2026-06-22")] {
        let history = history(rows, &[], &Fx::default());
        let last = history.payments[history.payments.len() - 1];
        assert_eq!((history.lag_days, last.pay_date, last.pay_date_known), (lag_days, day(pay_date), false));
        assert!(history.payments[..history.payments.len() - 1].iter().all(|payment| payment.pay_date_known));
    }
}

#[test]
fn the_ex_dividend_date_is_the_next_one_declared_else_the_last() {
    let facts = payer(&[("2026-04-01", "1"), ("2026-07-15", "1"), ("2026-10-01", "1")]);
    for (today, expected) in
        [("2026-07-14", "2026-07-15"), ("2026-07-15", "2026-07-15"), ("2026-07-16", "2026-10-01"), ("2026-11-01", "2026-10-01")]
    {
        assert_eq!(metrics_on(&facts, today).ex_dividend_date, Some(day(expected)), "on {today}");
    }
    assert_eq!(metrics(&payer(&[])).ex_dividend_date, None);
}
