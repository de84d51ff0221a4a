//! Our figures and the plain ones as text, and where they differ.

use jiff::civil::Date;
use ledger::{Decimal, Frequency};

use crate::payer::Payer;
use crate::plain::Plain;

pub const FIGURES: [&str; 4] = ["frequency", "forward rate", "streak", "cagr_5y"];

pub fn ours(payer: &Payer) -> [(&'static str, String); 4] {
    let ours = &payer.ours;
    let [frequency, rate, streak, growth] = FIGURES;
    [
        (frequency, frequency_text(ours.frequency)),
        (rate, amount_text(ours.forward_rate)),
        (streak, streak_text(ours.streak_years) + if ours.streak_at_least { "+" } else { "" }),
        (growth, percent_text(ours.cagr_5y)),
    ]
}

pub fn plain(payer: &Payer, figure: &str) -> String {
    let plain = Plain::of(&payer.ours.history);
    match figure {
        "frequency" => frequency_text(plain.frequency()),
        "forward rate" => amount_text(plain.trailing_year()),
        "streak" => streak_text(plain.streak(payer.today)),
        "cagr_5y" => percent_text(plain.growth_5y(payer.today)),
        other => panic!("no figure is called {other}"),
    }
}

pub fn first_and_last(payer: &Payer) -> (Date, Date) {
    Plain::of(&payer.ours.history).first_and_last()
}

/// Another frequency, or a forward rate more than a quarter off what the last year paid.
pub fn rate_differs(payer: &Payer) -> bool {
    let plain = Plain::of(&payer.ours.history);
    let paid = plain.trailing_year();
    let far = (payer.ours.forward_rate - paid).abs() * Decimal::from(4) > paid;
    payer.ours.frequency != plain.frequency() || far
}

/// Another streak, or a growth more than two points off that of the plain sums.
pub fn growth_differs(payer: &Payer) -> bool {
    let plain = Plain::of(&payer.ours.history);
    let far = match (payer.ours.cagr_5y, plain.growth_5y(payer.today)) {
        (Some(ours), Some(plain)) => (ours - plain).abs() > Decimal::new(2, 2),
        (ours, plain) => ours.is_some() != plain.is_some(),
    };
    payer.ours.streak_years != plain.streak(payer.today) || far
}

fn frequency_text(frequency: Option<Frequency>) -> String {
    frequency.map_or("none", Frequency::as_str).to_owned()
}

pub fn amount_text(amount: Decimal) -> String {
    let mut shown = amount.round_dp(4).normalize();
    shown.rescale(shown.scale().max(2));
    shown.to_string()
}

fn streak_text(streak: Option<u32>) -> String {
    streak.map_or("none".to_owned(), |years| years.to_string())
}

fn percent_text(growth: Option<Decimal>) -> String {
    growth.map_or("none".to_owned(), |growth| format!("{:.2}%", (growth * Decimal::ONE_HUNDRED).round_dp(2)))
}
