//! Projection, likely range, months, scores, and what was recorded for payments.

use jiff::civil::date;
use ledger::expected::{Booking, Entitlement, matched};
use ledger::explain::{self, Node, Unit};
use ledger::{Currency, Decimal, Dividend, Event, Money, PayerKind};

use super::{TODAY, d, entry, explained, figures, line, quarterly, text, usd};

fn money(name: &'static str, amount: &str) -> Node {
    Node::number(name, d(amount), Unit::Money(Currency::EUR))
}

fn fraction(name: &'static str, value: &str) -> Node {
    Node::number(name, d(value), Unit::Fraction)
}

#[test]
fn a_projection_grows_each_year_and_with_reinvested_dividends() {
    let income = || money("income", "100");
    let plain = explain::projected(income(), fraction("growth", "0.05"), None, 2).unwrap();
    assert_eq!(line(&plain), "grown(income 100.00, yearly_factor 1.05, years 2) = 110.25");
    let reinvested = [fraction("yield_fraction", "0.04"), fraction("withholding", "0.15")];
    let node = explain::projected(income(), fraction("growth", "0.05"), Some(reinvested), 2).unwrap();
    // 1.05 × (1 + 0.04 × 0.85) = 1.0857; squared 1.17874449
    assert_eq!(line(&node), "grown(income 100.00, yearly_factor 1.0857, years 2) = 117.874449");
    assert_eq!(line(&node.inputs[1]), "product(sum 1.05, sum 1.034) = 1.0857");
}

#[test]
fn the_likely_range_shows_its_centre_and_deviations() {
    let payer = |symbol: &str| (symbol.to_owned(), PayerKind::DeclaredCompany, money("income", "100"));
    let four = || ["A", "B", "C", "D"].map(payer).to_vec();
    assert_eq!(explain::likely(four(), Currency::EUR), Some(None));
    // Two portfolios with E are one payer.
    let halves = [("E", "60"), ("E", "40")]
        .map(|(symbol, income)| (symbol.to_owned(), PayerKind::DeclaredCompany, money("income", income)));
    let [low, high] = explain::likely([four(), halves.to_vec()].concat(), Currency::EUR).unwrap().unwrap();
    // 500 × 1.05 = 525; √(0.07 × (500 × 0.14)² + 0.93 × 50,000 × 0.14²) = √(343 + 911.4) = 35.42
    assert_eq!((low.rule.as_str(), text(&low), text(&low.inputs[0])), ("difference", "489.58".into(), "525.00".into()));
    assert_eq!(line(&low.inputs[1].inputs[0]), "sum(product 343, product 911.4) = 1254.4");
    // √(0.07 × 95² + 0.93 × 50,000 × 0.19²) = √(631.75 + 1678.65) = 48.07
    assert_eq!((high.rule.as_str(), text(&high)), ("sum", "573.07".into()));
}

#[test]
fn a_month_shows_who_pays_in_it_and_the_strongest_months_their_share() {
    let payers = || vec![(&[3, 6, 9, 12][..], money("A", "120")), (&[][..], money("B", "60"))];
    let month = |month| explain::month(payers(), month, Currency::EUR).unwrap();
    // A quarter of 120, and a twelfth of 60.
    assert_eq!(line(&month(3)), "sum(paid_in_4 30.00, paid_in_12 5.00) = 35.00");
    assert_eq!(line(&month(1)), "sum(paid_in_12 5.00) = 5.00");
    let months: Vec<Node> = (1..=12).map(month).collect();
    let share = explain::biggest_months_share(&months, money("net_annual_income", "180")).unwrap();
    // 3 × 35 ÷ 180 = 0.5833…
    assert_eq!(line(&share), "quotient(sum 105.00, net_annual_income 180.00) = 0.583");
    let names: Vec<&str> = share.inputs[0].inputs.iter().map(|month| &*month.name).collect();
    assert_eq!(names, ["month_3", "month_6", "month_9"]);
}

#[test]
fn scores_show_the_points_of_their_parts() {
    let mut facts = quarterly(["0.50"; 4]);
    (facts.price, facts.yield_avg_5y_pct, facts.pe) = (Some(d("40")), Some(d("5")), Some(d("20")));
    (facts.low52, facts.high52, facts.ma50, facts.ma200) = (Some(d("30")), Some(d("50")), Some(d("42")), Some(d("40")));
    let scores = figures(&facts).scores;
    // 2.00 ÷ 40 is the average: (1 − 0.7) ÷ 0.6 × 10 = 5. P/E: (30 − 20) ÷ 20 × 10 = 5.
    let value = explained(&facts, |stock| stock.value_score());
    assert_eq!((line(&value).as_str(), value.decimal()), ("quotient(sum 10, constant 2) = 5", scores.value));
    assert_eq!(line(&value.inputs[0].inputs[1]), "points(below_pe 10, points_from 0, points_to 20) = 5");
    // (40 − 30) ÷ 20 × 10 = 5; 40 ÷ 40 = 1: 5; 42 ÷ 40 = 1.05: 10. 20 ÷ 3 = 6.7
    let momentum = explained(&facts, |stock| stock.momentum_score());
    assert_eq!((line(&momentum).as_str(), momentum.decimal()), ("quotient(sum 20, constant 3) = 6.7", scores.momentum));
    assert_eq!(line(&momentum.inputs[0]), "sum(points_range 5, points_price 5, points_trend 10) = 20");
    let rating = explained(&facts, |stock| stock.rating_score());
    assert_eq!(rating.decimal(), scores.rating);
    let nothing = explained(&quarterly(["0.50"; 4]), |stock| stock.momentum_score());
    assert_eq!(line(&nothing), "unknown(reason too_few_figures) = –");
}

/// What is recorded for payments of these amounts on the 1st of June.
fn recorded(payments: &[&str], rows: &[(i8, &str)]) -> Vec<String> {
    let booking = |(sequence, (day, gross)): (i64, &(i8, &str))| {
        let gross = d(gross);
        let dividend = Dividend {
            gross,
            gross_known: true,
            tax: None,
            fees: None,
            ex_date: None,
            net: None,
            shares: None,
            per_share: None,
            estimated: false,
        };
        let entry = entry(sequence, date(2026, 6, *day), Event::Dividend(dividend));
        let gross = Money::new(gross, usd());
        Booking { date: entry.date, gross, gross_known: true, is_dividend: true, trace: explain::booked(&entry, gross) }
    };
    let bookings: Vec<_> = (1..).zip(rows).map(booking).collect();
    let due = |amount: &&str| Entitlement { pay_date: date(2026, 6, 1), amount: Money::new(d(amount), usd()) };
    let found = matched(&payments.iter().map(due).collect::<Vec<_>>(), &bookings).unwrap();
    let shown = |booked: Option<ledger::expected::Booked<Node>>| {
        booked.map_or_else(String::new, |booked| {
            assert_eq!(booked.trace.decimal(), Some(booked.gross.amount));
            line(&booked.trace)
        })
    };
    assert!(TODAY > date(2026, 6, 1) && found.extra.is_empty());
    found.booked.into_iter().map(shown).collect()
}

#[test]
fn what_is_recorded_for_a_payment_shows_its_transactions() {
    assert_eq!(recorded(&["5"], &[(2, "5")]), ["given() = 5.00"]);
    assert_eq!(recorded(&["5"], &[(2, "3"), (2, "2")]), ["sum(gross 3.00, gross 2.00) = 5.00"]);
    // A part is taken back.
    assert_eq!(recorded(&["5"], &[(2, "5"), (3, "-1")]), ["sum(gross 5.00, gross -1.00) = 4.00"]);
    // All of the first is taken back, and another recorded.
    assert_eq!(recorded(&["5"], &[(2, "5"), (3, "-5"), (4, "4")]), ["given() = 4.00"]);
    // A regular payment and a special, recorded as one sum.
    assert_eq!(
        recorded(&["10", "3"], &[(1, "13")]),
        ["difference(recorded_sum 13.00, other_payment 3.00) = 10.00", "given() = 3.00"]
    );
}

#[test]
fn a_missing_payment_is_rounded_like_a_brokers() {
    let gross = Node::number("due_payment", d("10.125"), Unit::Money(usd()));
    let [gross, tax, net] = explain::estimated(gross, fraction("withholding", "0.15"), usd()).unwrap();
    // Half-even: 10.12; × 0.15 = 1.518
    assert_eq!((text(&gross), line(&tax).as_str()), ("10.12".to_owned(), "product(gross 10.12, withholding 0.15) = 1.52"));
    assert_eq!(line(&net), "difference(gross 10.12, estimated_tax 1.52) = 8.60");
    assert_eq!(net.decimal(), Some(Decimal::new(860, 2)));
}
