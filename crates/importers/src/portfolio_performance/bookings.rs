//! Each booking → a record, a part of one, or the reason why it is skipped.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::Decimal;

use super::client::{Booking, Client, Facts, Side};
use super::depots::{Depots, Holdings};
use super::money::{Amount, money};
use super::splits::Splits;
use super::tree::NodeId;
use super::{security, trade};
use crate::joining::sum;
use crate::reading::fields::one_line;
use crate::reading::{Order, day};
use crate::{Kind, Parsed, Reason, Record};

/// What has been read so far.
pub struct Reader<'c> {
    client: &'c Client,
    splits: Splits,
    depots: Depots<'c>,
    /// For each purchase and sale, the index of its record, or its line if that could not be read.
    sides: HashMap<NodeId, Result<usize, u64>>,
    /// The index of a dividend's record.
    dividends: HashMap<(NodeId, Date, NodeId), usize>,
    parsed: Parsed,
}

impl<'c> Reader<'c> {
    pub fn new(client: &'c Client, holdings: &'c Holdings, splits: Splits, parsed: Parsed) -> Reader<'c> {
        let depots = Depots::new(client, holdings);
        Reader { client, splits, depots, sides: HashMap::new(), dividends: HashMap::new(), parsed }
    }

    pub fn booking(&mut self, booking: &Booking, facts: &Result<Facts, Reason>) {
        let read = facts.as_ref().map_err(Clone::clone).and_then(|facts| match booking.side {
            Side::Depot(depot) => self.of_depot(booking, facts, depot),
            Side::Account(account) => self.of_account(booking, facts, account),
        });
        if let Err(reason) = read {
            if let (Side::Depot(_), Some(cross)) = (booking.side, booking.cross) {
                self.sides.insert(cross, Err(booking.line));
            }
            self.parsed.error(booking.line, reason);
        }
    }

    fn of_depot(&mut self, booking: &Booking, facts: &Facts, depot: usize) -> Result<(), Reason> {
        let word = self.client.kind(booking);
        let (kind, amount) = trade(word).ok_or_else(|| Reason::unsupported(word))?;
        let security = booking.security.ok_or_else(|| Reason::missing("security"))?;
        if let Some(line) = self.splits.booked.get(&booking.at) {
            self.parsed.skip(booking.line, Reason::PartOf { line: *line });
            return Ok(());
        }
        let money = money(self.client, booking, amount)?;
        let mut record = self.record(booking, facts, kind, security)?;
        record.portfolio = self.depots.name(depot);
        record.currency = Some(money.currency);
        record.amount = Some(money.gross);
        // For a purchase, stamp duty and transaction tax are part of the cost; for a sale, tax is on the gain.
        (record.fees, record.tax) = match amount {
            Amount::WithCosts => (sum(money.fees, money.tax), None),
            Amount::LessCosts => (money.fees, money.tax),
        };
        if word == "TRANSFER_IN" {
            let valued = "booked at its value of that day, not at what it had cost";
            record.note = Some(record.note.map_or(valued.to_owned(), |note| format!("{valued}; {note}")));
        }
        if let Some(cross) = booking.cross.filter(|_| matches!(kind, Kind::Buy | Kind::Sell)) {
            self.sides.insert(cross, Ok(self.parsed.records.len()));
        }
        self.parsed.records.push(record);
        Ok(())
    }

    fn of_account(&mut self, booking: &Booking, facts: &Facts, account: NodeId) -> Result<(), Reason> {
        let kind = self.client.kind(booking);
        let skip = match kind {
            "BUY" | "SELL" => return self.money_side(booking),
            "DIVIDENDS" | "DIVIDEND_CHARGE" => return self.dividend(booking, facts, account, kind == "DIVIDEND_CHARGE"),
            "TAXES" | "TAX_REFUND" => return self.tax(booking, facts, account, kind == "TAX_REFUND"),
            "DEPOSIT" | "REMOVAL" | "TRANSFER_IN" | "TRANSFER_OUT" => Reason::Cash,
            "INTEREST" | "INTEREST_CHARGE" => Reason::Interest,
            "FEES" => Reason::AccountFee,
            "FEES_REFUND" => Reason::FeeRefunded,
            _ if booking.security.is_none() => Reason::NoShares,
            _ => return Err(Reason::unsupported(kind)),
        };
        self.parsed.skip(booking.line, skip);
        Ok(())
    }

    /// The cash side of a purchase or sale, whose other side is in a depot.
    fn money_side(&mut self, booking: &Booking) -> Result<(), Reason> {
        match booking.cross.and_then(|cross| self.sides.get(&cross)) {
            Some(Ok(at)) => {
                if let Some(record) = self.parsed.records.get_mut(*at) {
                    record.joined.push(booking.line);
                }
            }
            Some(Err(line)) => self.parsed.skip(booking.line, Reason::PartOfError { line: *line }),
            None => return Err(Reason::PortfolioDamaged),
        }
        Ok(())
    }

    fn dividend(&mut self, booking: &Booking, facts: &Facts, account: NodeId, taken_back: bool) -> Result<(), Reason> {
        let security = booking.security.ok_or_else(|| Reason::missing("security"))?;
        let money = money(self.client, booking, Amount::LessCosts)?;
        let mut record = self.record(booking, facts, Kind::Dividend, security)?;
        record.shares = record.shares.filter(|shares| !shares.is_zero());
        record.portfolio = self.depots.of_dividend(account, security, facts);
        record.currency = Some(money.currency);
        let signed = |figure: Decimal| if taken_back { figure.saturating_mul(Decimal::NEGATIVE_ONE) } else { figure };
        record.amount = Some(signed(money.gross));
        record.tax = money.tax.map(signed);
        record.fees = money.fees.map(signed);
        if let Some(fees) = record.fees.filter(|fees| !fees.is_zero()) {
            let costs = fees.saturating_add(record.tax.unwrap_or_default());
            record.net = record.amount.map(|gross| gross.saturating_sub(costs));
        }
        record.ex_date = match self.client.tree.text(booking.at, "exDate") {
            Some(text) => Some(day("exDate", text, Order::DayFirst)?),
            None => None,
        };
        self.dividends.entry((security, facts.date, account)).or_insert(self.parsed.records.len());
        self.parsed.records.push(record);
        Ok(())
    }

    /// Tax that was booked separately belongs to the dividend of its day; other tax is on gains or on funds that paid nothing.
    fn tax(&mut self, booking: &Booking, facts: &Facts, account: NodeId, given_back: bool) -> Result<(), Reason> {
        let money = money(self.client, booking, Amount::LessCosts)?;
        let beside = booking.security.and_then(|security| self.dividends.get(&(security, facts.date, account)).copied());
        let dividend =
            beside.and_then(|at| self.parsed.records.get_mut(at)).filter(|record| record.currency == Some(money.currency));
        match dividend {
            Some(record) => {
                let tax = if given_back { money.gross.saturating_mul(Decimal::NEGATIVE_ONE) } else { money.gross };
                record.tax = Some(record.tax.unwrap_or_default().saturating_add(tax));
                record.net = record.net.map(|net| net.saturating_sub(tax));
                record.joined.push(booking.line);
            }
            None => self.parsed.skip(booking.line, Reason::TaxWithoutDividend),
        }
        Ok(())
    }

    /// What all types of records have.
    fn record(&self, booking: &Booking, facts: &Facts, kind: Kind, security: NodeId) -> Result<Record, Reason> {
        let tree = &self.client.tree;
        let mut record = Record { time: facts.time, ..Record::new(booking.line, facts.date, kind) };
        security::name(tree, security, &mut record);
        let (shares, in_file) = self.splits.as_traded(security, facts.date, facts.shares)?;
        record.shares = Some(shares);
        record.id = tree.text(booking.at, "uuid").map(|id| one_line(id, 100));
        let note = tree.text(booking.at, "note").map(|note| one_line(note, 200)).filter(|note| !note.is_empty());
        record.note = match (in_file, note) {
            (Some(in_file), Some(note)) => Some(one_line(&format!("{in_file}; {note}"), 200)),
            (in_file, note) => in_file.or(note),
        };
        Ok(record)
    }

    pub fn finish(mut self) -> Parsed {
        if !self.depots.apart() {
            self.parsed.records.iter_mut().for_each(|record| record.portfolio = None);
        }
        self.parsed
    }
}
