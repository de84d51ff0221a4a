//! Which instrument a row means, and the row's other texts.

use super::Reader;
use crate::generic::field::Field;
use crate::generic::looks::is_isin;
use crate::generic::mapping::Style;
use crate::reading::{Row, fields, suffix_of_mic};
use crate::writing::formula::unguarded;
use crate::{Reason, Record};

impl Reader<'_> {
    pub fn instrument(&self, row: Row<'_>, record: Record) -> Result<Record, Reason> {
        let columns = &self.columns;
        let text = |field| columns.text(row, field).map(unguarded);
        let within = |field: Field, chars_max| text(field).map(|cell| fields::text(field.word(), cell, chars_max)).transpose();
        let raw = text(Field::Symbol);
        let isin = text(Field::Isin).or(raw.filter(|symbol| is_isin(symbol)));
        let cusip = text(Field::Cusip).filter(|cusip| cusip.len() == 9 && cusip.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let name = text(Field::Name).map(|name| cleaned(name, 200));
        let raw = raw.filter(|symbol| !is_isin(symbol));
        let identified = raw.is_some() || name.is_some() || cusip.is_some();
        let isin = match isin.map(|isin| fields::isin("isin", isin)) {
            Some(Err(reason)) if !identified || self.mapping.style == Style::Dripline => return Err(reason),
            read => read.and_then(Result::ok),
        };
        let mut record = Record {
            isin,
            cusip: cusip.map(str::to_uppercase),
            name,
            ex_date: columns.text(row, Field::ExDate).map(|text| self.day("ex_date", text)).transpose()?.map(|(day, _)| day),
            portfolio: within(Field::Portfolio, 100)?,
            id: within(Field::Id, 200)?,
            note: text(Field::Note).map(|note| cleaned(note, 1000)),
            ..record
        };
        match self.mapping.style {
            Style::Yahoo | Style::Dripline => record.symbol = raw.map(|symbol| fields::symbol("symbol", symbol)).transpose()?,
            Style::Broker => {
                let with_market =
                    raw.and_then(|symbol| symbol.split_once(':')).and_then(|(ticker, mic)| Some((ticker, suffix_of_mic(mic)?)));
                record.suffix = with_market.map(|(_, suffix)| suffix);
                let ticker = with_market.map(|(ticker, _)| ticker).or(raw);
                record.ticker = ticker.map(|ticker| fields::text("symbol", ticker, 32)).transpose()?;
            }
        }
        Ok(record)
    }
}

/// Without control characters, and within the maximum length of names and notes.
fn cleaned(text: &str, chars_max: usize) -> String {
    let spaced: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(chars_max).collect();
    spaced.trim().to_owned()
}
