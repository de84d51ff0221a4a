//! What some rows of a report reveal about others.

use std::collections::HashMap;

use super::book::Book;
use super::instrument::ticker;
use crate::reading::Order;
use crate::{Parsed, Problem, Reason};

impl Book {
    /// Dates with slashes may be written either way: the file's own dates show which.
    pub fn learn_days(&mut self) -> Result<(), Problem> {
        let (mut day_first, mut month_first, mut open) = (false, false, None);
        for entry in &self.entries {
            for text in entry.days().filter(|text| text.contains('/')) {
                let mut numbers = text.split('/').map(|part| part.trim().parse::<u32>().unwrap_or(0));
                match (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) {
                    (13..=31, _) => day_first = true,
                    (_, 13..=31) => month_first = true,
                    _ => open = open.or(Some((entry.line, text.to_owned()))),
                }
            }
        }
        match (day_first, month_first, open) {
            (true, true, _) => Err(Problem::new(0, Reason::FlexDateFormats)),
            (false, false, Some((line, text))) => {
                let reason = Reason::FlexDateAmbiguous { text: text.into() };
                Err(Problem::new(line, reason))
            }
            _ => {
                let order = if day_first { Order::DayFirst } else { Order::MonthFirst };
                self.entries.iter_mut().for_each(|entry| entry.order = order);
                Ok(())
            }
        }
    }
}

/// If some rows of a share name its exchange and they all agree, the others get it too.
pub fn exchanges(parsed: &mut Parsed) {
    let mut known: HashMap<String, Option<&'static str>> = HashMap::new();
    for record in &parsed.records {
        if let (Some(isin), Some(suffix)) = (&record.isin, record.suffix) {
            let found = known.entry(isin.clone()).or_insert(Some(suffix));
            *found = found.filter(|found| *found == suffix);
        }
    }
    for record in parsed.records.iter_mut().filter(|record| record.suffix.is_none()) {
        record.suffix = record.isin.as_ref().and_then(|isin| known.get(isin).copied().flatten());
        record.ticker = record.ticker.take().map(|symbol| ticker(&symbol, record.suffix));
    }
}
