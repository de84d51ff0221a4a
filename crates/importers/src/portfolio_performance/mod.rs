//! Portfolio Performance: its own file (XML), and the table of transactions it exports (CSV).

mod bookings;
mod client;
mod depots;
mod money;
mod pairs;
mod security;
mod splits;
pub mod table;
mod tree;

use ledger::Decimal;

use crate::{Kind, Opened, Parsed, Reason};
use bookings::Reader;
use client::{Booking, Client, Facts, Side};
use depots::Holdings;
use money::Amount;
use splits::Splits;

pub fn detect(file: &Opened) -> bool {
    let text = file.text.trim_start();
    let root = match text.starts_with("<?xml") {
        true => text.split_once("?>").map_or("", |(_, rest)| rest.trim_start()),
        false => text,
    };
    let begins = root.strip_prefix("<client").is_some_and(|rest| rest.starts_with(['>', ' ', '\r', '\n']));
    begins && root.chars().take(500).collect::<String>().contains("<version")
}

pub fn parse(file: &Opened) -> Parsed {
    match Client::read(&file.text) {
        Ok(client) => read(&client),
        Err(problem) => Parsed { refusal: Some(problem), ..Parsed::default() },
    }
}

fn read(client: &Client) -> Parsed {
    let mut parsed = Parsed { rows: client.bookings.len() as u64, ..Parsed::default() };
    let facts: Vec<Result<Facts, Reason>> = client.bookings.iter().map(|booking| client.facts(booking)).collect();
    let holdings = holdings(client, &facts);
    let splits = Splits::read(client, &facts, &holdings, &mut parsed);
    let mut reader = Reader::new(client, &holdings, splits, parsed);
    let steps: [fn(&str, &Booking) -> bool; 3] = [
        |_, booking| matches!(booking.side, Side::Depot(_)),
        |kind, booking| matches!(booking.side, Side::Account(_)) && !is_tax(kind),
        // Once the dividends are known.
        |kind, booking| matches!(booking.side, Side::Account(_)) && is_tax(kind),
    ];
    for step in steps {
        for (booking, facts) in client.bookings.iter().zip(&facts) {
            if step(client.kind(booking), booking) {
                reader.booking(booking, facts);
            }
        }
    }
    reader.finish()
}

fn is_tax(kind: &str) -> bool {
    matches!(kind, "TAXES" | "TAX_REFUND")
}

fn holdings(client: &Client, facts: &[Result<Facts, Reason>]) -> Holdings {
    let mut holdings = Holdings::default();
    for (booking, facts) in client.bookings.iter().zip(facts) {
        let (Side::Depot(depot), Some(security), Ok(facts)) = (booking.side, booking.security, facts) else { continue };
        match trade(client.kind(booking)) {
            Some((Kind::Buy | Kind::TransferIn, _)) => holdings.add(depot, security, facts.date, facts.shares),
            Some(_) => holdings.add(depot, security, facts.date, facts.shares.saturating_mul(Decimal::NEGATIVE_ONE)),
            None => {}
        }
    }
    holdings.sum_up();
    holdings
}

fn trade(kind: &str) -> Option<(Kind, Amount)> {
    Some(match kind {
        "BUY" => (Kind::Buy, Amount::WithCosts),
        "SELL" => (Kind::Sell, Amount::LessCosts),
        "DELIVERY_INBOUND" | "TRANSFER_IN" => (Kind::TransferIn, Amount::WithCosts),
        "DELIVERY_OUTBOUND" | "TRANSFER_OUT" => (Kind::TransferOut, Amount::LessCosts),
        _ => return None,
    })
}
