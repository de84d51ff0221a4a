use market::Split;
use market::validation::{Known, Reason, splits};

use crate::{TODAY, fields, known_split, split};

fn kept(known: &Known, answer: &[Split]) -> Vec<ledger::Split> {
    let validated = splits(known, answer, TODAY);
    assert!(validated.rejected.is_empty(), "{:?}", validated.rejected);
    validated.rows
}

fn rejected(known: &Known, answer: &[Split]) -> (usize, Reason) {
    let validated = splits(known, answer, TODAY);
    assert_eq!(validated.rejected.len(), 1, "{:?}", validated.rejected);
    (validated.rows.len(), validated.rejected[0].reason.clone())
}

#[test]
fn real_splits_pass_by_date_in_lowest_terms() {
    let answer = [split("2020-08-31", "4:1"), split("2014-06-09", "1.5:1"), split("2010-01-04", "1:200")];
    let expected = [known_split("2010-01-04", "1:200"), known_split("2014-06-09", "3:2"), known_split("2020-08-31", "4:1")];
    assert_eq!(kept(&Known::default(), &answer), expected);
}

/// 1.046 is 523:500, 1.281 is 1281:1000. 1000:1 and 101:100 have a small side.
#[test]
fn a_spin_off_in_disguise_is_rejected() {
    for ratio in ["1.0460:1", "1281:1000"] {
        let (rows, reason) = rejected(&Known::default(), &[split("2021-11-04", ratio)]);
        assert!(rows == 0 && matches!(reason, Reason::UnusualRatio { .. }), "{ratio}: {reason:?}");
    }
    assert_eq!(fields(&splits(&Known::default(), &[split("2021-11-04", "1.0460:1")], TODAY).rejected), ["split 2021-11-04"]);
    assert_eq!(kept(&Known::default(), &[split("2021-11-04", "1000:1"), split("2023-11-04", "101:100")]).len(), 2);
}

#[test]
fn a_split_of_zero_or_one_to_one_is_dropped() {
    let mut zero = split("2021-11-04", "1:1");
    zero.ratio.old = ledger::Decimal::ZERO;
    assert_eq!(rejected(&Known::default(), &[zero]).1, Reason::NotPositive);
    assert!(kept(&Known::default(), &[split("2021-11-04", "2:2")]).is_empty());
}

/// Today is 2026-07-01; 90 days on is 2026-09-29.
#[test]
fn a_split_is_known_at_most_a_quarter_ahead() {
    assert_eq!(kept(&Known::default(), &[split("2026-09-29", "2:1")]).len(), 1);
    assert_eq!(rejected(&Known::default(), &[split("2026-09-30", "2:1")]).1, Reason::SplitTooFarAhead { days: 90 });
}

#[test]
fn one_split_listed_twice_is_one() {
    let twice = [split("2020-08-31", "4:1"), split("2020-08-31", "8:2"), split("2020-09-07", "4:1")];
    assert_eq!(kept(&Known::default(), &twice), [known_split("2020-08-31", "4:1")]);
    assert_eq!(kept(&Known::default(), &[split("2020-08-31", "4:1"), split("2020-09-08", "4:1")]).len(), 2);
}

#[test]
fn a_known_split_within_the_week_keeps_its_date() {
    let known = Known { splits: vec![known_split("2020-08-28", "4:1")], ..Known::default() };
    assert_eq!(kept(&known, &[split("2020-08-31", "4:1")]), [known_split("2020-08-28", "4:1")]);
    assert!(matches!(rejected(&known, &[split("2020-08-31", "5:1")]).1, Reason::OtherSplit { .. }));
}

#[test]
fn of_two_ratios_within_a_week_the_second_is_rejected() {
    let (rows, reason) = rejected(&Known::default(), &[split("2020-08-31", "4:1"), split("2020-09-07", "3:1")]);
    assert_eq!((rows, reason), (1, Reason::OtherSplit { ratio: "4:1".to_owned(), date: "2020-08-31".to_owned() }));
    assert_eq!(kept(&Known::default(), &[split("2020-08-31", "4:1"), split("2020-09-08", "3:1")]).len(), 2);
}

#[test]
fn a_ratio_beyond_all_digits_is_rejected_without_a_panic() {
    let mut huge = split("2021-11-04", "1:0.0000000000000000000000000001");
    huge.ratio.new = ledger::Decimal::MAX;
    assert_eq!(rejected(&Known::default(), &[huge]).1, Reason::TooManyDigits);
}
