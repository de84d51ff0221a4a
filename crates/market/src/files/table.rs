//! One CSV file with a header: columns in any order, empty means unknown, and every bad line is reported.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};

use super::fields;
use super::problem::{Problem, Reason, Subject};

pub(super) struct Table<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
}

impl Table<'_> {
    pub fn read<T>(
        &self,
        columns: &'static [&'static str],
        problems: &mut Vec<Problem>,
        read: fn(&Line<'_>) -> Result<T, Reason>,
    ) -> Vec<(u64, T)> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes);
        let mut reader = csv::Reader::from_reader(bytes);
        let mut complain = |line, reason: Reason| problems.push(Problem::new(self.name, line, reason));
        let header: Vec<String> = match reader.headers() {
            Ok(header) => header.iter().map(|name| name.trim().to_owned()).collect(),
            Err(_) => {
                complain(1, Reason::HeaderNotUtf8);
                return Vec::new();
            }
        };
        if let Some(unknown) = header.iter().find(|name| !columns.contains(&name.as_str())) {
            complain(1, Reason::UnknownColumn { column: unknown.clone(), columns });
            return Vec::new();
        }
        if let Some((_, twice)) = header.iter().enumerate().find(|(place, name)| header[..*place].contains(name)) {
            complain(1, Reason::ColumnTwice { column: twice.clone() });
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
                Err(error) => complain(line_of(bytes, error.position()), Reason::MalformedLine),
            }
        }
        rows
    }

    /// Identical rows count once; only the operator can resolve different rows with the same key.
    pub fn without_duplicates<T: PartialEq, K: Eq + Hash>(
        &self,
        rows: Vec<(u64, T)>,
        problems: &mut Vec<Problem>,
        key: impl Fn(&T) -> K,
        subject: impl Fn(&T) -> Subject,
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
                        let reason = Reason::Conflict { subject: subject(&row), first_line: first };
                        problems.push(Problem::new(self.name, line, reason));
                    }
                }
            }
        }
        kept
    }
}

/// The reader's position is the end of the previous record; the rest of its line break and blank lines may follow.
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

    pub fn symbol(&self) -> Result<String, Reason> {
        fields::symbol(self.field("symbol").ok_or(Reason::Missing { column: "symbol" })?)
    }

    pub fn decimal(&self, column: &'static str) -> Result<Option<Decimal>, Reason> {
        self.field(column).map(|text| fields::decimal(column, text)).transpose()
    }

    pub fn positive(&self, column: &'static str) -> Result<Option<Decimal>, Reason> {
        match self.decimal(column)? {
            Some(figure) if figure <= Decimal::ZERO => Err(Reason::NotPositive { column, figure }),
            figure => Ok(figure),
        }
    }

    pub fn date(&self, column: &'static str) -> Result<Option<Date>, Reason> {
        self.field(column).map(|text| fields::date(column, text)).transpose()
    }

    pub fn required_date(&self, column: &'static str) -> Result<Date, Reason> {
        self.date(column)?.ok_or(Reason::Missing { column })
    }

    pub fn instant(&self, column: &'static str) -> Result<Option<Timestamp>, Reason> {
        self.field(column).map(|text| fields::instant(column, text)).transpose()
    }

    pub fn unit(&self, column: &'static str) -> Result<Option<QuoteUnit>, Reason> {
        let parsed = |text: &str| QuoteUnit::parse(text).map_err(|_| Reason::UnknownCurrency { text: text.to_owned() });
        self.field(column).map(parsed).transpose()
    }

    pub fn boolean(&self, column: &'static str) -> Result<Option<bool>, Reason> {
        match self.field(column) {
            None => Ok(None),
            Some("true" | "1" | "yes") => Ok(Some(true)),
            Some("false" | "0" | "no") => Ok(Some(false)),
            Some(other) => Err(Reason::MalformedBoolean { column, text: other.to_owned() }),
        }
    }
}
