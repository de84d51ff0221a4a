//! The figures of an activity.

use ledger::{Decimal, QuoteUnit};

use crate::reading::{Line, fields};
use crate::{Reason, Record};

pub const PRICE: [&str; 2] = ["unitprice", "unit_price"];

/// In whole units of the currency; nothing instead of zero.
pub struct Figures {
    pub unit: Option<QuoteUnit>,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    /// Quantity × price.
    pub product: Option<Decimal>,
    pub amount: Option<Decimal>,
    fee: Option<Decimal>,
    tax: Option<Decimal>,
}

impl Figures {
    pub fn read(line: &Line<'_, '_>) -> Result<Figures, Reason> {
        let unit = line.text("currency").map(|code| fields::unit("currency", code)).transpose()?;
        let plain = |names: &[&str]| Ok::<_, Reason>(line.any_figure(names)?.filter(|figure| !figure.is_zero()));
        let money = |names: &[&str]| {
            let figure = plain(names)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure)));
            Ok::<_, Reason>(figure.map(|figure| figure.round_dp(fields::DECIMALS_MAX)))
        };
        let (quantity, price) = (plain(&["quantity"])?.map(|shares| shares.abs()), money(&PRICE)?);
        Ok(Figures {
            unit,
            quantity,
            price,
            product: quantity
                .zip(price)
                .and_then(|(quantity, price)| quantity.checked_mul(price))
                .map(|product| product.normalize()),
            amount: money(&["amount"])?,
            fee: money(&["fee"])?.map(|fee| fee.abs()),
            tax: money(&["tax"])?.map(|tax| tax.abs()),
        })
    }

    pub fn shares(&self) -> Result<Decimal, Reason> {
        self.quantity.ok_or_else(|| Reason::missing("quantity"))
    }

    fn costs(&self) -> Decimal {
        self.fee.unwrap_or_default().saturating_add(self.tax.unwrap_or_default())
    }

    /// The amount may be before or after fees, depending on the version; quantity and price decide.
    pub fn trade(&self, record: Record) -> Result<Record, Reason> {
        let shares = Some(self.shares()?);
        let costs = Some(self.costs()).filter(|costs| !costs.is_zero());
        let amount = self.amount.map(|amount| amount.abs()).filter(|_| self.price.is_none());
        Ok(Record { shares, price: self.price, amount, fees: costs, ..record })
    }

    /// Before fees and tax if the amount is quantity × price; after them if it is less by exactly these.
    pub fn dividend(&self, record: Record, reinvested: bool) -> Result<Record, Reason> {
        let amount = self.amount.or(self.product).ok_or_else(|| Reason::missing("amount"))?;
        let costs = self.costs();
        let gross = amount.checked_add(costs).ok_or(Reason::FiguresTooLarge)?;
        let near = |one: Decimal, other: Decimal| one.saturating_sub(other).abs() <= Decimal::new(1, 2);
        let is_net = !costs.is_zero() && self.product.is_some_and(|product| near(product, gross) && !near(product, amount));
        // One unit stands for an amount alone.
        let is_per_share = !reinvested && self.quantity.is_some_and(|quantity| quantity != Decimal::ONE);
        let amount = if is_net { gross } else { amount };
        let is_product = self.product.is_some_and(|product| near(product, amount));
        Ok(Record {
            shares: self.quantity.filter(|_| is_per_share && is_product),
            price: self.price.filter(|_| is_per_share && is_product),
            amount: Some(amount),
            fees: self.fee,
            tax: self.tax,
            net: is_net.then(|| amount.saturating_sub(costs)),
            ..record
        })
    }
}
