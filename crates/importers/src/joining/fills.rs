//! Ids of fills, if the broker only has the id of the order.

use std::collections::HashMap;

use ledger::Decimal;

/// Ids assigned in one file.
#[derive(Default)]
pub struct Fills(HashMap<String, u32>);

impl Fills {
    /// The order with what was filled; equal fills of one order are counted. `None` without an order.
    pub fn id(&mut self, order: &str, shares: Decimal, price: Decimal) -> Option<String> {
        let nothing = order.bytes().all(|byte| byte == b'0') || order.len() > 100 || order.chars().any(char::is_control);
        if nothing {
            return None;
        }
        let id = format!("{order}/{}@{}", shares.normalize(), price.normalize());
        let count = self.0.entry(id.clone()).or_default();
        *count += 1;
        Some(format!("{id}/{count}"))
    }
}
