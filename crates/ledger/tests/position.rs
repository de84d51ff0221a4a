//! Positions replayed from entries, each worked out by hand.

use jiff::civil::Date;
use ledger::{
    Currency, Decimal, Dividend, Entry, Event, Fx, Oversell, Position, Ratio, ReplayError, SharesHeld, Split, Trade, misfits,
    possible_splits, rates_asked, replay, shares_before, shares_missing, shares_paid,
};

fn day(text: &str) -> Date {
    text.parse().expect("a date as YYYY-MM-DD")
}

fn dec(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

fn usd() -> Currency {
    Currency::parse("USD").expect("an ISO 4217 code")
}

fn trade(shares: &str, price: &str, fees: &str) -> Trade {
    let amount = dec(shares).checked_mul(dec(price)).expect("a small amount");
    Trade { shares: dec(shares), amount, fees: dec(fees), cost_known: true }
}

fn buy(shares: &str, price: &str) -> Event {
    Event::Buy(trade(shares, price, "0"))
}

fn sell(shares: &str) -> Event {
    Event::Sell(trade(shares, "99", "5"))
}

fn ratio(text: &str) -> Ratio {
    Ratio::parse(text).expect("a ratio as 4:1")
}

fn market_split(date: &str, text: &str) -> Split {
    Split { date: day(date), ratio: ratio(text) }
}

/// Entries in euros, recorded in the order given.
fn entries<const COUNT: usize>(events: [(&str, Event); COUNT]) -> Vec<Entry> {
    let entry = |(sequence, (date, event)): (i64, (&str, Event))| Entry {
        date: day(date),
        sequence,
        currency: Currency::EUR,
        fx_rate: None,
        event,
    };
    (1..).zip(events).map(entry).collect()
}

fn replayed(entries: &[Entry], splits: &[Split]) -> Option<Position> {
    replay(entries, Currency::EUR, splits, &Fx::default(), day("2030-01-01"), Oversell::Refuse).expect("a ledger that replays")
}

/// Shares and cost of the position still open at the end.
fn held(entries: &[Entry], splits: &[Split]) -> Option<(Decimal, Decimal)> {
    replayed(entries, splits).map(|position| (position.shares, position.cost))
}

fn some(shares: &str, cost: &str) -> Option<(Decimal, Decimal)> {
    Some((dec(shares), dec(cost)))
}

#[test]
fn purchases_are_averaged_and_fees_are_part_of_the_cost() {
    // 10 × 10 + 5 = 105, 20 × 12.50 + 1.50 = 251.50: 356.50 for 30 shares, 11.88333…
    let entries = entries([
        ("2026-01-05", Event::Buy(trade("10", "10", "5"))),
        ("2026-02-05", Event::TransferIn(trade("20", "12.50", "1.50"))),
    ]);
    assert_eq!(held(&entries, &[]), some("30", "356.50"));
    let average = replayed(&entries, &[]).map(|position| position.average_cost().per_share_text());
    assert_eq!(average.as_deref(), Some("11.8833333333"));
}

#[test]
fn a_sale_lowers_the_cost_at_the_running_average() {
    // 30 shares for 90; 10 leave at 3 each, whatever they fetched; then 5 more are bought for 40: 25 for 100.
    let events =
        [("2026-01-05", buy("30", "3")), ("2026-02-05", sell("4")), ("2026-02-06", Event::TransferOut(trade("6", "0", "0")))];
    assert_eq!(held(&entries(events.clone()), &[]), some("20", "60"));
    let [first, second, third] = events;
    assert_eq!(held(&entries([first, second, third, ("2026-03-05", buy("5", "8"))]), &[]), some("25", "100"));
}

#[test]
fn a_finite_average_stays_exact_through_sales() {
    // 3 shares for 10.50, 3.50 each; a third of them leaves, then half of the rest.
    let entries = entries([("2026-01-05", buy("3", "3.50")), ("2026-01-06", sell("1")), ("2026-01-07", sell("1"))]);
    assert_eq!(held(&entries, &[]), some("1", "3.50"));
}

#[test]
fn a_position_sold_out_is_closed_and_the_next_purchase_opens_a_new_one() {
    let closed = [("2026-01-05", buy("10", "10")), ("2026-02-05", sell("10"))];
    assert_eq!(replayed(&entries(closed.clone()), &[]), None);
    let [bought, sold] = closed;
    let position = replayed(&entries([bought, sold, ("2026-03-05", buy("2", "7")), ("2026-04-05", buy("2", "9"))]), &[]);
    let expected = Position {
        currency: Currency::EUR,
        shares: dec("4"),
        cost: dec("32"),
        opened: day("2026-03-05"),
        opened_sequence: 3,
        cost_known: true,
    };
    assert_eq!(position, Some(expected));
}

#[test]
fn a_purchase_of_zero_shares_opens_no_position() {
    assert_eq!(replayed(&entries([("2026-01-05", Event::Buy(trade("0", "10", "5")))]), &[]), None);
    // The next purchase opens it, without the fees of a purchase of nothing.
    let nothing_first = entries([("2026-01-05", Event::Buy(trade("0", "10", "5"))), ("2026-02-05", buy("2", "7"))]);
    assert_eq!(replayed(&nothing_first, &[]).map(|open| (open.cost, open.opened)), Some((dec("14"), day("2026-02-05"))));
}

#[test]
fn entries_of_one_day_follow_their_order_of_recording() {
    let mut entries = entries([("2026-01-05", buy("10", "10")), ("2026-01-05", sell("10")), ("2026-01-05", buy("1", "7"))]);
    assert_eq!(held(&entries, &[]), some("1", "7"));
    entries.reverse();
    assert_eq!(held(&entries, &[]), some("1", "7"));
}

#[test]
fn a_recorded_split_multiplies_shares_and_leaves_the_cost() {
    let entries = entries([("2026-01-05", buy("10", "12")), ("2026-02-05", Event::Split(ratio("3:2")))]);
    assert_eq!(held(&entries, &[]), some("15", "120"));
}

#[test]
fn a_market_split_applies_to_what_was_held_before_its_day() {
    // 10 become 40; the 5 bought on the day itself are new shares already.
    let entries = entries([("2026-01-05", buy("10", "12")), ("2026-02-05", buy("5", "3"))]);
    assert_eq!(held(&entries, &[market_split("2026-02-05", "4:1")]), some("45", "135"));
    assert_eq!(held(&entries, &[market_split("2026-01-05", "4:1")]), some("15", "135"));
}

#[test]
fn a_recorded_split_replaces_a_market_split_within_seven_days() {
    let with_own_split = |date| entries([("2026-01-05", buy("10", "12")), (date, Event::Split(ratio("4:1")))]);
    let splits = [market_split("2026-03-15", "4:1")];
    for date in ["2026-03-08", "2026-03-15", "2026-03-22"] {
        assert_eq!(held(&with_own_split(date), &splits), some("40", "120"), "{date}");
    }
    // At the same ratio, within thirty days.
    for date in ["2026-02-13", "2026-03-07", "2026-03-23", "2026-04-14"] {
        assert_eq!(held(&with_own_split(date), &splits), some("40", "120"), "{date}");
        assert_eq!(held(&with_own_split(date), &[market_split("2026-03-15", "8:2")]), some("40", "120"), "{date}");
    }
    for date in ["2026-02-12", "2026-04-15"] {
        assert_eq!(held(&with_own_split(date), &splits), some("160", "120"), "{date}");
    }
    // At another ratio, within seven: 10 × 4 × 2.
    let other = [market_split("2026-03-15", "2:1")];
    assert_eq!(held(&with_own_split("2026-03-22"), &other), some("40", "120"));
    assert_eq!(held(&with_own_split("2026-03-23"), &other), some("80", "120"));
}

/// The position as it is read: of stored entries.
fn stored(entries: &[Entry], splits: &[Split]) -> Option<Decimal> {
    let position = replay(entries, Currency::EUR, splits, &Fx::default(), day("2030-01-01"), Oversell::Close);
    position.expect("a ledger that replays").map(|position| position.shares)
}

#[test]
fn a_split_learned_later_that_makes_a_sale_impossible_is_not_applied() {
    // 100 bought, 50 sold. With a reverse split before the sale only 10 would have been held.
    let entries = entries([("2026-01-05", buy("100", "10")), ("2026-03-05", sell("50"))]);
    let late = [market_split("2026-02-05", "1:10")];
    assert_eq!(stored(&entries, &late), Some(dec("50")));
    assert_eq!(shares_before(&entries, &late, day("2026-04-01")), dec("50"));
    assert_eq!(shares_paid(&entries, &late, day("2026-04-01")), dec("50"));
    assert_eq!(SharesHeld::of(&entries, &late).before(day("2026-04-01")), dec("50"));
    assert_eq!(possible_splits(&entries, &late).len(), 0);
    // After the sale it fits: 50 become 5.
    let fits = [market_split("2026-04-05", "1:10")];
    assert_eq!(stored(&entries, &fits), Some(dec("5")));
    assert_eq!(possible_splits(&entries, &fits), fits.as_slice());
    // A new entry is checked against every split.
    let refused = replay(&entries, Currency::EUR, &late, &Fx::default(), day("2030-01-01"), Oversell::Refuse);
    let oversold = ReplayError::Oversold { sequence: 2, date: day("2026-03-05"), held: dec("10"), asked: dec("50") };
    assert_eq!(refused, Err(oversold));
}

#[test]
fn of_several_splits_only_the_one_that_does_not_fit_is_left_out() {
    // 100 × 2 − 150 = 50, and 50 ÷ 5 at the end. The 1:10 of March would leave 20 for the sale of 150.
    let entries = entries([("2026-01-05", buy("100", "10")), ("2026-04-05", sell("150"))]);
    let splits = [market_split("2026-02-05", "2:1"), market_split("2026-03-05", "1:10"), market_split("2026-05-05", "1:5")];
    assert_eq!(*possible_splits(&entries, &splits), [splits[0], splits[2]]);
    assert_eq!(stored(&entries, &splits), Some(dec("10")));
    // Without a reverse split to blame, all stay: more was sold than bought.
    let oversold = [market_split("2026-02-05", "6:5")];
    assert_eq!(*possible_splits(&entries, &oversold), oversold);
    assert_eq!(stored(&entries, &oversold), None);
}

#[test]
fn a_fraction_left_by_a_reverse_split_closes_the_position() {
    // 0.001 ÷ 30 = 0.0000333…; 0.003 ÷ 30 is exactly 0.0001, which stays.
    let left = |shares| stored(&entries([("2026-01-05", buy(shares, "10"))]), &[market_split("2026-02-05", "1:30")]);
    assert_eq!(left("0.001"), None);
    assert_eq!(left("0.003"), Some(dec("0.0001")));
    let own = entries([("2026-01-05", buy("0.001", "10")), ("2026-02-05", Event::Split(ratio("1:30")))]);
    assert_eq!(stored(&own, &[]), None);
    assert_eq!(shares_before(&own, &[], day("2026-03-01")), dec("0"));
    // A purchase of so little stays.
    assert_eq!(stored(&entries([("2026-01-05", buy("0.00005", "10"))]), &[]), Some(dec("0.00005")));
}

#[test]
fn a_sale_within_a_ten_thousandth_share_of_all_sells_all() {
    // 10 × 1 ÷ 3 = 3.3333…, which the broker counts as 3.3333 or 3.3334.
    let sold = |shares| {
        entries([("2026-01-05", buy("10", "3")), ("2026-02-05", Event::Split(ratio("1:3"))), ("2026-03-05", sell(shares))])
    };
    for shares in ["3.3333", "3.33333333", "3.3334"] {
        assert_eq!(replayed(&sold(shares), &[]), None, "{shares}");
    }
    // 3.3333… + 0.0001 is the most; 3.3333… − 0.00011 leaves too much.
    let refused = replay(&sold("3.33344"), Currency::EUR, &[], &Fx::default(), day("2030-01-01"), Oversell::Refuse);
    assert!(refused.is_err());
    assert!(replayed(&sold("3.3332"), &[]).is_some());
}

#[test]
fn shares_are_paid_as_they_are_after_the_splits_of_the_ex_date() {
    // Held before the day, times the split of the day; what is bought or sold on the day does not count.
    let bought = entries([("2026-01-05", buy("100", "10")), ("2026-03-05", buy("7", "5")), ("2026-03-05", sell("30"))]);
    let splits = [market_split("2026-03-05", "2:1")];
    assert_eq!(shares_paid(&bought, &splits, day("2026-03-04")), dec("100"));
    assert_eq!(shares_paid(&bought, &splits, day("2026-03-05")), dec("200"));
    // 200 + 7 − 30
    assert_eq!(shares_paid(&bought, &splits, day("2026-03-06")), dec("177"));
    assert_eq!(shares_before(&bought, &splits, day("2026-03-05")), dec("100"));
    let own = entries([("2026-01-05", buy("100", "10")), ("2026-03-05", Event::Split(ratio("2:1")))]);
    assert_eq!(shares_paid(&own, &[], day("2026-03-05")), dec("200"));
}

#[test]
fn a_return_of_capital_lowers_the_cost_but_not_below_zero() {
    let returned =
        |amount| entries([("2026-01-05", buy("10", "12")), ("2026-02-05", Event::ReturnOfCapital { amount: dec(amount) })]);
    assert_eq!(held(&returned("20"), &[]), some("10", "100"));
    assert_eq!(held(&returned("120.01"), &[]), some("10", "0"));
    let mut unheld = entries([("2026-01-05", Event::ReturnOfCapital { amount: dec("5") }), ("2026-02-05", buy("1", "9"))]);
    assert_eq!(held(&unheld, &[]), some("1", "9"));
    // With nothing to lower, no rate is needed either.
    unheld[0].currency = usd();
    assert_eq!(held(&unheld, &[]), some("1", "9"));
}

#[test]
fn a_dividend_does_not_change_the_position() {
    let dividend = Dividend {
        gross: dec("18"),
        gross_known: true,
        tax: None,
        fees: None,
        ex_date: None,
        net: None,
        shares: None,
        per_share: None,
        estimated: false,
    };
    assert_eq!(
        held(&entries([("2026-01-05", buy("10", "12")), ("2026-02-05", Event::Dividend(dividend))]), &[]),
        some("10", "120")
    );
}

#[test]
fn another_currency_is_converted_at_the_entrys_rate_or_that_of_its_day() {
    let mut entries = entries([
        ("2026-01-05", Event::Buy(trade("10", "12", "5"))),
        ("2026-02-05", Event::ReturnOfCapital { amount: dec("25") }),
    ]);
    entries.iter_mut().for_each(|entry| entry.currency = usd());
    let fx = Fx::new([(usd(), day("2026-01-01"), dec("1.25")), (usd(), day("2026-02-01"), dec("2"))]);
    let cost = |entries: &[Entry], fx: &Fx| {
        replay(entries, Currency::EUR, &[], fx, day("2030-01-01"), Oversell::Refuse).map(|open| open.map(|open| open.cost))
    };
    // 125 ÷ 1.25 = 100, less 25 ÷ 2 = 12.50
    assert_eq!(cost(&entries, &fx), Ok(Some(dec("87.50"))));
    // 125 × 0.90 = 112.50, less 12.50
    entries[0].fx_rate = Some(dec("0.90"));
    assert_eq!(cost(&entries, &fx), Ok(Some(dec("100.00"))));
    let missing = ReplayError::MissingRate { sequence: 2, date: day("2026-02-05"), from: usd(), to: Currency::EUR };
    assert_eq!(cost(&entries, &Fx::default()), Err(missing));
    assert_eq!(
        missing.to_string(),
        "no exchange rate from USD to EUR is known for 2026-02-05; record the entry with its own fx_rate"
    );
}

#[test]
fn a_rate_recorded_with_the_positions_own_currency_is_ignored() {
    let mut entries = entries([("2026-01-05", buy("10", "12"))]);
    entries[0].fx_rate = Some(dec("1.10"));
    assert_eq!(held(&entries, &[]), some("10", "120"));
}

#[test]
fn sales_and_transfers_out_need_no_exchange_rate() {
    let mut entries = entries([
        ("2026-01-05", buy("10", "12")),
        ("2026-02-05", sell("1")),
        ("2026-02-06", Event::TransferOut(trade("1", "1", "0"))),
    ]);
    entries[1].currency = usd();
    entries[2].currency = usd();
    assert_eq!(held(&entries, &[]), some("8", "96"));
}

#[test]
fn selling_more_than_held_is_refused_or_closes_the_position() {
    let entries = entries([("2026-01-05", buy("10", "12")), ("2026-02-05", sell("10.5")), ("2026-03-05", buy("1", "9"))]);
    let at = |until, oversell| replay(&entries, Currency::EUR, &[], &Fx::default(), day(until), oversell);
    let oversold = ReplayError::Oversold { sequence: 2, date: day("2026-02-05"), held: dec("10"), asked: dec("10.5") };
    assert_eq!(at("2026-02-05", Oversell::Refuse), Err(oversold));
    assert_eq!(
        oversold.to_string(),
        "10.5 shares leave on 2026-02-05, but only 10 are held; correct the count or record the missing purchase first"
    );
    assert_eq!(at("2026-02-05", Oversell::Close), Ok(None));
    assert_eq!(at("2026-03-05", Oversell::Close).map(|open| open.map(|open| open.shares)), Ok(Some(dec("1"))));
}

/// The shares that are missing, and that with them, but not with less, nothing is oversold.
fn missing(mut entries: Vec<Entry>, splits: &[Split], before: &str) -> Decimal {
    let shares = shares_missing(&entries, splits).expect("small figures").map_or(Decimal::ZERO, |missing| missing.shares);
    let opening = |shares| Event::TransferIn(Trade { shares, amount: Decimal::ZERO, fees: Decimal::ZERO, cost_known: true });
    entries.push(Entry { date: day(before), sequence: 0, currency: Currency::EUR, fx_rate: None, event: opening(shares) });
    let replays = |entries: &[Entry]| replay(entries, Currency::EUR, splits, &Fx::default(), Date::MAX, Oversell::Refuse).is_ok();
    assert!(replays(&entries));
    entries.last_mut().expect("the opening").event = opening(shares.checked_sub(dec("0.0002")).expect("a small number"));
    assert!(!replays(&entries));
    shares
}

#[test]
fn an_average_with_an_unknown_cost_says_so_until_the_position_is_closed() {
    let unknown = Event::TransferIn(Trade { cost_known: false, ..trade("5", "2", "0") });
    let all = entries([
        ("2026-01-05", unknown),
        ("2026-01-06", buy("5", "4")),
        ("2026-01-07", sell("4")),
        ("2026-01-08", sell("6")),
        ("2026-01-09", buy("1", "7")),
    ]);
    let first = |count: usize| replayed(&all[..count], &[]).map(|open| (open.shares, open.cost, open.cost_known));
    assert_eq!(first(2), Some((dec("10"), dec("30"), false)));
    assert_eq!(first(3), Some((dec("6"), dec("18"), false)));
    assert_eq!(first(5), Some((dec("1"), dec("7"), true)));
}

#[test]
fn entries_that_do_not_fit_are_named_as_if_earlier_ones_were_left_out() {
    let held = entries([
        ("2026-01-05", buy("4", "1")),
        ("2026-01-06", sell("5")),
        ("2026-01-07", sell("3")),
        ("2026-01-08", sell("2")),
        ("2026-01-09", sell("1")),
    ]);
    // Without the sale of 5, the sale of 3 leaves 1, of which 2 cannot be sold, but 1 can.
    let wrong = misfits(&held, Currency::EUR, &[], &Fx::default());
    assert_eq!(wrong.iter().map(|(sequence, _)| *sequence).collect::<Vec<_>>(), [held[1].sequence, held[3].sequence]);
    assert_eq!(misfits(&held[..1], Currency::EUR, &[], &Fx::default()), []);
}

#[test]
fn the_first_sale_that_lacks_shares_is_named_with_the_splits_before_it() {
    let split = Event::Split(ratio("4:1"));
    let sold =
        entries([("2026-01-05", buy("1", "1")), ("2026-01-06", split), ("2026-01-07", sell("12")), ("2026-01-08", sell("4"))]);
    // One share became 4; 12 and 4 more are sold: 12 are missing, which were 3.
    let missing = shares_missing(&sold, &[]).expect("small figures").expect("shares are missing");
    assert_eq!((missing.shares, missing.sequence, missing.grown), (dec("3"), sold[2].sequence, ratio("4:1")));
}

#[test]
fn the_missing_shares_are_enough_for_every_sale() {
    // 0 − 10, + 4, − 5: at the worst, 11 are missing.
    let sold = entries([("2026-01-05", sell("10")), ("2026-01-10", buy("4", "1")), ("2026-01-20", sell("5"))]);
    assert_eq!(missing(sold, &[], "2026-01-04"), dec("11"));
    // 3 − 1 − 3.5, in any order of the entries.
    let out = Event::TransferOut(trade("3.5", "0", "0"));
    let moved = entries([("2026-03-01", out), ("2026-02-01", sell("1")), ("2026-01-01", buy("3", "1"))]);
    assert_eq!(missing(moved, &[], "2025-12-31"), dec("1.5"));
    assert_eq!(shares_missing(&entries([("2026-01-05", buy("10", "1")), ("2026-01-06", sell("10"))]), &[]), Ok(None));
    assert_eq!(shares_missing(&[], &[]), Ok(None));
}

#[test]
fn the_missing_shares_are_those_of_before_the_splits() {
    // (x − 10) × 2 − 30 = 0 for x = 25.
    let split = Event::Split(ratio("2:1"));
    let own = entries([("2026-01-05", sell("10")), ("2026-02-01", split), ("2026-03-01", sell("30"))]);
    assert_eq!(missing(own, &[], "2026-01-04"), dec("25"));
    let sold = || entries([("2026-01-05", sell("10")), ("2026-03-01", sell("30"))]);
    assert_eq!(missing(sold(), &[market_split("2026-02-01", "2:1")], "2026-01-04"), dec("25"));
    assert_eq!(missing(sold(), &[market_split("2025-02-01", "2:1")], "2026-01-04"), dec("40"), "over long before");
    assert_eq!(missing(sold(), &[market_split("2026-01-05", "2:1")], "2026-01-04"), dec("20"), "at the start of the first day");
    // 10 ÷ 3, rounded up.
    let third = missing(entries([("2026-01-05", sell("10"))]), &[market_split("2026-01-05", "3:1")], "2026-01-04");
    assert_eq!(third, dec("3.33333334"));
}

#[test]
fn transferring_out_what_is_not_held_is_refused_too() {
    let entries = entries([("2026-01-05", Event::TransferOut(trade("1", "0", "0")))]);
    let refused = replay(&entries, Currency::EUR, &[], &Fx::default(), day("2026-01-05"), Oversell::Refuse);
    let oversold = ReplayError::Oversold { sequence: 1, date: day("2026-01-05"), held: dec("0"), asked: dec("1") };
    assert_eq!(refused, Err(oversold));
}

#[test]
fn entries_and_splits_after_the_day_asked_for_do_not_count() {
    let entries = entries([("2026-01-05", buy("10", "12")), ("2026-02-05", buy("10", "12"))]);
    let splits = [market_split("2026-03-05", "2:1")];
    let shares = |until| {
        let position = replay(&entries, Currency::EUR, &splits, &Fx::default(), day(until), Oversell::Refuse);
        position.map(|position| position.map(|position| position.shares))
    };
    for (until, expected) in [
        ("2026-01-04", None),
        ("2026-01-05", Some("10")),
        ("2026-02-04", Some("10")),
        ("2026-03-04", Some("20")),
        ("2026-03-05", Some("40")),
    ] {
        assert_eq!(shares(until), Ok(expected.map(dec)), "until {until}");
    }
}

#[test]
fn shares_before_a_day_leave_out_the_day_itself() {
    let entries = entries([
        ("2026-01-05", buy("10", "12")),
        ("2026-02-05", sell("4")),
        ("2026-04-05", sell("100")),
        ("2026-04-06", buy("3", "1")),
    ]);
    let splits = [market_split("2026-03-05", "2:1")];
    for (date, expected) in [
        ("2026-01-05", "0"),
        ("2026-01-06", "10"),
        ("2026-02-05", "10"),
        ("2026-02-06", "6"),
        ("2026-03-05", "6"),
        ("2026-03-06", "12"),
        ("2026-04-06", "0"),
        ("2026-04-07", "3"),
    ] {
        assert_eq!(shares_before(&entries, &splits, day(date)), dec(expected), "before {date}");
    }
}

#[test]
fn rates_are_needed_only_for_foreign_costs_without_their_own_rate() {
    let back = Event::ReturnOfCapital { amount: dec("3") };
    let mut entries = entries([
        ("2026-01-05", buy("10", "20")),
        ("2026-01-06", Event::TransferIn(trade("1", "20", "0"))),
        ("2026-01-07", sell("2")),
        ("2026-01-08", back),
        ("2026-01-09", buy("10", "20")),
        ("2026-01-12", buy("10", "20")),
    ]);
    entries[4].fx_rate = Some(dec("1.1"));
    let asked: Vec<_> = rates_asked(&entries, usd(), day("2026-01-11")).collect();
    assert_eq!(asked, ["2026-01-05", "2026-01-06", "2026-01-08"].map(|date| (Currency::EUR, day(date))));
    assert_eq!(rates_asked(&entries, Currency::EUR, day("2026-01-11")).count(), 0);
}

#[test]
fn a_figure_out_of_range_is_an_error() {
    let trade = Trade { shares: Decimal::MAX, amount: Decimal::ONE, fees: Decimal::ZERO, cost_known: true };
    let entries = entries([("2026-01-05", Event::Buy(trade)), ("2026-01-06", Event::Buy(trade))]);
    let result = replay(&entries, Currency::EUR, &[], &Fx::default(), day("2026-01-06"), Oversell::Close);
    assert_eq!(result, Err(ReplayError::Overflow));
    assert_eq!(shares_before(&entries, &[], day("2026-01-07")), Decimal::ZERO);
}
