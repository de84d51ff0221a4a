//! A user's answers about an uploaded file, and how they are stored: a line `KEY=SYMBOL` for each instrument, one without a key
//! for the file's format, and lines with keys that no instrument has for the currency, skipped rows and opening positions.

use std::collections::BTreeSet;

use importers::generic::Mapping;
use importers::{Describe, Kind, Record};
use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit};
use store::uploads::{self, Choices};

use super::Upload;
use crate::import::{MissingShares, Opening, Report};
use crate::{Error, entries, refusal};

const NAME_MAX: usize = 200;
const KEY_MAX: usize = 200;
const SYMBOL_MAX: usize = 32;
/// In place of an instrument's name, which never contains a tab.
const FORMAT: &str = "";
const CURRENCY: &str = "\tcurrency";
const SKIPPED: &str = "\tskipped";
const SKIP_ERRORS: &str = "\tskip errors";
const OPEN_MISSING: &str = "\topen missing";
/// Followed by the line of the row that needs it.
const OPENING: &str = "\topening ";
/// Followed by two currencies.
const RATE: &str = "\trate ";
pub const SKIPPED_MAX: usize = 10_000;
pub const OPENINGS_MAX: usize = 500;

/// New answers; what is not mentioned stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// How the file names an instrument, and its symbol; an empty symbol takes back an answer.
    pub map: Vec<(String, String)>,
    /// Which column is which; empty takes it back.
    pub columns: Option<String>,
    /// Whether to keep unknown instruments under the name in the file.
    pub keep: Option<bool>,
    /// `Some(None)`: the default portfolio.
    pub portfolio: Option<Option<String>>,
    /// `Some(None)`: detected from the file's content.
    pub format: Option<Option<String>>,
    /// The currency of rows without one, `GBp` for pence; `Some(None)`: ask again.
    pub currency: Option<Option<String>>,
    /// Whether to skip all rows with errors.
    pub skip_errors: Option<bool>,
    /// Whether to add opening positions for all missing shares.
    pub open_missing: Option<bool>,
    /// An exchange rate for days without one: what one unit of the first currency is in the second; `None` takes it back.
    pub rate: Option<(Currency, Currency, Option<Decimal>)>,
    /// How to fix a row with an error, or undo such a fix.
    pub fix: Option<Fix>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// The row on this line.
    Skip(u64),
    /// All rows whose error has this code.
    SkipAll(String),
    /// A row that was skipped.
    Include(u64),
    IncludeAll,
    /// Adds an opening position for the row on this line.
    Open {
        line: u64,
        date: Date,
        shares: Decimal,
        cost: Option<Decimal>,
    },
    /// Removes it again.
    Close(u64),
}

impl Fix {
    fn apply(self, upload: &mut Upload, report: &Report, today: Date) -> Result<(), Error> {
        match self {
            Fix::Skip(line) => {
                let found = report.skippable().any(|(known, _)| known == line);
                upload.skipped.insert(found.then_some(line).ok_or(refusal::Import::RowNotSkippable { line })?);
            }
            Fix::SkipAll(code) => {
                let same = report.skippable().filter(|(_, reason)| reason.code() == code);
                upload.skipped.extend(same.map(|(line, _)| line));
            }
            Fix::Include(line) => drop(upload.skipped.remove(&line)),
            Fix::IncludeAll => {
                upload.skipped.clear();
                upload.skip_errors = false;
            }
            Fix::Open { line, date, shares, cost } => {
                let missing = report.missing.get(&line).ok_or(refusal::Import::NoSharesMissing { line })?;
                let opening = match cost {
                    Some(cost) => Opening { date, shares, cost, cost_known: true, currency: missing.currency },
                    None => missing.estimated(date, shares),
                };
                check_opening(&opening, missing, today)?;
                upload.openings.retain(|(known, _)| *known != line);
                upload.openings.push((line, opening));
            }
            Fix::Close(line) => upload.openings.retain(|(known, _)| *known != line),
        }
        if upload.skipped.len() > SKIPPED_MAX {
            return Err(refusal::Import::TooManySkipped { max: SKIPPED_MAX }.into());
        }
        if upload.openings.len() > OPENINGS_MAX {
            return Err(refusal::Import::TooManyOpenings { max: OPENINGS_MAX }.into());
        }
        Ok(())
    }
}

/// By the rules of an entry added manually; the symbol is the file's.
fn check_opening(opening: &Opening, missing: &MissingShares, today: Date) -> Result<(), Error> {
    let mut problems = entries::fields_of(&opening.record(&missing.symbol), today);
    problems.retain(|problem| problem.field != "symbol");
    if problems.is_empty() { Ok(()) } else { Err(Error::Entry(problems)) }
}

impl Answers {
    /// The recommended answer to every question: opening positions for missing shares, the other rows with errors skipped, and
    /// securities without a match kept under the name in the file.
    pub fn recommended() -> Answers {
        Answers { keep: Some(true), skip_errors: Some(true), open_missing: Some(true), ..Answers::default() }
    }

    /// `report` is the current plan of the upload, to which a fix refers.
    pub(super) fn over(self, mut upload: Upload, report: &Report, today: Date) -> Result<Choices, Error> {
        if let Some(fix) = self.fix {
            fix.apply(&mut upload, report, today)?;
        }
        if let Some((from, to, rate)) = self.rate {
            upload.rates.retain(|(known_from, known_to, _)| (*known_from, *known_to) != (from, to));
            upload.rates.extend(rate.map(|rate| checked_rate(rate, today)).transpose()?.map(|rate| (from, to, rate)));
        }
        let mut map = std::mem::take(&mut upload.map);
        for (key, symbol) in &self.map {
            let (key, symbol) = (checked_key(key)?, symbol.trim().to_uppercase());
            map.retain(|(known, _)| *known != key);
            if !symbol.is_empty() {
                map.push((key, checked_symbol(symbol)?));
            }
        }
        let columns = match self.columns {
            Some(text) => filled(Some(&text)).map(checked_columns).transpose()?,
            None => upload.columns.take(),
        };
        let format = match self.format {
            Some(name) => filled(name.as_deref()).map(checked_format).transpose()?,
            None => upload.format.take(),
        };
        let currency = match self.currency {
            Some(unit) => filled(unit.as_deref()).map(checked_currency).transpose()?,
            None => upload.currency.take(),
        };
        let portfolio = self.portfolio.map_or(upload.portfolio.take(), |name| filled(name.as_deref()));
        let keep_unresolved = self.keep.unwrap_or(upload.keep);
        let skip_errors = self.skip_errors.unwrap_or(upload.skip_errors);
        let open_missing = self.open_missing.unwrap_or(upload.open_missing);
        let upload = Upload { map, format, currency, skip_errors, open_missing, ..upload };
        Ok(Choices { portfolio, columns, answers: written(&upload), keep_unresolved })
    }
}

impl From<uploads::Upload> for Upload {
    fn from(row: uploads::Upload) -> Upload {
        let lines = || row.choices.answers.lines().filter_map(|line| line.rsplit_once('='));
        let own = |wanted: &str| lines().find(|(key, _)| *key == wanted).map(|(_, value)| value.to_owned());
        let (format, currency) = (own(FORMAT), own(CURRENCY));
        let skipped = own(SKIPPED).map(|text| parse_lines(&text)).unwrap_or_default();
        let opening = |(key, value): (&str, &str)| Some((key.strip_prefix(OPENING)?.parse().ok()?, parse_opening(value)?));
        let openings = lines().filter_map(opening).collect();
        let own_keys = [FORMAT, CURRENCY, SKIPPED, SKIP_ERRORS, OPEN_MISSING];
        let rate = |(key, value): (&str, &str)| parse_rate(key.strip_prefix(RATE)?, value);
        let rates = lines().filter_map(rate).collect();
        let is_own = |key: &str| own_keys.contains(&key) || key.starts_with(OPENING) || key.starts_with(RATE);
        let of_instruments = lines().filter(|(key, _)| !is_own(key));
        let map = of_instruments.map(|(key, symbol)| (key.to_owned(), symbol.to_owned())).collect();
        Upload {
            id: row.id,
            file_name: row.file_name,
            portfolio: row.choices.portfolio,
            format,
            columns: row.choices.columns,
            map,
            keep: row.choices.keep_unresolved,
            currency,
            skipped,
            skip_errors: own(SKIP_ERRORS).is_some(),
            openings,
            rates,
            open_missing: own(OPEN_MISSING).is_some(),
            created_at: row.created_at,
            import_id: row.import_id,
        }
    }
}

pub(super) fn written(upload: &Upload) -> String {
    let Upload { map, format, currency, skipped, openings, rates, .. } = upload;
    let flag = |on: bool| on.then(|| "yes".to_owned());
    let (skip_errors, open_missing) = (flag(upload.skip_errors), flag(upload.open_missing));
    let skipped = (!skipped.is_empty()).then(|| written_lines(skipped));
    let flags = [(SKIP_ERRORS, &skip_errors), (OPEN_MISSING, &open_missing)];
    let own = [(FORMAT, format), (CURRENCY, currency), (SKIPPED, &skipped)].into_iter().chain(flags);
    let own = own.filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
    let openings = openings.iter().map(|(line, opening)| (format!("{OPENING}{line}"), written_opening(opening)));
    let rates = rates.iter().map(|(from, to, rate)| (format!("{RATE}{from} {to}"), rate.to_string()));
    let lines = map.iter().cloned().chain(own).chain(openings).chain(rates);
    lines.map(|(key, value)| format!("{key}={value}\n")).collect()
}

/// Such as `2-5,9`.
pub fn written_lines(lines: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

pub(super) fn parse_lines(text: &str) -> BTreeSet<u64> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<u64>().ok()?..=last.parse().ok()?)
    };
    text.split(',').filter_map(range).flatten().take(SKIPPED_MAX).collect()
}

/// Marks an estimated cost.
const ESTIMATED: char = '~';

/// Date, shares, currency and cost.
fn written_opening(opening: &Opening) -> String {
    let Opening { date, shares, cost, cost_known, currency } = opening;
    let mark = if *cost_known { String::new() } else { ESTIMATED.to_string() };
    format!("{date} {shares} {currency} {mark}{cost}")
}

fn parse_opening(text: &str) -> Option<Opening> {
    let mut parts = text.split(' ');
    let (date, shares) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let currency = Currency::parse(parts.next()?).ok()?;
    let cost = parts.next()?;
    let exact = cost.trim_start_matches(ESTIMATED);
    Some(Opening { date, shares, cost: exact.parse().ok()?, cost_known: exact == cost, currency })
}

fn parse_rate(currencies: &str, rate: &str) -> Option<(Currency, Currency, Decimal)> {
    let (from, to) = currencies.split_once(' ')?;
    Some((Currency::parse(from).ok()?, Currency::parse(to).ok()?, rate.parse().ok()?))
}

/// `None` for a blank text.
pub(super) fn filled(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// As shown in a sentence.
pub(super) fn shown_name(file_name: &str) -> String {
    let plain: String = file_name.trim().chars().filter(|letter| !letter.is_control()).take(NAME_MAX).collect();
    filled(Some(&plain)).unwrap_or_else(|| "file".to_owned())
}

fn checked_key(key: &str) -> Result<String, Error> {
    let key = key.trim().to_uppercase();
    match (1..=KEY_MAX).contains(&key.chars().count()) && !key.contains(char::is_control) {
        true => Ok(key),
        false => Err(refusal::Import::InstrumentNameLength { max: KEY_MAX }.into()),
    }
}

fn checked_symbol(symbol: String) -> Result<String, Error> {
    let odd = |letter: char| letter == '=' || letter.is_whitespace() || letter.is_control();
    match symbol.chars().count() <= SYMBOL_MAX && !symbol.contains(odd) {
        true => Ok(symbol),
        false => Err(refusal::Import::SymbolMalformed { symbol }.into()),
    }
}

fn checked_columns(text: String) -> Result<String, Error> {
    let mapping = Mapping::parse(&text).map_err(|reason| refusal::Import::ColumnsMalformed { reason })?;
    Ok(mapping.to_string())
}

fn checked_format(name: String) -> Result<String, Error> {
    match importers::by_name(&name) {
        Some(_) => Ok(name),
        None => Err(refusal::Import::UnknownFormat { name }.into()),
    }
}

/// By the rules of an entry added manually.
fn checked_rate(rate: Decimal, today: Date) -> Result<Decimal, Error> {
    let record = Record { symbol: Some(String::new()), fx_rate: Some(rate), ..Record::new(0, today, Kind::Buy) };
    let mut problems = entries::fields_of(&record, today);
    problems.retain(|problem| problem.field == "fx_rate");
    if problems.is_empty() { Ok(rate) } else { Err(Error::Entry(problems)) }
}

fn checked_currency(unit: String) -> Result<String, Error> {
    match QuoteUnit::parse(&unit) {
        Ok(known) => Ok(known.name().to_owned()),
        Err(_) => Err(refusal::Import::UnknownUnit { unit }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_lines_are_stored_as_ranges() {
        for (lines, text) in [(vec![7], "7"), (vec![2, 3, 4, 5, 9], "2-5,9"), (vec![1, 3, 5, 6], "1,3,5-6")] {
            let lines = BTreeSet::from_iter(lines);
            assert_eq!(written_lines(&lines), text);
            assert_eq!(parse_lines(text), lines);
        }
        assert_eq!(parse_lines("x,3-,-4,5-4,8"), BTreeSet::from([8]));
        assert_eq!(parse_lines("1-18446744073709551615").len(), SKIPPED_MAX);
    }

    #[test]
    fn an_opening_position_is_stored_exactly() {
        let dec = |text: &str| Decimal::from_str_exact(text).ok();
        for (text, shares, cost) in
            [("2026-01-04 7.50 USD ~70.10", "7.50", None), ("2026-01-04 0.00000001 EUR 70.10", "0.00000001", Some("70.10"))]
        {
            let known = |opening: &Opening| opening.cost_known.then_some(opening.cost);
            let opening = parse_opening(text).map(|opening| (Some(opening.shares), known(&opening), written_opening(&opening)));
            assert_eq!(opening, Some((dec(shares), cost.and_then(dec), text.to_owned())));
        }
        for odd in ["", "2026-01-04", "2026-01-04 7 USD", "2026-01-04 7 XYZ 1", "2026-01-04 7 USD much", "2026-02-30 7 USD"] {
            assert_eq!(parse_opening(odd), None, "{odd}");
        }
    }
}
