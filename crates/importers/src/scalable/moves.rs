//! Shares added or removed without a trade. Scalable names neither a split nor the other half of a move: the rows around it show
//! what a row means.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::{Date, DateTime};
use ledger::{Decimal, Ratio};

use crate::joining::holdings::Holdings;
use crate::joining::{days, split_ratio};
use crate::{Kind, Parsed, Reason, Record};

/// Shares that leave one depository arrive in the other within this many days.
const ON_THEIR_WAY_DAYS: i32 = 10;

#[derive(Default)]
pub struct Moves {
    records: Vec<Record>,
    distributions: Vec<Record>,
    payments: Vec<(Record, Decimal)>,
    transfers: Vec<Transfer>,
    corporate: BTreeMap<(String, Date), Vec<(Record, Decimal)>>,
    holdings: Holdings,
}

struct Transfer {
    record: Record,
    /// Negative if they leave.
    shares: Decimal,
    price: Option<Decimal>,
}

fn moment(record: &Record) -> DateTime {
    record.date.to_datetime(record.time.unwrap_or_default())
}

/// Reference and instrument: both halves of a redemption, the shares and the cash, have them.
type Event = (Option<String>, String);

fn event(record: &Record) -> Event {
    (record.id.clone(), instrument(record).to_owned())
}

impl Moves {
    pub fn trade(&mut self, record: Record) {
        let shares = record.shares.unwrap_or_default();
        self.holdings.add(instrument(&record), moment(&record), if record.kind == Kind::Buy { shares } else { -shares });
        self.records.push(record);
    }

    pub fn distribution(&mut self, record: Record) {
        self.distributions.push(record);
    }

    pub fn transfer(&mut self, record: Record, shares: Decimal, price: Option<Decimal>) {
        self.holdings.add(instrument(&record), moment(&record), shares);
        self.transfers.push(Transfer { record, shares, price });
    }

    pub fn corporate_action(&mut self, record: Record, shares: Decimal) {
        self.holdings.add(instrument(&record), moment(&record), shares);
        self.corporate.entry((instrument(&record).to_owned(), record.date)).or_default().push((record, shares));
    }

    pub fn corporate_payment(&mut self, record: Record, amount: Decimal) {
        self.payments.push((record, amount));
    }

    pub fn finish(mut self, parsed: &mut Parsed) {
        self.holdings.sum_up();
        self.carry_over(parsed);
        let mut paid = self.paid();
        for ((instrument, _), rows) in std::mem::take(&mut self.corporate) {
            self.corporate_actions(&instrument, rows, &mut paid);
        }
        for payment in paid.into_values().flatten() {
            match payment.kind {
                Kind::Dividend => self.records.push(payment),
                _ => parsed.error(payment.line, Reason::UnexplainedPayment),
            }
        }
        parsed.records.append(&mut self.records);
    }

    /// The same number leaving and arriving within days are the same shares.
    fn carry_over(&mut self, parsed: &mut Parsed) {
        let mut halves: BTreeMap<(String, Decimal), Vec<Transfer>> = BTreeMap::new();
        for half in std::mem::take(&mut self.transfers) {
            halves.entry((instrument(&half.record).to_owned(), half.shares.abs().normalize())).or_default().push(half);
        }
        for mut rows in halves.into_values() {
            rows.sort_by_key(|row| moment(&row.record));
            let mut open: Vec<Transfer> = Vec::new();
            for row in rows {
                let pairs = |last: &Transfer| {
                    let near = days(last.record.date, row.record.date) <= ON_THEIR_WAY_DAYS;
                    last.shares.is_sign_negative() != row.shares.is_sign_negative() && near
                };
                match open.pop_if(|last| pairs(last)) {
                    Some(other) => {
                        parsed.skip(row.record.line, Reason::Moved { line: other.record.line });
                        parsed.skip(other.record.line, Reason::Moved { line: row.record.line });
                    }
                    None => open.push(row),
                }
            }
            self.records.extend(open.into_iter().map(|row| transferred(row.record, row.shares, row.price, "security transfer")));
        }
    }

    /// Payments that may be for shares removed by a corporate action, by what both halves have in common.
    fn paid(&mut self) -> HashMap<Event, Vec<Record>> {
        let mut paid: HashMap<Event, Vec<Record>> = HashMap::new();
        let cash = std::mem::take(&mut self.payments).into_iter().map(|(record, net)| Record { net: Some(net), ..record });
        for record in std::mem::take(&mut self.distributions).into_iter().chain(cash) {
            paid.entry(event(&record)).or_default().push(record);
        }
        paid
    }

    fn corporate_actions(&mut self, instrument: &str, rows: Vec<(Record, Decimal)>, paid: &mut HashMap<Event, Vec<Record>>) {
        let of_sign = |negative: bool| {
            let shares = rows.iter().map(|(_, shares)| *shares).filter(|shares| shares.is_sign_negative() == negative);
            shares.fold(Decimal::ZERO, Decimal::saturating_add)
        };
        let (gone, come) = (of_sign(true), of_sign(false));
        let Some(at) = rows.iter().map(|(record, _)| moment(record)).min() else { return };
        let held = self.holdings.before(instrument, at);
        let ratio = match (gone.is_zero(), come.is_zero()) {
            (false, false) => split_ratio::of_exchange(-gone, come),
            (true, false) => split_ratio::of_counts(held, held.saturating_add(come)),
            _ => None,
        };
        if let Some(ratio) = ratio {
            self.records.extend(split(rows, ratio, held, gone, come));
            return;
        }
        for (record, shares) in rows {
            let payment = paid.get_mut(&event(&record)).filter(|_| shares.is_sign_negative()).and_then(Vec::pop);
            self.records.push(match payment {
                Some(payment) => redeemed(record, shares, payment),
                None => transferred(record, shares, None, "corporate action"),
            });
        }
    }
}

fn split(rows: Vec<(Record, Decimal)>, ratio: Ratio, held: Decimal, gone: Decimal, come: Decimal) -> Option<Record> {
    let note = match gone.is_zero() {
        true => format!("{} shares held in this file, {} added", held.normalize(), come.normalize()),
        false => format!("{} shares taken, {} given", (-gone).normalize(), come.normalize()),
    };
    let mut rows = rows.into_iter();
    let (first, _) = rows.next()?;
    let joined = rows.map(|(record, _)| record.line).collect();
    let split =
        Record { kind: Kind::Split, ratio: Some(ratio), ratio_worked_out: gone.is_zero(), joined, note: Some(note), ..first };
    Some(Record { id: of_instrument(&split), ..split })
}

fn instrument(record: &Record) -> &str {
    record.isin.as_deref().or(record.name.as_deref()).unwrap_or_default()
}

/// One reference may cover several instruments, such as the old and the new one.
fn of_instrument(record: &Record) -> Option<String> {
    record.id.as_ref().map(|reference| format!("{reference} {}", instrument(record)))
}

/// Shares removed for the money that was paid on the same day.
fn redeemed(record: Record, shares: Decimal, payment: Record) -> Record {
    Record {
        id: of_instrument(&record),
        kind: Kind::Sell,
        shares: Some(shares.abs()),
        amount: payment.amount.or(payment.net),
        tax: payment.tax,
        fees: payment.fees,
        currency: payment.currency.or(record.currency),
        joined: vec![payment.line],
        note: Some("corporate action: the shares were redeemed".to_owned()),
        ..record
    }
}

fn transferred(record: Record, shares: Decimal, price: Option<Decimal>, word: &str) -> Record {
    let note = Some(match (shares.is_sign_negative(), price) {
        (false, None) => format!("{word}; recorded at no cost"),
        _ => word.to_owned(),
    });
    let record = Record { id: of_instrument(&record), ..record };
    match shares.is_sign_negative() {
        true => Record { kind: Kind::TransferOut, shares: Some(shares.abs()), note, ..record },
        false => Record {
            kind: Kind::TransferIn,
            shares: Some(shares),
            price,
            amount: price.is_none().then_some(Decimal::ZERO),
            note,
            ..record
        },
    }
}
