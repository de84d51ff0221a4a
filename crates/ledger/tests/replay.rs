//! Properties of every replay.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, Entry, Event, Fx, Oversell, Position, Ratio, SharesHeld, Split, Trade, replay, shares_before};
use proptest::prelude::*;

const LAST: Date = date(2026, 12, 31);

fn trade() -> impl Strategy<Value = Trade> {
    // From a hundredth of a share to ten thousand, at up to 500 each.
    (1..1_000_000i64, 1..50_000i64, 0..1_000i64).prop_map(|(shares, price, fees)| {
        let shares = Decimal::new(shares, 2);
        let amount = shares.checked_mul(Decimal::new(price, 2)).expect("a small amount");
        Trade { shares, amount, fees: Decimal::new(fees, 2), cost_known: true }
    })
}

fn ratio() -> impl Strategy<Value = Ratio> {
    (1..12i64, 1..12i64).prop_map(|(new, old)| Ratio { new: Decimal::from(new), old: Decimal::from(old) })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => trade().prop_map(Event::Buy),
        3 => trade().prop_map(Event::Sell),
        1 => trade().prop_map(Event::TransferIn),
        1 => trade().prop_map(Event::TransferOut),
        1 => ratio().prop_map(Event::Split),
        1 => (0..100_000i64).prop_map(|cents| Event::ReturnOfCapital { amount: Decimal::new(cents, 2) }),
    ]
}

fn some_day() -> impl Strategy<Value = Date> {
    // Few days, so that several entries often share one.
    (0..40i32).prop_map(|days| date(2026, 1, 1).saturating_add(days.days()))
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec((some_day(), event()), 0..12).prop_map(|events| {
        let entry = |(sequence, (date, event))| Entry { date, sequence, currency: Currency::EUR, fx_rate: None, event };
        (1..).zip(events).map(entry).collect()
    })
}

fn market_splits() -> impl Strategy<Value = Vec<Split>> {
    prop::collection::vec((some_day(), ratio()).prop_map(|(date, ratio)| Split { date, ratio }), 0..3)
}

fn replayed(entries: &[Entry], splits: &[Split], until: Date) -> Option<Position> {
    replay(entries, Currency::EUR, splits, &Fx::default(), until, Oversell::Close).expect("figures within range")
}

/// `event` recorded after everything else.
fn then(entries: &[Entry], event: Event) -> Vec<Entry> {
    let last = Entry { date: LAST, sequence: i64::MAX, currency: Currency::EUR, fx_rate: None, event };
    entries.iter().cloned().chain([last]).collect()
}

proptest! {
    #[test]
    fn the_order_of_the_slice_does_not_matter(
        (ordered, shuffled) in entries().prop_flat_map(|entries| (Just(entries.clone()), Just(entries).prop_shuffle())),
        splits in market_splits(),
    ) {
        prop_assert_eq!(replayed(&ordered, &splits, LAST), replayed(&shuffled, &splits, LAST));
        prop_assert_eq!(shares_before(&ordered, &splits, LAST), shares_before(&shuffled, &splits, LAST));
    }

    #[test]
    fn an_open_position_has_shares_and_no_negative_cost(entries in entries(), splits in market_splits(), until in some_day()) {
        if let Some(position) = replayed(&entries, &splits, until) {
            prop_assert!(position.shares > Decimal::ZERO);
            prop_assert!(position.cost >= Decimal::ZERO);
            prop_assert!(position.opened <= until);
        }
    }

    #[test]
    fn shares_before_the_next_day_equal_the_position(entries in entries(), splits in market_splits(), until in some_day()) {
        let shares = replayed(&entries, &splits, until).map_or(Decimal::ZERO, |position| position.shares);
        prop_assert_eq!(shares_before(&entries, &splits, until.saturating_add(1.day())), shares);
    }

    #[test]
    fn a_sale_leaves_the_average_cost(entries in entries(), splits in market_splits(), percent in 1..100i64) {
        let Some(before) = replayed(&entries, &splits, LAST) else { return Ok(()) };
        let shares = before.shares.checked_mul(Decimal::new(percent, 2)).expect("fewer shares");
        let sale = Event::Sell(Trade { shares, amount: Decimal::ONE, fees: Decimal::ONE, cost_known: true });
        // A rest below a ten-thousandth of a share is nothing.
        let Some(after) = replayed(&then(&entries, sale), &splits, LAST) else { return Ok(()) };
        let moved = after.average_cost().amount.checked_sub(before.average_cost().amount).expect("near figures");
        prop_assert!(moved.abs() <= Decimal::new(1, 20), "moved by {moved}");
        prop_assert_eq!((after.opened, after.opened_sequence), (before.opened, before.opened_sequence));
    }

    #[test]
    fn a_split_leaves_the_cost(entries in entries(), ratio in ratio()) {
        let Some(before) = replayed(&entries, &[], LAST) else { return Ok(()) };
        let recorded = replayed(&then(&entries, Event::Split(ratio)), &[], LAST);
        let market = replayed(&entries, &[Split { date: LAST, ratio }], LAST);
        // Unless it leaves less than a ten-thousandth of a share.
        prop_assert!(recorded.is_none_or(|position| position.cost == before.cost));
        prop_assert_eq!(market, recorded);
    }

    #[test]
    fn only_overselling_is_refused(mut entries in entries(), percent in 1..200i64) {
        entries.retain(|entry| !matches!(entry.event, Event::Sell(_) | Event::TransferOut(_)));
        let held = shares_before(&entries, &[], LAST);
        let shares = held.checked_mul(Decimal::new(percent, 2)).expect("a share count");
        let entries = then(&entries, Event::TransferOut(Trade { shares, amount: Decimal::ZERO, fees: Decimal::ZERO, cost_known: true }));
        let refused = replay(&entries, Currency::EUR, &[], &Fx::default(), LAST, Oversell::Refuse).is_err();
        // A ten-thousandth of a share may be rounding.
        prop_assert_eq!(refused, shares.saturating_sub(held) > Decimal::new(1, 4));
    }

    #[test]
    fn shares_over_time_equal_those_before_each_day(entries in entries(), splits in market_splits()) {
        let held = SharesHeld::of(&entries, &splits);
        for days in -1..45i32 {
            let day = date(2026, 1, 1).saturating_add(days.days());
            prop_assert_eq!(held.before(day), shares_before(&entries, &splits, day), "{}", day);
        }
    }
}

#[test]
fn share_counts_that_overflow_leave_nothing_held() {
    let buy = |sequence: i64| Entry {
        date: date(2026, 1, 1).saturating_add(sequence.days()),
        sequence,
        currency: Currency::EUR,
        fx_rate: None,
        event: Event::Buy(Trade { shares: Decimal::MAX, amount: Decimal::ONE, fees: Decimal::ZERO, cost_known: true }),
    };
    let entries = [buy(1), buy(2), buy(3)];
    let held = SharesHeld::of(&entries, &[]);
    for (day, shares) in [(2, Decimal::ZERO), (3, Decimal::MAX), (4, Decimal::ZERO), (5, Decimal::ZERO)] {
        let day = date(2026, 1, day);
        assert_eq!(held.before(day), shares, "{day}");
        assert_eq!(shares_before(&entries, &[], day), shares, "{day}");
    }
}
