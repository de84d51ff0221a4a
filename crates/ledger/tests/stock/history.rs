use jiff::civil::Date;
use ledger::upcoming::next_ex;
use ledger::{Currency, Facts, Fx, History, MarketDividend, Ratio, Split};

use crate::{TODAY, currency, day, dec, dividend, metrics, metrics_on, payer, pays_every};

fn split(date: &str, ratio: &str) -> Split {
    Split { date: day(date), ratio: Ratio::parse(ratio).expect("a ratio as 4:1") }
}

fn history(dividends: &[MarketDividend], splits: &[Split]) -> History {
    History::new(dividends, splits, Currency::EUR, false, day(TODAY))
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
    assert_eq!(amounts(&history(&dividends, &splits)), expected);
}

#[test]
fn a_reverse_split_raises_what_was_paid_before_it() {
    // 0.05 × 10
    let history = history(&[dividend(day("2024-05-08"), "0.05")], &[split("2025-01-02", "1:10")]);
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
    let amount = |rows: &[MarketDividend]| {
        let history = history(rows, &[]);
        (history.currency.to_string(), history.payments.iter().map(|payment| payment.amount).collect::<Vec<_>>())
    };
    let (usd, cad, eur) =
        (paid_in("USD", "2026-05-08", "0.50"), paid_in("CAD", "2026-05-08", "0.72"), paid_in("EUR", "2026-05-08", "0.41"));
    assert_eq!(amount(&[usd, cad, eur]), ("EUR".to_owned(), vec![dec("0.41")]));
    // Else the first.
    assert_eq!(amount(&[usd, cad]), ("USD".to_owned(), vec![dec("0.50")]));
    assert_eq!(amount(&[cad, usd]), ("CAD".to_owned(), vec![dec("0.72")]));
}

#[test]
fn a_history_is_in_the_currency_of_its_latest_payment() {
    // 2024's was also listed in euros, the trading currency; 2023's was paid in yen.
    let rows = [
        paid_in("JPY", "2023-05-08", "80"),
        paid_in("EUR", "2024-05-08", "0.37"),
        paid_in("USD", "2024-05-08", "0.40"),
        paid_in("USD", "2025-05-08", "0.45"),
        paid_in("USD", "2026-05-08", "0.50"),
    ];
    let history = history(&rows, &[]);
    assert_eq!(history.currency, currency("USD"));
    let regular: Vec<_> = history.regular().map(|payment| (payment.ex_date.year(), payment.amount)).collect();
    assert_eq!(regular, [(2024, dec("0.40")), (2025, dec("0.45")), (2026, dec("0.50"))]);
    // A special in another currency changes nothing.
    let special = MarketDividend { special: true, ..paid_in("EUR", "2026-06-08", "3") };
    assert_eq!(self::history(&[&rows[..], &[special]].concat(), &[]).currency, currency("USD"));
}

#[test]
fn without_an_exchange_rate_a_declared_payment_keeps_its_own_currency() {
    let fx = Fx::new([(currency("USD"), day(TODAY), dec("1.20")), (currency("USD"), day("2026-08-01"), dec("2.00"))]);
    let declared = |code| {
        let facts = Facts { dividends: vec![paid_in(code, "2026-08-07", "0.60")], ..payer(&[]) };
        ledger::metrics(&facts, &fx, day(TODAY)).to_come[0].per_share
    };
    // 0.60 ÷ 1.20, the rate of today, not the one of a day to come.
    assert_eq!(declared("USD"), ledger::Money::new(dec("0.5"), Currency::EUR));
    assert_eq!(declared("JPY"), ledger::Money::new(dec("0.60"), currency("JPY")));
}

#[test]
fn a_payment_after_an_announced_split_is_per_new_share() {
    // One of today's shares will be two: 0.13 for each of them.
    let rows = [dividend(day("2026-05-08"), "0.25"), dividend(day("2026-08-07"), "0.13")];
    let history = history(&rows, &[split("2026-08-01", "2:1")]);
    assert_eq!(history.payments.iter().map(|payment| payment.amount).collect::<Vec<_>>(), [dec("0.25"), dec("0.26")]);
    assert_eq!(history.payments[1].paid_amount, dec("0.13"));
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
    let pay_date = |rows: &[MarketDividend]| history(rows, &[]).payments[0].pay_date;
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
    let history = history(&[income, special, gain], &[]);
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
        let history = history(rows, &[]);
        let last = history.payments[history.payments.len() - 1];
        assert_eq!((history.lag_days, last.pay_date, last.pay_date_known), (lag_days, day(pay_date), false));
        assert!(history.payments[..history.payments.len() - 1].iter().all(|payment| payment.pay_date_known));
    }
}

#[test]
fn the_next_ex_date_is_declared_or_estimated_and_never_past() {
    let facts = payer(&[("2026-04-01", "1"), ("2026-07-15", "1"), ("2026-10-01", "1")]);
    // No rule was near on 1 October. Two vote for 4 January, the first business day; four for 31 December: 1 January (the same
    // date, and the median of 1, 15 and 1 January) is no business day, 91 days end on 31 December, and so do 15 days before the
    // third Friday. The median was a week off, the others more, so its rule leads on: 1, 15 and 1 April.
    for (today, expected, declared) in [
        ("2026-07-14", "2026-07-15", true),
        ("2026-07-15", "2026-07-15", true),
        ("2026-07-16", "2026-10-01", true),
        ("2026-11-01", "2026-12-31", false),
        ("2026-12-31", "2026-12-31", false),
        ("2027-01-01", "2027-04-01", false),
    ] {
        let next = next_ex(&metrics_on(&facts, today), day(today)).expect("a next payment");
        assert_eq!((next.ex_date, next.declared), (day(expected), declared), "on {today}");
    }
    // Stopped 167 days after the last.
    assert_eq!(next_ex(&metrics_on(&facts, "2027-03-17"), day("2027-03-17")), None);
    assert_eq!(next_ex(&metrics(&payer(&[])), day(TODAY)), None);
    // A special is no regular ex-date.
    let mut special = payer(&[]);
    special.dividends.push(MarketDividend { special: true, ..dividend(day("2026-08-07"), "1") });
    assert_eq!(next_ex(&metrics(&special), day(TODAY)), None);
}

#[test]
fn a_fund_without_payment_dates_pays_after_five_days() {
    let fund = History::new(&[dividend(day("2026-06-01"), "1.00")], &[], Currency::EUR, true, day(TODAY));
    assert_eq!((fund.lag_days, fund.payments[0].pay_date), (5, day("2026-06-06")));
}
