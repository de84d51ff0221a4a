//! DEGIRO's columns in the languages of its accounts; columns without a title belong to the previous one.

use crate::Opened;
use crate::reading::{Row, Sheet, Words, folded};

static ACCOUNT: Words = Words::new(include_str!("account.txt"));
static TRANSACTIONS: Words = Words::new(include_str!("transactions.txt"));

/// A sheet with a known header.
pub struct Columns<'a> {
    pub sheet: &'a Sheet,
    pub header: usize,
    places: Vec<(&'static str, usize)>,
    names: Vec<String>,
}

const HEADER_WITHIN: usize = 20;

pub fn account(file: &Opened) -> Option<Columns<'_>> {
    let found = find(file, &ACCOUNT, &["date", "product", "isin", "description", "change", "balance"])?;
    let beside = found.name(found.place("change")? + 1);
    (beside.is_empty() || beside.starts_with("unnamed")).then_some(found)
}

pub fn transactions(file: &Opened) -> Option<Columns<'_>> {
    find(file, &TRANSACTIONS, &["date", "product", "isin", "quantity", "price", "local value", "value"])
}

fn find<'a>(file: &'a Opened, names: &Words, needed: &[&str]) -> Option<Columns<'a>> {
    file.sheets.iter().find_map(|sheet| {
        (0..sheet.len().min(HEADER_WITHIN)).find_map(|header| {
            let columns = Columns::of(sheet, header, names)?;
            needed.iter().all(|column| columns.place(column).is_some()).then_some(columns)
        })
    })
}

impl<'a> Columns<'a> {
    fn of(sheet: &'a Sheet, header: usize, known: &Words) -> Option<Columns<'a>> {
        let names: Vec<String> = sheet.row(header)?.cells().map(folded).collect();
        let mut places: Vec<(&'static str, usize)> = Vec::new();
        for (place, name) in names.iter().enumerate() {
            // The longest known name that the title begins with: `value date` is not `value`.
            let best = known.iter().filter(|(_, spelling)| begins(name, spelling)).max_by_key(|(_, spelling)| spelling.len());
            let free = |column: &&str| places.iter().all(|(taken, _)| taken != column);
            // In Polish both dates have the same title; the second is the value date.
            let column = best.map(|(column, _)| if column == "date" && !free(&column) { "value date" } else { column });
            if let Some(column) = column.filter(free) {
                places.push((column, place));
            }
        }
        Some(Columns { sheet, header, places, names })
    }

    pub fn place(&self, column: &str) -> Option<usize> {
        self.places.iter().find(|(named, _)| *named == column).map(|(_, place)| *place)
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let sheet = self.sheet;
        (self.header + 1..sheet.len()).filter_map(move |at| sheet.row(at))
    }

    pub fn cell(&self, row: Row<'a>, column: &str) -> &'a str {
        self.place(column).map_or("", |place| row.cell(place))
    }

    /// An amount and its currency: one of them is in an untitled column next to the other, or the header has the currency.
    pub fn money(&self, row: Row<'a>, column: &str) -> (&'a str, Option<&'a str>) {
        let Some(place) = self.place(column) else { return ("", None) };
        let (here, beside) = (row.cell(place), row.cell(place + 1));
        let beside = if self.name(place + 1).is_empty() { beside } else { "" };
        let before = place.checked_sub(1).filter(|before| self.name(*before).is_empty()).map_or("", |before| row.cell(before));
        match () {
            () if is_code(here) => (beside, Some(here)),
            () if is_code(beside) => (here, Some(beside)),
            () => (here, self.currency_of_header(place).or_else(|| is_code(before).then_some(before))),
        }
    }

    /// The cell in the untitled column after this one.
    pub fn beside(&self, row: Row<'a>, column: &str) -> &'a str {
        self.place(column).filter(|place| self.name(place + 1).is_empty()).map_or("", |place| row.cell(place + 1))
    }

    fn currency_of_header(&self, place: usize) -> Option<&'a str> {
        let name = self.sheet.row(self.header)?.cell(place);
        name.split_whitespace().last().map(|word| word.trim_matches(['(', ')'])).filter(|word| is_code(word))
    }

    fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }
}

fn begins(name: &str, spelling: &str) -> bool {
    name.strip_prefix(spelling).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn is_code(text: &str) -> bool {
    text.len() == 3
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (text == "GBp" || text == "ZAc" || text.bytes().all(|byte| byte.is_ascii_uppercase()))
}
