//! Shares and cost of an instrument, as far as the rows of a file show.

use ledger::{Currency, Decimal, Kind};

use crate::Record;

#[derive(Clone, Copy, Default)]
pub struct HeldCost {
    shares: Decimal,
    cost: Decimal,
    pub currency: Option<Currency>,
    /// A part of the cost is not in the file, or in another currency.
    unsure: bool,
}

impl HeldCost {
    /// The cost of the shares being removed; `None` if the file does not show it.
    pub fn cost_of(&self, going: &Record) -> Option<Decimal> {
        let shares = going.shares.filter(|shares| !self.unsure && *shares <= self.shares && !self.shares.is_zero())?;
        Some(self.cost.checked_mul(shares)?.checked_div(self.shares)?.round_dp(10).normalize())
    }

    pub fn apply(&mut self, record: &Record) {
        let shares = record.shares.unwrap_or_default();
        match record.kind {
            Kind::Buy | Kind::TransferIn => {
                let paid = record.amount.or_else(|| shares.checked_mul(record.price?));
                self.unsure |= paid.is_none() || self.currency.is_some_and(|currency| Some(currency) != record.currency);
                self.currency = record.currency;
                self.shares = self.shares.saturating_add(shares);
                self.cost = self.cost.saturating_add(paid.unwrap_or_default()).saturating_add(record.fees.unwrap_or_default());
            }
            Kind::Sell | Kind::TransferOut => {
                let cost = self.cost_of(record);
                self.unsure |= cost.is_none();
                self.shares = self.shares.saturating_sub(shares);
                self.cost = self.cost.saturating_sub(cost.unwrap_or_default());
                if self.shares.is_zero() {
                    *self = HeldCost::default();
                }
            }
            Kind::Split => {
                let after = record.ratio.and_then(|ratio| self.shares.checked_mul(ratio.new)?.checked_div(ratio.old));
                self.unsure |= after.is_none();
                self.shares = after.unwrap_or(self.shares);
            }
            Kind::ReturnOfCapital => {
                self.unsure |= self.currency != record.currency;
                self.cost = self.cost.saturating_sub(record.amount.unwrap_or_default()).max(Decimal::ZERO);
            }
            Kind::Dividend => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn record(kind: Kind, shares: i64, amount: Option<i64>) -> Record {
        let (shares, amount) = (Some(shares.into()), amount.map(Decimal::from));
        Record { shares, amount, currency: Some(Currency::EUR), ..Record::new(1, date(2024, 1, 2), kind) }
    }

    fn cost(rows: &[Record], going: i64) -> Option<Decimal> {
        let mut held = HeldCost::default();
        rows.iter().for_each(|row| held.apply(row));
        held.cost_of(&record(Kind::TransferOut, going, None))
    }

    #[test]
    fn sold_shares_take_their_part_of_the_cost() {
        // 10 for 100 and 10 for 200: 20 for 300; minus 5 (75): 15 for 225, of which 4 are 60.
        let rows = [record(Kind::Buy, 10, Some(100)), record(Kind::Buy, 10, Some(200)), record(Kind::Sell, 5, Some(999))];
        assert_eq!(cost(&rows, 4), Some(60.into()));
        assert_eq!(cost(&rows, 16), None, "more than the file has");
    }

    #[test]
    fn the_cost_is_unknown_if_the_file_lacks_part_of_it() {
        let dollars = Record { currency: Currency::parse("USD").ok(), ..record(Kind::Buy, 10, Some(100)) };
        let bought = || record(Kind::Buy, 10, Some(100));
        assert_eq!(cost(&[bought(), dollars], 1), None);
        assert_eq!(cost(&[bought(), record(Kind::TransferIn, 10, None)], 1), None);
        assert_eq!(cost(&[record(Kind::Sell, 3, Some(30)), bought()], 1), None);
        let gone = [record(Kind::TransferIn, 7, None), record(Kind::Sell, 7, Some(70)), bought()];
        assert_eq!(cost(&gone, 1), Some(10.into()), "nothing is left of what was before");
    }
}
