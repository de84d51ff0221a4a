//! The fee of a trade has its own row, in the account's currency, booked in the same second.

use std::collections::HashMap;

use jiff::civil::DateTime;
use ledger::Decimal;

use super::base;
use crate::reading::Line;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Costs {
    /// Each with the exchange rate: units of the asset's currency per unit of the account's.
    trades: Vec<(Record, Option<Decimal>)>,
    costs: Vec<(Record, Decimal)>,
}

impl Costs {
    pub fn trade(&mut self, record: Record, line: Line<'_, '_>) {
        let own = line
            .text("transaction currency")
            .is_some_and(|account| record.currency.is_some_and(|currency| currency.code() == account));
        // The pair names the account's currency first: EURUSD 1.14 is 1.14 dollars per euro.
        let rate = if own { Some(Decimal::ONE) } else { line.figure("exchange rate").ok().flatten() };
        self.trades.push((record, rate));
    }

    pub fn cost(&mut self, line: Line<'_, '_>) -> Result<(), Reason> {
        let amount = line.figure_needed("transaction amount")?.abs();
        self.costs.push((base(line, Kind::Buy)?, amount));
        Ok(())
    }

    pub fn finish(mut self, parsed: &mut Parsed) {
        let mut places: HashMap<(Option<String>, DateTime), usize> = HashMap::new();
        for (at, (record, _)) in self.trades.iter().enumerate() {
            places.entry((record.isin.clone(), minute(record))).or_insert(at);
        }
        for (cost, amount) in self.costs {
            let Some(at) = places.get(&(cost.isin.clone(), minute(&cost))) else {
                parsed.skip(cost.line, Reason::FeeWithoutTrade);
                continue;
            };
            let (record, rate) = &mut self.trades[*at];
            match rate.and_then(|rate| amount.checked_mul(rate)) {
                Some(fee) => {
                    record.fees = Some(record.fees.unwrap_or_default().saturating_add(fee.round_dp(10)).normalize());
                    record.joined.push(cost.line);
                }
                None => parsed.error(cost.line, Reason::FeeNotConvertible),
            }
        }
        parsed.records.extend(self.trades.into_iter().map(|(record, _)| record));
    }
}

fn minute(record: &Record) -> DateTime {
    let time = record.time.unwrap_or_default();
    record.date.at(time.hour(), time.minute(), 0, 0)
}
