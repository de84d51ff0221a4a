//! Listings by symbol and by ISIN, in the text they are packed as: a hundred thousand strings would need several times as much
//! memory.

use std::fmt;
use std::sync::OnceLock;

use ledger::QuoteUnit;

/// A share or fund at one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listing<'a> {
    pub symbol: &'a str,
    pub name: &'a str,
    pub exchange: &'a str,
    /// The unit of quotes, such as `GBp`.
    pub unit: QuoteUnit,
    pub country: Option<&'a str>,
    pub sector: Option<&'a str>,
    /// `EQUITY` or `ETF`.
    pub kind: &'a str,
    pub isin: Option<&'a str>,
}

pub struct Listings {
    packed: &'static [u8],
    table: OnceLock<Table>,
}

/// Listings are numbered in the order of their symbols.
#[derive(Default)]
struct Table {
    text: String,
    /// Exchanges, units, countries, sectors and kinds.
    values: [Vec<Span>; VALUES],
    units: Vec<QuoteUnit>,
    /// Where the numbers of the listings' values start in the text, one character per listing; then, where their places among
    /// the listings of one ISIN do.
    numbers: [usize; VALUES + 1],
    symbols: Vec<Span>,
    isins: Vec<Span>,
    names: Vec<Span>,
    /// Those with an ISIN, by ISIN and place.
    by_isin: Vec<u32>,
}

const VALUES: usize = 5;
const EXCHANGE: usize = 0;
const UNIT: usize = 1;
const COUNTRY: usize = 2;
const SECTOR: usize = 3;
const KIND: usize = 4;
/// The character of the first value.
const FIRST: u8 = b'!';

/// A part of the text.
#[derive(Clone, Copy)]
struct Span {
    from: u32,
    len: u16,
}

impl Listings {
    pub(crate) const fn new(packed: &'static [u8]) -> Listings {
        Listings { packed, table: OnceLock::new() }
    }

    pub fn len(&self) -> usize {
        self.table().symbols.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those whose symbol is `root` with any exchange's suffix, by symbol.
    pub fn by_root(&self, root: &str) -> impl Iterator<Item = Listing<'_>> {
        let table = self.table();
        let start = format!("{root}.");
        let from = table.symbols.partition_point(|span| table.text(*span) < start.as_str());
        let same = table.symbols[from..].iter().take_while(move |span| table.text(**span).starts_with(&start)).count();
        self.by_symbol(root).into_iter().chain((from..from + same).map(|number| table.listing(number)))
    }

    /// By symbol.
    pub fn iter(&self) -> impl Iterator<Item = Listing<'_>> {
        let table = self.table();
        (0..table.symbols.len()).map(|number| table.listing(number))
    }

    pub fn by_symbol(&self, symbol: &str) -> Option<Listing<'_>> {
        let table = self.table();
        let number = table.symbols.binary_search_by(|span| table.text(*span).cmp(symbol)).ok()?;
        Some(table.listing(number))
    }

    /// All listings of one instrument. Of two in one currency, most people trade the first.
    pub fn by_isin(&self, isin: &str) -> impl Iterator<Item = Listing<'_>> {
        let table = self.table();
        let isin_of = |number: &u32| table.text(table.isins[*number as usize]);
        let from = table.by_isin.partition_point(|number| isin_of(number) < isin);
        let rest = &table.by_isin[from..];
        let same = &rest[..rest.partition_point(|number| isin_of(number) == isin)];
        same.iter().map(|number| table.listing(*number as usize))
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::read(super::unpack_text(self.packed)).unwrap_or_default())
    }
}

impl fmt::Debug for Listings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listings").field("bytes", &self.packed.len()).finish_non_exhaustive()
    }
}

impl Table {
    /// `README.md` describes the format.
    fn read(text: String) -> Option<Table> {
        let mut lines = Lines { text: &text, at: 0 };
        let count: usize = text[lines.next()?.range()].parse().ok()?;
        let mut table = Table::default();
        for values in &mut table.values {
            let line = lines.next()?;
            *values = Lines { text: &text[..line.range().end], at: line.from as usize }.separated_by('\t').collect();
        }
        for numbers in &mut table.numbers {
            *numbers = lines.next()?.from as usize;
        }
        for spans in [&mut table.symbols, &mut table.isins, &mut table.names] {
            *spans = lines.by_ref().take(count).collect();
        }
        table.units =
            table.values[UNIT].iter().map(|span| QuoteUnit::parse(&text[span.range()]).ok()).collect::<Option<Vec<_>>>()?;
        table.by_isin = (0..).zip(&table.isins).filter(|(_, isin)| isin.len > 0).map(|(number, _)| number).collect();
        let places = &text.as_bytes()[table.numbers[VALUES]..];
        table.by_isin.sort_by_key(|number| (&text[table.isins[*number as usize].range()], places[*number as usize]));
        let whole = table.names.len() == count && lines.next().is_none();
        table.text = text;
        whole.then_some(table)
    }

    fn text(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    fn listing(&self, number: usize) -> Listing<'_> {
        let index = |column: usize| usize::from(self.text.as_bytes()[self.numbers[column] + number] - FIRST);
        let value = |column: usize| self.text(self.values[column][index(column)]);
        let given = |text| Some(text).filter(|text: &&str| !text.is_empty());
        Listing {
            symbol: self.text(self.symbols[number]),
            name: self.text(self.names[number]),
            exchange: value(EXCHANGE),
            unit: self.units[index(UNIT)],
            country: given(value(COUNTRY)),
            sector: given(value(SECTOR)),
            kind: value(KIND),
            isin: given(self.text(self.isins[number])),
        }
    }
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.from as usize + usize::from(self.len)
    }
}

/// The places of lines in a text.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl Lines<'_> {
    fn cut(&mut self, separator: char) -> Option<Span> {
        let rest = self.text.get(self.at..)?;
        let len = rest.find(separator).unwrap_or(rest.len());
        let span = Span { from: u32::try_from(self.at).ok()?, len: u16::try_from(len).unwrap_or(0) };
        self.at += len + 1;
        Some(span)
    }

    fn separated_by(mut self, separator: char) -> impl Iterator<Item = Span> {
        std::iter::from_fn(move || self.cut(separator))
    }
}

impl Iterator for Lines<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.at >= self.text.len() {
            return None;
        }
        self.cut('\n')
    }
}
