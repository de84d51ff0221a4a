//! What a person says about an uploaded file, and how it is kept: a line `KEY=SYMBOL` for each instrument, one without a key
//! for the file's format, and one with a key that no instrument has for the currency.

use importers::generic::Mapping;
use ledger::QuoteUnit;
use store::uploads::{self, Choices};

use super::Upload;
use crate::{Error, refusal};

const NAME_MAX: usize = 200;
const KEY_MAX: usize = 200;
const SYMBOL_MAX: usize = 32;
/// In place of what a file calls an instrument, in which there is no tab.
const FORMAT: &str = "";
const CURRENCY: &str = "\tcurrency";

/// What is said now; what is not mentioned stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// What the file calls an instrument, and the symbol it is; an empty symbol takes an answer back.
    pub map: Vec<(String, String)>,
    /// Which column is which; empty takes it back.
    pub columns: Option<String>,
    /// Whether to keep instruments that nobody knows under what the file calls them.
    pub keep: Option<bool>,
    /// None inside: the default one.
    pub portfolio: Option<Option<String>>,
    /// None inside: by the file's content.
    pub format: Option<Option<String>>,
    /// What rows are in where nothing tells, `GBp` for pence; none inside: to be asked again.
    pub currency: Option<Option<String>>,
}

impl Answers {
    pub(super) fn over(self, upload: Upload) -> Result<Choices, Error> {
        let mut map = upload.map;
        for (key, symbol) in &self.map {
            let (key, symbol) = (checked_key(key)?, symbol.trim().to_uppercase());
            map.retain(|(known, _)| *known != key);
            if !symbol.is_empty() {
                map.push((key, checked_symbol(symbol)?));
            }
        }
        let columns = match self.columns {
            Some(text) => filled(Some(&text)).map(checked_columns).transpose()?,
            None => upload.columns,
        };
        let format = match self.format {
            Some(name) => filled(name.as_deref()).map(checked_format).transpose()?,
            None => upload.format,
        };
        let currency = match self.currency {
            Some(unit) => filled(unit.as_deref()).map(checked_currency).transpose()?,
            None => upload.currency,
        };
        let portfolio = self.portfolio.map_or(upload.portfolio, |name| filled(name.as_deref()));
        let keep_unresolved = self.keep.unwrap_or(upload.keep);
        Ok(Choices { portfolio, columns, answers: written(&map, format.as_deref(), currency.as_deref()), keep_unresolved })
    }
}

impl From<uploads::Upload> for Upload {
    fn from(row: uploads::Upload) -> Upload {
        let lines = || row.choices.answers.lines().filter_map(|line| line.rsplit_once('='));
        let own = |wanted: &str| lines().find(|(key, _)| *key == wanted).map(|(_, value)| value.to_owned());
        let (format, currency) = (own(FORMAT), own(CURRENCY));
        let of_instruments = lines().filter(|(key, _)| ![FORMAT, CURRENCY].contains(key));
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
            created_at: row.created_at,
            import_id: row.import_id,
        }
    }
}

fn written(map: &[(String, String)], format: Option<&str>, currency: Option<&str>) -> String {
    let own = [format.map(|format| (FORMAT, format)), currency.map(|currency| (CURRENCY, currency))];
    let lines = map.iter().map(|(key, symbol)| (key.as_str(), symbol.as_str())).chain(own.into_iter().flatten());
    lines.map(|(key, value)| format!("{key}={value}\n")).collect()
}

/// None for a blank one.
pub(super) fn filled(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// As it can stand in a sentence.
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

fn checked_currency(unit: String) -> Result<String, Error> {
    match QuoteUnit::parse(&unit) {
        Ok(known) => Ok(known.name().to_owned()),
        Err(_) => Err(refusal::Import::UnknownUnit { unit }.into()),
    }
}
