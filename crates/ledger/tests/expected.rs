//! Recorded dividends against the payments they belong to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::expected::{Booking, Entitlement, State, difference, estimated, explains, matched, state};
use ledger::{Currency, Decimal, Fx, Money};

const TODAY: Date = date(2026, 11, 15);

fn euros(amount: &str) -> Money {
    Money::new(amount.parse().unwrap(), Currency::EUR)
}

fn due(pay_date: Date, amount: &str) -> Entitlement {
    Entitlement { pay_date, amount: euros(amount) }
}

fn booking(date: Date, gross: &str) -> Booking {
    Booking { date, gross: euros(gross), gross_known: true, is_dividend: true, trace: () }
}

fn amounts(dues: &[Entitlement], bookings: &[Booking]) -> (Vec<Option<Decimal>>, Vec<Decimal>) {
    let all = matched(dues, bookings).unwrap();
    let gross = |one: &ledger::expected::Booked| one.gross.amount;
    (all.booked.iter().map(|one| one.as_ref().map(gross)).collect(), all.extra.iter().map(gross).collect())
}

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn a_record_belongs_to_the_nearest_pay_date_within_twenty_days() {
    let dues = [due(date(2026, 3, 1), "10"), due(date(2026, 4, 1), "11")];
    // 20 days after the second; 12 days before the first.
    let bookings = [booking(date(2026, 4, 21), "11"), booking(date(2026, 2, 17), "10")];
    assert_eq!(amounts(&dues, &bookings), (vec![Some(d("10")), Some(d("11"))], vec![]));
    let late = [booking(date(2026, 4, 22), "11")];
    assert_eq!(amounts(&dues, &late), (vec![None, None], vec![d("11")]));
}

#[test]
fn a_record_is_used_once_and_the_nearest_pair_comes_first() {
    let dues = [due(date(2026, 3, 6), "10"), due(date(2026, 3, 13), "10")];
    assert_eq!(amounts(&dues, &[booking(date(2026, 3, 13), "10")]), (vec![None, Some(d("10"))], vec![]));
}

#[test]
fn records_of_one_day_count_together() {
    let bookings = [booking(date(2026, 3, 2), "4"), booking(date(2026, 3, 2), "6")];
    assert_eq!(amounts(&[due(date(2026, 3, 1), "10")], &bookings), (vec![Some(d("10"))], vec![]));
}

#[test]
fn a_special_of_the_same_day_has_its_own_record() {
    let dues = [due(date(2026, 3, 1), "10"), due(date(2026, 3, 1), "50")];
    let bookings = [booking(date(2026, 3, 2), "50"), booking(date(2026, 3, 2), "10")];
    assert_eq!(amounts(&dues, &bookings), (vec![Some(d("10")), Some(d("50"))], vec![]));
}

#[test]
fn a_reversed_payment_does_not_count_as_received() {
    let bookings = [booking(date(2026, 3, 1), "-10"), booking(date(2026, 3, 4), "9")];
    assert_eq!(amounts(&[due(date(2026, 3, 1), "10")], &bookings), (vec![Some(d("9"))], vec![d("-10")]));
    // Booked and reversed on one day: nothing is left.
    let undone = [booking(date(2026, 3, 1), "10"), booking(date(2026, 3, 1), "-10"), booking(date(2026, 3, 4), "9")];
    assert_eq!(amounts(&[due(date(2026, 3, 1), "10")], &undone), (vec![Some(d("9"))], vec![]));
}

#[test]
fn a_payment_is_different_beyond_two_percent_and_five_cents() {
    for (expected, recorded, want) in [
        ("10", "9.80", State::Received),
        ("10", "9.79", State::Different),
        ("10", "10.21", State::Different),
        // 5% off, but only 0.05; and 0.06 off.
        ("1", "0.95", State::Received),
        ("1", "0.94", State::Different),
    ] {
        let due = due(date(2026, 3, 1), expected);
        let all = matched(&[due], &[booking(date(2026, 3, 1), recorded)]).unwrap();
        assert_eq!(state(&due, all.booked[0].as_ref(), TODAY), want, "{expected} {recorded}");
    }
}

#[test]
fn a_payment_that_cannot_be_compared_counts_as_received() {
    let due = due(date(2026, 3, 1), "10");
    let dollars = Booking { gross: Money::new(d("3"), Currency::parse("USD").unwrap()), ..booking(date(2026, 3, 1), "3") };
    let net_only = Booking { gross_known: false, ..booking(date(2026, 3, 1), "3") };
    let parts = [net_only, booking(date(2026, 3, 1), "4")];
    for recorded in [&[dollars][..], &[net_only], &parts] {
        let booked = matched(&[due], recorded).unwrap().booked[0].unwrap();
        assert_eq!((difference(&due, &booked), state(&due, Some(&booked), TODAY)), (None, State::Received));
    }
}

#[test]
fn an_unrecorded_payment_is_missing_after_ten_days() {
    assert_eq!(state::<()>(&due(date(2026, 11, 5), "10"), None, TODAY), State::Due);
    assert_eq!(state::<()>(&due(date(2026, 11, 4), "10"), None, TODAY), State::Missing);
}

#[test]
fn a_dividend_that_is_reversed_later_is_missing() {
    let dues = [due(date(2026, 3, 1), "10")];
    let bookings = [booking(date(2026, 3, 2), "10"), booking(date(2026, 3, 4), "-10")];
    assert_eq!(amounts(&dues, &bookings), (vec![None], vec![]));
    let found = matched(&dues, &bookings).unwrap();
    assert_eq!(state(&dues[0], found.booked[0].as_ref(), TODAY), State::Missing);
    // Paid again, at another rate: 10 − 10 + 9.80.
    let again = [bookings[0], bookings[1], booking(date(2026, 3, 6), "9.80")];
    assert_eq!(amounts(&dues, &again), (vec![Some(d("9.80"))], vec![]));
}

#[test]
fn a_correction_of_a_part_lowers_the_dividend_before_it() {
    let bookings = [booking(date(2026, 3, 2), "10"), booking(date(2026, 3, 20), "-1.50")];
    assert_eq!(amounts(&[due(date(2026, 3, 1), "8.50")], &bookings), (vec![Some(d("8.50"))], vec![]));
    // 21 days later it belongs to nothing.
    let late = [bookings[0], booking(date(2026, 3, 23), "-1.50")];
    assert_eq!(amounts(&[due(date(2026, 3, 1), "10")], &late), (vec![Some(d("10"))], vec![d("-1.50")]));
}

#[test]
fn a_regular_and_a_special_recorded_as_one_sum_are_both_received() {
    let dues = [due(date(2026, 3, 1), "10"), due(date(2026, 3, 1), "50")];
    let found = matched(&dues, &[booking(date(2026, 3, 2), "60")]).unwrap();
    let states: Vec<State> = dues.iter().zip(&found.booked).map(|(due, booked)| state(due, booked.as_ref(), TODAY)).collect();
    assert_eq!(states, [State::Received, State::Received]);
    assert_eq!(amounts(&dues, &[booking(date(2026, 3, 2), "60")]), (vec![Some(d("10")), Some(d("50"))], vec![]));
    // The regular one alone: the special is missing.
    assert_eq!(amounts(&dues, &[booking(date(2026, 3, 2), "10")]), (vec![Some(d("10")), None], vec![]));
}

#[test]
fn a_return_of_capital_is_part_of_the_payment_and_no_dividend_of_its_own() {
    let capital = Booking { is_dividend: false, ..booking(date(2026, 3, 2), "4") };
    let dues = [due(date(2026, 3, 1), "10")];
    assert_eq!(amounts(&dues, &[booking(date(2026, 3, 2), "6"), capital]), (vec![Some(d("10"))], vec![]));
    assert_eq!(amounts(&[], &[capital]), (vec![], vec![]));
}

#[test]
fn a_record_explains_a_payment_from_half_to_105_percent_of_its_rounded_gross() {
    // 105.648398 × 0.5545 = 58.582036691, recorded as 58.58: from 29.29 (0.001 below half of the exact amount) to 61.509.
    // 1.1 × 53.26 = 58.586, recorded as 58.59: from 29.295 (above half of the exact amount) to 61.5195.
    for (exact, low, high) in
        [("58.582036691", ["29.28", "29.29"], ["61.50", "61.51"]), ("58.586", ["29.29", "29.30"], ["61.51", "61.52"])]
    {
        let gross = Money::new(estimated(euros(exact), d("0.15")).unwrap().gross, Currency::EUR);
        for (recorded, want) in [(low[0], false), (low[1], true), (high[0], true), (high[1], false)] {
            let booked =
                matched(&[due(date(2026, 3, 1), exact)], &[booking(date(2026, 3, 1), recorded)]).unwrap().booked[0].unwrap();
            assert_eq!(explains(gross, &booked, &Fx::default()), want, "{recorded} of {exact}");
        }
    }
}
