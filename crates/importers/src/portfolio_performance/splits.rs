//! Splits. The program only has them as notes on a security: its wizard multiplies the shares of all earlier transactions, so
//! that the file has adjusted shares. They are converted back to what was traded, followed by the split. Users who declined that
//! step booked the new shares as a separate delivery, which then is the split.

use std::collections::{HashMap, HashSet};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Ratio};

use super::client::{Booking, Client, Facts, Side};
use super::depots::Holdings;
use super::tree::NodeId;
use crate::reading::{Order, day};
use crate::reason::Cell;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Splits {
    of: HashMap<NodeId, Vec<Split>>,
    /// Bookings that are a split, with its line.
    pub booked: HashMap<NodeId, u64>,
}

struct Split {
    date: Date,
    ratio: Ratio,
    /// Transactions before it already have the shares after it.
    rewritten: bool,
}

impl Splits {
    /// The splits of every security that was traded before them; what cannot be read becomes an error.
    pub fn read(client: &Client, facts: &[Result<Facts, Reason>], holdings: &Holdings, parsed: &mut Parsed) -> Splits {
        let mut splits = Splits::default();
        let mut seen = HashSet::new();
        let deliveries = deliveries(client, facts);
        for security in client.bookings.iter().filter_map(|booking| booking.security) {
            if !seen.insert(security) {
                continue;
            }
            let Some(events) = client.tree.child(security, "events") else { continue };
            for event in client.tree.named(events, "event") {
                if client.tree.text(event, "type") == Some("STOCK_SPLIT") {
                    splits.add(client, (security, event), holdings, &deliveries, parsed);
                }
            }
        }
        splits
    }

    fn add(
        &mut self,
        client: &Client,
        (security, event): (NodeId, NodeId),
        holdings: &Holdings,
        deliveries: &HashMap<NodeId, Vec<(Date, usize, Decimal, NodeId)>>,
        parsed: &mut Parsed,
    ) {
        let line = client.tree.line(event);
        let date = day("date", client.tree.text(event, "date").unwrap_or_default(), Order::DayFirst);
        let known = |date: Date| (0..client.depots.len()).any(|depot| holdings.known_before(depot, security, date));
        if date.as_ref().is_ok_and(|date| !known(*date)) {
            return;
        }
        parsed.rows += 1;
        let details = client.tree.text(event, "details").unwrap_or_default();
        let (date, ratio) = match (date, Ratio::parse(details)) {
            (Ok(date), Some(ratio)) => (date, ratio),
            (Ok(_), None) => return parsed.error(line, Reason::NotARatio(Cell::new("ratio", details))),
            (Err(reason), _) => return parsed.error(line, reason),
        };
        let holders: Vec<usize> =
            (0..client.depots.len()).filter(|depot| holdings.before(*depot, security, date) > Decimal::ZERO).collect();
        let booked: Vec<NodeId> = deliveries
            .get(&security)
            .into_iter()
            .flatten()
            .filter(|(day, ..)| *day >= date.saturating_sub(3.days()) && *day <= date.saturating_add(14.days()))
            .filter(|(_, depot, shares, _)| is_added_by(*shares, holdings.before(*depot, security, date), ratio))
            .map(|(.., place)| *place)
            .collect();
        if holders.is_empty() {
            parsed.skip(line, Reason::SplitNotHeld);
        }
        for (number, depot) in holders.into_iter().enumerate() {
            let mut record = Record { ratio: Some(ratio), second: number > 0, ..Record::new(line, date, Kind::Split) };
            super::security::name(&client.tree, security, &mut record);
            record.portfolio = client.depots.get(depot).and_then(|depot| depot.name.clone());
            parsed.records.push(record);
        }
        let rewritten = booked.is_empty();
        self.booked.extend(booked.into_iter().map(|place| (place, line)));
        self.of.entry(security).or_default().push(Split { date, ratio, rewritten });
    }

    /// The shares that were traded on that day, and a note with the shares in the file if they differ.
    pub fn as_traded(&self, security: NodeId, date: Date, shares: Decimal) -> Result<(Decimal, Option<String>), Reason> {
        let later = self.of.get(&security).into_iter().flatten().filter(|split| split.rewritten && date < split.date);
        let (mut traded, mut lines) = (shares, Vec::new());
        for split in later {
            let before = traded.checked_mul(split.ratio.old).and_then(|parts| parts.checked_div(split.ratio.new));
            traded = before.ok_or(Reason::FiguresTooLarge)?.round_dp(18).normalize();
            lines.push(format!("{} of {}", split.ratio, split.date));
        }
        let in_file =
            (!lines.is_empty()).then(|| format!("{shares} shares in the file, after the split {}", lines.join(" and ")));
        Ok((traded, in_file))
    }
}

/// Shares added without a trade, by security.
fn deliveries(client: &Client, facts: &[Result<Facts, Reason>]) -> HashMap<NodeId, Vec<(Date, usize, Decimal, NodeId)>> {
    let mut found: HashMap<NodeId, Vec<_>> = HashMap::new();
    for (booking, facts) in client.bookings.iter().zip(facts) {
        let (Booking { side: Side::Depot(depot), security: Some(security), at, .. }, Ok(facts)) = (booking, facts) else {
            continue;
        };
        if client.kind(booking) == "DELIVERY_INBOUND" {
            found.entry(*security).or_default().push((facts.date, *depot, facts.shares, *at));
        }
    }
    found
}

/// A difference of half a hundredth is what fractions paid in cash leave.
fn is_added_by(shares: Decimal, held: Decimal, ratio: Ratio) -> bool {
    let added = ratio.new.checked_sub(ratio.old).and_then(|added| held.checked_mul(added)?.checked_div(ratio.old));
    added.is_some_and(|added| {
        added > Decimal::ZERO && added.saturating_sub(shares).abs() <= added.saturating_mul(Decimal::new(5, 3))
    })
}
