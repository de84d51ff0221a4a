//! What the cells of a table show about its notation: its dates, decimals and ids.

use std::collections::HashSet;

use super::field::Field;
use super::header::Header;
use super::looks::is_figure;
use super::mapping::Mapping;
use crate::Reason;
use crate::reading::{Decimals, Order, day, figure};

pub fn of_days(header: &Header<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let columns =
        header.found.iter().filter(|(_, field)| field.is_day()).map(|(column, _)| *column).chain(header.days.iter().copied());
    let (mut day_first, mut month_first, mut either) = (None, None, None);
    for cell in columns.flat_map(|column| header.cells(column)) {
        match (day("date", cell, Order::DayFirst).ok(), day("date", cell, Order::MonthFirst).ok()) {
            (Some(_), None) => day_first = day_first.or(Some(cell)),
            (None, Some(_)) => month_first = month_first.or(Some(cell)),
            (Some(one), Some(other)) if one != other => either = either.or(Some((cell, one))),
            _ => {}
        }
    }
    match (day_first, month_first, either) {
        (Some(_), None, _) => mapping.dates = Some(Order::DayFirst),
        (None, Some(_), _) => mapping.dates = Some(Order::MonthFirst),
        (Some(one), Some(other), _) => {
            doubts.push(Reason::DateOrdersMixed { dates: [one.to_owned(), other.to_owned()].into() });
        }
        (None, None, Some((cell, read))) => {
            doubts.push(Reason::DateOrder { text: cell.into(), date: read });
        }
        (None, None, None) => {}
    }
}

pub fn of_decimals(header: &Header<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let columns =
        header.found.iter().filter(|(_, field)| field.is_figure()).map(|(column, _)| *column).chain(header.money.iter().copied());
    let (mut point, mut comma, mut either) = (false, false, None);
    for cell in columns.flat_map(|column| header.cells(column)).filter(|cell| is_figure(cell)) {
        match Decimals::sniff(std::iter::once(cell)) {
            Some(Decimals::Point) => point = true,
            Some(Decimals::Comma) => comma = true,
            None => {
                let read = |decimals| figure("figure", cell, decimals).ok();
                if read(Decimals::Point) != read(Decimals::Comma) {
                    either = either.or(Some(cell));
                }
            }
        }
    }
    mapping.decimals = match (point, comma) {
        (true, false) => Some(Decimals::Point),
        (false, true) => Some(Decimals::Comma),
        _ => None,
    };
    if let (None, Some(cell)) = (mapping.decimals, either) {
        doubts.push(Reason::DecimalMark { text: cell.into() });
    }
}

/// An id identifies its row only if no other row has it, and if it is not just the row number.
pub fn of_ids(header: &Header<'_>, mapping: &mut Mapping) {
    let Some(column) = header.column(Field::Id) else { return };
    let mut seen = HashSet::new();
    let unique = header.cells(column).all(|cell| seen.insert(cell));
    let numbered = header
        .cells(column)
        .enumerate()
        .all(|(at, cell)| cell.parse::<usize>().is_ok_and(|number| number <= 1 || number == at + 1 || number == at));
    let numbered_back = header.cells(column).zip((1..=seen.len()).rev()).all(|(cell, number)| cell.parse() == Ok(number));
    if !unique || numbered || numbered_back {
        mapping.columns.retain(|(field, _)| *field != Field::Id);
    }
}
