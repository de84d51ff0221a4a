//! The derived figures of real payers, compared with known ones; `docs/reports/PAYERS.md` and `payers.csv` are generated from them.
//!
//! The dividend histories are not part of this repository. Without them these tests check nothing, and print that.
#![allow(clippy::unwrap_used)]

mod causes;
mod document;
mod folder;
mod named;
mod payer;
mod plain;
mod rows;
mod survey;
mod vectors;

use jiff::ToSpan;
use jiff::civil::date;
use ledger::{Decimal, Fx, metrics};

use payer::{Payer, facts};
use rows::Row;

#[test]
fn every_payer_has_plausible_figures() {
    let Some(symbols) = rows::read() else { return };
    for payer in Payer::all(&symbols) {
        let Payer { symbol, ours, .. } = &payer;
        assert!(!ours.stopped, "{symbol} has stopped the day after a payment");
        assert_eq!(ours.forward_rate > Decimal::ZERO, ours.frequency.is_some(), "{symbol}: a rate and no rhythm, or no rate");
        assert_eq!(ours.payment_months.is_empty(), ours.frequency.is_none(), "{symbol}: months and no rhythm, or no months");
        assert!(ours.payment_months.iter().all(|month| (1..=12).contains(month)), "{symbol}: {:?}", ours.payment_months);
        assert!(ours.payment_months.is_sorted_by(|a, b| a < b), "{symbol}: {:?}", ours.payment_months);
        assert!(ours.history.payments.iter().all(|payment| payment.amount > Decimal::ZERO), "{symbol} pays nothing");
        if ours.frequency.is_some() {
            let per_year = ours.payments_per_year;
            assert!(ours.payment_months.len() <= per_year, "{symbol}: more months than payments");
            let amounts = || ours.history.regular().rev().take(per_year).map(|payment| payment.amount);
            let year_of = |amount: Option<Decimal>| amount.unwrap() * Decimal::from(per_year);
            assert!(ours.forward_rate >= year_of(amounts().min()).round_dp(12), "{symbol}: less than its smallest payments");
            assert!(ours.forward_rate <= year_of(amounts().max()), "{symbol}: more than its largest payments");
        }
        let (first, last) = survey::first_and_last(&payer);
        let years = u32::try_from(last.year() - first.year()).unwrap() + 1;
        assert!(ours.streak_years.is_none_or(|streak| streak < years), "{symbol}: a streak longer than its history");
        assert!(ours.cagr_5y.is_none_or(|growth| years >= 6 && growth > -Decimal::ONE), "{symbol}: {:?}", ours.cagr_5y);
    }
}

#[test]
fn two_years_after_the_last_payment_everyone_has_stopped() {
    let Some(symbols) = rows::read() else { return };
    for payer in Payer::all(&symbols) {
        let later = metrics(&payer.facts, &Fx::default(), payer.today.saturating_add(2.years()));
        assert!(later.stopped && later.frequency.is_none() && later.payment_months.is_empty(), "{} goes on", payer.symbol);
        assert_eq!(later.forward_rate, Decimal::ZERO, "{}", payer.symbol);
    }
}

#[test]
fn twelve_payers_have_the_figures_worked_out_by_hand() {
    let Some(symbols) = rows::read() else { return };
    let payers = Payer::all(&symbols);
    for named in &named::NAMED {
        let payer = payers.iter().find(|payer| payer.symbol == named.symbol).unwrap();
        for (line, (figure, ours)) in named.lines.iter().zip(survey::ours(payer)) {
            assert_eq!(ours, line.ours, "{figure} of {}", named.symbol);
            assert!(line.ours == line.expected || !line.why.is_empty(), "{figure} of {} differs without a reason", named.symbol);
            if line.from == named::SUMS {
                assert_eq!(survey::plain(payer, figure), line.expected, "{figure} of {}, from plain sums", named.symbol);
            }
        }
    }
}

/// What was paid to shares of then and what is told per share of today meet, once splits are counted in. A spin-off is
/// in the adjusted source only: 1 share then is that part of a share now.
#[test]
fn paid_and_adjusted_amounts_agree_per_share_of_today() {
    const SPIN_OFFS: [(&str, Decimal); 3] = [
        ("IBM", Decimal::from_parts(956, 0, 0, false, 3)),
        ("MMM", Decimal::from_parts(8361, 0, 0, false, 4)),
        ("O", Decimal::from_parts(970, 0, 0, false, 3)),
    ];
    // The adjusted source has the year's capital gain in it.
    const TOLD_DIFFERENTLY: (&str, jiff::civil::Date) = ("SPYD", date(2017, 12, 15));
    let Some(symbols) = rows::read() else { return };
    let mut compared = 0;
    for (symbol, rows) in &symbols {
        let (iex, other): (Vec<Row>, Vec<Row>) = rows.iter().cloned().partition(|row| row.source == "A");
        if iex.is_empty() || other.is_empty() {
            continue;
        }
        let kept = SPIN_OFFS.iter().find(|(name, _)| name == symbol).map_or(Decimal::ONE, |(_, kept)| *kept);
        let history = |rows: &[Row]| metrics(&facts(symbol, rows), &Fx::default(), date(2026, 7, 31)).history;
        let adjusted = history(&other);
        for paid in history(&iex).payments.iter().filter(|paid| (symbol.as_str(), paid.ex_date) != TOLD_DIFFERENTLY) {
            let same_day = adjusted.payments.iter().find(|payment| payment.ex_date == paid.ex_date);
            let amount = same_day.unwrap_or_else(|| panic!("{symbol} has no {} in its other source", paid.ex_date)).amount;
            // Three decimals is all the adjusted source has: 0.7% of the smallest amounts.
            let off = (amount - paid.amount * kept).abs();
            assert!(off <= paid.amount * Decimal::new(7, 3), "{symbol} {}: {} or {amount}", paid.ex_date, paid.amount);
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} payments are in two sources");
}

#[test]
fn every_difference_has_a_documented_cause() {
    let Some(symbols) = rows::read() else { return };
    let payers = Payer::all(&symbols);
    let flagged =
        |differs: fn(&Payer) -> bool| payers.iter().filter(move |payer| differs(payer)).map(|payer| payer.symbol.as_str());
    assert_eq!(flagged(survey::rate_differs).collect::<Vec<_>>(), causes::symbols(causes::RATE), "frequency or forward rate");
    assert_eq!(flagged(survey::growth_differs).collect::<Vec<_>>(), causes::symbols(causes::GROWTH), "streak or growth");
}

#[test]
fn the_document_agrees_with_the_figures() {
    let Some(symbols) = rows::read() else { return };
    let payers = Payer::all(&symbols);
    document::check("PAYERS.md", &document::text(&payers));
    document::check("payers.csv", &document::table(&payers));
}

#[test]
fn the_histories_are_written_as_market_files_if_a_folder_is_named() {
    let Some(symbols) = rows::read() else { return };
    folder::write(&symbols);
}

#[test]
fn estimates_and_rates_agree_with_a_second_implementation() {
    let Some(symbols) = rows::read() else { return };
    for vector in vectors::VECTORS {
        let facts = facts(vector.symbol, &rows::one_source(&symbols[vector.symbol]));
        let last = facts.dividends.iter().filter(|row| !row.special).map(|row| row.ex_date).max().unwrap();
        assert_eq!(last, vector.last_known, "{}", vector.symbol);
        let ours = metrics(&facts, &Fx::default(), last.saturating_add(1.day()));
        assert_eq!(ours.payments_per_year, vector.per_year, "{}", vector.symbol);
        assert_eq!(survey::amount_text(ours.forward_rate), vector.forward_rate, "{}", vector.symbol);
        let estimates: Vec<_> = ours.to_come.iter().filter(|item| !item.declared).map(|item| item.ex_date).take(3).collect();
        // Ours end after 400 days, past every window.
        let reached = vector.estimates.iter().filter(|date| **date <= last.saturating_add(401.days())).count();
        assert_eq!(estimates, vector.estimates[..reached], "{}", vector.symbol);
    }
}
