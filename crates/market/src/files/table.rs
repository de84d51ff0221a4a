//! One CSV file with a header: columns in any order, empty = unknown, every bad line named.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};

use super::fields;

/// What is wrong, in which file, on which line (0: the file itself).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    pub line: u64,
    pub reason: String,
}

impl Problem {
    pub fn new(file: &str, line: u64, reason: impl Into<String>) -> Problem {
        Problem { file: file.to_owned(), line, reason: reason.into() }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.reason),
            line => write!(f, "{}, line {line}: {}", self.file, self.reason),
        }
    }
}

pub(super) struct Table<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
}

impl Table<'_> {
    pub fn read<T>(
        &self,
        columns: &[&str],
        problems: &mut Vec<Problem>,
        read: fn(&Line<'_>) -> Result<T, String>,
    ) -> Vec<(u64, T)> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes);
        let mut reader = csv::Reader::from_reader(bytes);
        let mut complain = |line, reason: String| problems.push(Problem::new(self.name, line, reason));
        let header: Vec<String> = match reader.headers() {
            Ok(header) => header.iter().map(|name| name.trim().to_owned()).collect(),
            Err(_) => {
                complain(1, "the header is not UTF-8 text; save the file as UTF-8".to_owned());
                return Vec::new();
            }
        };
        if let Some(unknown) = header.iter().find(|name| !columns.contains(&name.as_str())) {
            complain(1, format!("unknown column \"{unknown}\"; the columns are {}", columns.join(",")));
            return Vec::new();
        }
        if let Some((_, twice)) = header.iter().enumerate().find(|(place, name)| header[..*place].contains(name)) {
            complain(1, format!("the column \"{twice}\" stands twice in the header"));
            return Vec::new();
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            match record {
                Ok(record) => {
                    let number = line_of(bytes, record.position());
                    match read(&Line { header: &header, record: &record }) {
                        Ok(row) => rows.push((number, row)),
                        Err(reason) => complain(number, reason),
                    }
                }
                Err(error) => complain(
                    line_of(bytes, error.position()),
                    "this line is not readable as CSV in UTF-8, or has another number of fields than the header".to_owned(),
                ),
            }
        }
        rows
    }

    /// A row that stands twice is one; two different ones under one key are a question only the operator can answer.
    pub fn settle<T: PartialEq, K: Eq + Hash>(
        &self,
        rows: Vec<(u64, T)>,
        problems: &mut Vec<Problem>,
        key: impl Fn(&T) -> K,
        what: impl Fn(&T) -> String,
    ) -> Vec<T> {
        let mut places: HashMap<K, (u64, usize)> = HashMap::with_capacity(rows.len());
        let mut kept: Vec<T> = Vec::with_capacity(rows.len());
        for (line, row) in rows {
            match places.entry(key(&row)) {
                Entry::Vacant(place) => {
                    place.insert((line, kept.len()));
                    kept.push(row);
                }
                Entry::Occupied(place) => {
                    let (first, at) = *place.get();
                    if kept[at] != row {
                        let advice =
                            if self.name == "dividends.csv" { "add them up, or mark one as special" } else { "keep one" };
                        let reason = format!("{} stands on line {first} too, with other figures; {advice}", what(&row));
                        problems.push(Problem::new(self.name, line, reason));
                    }
                }
            }
        }
        kept
    }
}

/// The reader's place is where the record before ended: the rest of its line end and blank lines may follow.
fn line_of(bytes: &[u8], place: Option<&csv::Position>) -> u64 {
    let Some(place) = place else { return 0 };
    let rest = usize::try_from(place.byte()).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
    let before_record = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    place.line() + before_record.filter(|byte| **byte == b'\n').count() as u64
}

/// One data line, read by column name.
pub(super) struct Line<'a> {
    header: &'a [String],
    record: &'a csv::StringRecord,
}

impl Line<'_> {
    fn field(&self, column: &str) -> Option<&str> {
        let place = self.header.iter().position(|name| name == column)?;
        self.record.get(place).map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn text(&self, column: &str) -> Option<String> {
        self.field(column).map(|text| text.replace(char::is_control, ""))
    }

    pub fn symbol(&self) -> Result<String, String> {
        fields::symbol(self.field("symbol").ok_or("symbol is missing")?)
    }

    pub fn decimal(&self, column: &str) -> Result<Option<Decimal>, String> {
        self.field(column).map(|text| fields::decimal(column, text)).transpose()
    }

    pub fn positive(&self, column: &str) -> Result<Option<Decimal>, String> {
        match self.decimal(column)? {
            Some(figure) if figure <= Decimal::ZERO => Err(format!("{column} {figure} is not above zero")),
            figure => Ok(figure),
        }
    }

    pub fn date(&self, column: &str) -> Result<Option<Date>, String> {
        self.field(column).map(|text| fields::date(column, text)).transpose()
    }

    pub fn required_date(&self, column: &str) -> Result<Date, String> {
        self.date(column)?.ok_or_else(|| format!("{column} is missing"))
    }

    pub fn instant(&self, column: &str) -> Result<Option<Timestamp>, String> {
        self.field(column).map(|text| fields::instant(column, text)).transpose()
    }

    pub fn unit(&self, column: &str) -> Result<Option<QuoteUnit>, String> {
        self.field(column).map(QuoteUnit::parse).transpose().map_err(|unknown| unknown.to_string())
    }

    pub fn boolean(&self, column: &str) -> Result<Option<bool>, String> {
        match self.field(column) {
            None => Ok(None),
            Some("true" | "1" | "yes") => Ok(Some(true)),
            Some("false" | "0" | "no") => Ok(Some(false)),
            Some(other) => Err(format!("{column} \"{other}\" is neither true nor false")),
        }
    }
}
