//! The back-test on short histories, with outcomes worked out by hand.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use jiff::civil::{Date, date};
use ledger::backtest::{ExDate, Half, Place, Places, RateErrors, Record, Within, YearAhead, portfolios};
use ledger::{Currency, Decimal, Frequency, MarketDividend, PayerKind, Ratio, Split};

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn record(payments: &[(&str, &str)], until: &str) -> Record {
    let dividend = |&(ex_date, amount): &(&str, &str)| MarketDividend {
        ex_date: day(ex_date),
        pay_date: None,
        amount: dec(amount),
        currency: Currency::EUR,
        special: false,
    };
    Record {
        symbol: "KO".to_owned(),
        currency: Currency::EUR,
        fund: false,
        dividends: payments.iter().map(dividend).collect(),
        splits: Vec::new(),
        until: day(until),
    }
}

/// Raises its dividend every January.
const RAISING: [(&str, &str); 9] = [
    ("2023-01-10", "0.50"),
    ("2023-04-10", "0.50"),
    ("2023-07-10", "0.50"),
    ("2023-10-10", "0.50"),
    ("2024-01-10", "0.55"),
    ("2024-04-10", "0.55"),
    ("2024-07-10", "0.55"),
    ("2024-10-10", "0.55"),
    ("2025-01-10", "0.60"),
];

#[test]
fn a_half_is_chosen_by_the_hash_of_the_symbol() {
    // The hashes of the algorithm's own test suite: e40c292c, e70c2de5, bf9cf968.
    assert_eq!(["a", "b", "foobar"].map(Half::of), [Half::Choosing, Half::Judging, Half::Choosing]);
}

#[test]
fn ex_dates_are_estimated_from_the_payments_before_them() {
    let record = record(&[("2024-01-10", "1"), ("2024-04-10", "1"), ("2024-07-10", "1"), ("2024-10-15", "1")], "2024-10-15");
    let outcomes = record.ex_dates();
    let dates: Vec<(Date, Date)> = outcomes.iter().map(|one| (one.estimate, one.ex_date)).collect();
    let expected = [
        // 10 April is the 15th business day from the end of its month, like 11 July. Nothing could be judged yet.
        (date(2024, 7, 11), date(2024, 7, 10)),
        // 10 July was the 8th business day of its month, like 10 April before it and 10 October.
        (date(2024, 10, 10), date(2024, 10, 15)),
    ];
    assert_eq!(dates, expected, "one payment has no rhythm, so there is no estimate for the second");
    assert_eq!(outcomes.iter().map(|one| one.known).collect::<Vec<_>>(), [2, 3]);
    assert!(outcomes.iter().all(|one| one.frequency == Frequency::Quarterly && !one.fund && !one.resumed));
    assert_eq!(Within::of(&outcomes), Within { payments: 2, one_day: 1, three_days: 1, seven_days: 2 });
}

#[test]
fn a_payment_after_a_stop_has_resumed() {
    // A monthly payer has stopped 1.5 × 30 + 30 = 75 days after its last ex-date, 2024-03-11. Day 75 is 2024-05-25.
    let resumed = |next: &str| {
        let payments = [("2024-01-10", "1"), ("2024-02-12", "1"), ("2024-03-11", "1"), (next, "1")];
        record(&payments, next).ex_dates().last().map(|one| one.resumed)
    };
    assert_eq!([resumed("2024-05-26"), resumed("2024-05-27")], [Some(false), Some(true)]);
}

#[test]
fn what_came_later_changes_no_earlier_estimate() {
    let all = record(&RAISING, "2025-01-10");
    for known in 1..RAISING.len() {
        let mut part = record(&RAISING[..known], RAISING[known - 1].0);
        let (ex_dates, years) = (part.ex_dates(), part.years_ahead());
        assert_eq!(all.ex_dates()[..ex_dates.len()], ex_dates);
        assert_eq!(all.years_ahead()[..years.len()], years);
        // A special, and a split of the year after.
        part.dividends.push(MarketDividend { special: true, ..part.dividends[known - 1] });
        part.splits.push(Split { date: date(2026, 1, 2), ratio: Ratio::parse("2:1").unwrap() });
        assert_eq!((part.ex_dates(), part.years_ahead()), (ex_dates, years));
    }
}

#[test]
fn forward_rates_are_compared_with_the_next_twelve_months() {
    let years = record(&RAISING, "2025-01-10").years_ahead();
    // From the month after the second payment to the last one whose next twelve months are known.
    assert_eq!((years.len(), years[0].day, years[8].day), (9, date(2023, 5, 1), date(2024, 1, 1)));
    // 4 × 0.50 each time. Paid: 2 × 0.50 + 2 × 0.55, then 0.50 + 3 × 0.55, then 4 × 0.55.
    let paid: Vec<Decimal> = years.iter().map(|year| year.paid).collect();
    assert_eq!(paid, ["2.10", "2.10", "2.10", "2.15", "2.15", "2.15", "2.20", "2.20", "2.20"].map(dec));
    assert!(years.iter().all(|year| year.forward_rate == dec("2.00") && year.kind == PayerKind::DeclaredCompany));
    // Of nine: the fifth is 0.15 ÷ 2.15, the seventh 0.20 ÷ 2.20.
    let errors = RateErrors::of(&years);
    assert_eq!((errors.months, errors.stopped), (9, 0));
    assert_eq!(errors.median.map(|error| error.round_dp(4)), Some(dec("0.0698")));
    assert_eq!(errors.third_quartile.map(|error| error.round_dp(4)), Some(dec("0.0909")));
}

#[test]
fn a_split_changes_no_error() {
    let mut split = record(&RAISING, "2025-01-10");
    split.splits.push(Split { date: date(2023, 9, 1), ratio: Ratio::parse("2:1").unwrap() });
    for row in split.dividends.iter_mut().filter(|row| row.ex_date >= date(2023, 9, 1)) {
        row.amount /= Decimal::TWO;
    }
    let years = split.years_ahead();
    // Per share of the day: 2.00 before the split, 1.00 from its day on.
    let rates: Vec<Decimal> = years.iter().map(|year| year.forward_rate).collect();
    assert_eq!(rates, ["2", "2", "2", "2", "1", "1", "1", "1", "1"].map(dec));
    assert_eq!(RateErrors::of(&years), RateErrors::of(&record(&RAISING, "2025-01-10").years_ahead()));
}

#[test]
fn a_stop_is_infinitely_wrong() {
    // Stopped 166.5 days after 2023-10-10, on 2024-03-25, so the last rate is that of 2024-03-01.
    let years = record(&RAISING[..4], "2025-12-31").years_ahead();
    assert_eq!((years.len(), years[10].day), (11, date(2024, 3, 1)));
    // Paid after May to July: 1.00; after August to October: 0.50; then nothing. The forward rate is 2.00.
    let errors = RateErrors::of(&years);
    assert_eq!(errors, RateErrors { months: 11, stopped: 5, median: Some(dec("3")), third_quartile: None });
    // Without knowing that nothing followed, no year is complete.
    assert_eq!(record(&RAISING[..4], "2023-10-10").years_ahead(), []);
}

#[test]
fn a_year_with_payments_in_another_currency_is_not_compared() {
    let mut changed = record(&RAISING, "2025-01-10");
    changed.dividends[8].currency = Currency::parse("USD").unwrap();
    assert_eq!(changed.years_ahead(), record(&RAISING, "2025-01-10").years_ahead(), "no year reaches the last payment");
    changed.dividends[7].currency = Currency::parse("USD").unwrap();
    // The year after 2023-11-01 is the first with the payment of 2024-10-10.
    assert_eq!(changed.years_ahead().last().map(|year| year.day), Some(date(2023, 10, 1)));
}

fn paying(payers: usize, paid: &str) -> Vec<YearAhead> {
    let kind = PayerKind::DeclaredCompany;
    let year = YearAhead { half: Half::Judging, day: date(2020, 1, 1), kind, forward_rate: dec("2"), paid: dec(paid) };
    vec![year; payers]
}

#[test]
fn outcomes_of_portfolios_are_below_inside_or_above_the_range() {
    // Declared companies pay 1.05 × the forward rate in the mean; the range of ten is about 0.99 to 1.13 of it.
    for (paid, place) in [("1", Place::Below), ("2.1", Place::Inside), ("3", Place::Above)] {
        let chosen = portfolios(&paying(25, paid), 100);
        assert!(chosen.iter().all(|portfolio| portfolio.place == place && (10..=25).contains(&portfolio.payers)), "{paid}");
        assert_eq!(Places::of(&chosen).portfolios, 100);
    }
}

#[test]
fn portfolios_differ_from_each_other_and_are_the_same_every_time() {
    let mut years = paying(60, "2.1");
    years.iter_mut().skip(30).for_each(|year| year.paid = dec("1.9"));
    let (first, second) = (portfolios(&years, 500), portfolios(&years, 500));
    assert_eq!(first, second);
    let places = Places::of(&first);
    // Half of the payers pay 1.05, half 0.95: about 1.00 together, near the low end of the range.
    assert!(places.below > 50 && places.inside > 50 && places.below + places.inside + places.above == 500, "{places:?}");
    let payers = |count: usize| first.iter().filter(|portfolio| portfolio.payers == count).count();
    assert!((10..=40).all(|count| payers(count) > 0), "every size is chosen");
}

#[test]
fn days_with_few_payers_have_no_portfolios() {
    assert_eq!(portfolios(&paying(19, "2.1"), 10), []);
}

#[test]
fn errors_of_nothing_are_unknown() {
    let none: [ExDate; 0] = [];
    assert_eq!(Within::of(&none), Within::default());
    assert_eq!(RateErrors::of(&paying(0, "1")), RateErrors::default());
}
