//! The sheet Dividends of the workbook: the same payments again, with their withholding tax.

use std::collections::{HashMap, VecDeque};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind};

use super::activity::Payment;
use super::kind::{Asset, asset};
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day};
use crate::{Opened, Parsed, Reason, Record};

/// How many days the two sheets' dates of one payment may differ.
const APART_MAX: i32 = 5;

pub fn table(file: &Opened) -> Option<Table<'_>> {
    Table::find(file, &["date of payment", "position id"])
}

/// Each row belongs to the payment with its position, day and net amount; without one it is itself a payment.
pub fn join(table: &Table<'_>, currency: Currency, payments: &mut Vec<Payment>, parsed: &mut Parsed) {
    let mut open: HashMap<(String, Date, Decimal), VecDeque<usize>> = HashMap::new();
    for (at, payment) in payments.iter().enumerate() {
        if let (Some(position), Some(net)) = (&payment.position, payment.record.net) {
            open.entry((position.clone(), payment.record.date, cents(net))).or_default().push_back(at);
        }
    }
    let columns = Columns::of(table, currency);
    let sheet = table.sheet.name.as_deref().unwrap_or("Dividends");
    let in_sheet = |reason: Reason| Reason::InSheet { sheet: sheet.into(), reason: reason.into() };
    for line in table.lines() {
        parsed.rows += 1;
        let detail = match Detail::read(&line, &columns) {
            Ok(Some(detail)) => detail,
            Ok(None) => {
                parsed.skip(line.number(), Reason::NoShares);
                continue;
            }
            Err(reason) => {
                parsed.error(line.number(), in_sheet(reason));
                continue;
            }
        };
        match detail.payment_in(&mut open).and_then(|at| payments.get_mut(at)) {
            Some(payment) => {
                detail.tell(&mut payment.record);
                parsed.skip(line.number(), Reason::PartOf { line: payment.record.line });
            }
            None => match detail.record(line.number(), currency) {
                Ok(record) => payments.push(Payment { record, position: None }),
                Err(reason) => parsed.error(line.number(), in_sheet(reason)),
            },
        }
    }
}

/// The column titles contain a currency; the account's own is used.
struct Columns {
    net: String,
    tax: String,
}

impl Columns {
    fn of(table: &Table<'_>, currency: Currency) -> Columns {
        let names: Vec<String> =
            table.names().map(|name| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()).collect();
        let code = format!("({})", currency.code().to_lowercase());
        let find = |start: &str| {
            let named = names.iter().find(|name| name.starts_with(start) && name.ends_with(&code));
            named.cloned().unwrap_or_else(|| format!("{start} {code}"))
        };
        Columns { net: find("net dividend received"), tax: find("withholding tax amount") }
    }
}

struct Detail {
    date: Date,
    position: String,
    net: Decimal,
    tax: Option<Decimal>,
    name: Option<String>,
    isin: Option<String>,
}

impl Detail {
    fn read(line: &Line<'_, '_>, columns: &Columns) -> Result<Option<Detail>, Reason> {
        let Some(position) = line.text("position id").filter(|position| *position != "-") else { return Ok(None) };
        if matches!(asset(line.text("type")), Asset::NotKept(_)) {
            return Ok(None);
        }
        let net = line.figure_needed(&columns.net)?;
        let tax = line.figure(&columns.tax)?.map(|tax| if net < Decimal::ZERO { -tax.abs() } else { tax.abs() });
        Ok(Some(Detail {
            date: day("Date of Payment", line.need("date of payment")?, Order::DayFirst)?,
            position: position.to_owned(),
            net,
            tax,
            name: line.text("instrument name").and_then(short),
            isin: line.isin("isin"),
        }))
    }

    /// The index of the payment this row is about: the nearest day first.
    fn payment_in(&self, open: &mut HashMap<(String, Date, Decimal), VecDeque<usize>>) -> Option<usize> {
        let days = (0..=APART_MAX).flat_map(|days| if days == 0 { vec![0] } else { vec![days, -days] });
        for days in days {
            let date = self.date.checked_add(days.days()).ok()?;
            for off in [0, 1, -1] {
                let net = cents(self.net).checked_add(Decimal::new(off, 2))?;
                if let Some(at) = open.get_mut(&(self.position.clone(), date, net)).and_then(VecDeque::pop_front) {
                    return Some(at);
                }
            }
        }
        None
    }

    fn tell(self, record: &mut Record) {
        if let Some(tax) = self.tax {
            let net = record.net.unwrap_or(self.net);
            record.tax = Some(tax);
            record.amount = net.checked_add(tax);
        }
        record.name = self.name.or(record.name.take());
        record.isin = self.isin;
    }

    fn record(self, line: u64, currency: Currency) -> Result<Record, Reason> {
        if self.name.is_none() && self.isin.is_none() {
            return Err(Reason::missing("instrument"));
        }
        let note = Some("From the sheet Dividends".to_owned());
        let net = Some(self.net);
        let mut record = Record { net, currency: Some(currency), note, ..Record::new(line, self.date, Kind::Dividend) };
        self.tell(&mut record);
        Ok(record)
    }
}

fn cents(figure: Decimal) -> Decimal {
    figure.round_dp(2).normalize()
}
