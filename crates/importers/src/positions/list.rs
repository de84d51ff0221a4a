//! A list without titles, as somebody types it: `KO 10 60.50 USD`.

use std::collections::HashSet;

use ledger::{Decimal, UnknownCurrency};

use super::grid::{Cells, Grid};
use super::{Position, TITLES};
use crate::Reason;
use crate::generic::looks::{is_currency, is_day, is_figure, is_isin, is_ticker, is_type, unit, unit_beside};
use crate::reading::folded;
use crate::reason::Cell;

pub struct List<'g, 'a> {
    pub grid: &'g Grid<'a>,
}

impl<'g, 'a> List<'g, 'a> {
    /// If most rows name a security and its shares, and none has a date or a type, or titles that nobody knows.
    pub fn find(grid: &'g Grid<'a>) -> Option<List<'g, 'a>> {
        let list = List { grid };
        let (mut read, mut unread) = (0, 0);
        let (mut widths, mut without_figures) = (HashSet::new(), HashSet::new());
        for row in &grid.rows {
            if row.texts().any(|cell| is_day(cell) || is_type(cell)) {
                return None;
            }
            match list.read(row) {
                Ok(Ok(_)) => {
                    read += 1;
                    widths.insert(row.texts().count());
                }
                Ok(Err(Reason::Remark)) if !row.texts().any(|text| text.starts_with('#')) => {
                    without_figures.insert(row.texts().count());
                }
                Ok(Err(_)) | Err(Reason::SharesNotPositive { .. } | Reason::NotANumber(_) | Reason::UnknownCurrency(_)) => {}
                Err(_) => unread += 1,
            }
        }
        let is_titled = without_figures.intersection(&widths).next().is_some();
        (read > 0 && unread * 3 <= read && !is_titled).then_some(list)
    }

    /// The inner error is why the row is skipped.
    pub fn read(&self, row: &Cells<'a>) -> Result<Result<Position, Reason>, Reason> {
        let fillers = TITLES.words_for("filler");
        let parts: Vec<&str> = row.texts().filter(|text| !fillers.contains(&folded(text).as_str())).collect();
        let first = parts.first().map(|part| folded(part)).unwrap_or_default();
        if first.starts_with('#') || !parts.iter().any(|part| is_figure(part)) {
            return Ok(Err(Reason::Remark));
        }
        if TITLES.words_for("row total").contains(&first.trim_end_matches(':')) {
            return Ok(Err(Reason::Total));
        }
        if TITLES.words_for("row cash").contains(&first.trim_end_matches(':')) {
            return Ok(Err(Reason::Cash));
        }
        let (figures, others): (Vec<&str>, Vec<&str>) = parts.iter().partition(|part| is_figure(part));
        let (shares, cost) = match figures.as_slice() {
            [shares] => (*shares, None),
            [shares, cost] => (*shares, Some(*cost)),
            _ => return Err(Reason::PositionUnclear),
        };
        if let Some(odd) = others.iter().find(|part| is_mistyped(part)) {
            return Err(Reason::NotANumber(Cell::new("shares", odd)));
        }
        if figures.iter().any(|figure| figure.contains('%')) || unit_beside(shares).is_some() {
            return Err(Reason::PositionUnclear);
        }
        let shares = self.grid.figure("shares", shares)?;
        if shares <= Decimal::ZERO {
            return Err(Reason::SharesNotPositive { shares });
        }
        let mut position = Position::of(row.line, shares);
        self.identify(&others, &mut position)?;
        let stated = others.iter().rev().find(|part| is_currency(part) && !position.is_called(part));
        let unit = stated.map(|code| unit(code)).transpose()?.or_else(|| unit_beside(cost?));
        if let [.., before, last] = parts.as_slice()
            && unit.is_none()
            && is_figure(before)
            && is_code(last)
            && !position.is_called(last)
        {
            return Err(Reason::unknown_currency("currency", UnknownCurrency((*last).to_owned())));
        }
        position.currency = unit.map(|unit| unit.currency);
        if let Some(cost) = cost {
            let cost = self.grid.figure("cost", cost)?;
            position.price = Some(unit.map_or(cost, |unit| unit.normalise(cost)));
            position.quoted = unit.is_none();
        }
        if let Some(symbol) = position.ticker.take() {
            position.by_own_symbol(&symbol);
        }
        Ok(Ok(position))
    }

    fn identify(&self, others: &[&str], position: &mut Position) -> Result<(), Reason> {
        let bare = |part: &str| part.trim_matches([':', ',', ';']).to_owned();
        let isin = others.iter().map(|part| bare(part)).find(|part| is_isin(part));
        let ticker = others.iter().map(|part| bare(part)).find(|part| is_ticker(part));
        if isin.is_none() && ticker.is_none() {
            return Err(Reason::PositionUnclear);
        }
        let is_taken = |part: &str| [&isin, &ticker].into_iter().flatten().any(|taken| *taken == bare(part)) || is_currency(part);
        let name: Vec<&str> = others.iter().copied().filter(|part| !is_taken(part)).collect();
        position.name = Some(name.join(" ")).filter(|name| !name.is_empty());
        position.ticker = ticker.filter(|_| isin.is_none());
        position.isin = isin;
        Ok(())
    }
}

/// A word that was probably meant to be a number: `1o`, `l0`, `10x`.
fn is_mistyped(word: &str) -> bool {
    let alike = |letter: char| match letter {
        'o' | 'O' => '0',
        'l' | 'I' => '1',
        other => other,
    };
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_counted = digits > 0 && digits < word.len() && word[digits..].bytes().all(|byte| byte.is_ascii_lowercase());
    has_digit && (is_counted || is_figure(&word.chars().map(alike).collect::<String>()))
}

/// Whether it looks like the code of a currency.
fn is_code(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
