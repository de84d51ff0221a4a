//! A file, opened: its text and its cells, before anybody knows which broker wrote it.

use std::collections::{HashMap, HashSet};

use super::encoding::{decode, plain};
use super::figure::Decimals;
use super::sheet::Sheet;
use super::workbook;
use crate::Problem;

pub const BYTES_MAX: usize = 50 * 1024 * 1024;
pub const ROWS_MAX: usize = 1_000_000;

/// In one row.
const CELLS_MAX: usize = 1_000;
/// Of a line of a table: far more than any broker writes.
const LINE_BYTES_MAX: usize = 256 << 10;

/// Elements and attributes of XML, or values of JSON: more than the longest history has.
const PARTS_MAX: usize = 4_000_000;

/// Figures that are looked at to learn how a file writes them.
const SNIFFED_ROWS: usize = 5_000;

/// Lines that are quoted; a file with more errors than that has one error.
const QUOTES_MAX: usize = 1_000;

const SAVE_AS_XML: &str = "this is a file of Portfolio Performance in its binary or packed form; \
    save it there as XML (File, Save as, XML), without a password";
const ENCRYPTED: &str = "this is a file of Portfolio Performance under a password; \
    save it there as XML (File, Save as, XML), without a password";

#[derive(Debug)]
pub struct Opened {
    /// Decoded; empty for a workbook.
    pub text: String,
    /// One for a CSV file, several for a workbook, none for XML, JSON and OFX.
    pub sheets: Vec<Sheet>,
    /// The line on which a quote opens that is never closed: what follows was swallowed by it.
    pub open_quote: Option<u64>,
}

impl Opened {
    /// The error is a reason for the file's owner.
    pub fn open(bytes: &[u8]) -> Result<Opened, Problem> {
        if bytes.len() > BYTES_MAX {
            return refused(format!(
                "the file is larger than {} MiB; export a shorter period, or split it",
                BYTES_MAX / 1024 / 1024
            ));
        }
        match bytes {
            [b'P', b'K', 3, 4, ..] if workbook::holds(bytes, &["data.portfolio", "data.xml"]) => {
                return refused(SAVE_AS_XML);
            }
            [b'P', b'K', 3, 4, ..] => {
                return Ok(Opened {
                    text: String::new(),
                    sheets: workbook::sheets(bytes).map_err(of_the_file)?,
                    open_quote: None,
                });
            }
            [0xd0, 0xcf, 0x11, 0xe0, ..] => return refused("this is an old Excel workbook (XLS); save it as XLSX or CSV"),
            [b'%', b'P', b'D', b'F', ..] => return refused("this is a PDF; export the transactions as CSV, XLSX or XML"),
            [0x1f, 0x8b, ..] => return refused("this is a compressed file; unpack it first"),
            _ if bytes.starts_with(b"PPPBV1") => return refused(SAVE_AS_XML),
            [b'P', b'O', b'R', b'T', b'F', b'O', b'L', b'I', b'O', 0 | 1, ..] => return refused(ENCRYPTED),
            _ => {}
        }
        Opened::of_text(decode(bytes)?)
    }

    /// The same of bytes that are not needed any more, which become the text where they are one.
    pub fn open_owned(bytes: Vec<u8>) -> Result<Opened, Problem> {
        match bytes.first() {
            Some(first) if first.is_ascii_graphic() && *first != b'P' && *first != b'%' && bytes.len() <= BYTES_MAX => {
                match plain(bytes) {
                    Ok(text) => Opened::of_text(text),
                    Err(bytes) => Opened::open(&bytes),
                }
            }
            _ => Opened::open(&bytes),
        }
    }

    fn of_text(text: String) -> Result<Opened, Problem> {
        if text.trim().is_empty() {
            return refused("the file is empty");
        }
        if text.trim_start().starts_with(['<', '{', '[']) || text.trim_start().starts_with("OFXHEADER") {
            return match has_too_many_parts(&text) {
                true => refused(format!("the file holds more than {PARTS_MAX} values; export a shorter period, or split it")),
                false => Ok(Opened { text, sheets: Vec::new(), open_quote: None }),
            };
        }
        if let Some(line) = long_line(&text) {
            let reason = format!("line {line} is longer than {} KiB; this is no table of transactions", LINE_BYTES_MAX >> 10);
            return Err(Problem::new(line, reason));
        }
        let (sheet, open_quote) = cells(&text).map_err(of_the_file)?;
        Ok(Opened { text, sheets: vec![sheet], open_quote })
    }

    /// Lines of the file as their owner sees them, for messages about them.
    pub fn quotes(&self, lines: impl Iterator<Item = u64>) -> HashMap<u64, String> {
        let wanted: HashSet<u64> = lines.take(QUOTES_MAX).collect();
        if wanted.is_empty() {
            return HashMap::new();
        }
        let written = (1..).zip(self.text.lines()).filter(|(line, _)| wanted.contains(line));
        let mut quotes: HashMap<u64, String> = written.map(|(line, text)| (line, shortened(text.chars()))).collect();
        if self.text.is_empty() {
            for row in self.sheets.iter().flat_map(Sheet::rows).filter(|row| wanted.contains(&row.line())) {
                let cells = row.cells().collect::<Vec<_>>().join(";");
                quotes.entry(row.line()).or_insert_with(|| shortened(cells.chars()));
            }
        }
        quotes
    }

    pub fn quote(&self, line: u64) -> Option<String> {
        self.quotes(std::iter::once(line)).remove(&line)
    }
}

fn of_the_file(reason: String) -> Problem {
    Problem::new(1, reason)
}

fn refused(reason: impl Into<String>) -> Result<Opened, Problem> {
    Err(Problem::new(1, reason))
}

fn shortened(letters: impl Iterator<Item = char>) -> String {
    const LETTERS_MAX: usize = 300;
    letters.filter(|letter| !letter.is_control()).take(LETTERS_MAX).collect()
}

fn cells(text: &str) -> Result<(Sheet, Option<u64>), String> {
    let delimiter = delimiter(text);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    if let Some(line) = wide_line(text, delimiter) {
        return Err(too_wide(line));
    }
    let mut sheet = Sheet::parted_by(delimiter);
    let mut record = csv::StringRecord::new();
    let (mut start, mut line) = (0, 1);
    let mut last = (0, 1);
    while reader.read_record(&mut record).map_err(|error| format!("the file is not readable as CSV: {error}"))? {
        let place = record.position().map_or(start, |place| place.byte() as usize);
        // The reader's place is where the record before ended: the rest of its line end and blank lines may follow.
        let begin = place + text.as_bytes()[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += lines_in(&text[start..begin]);
        start = begin;
        last = (begin, line);
        if record.as_slice().len() > LINE_BYTES_MAX {
            let most = LINE_BYTES_MAX >> 10;
            return Err(format!("the row on line {line} is longer than {most} KiB; a quote may open there that is never closed"));
        }
        if record.len() > CELLS_MAX {
            return Err(too_wide(line));
        }
        sheet.push(line, record.iter());
        if sheet.len() > ROWS_MAX {
            return Err(format!("the file holds more than {ROWS_MAX} rows; export a shorter period, or split it"));
        }
    }
    let sniffed = Decimals::sniff(sheet.rows().take(SNIFFED_ROWS).flat_map(|row| row.cells()));
    // A semicolon parts the cells where the comma is taken already, by the decimals.
    let comma = delimiter == b';' && sheet.rows().take(SNIFFED_ROWS).any(|row| row.cells().any(is_grouped_by_comma));
    sheet.decimals = sniffed.unwrap_or(if comma { Decimals::Comma } else { Decimals::Point });
    let closed = text[last.0..].matches('"').count().is_multiple_of(2);
    Ok((sheet, (!closed).then_some(u64::from(last.1))))
}

/// Found before any cell is kept: a mark may stand in a quoted text, but not that often.
fn wide_line(text: &str, delimiter: u8) -> Option<u32> {
    let marks_max = 10 * CELLS_MAX;
    if text.split('\n').all(|line| line.len() <= marks_max) {
        return None;
    }
    let marks = |line: &str| line.bytes().filter(|byte| *byte == delimiter).count();
    let wide = text.split_inclusive(['\n', '\r']).position(|line| marks(line) > marks_max)?;
    let before: String = text.split_inclusive(['\n', '\r']).take(wide).collect();
    Some(1 + lines_in(&before))
}

/// Of XML its elements and attributes, of JSON its values.
fn has_too_many_parts(text: &str) -> bool {
    if text.len() <= PARTS_MAX {
        return false;
    }
    let parts = match text.trim_start().starts_with(['{', '[']) {
        true => memchr::memchr3_iter(b'{', b'[', b',', text.as_bytes()).count(),
        false => memchr::memchr2_iter(b'<', b'=', text.as_bytes()).count(),
    };
    parts > PARTS_MAX
}

fn long_line(text: &str) -> Option<u64> {
    let mut start = 0;
    let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]);
    for end in ends.filter(|_| text.len() > LINE_BYTES_MAX) {
        if end - start > LINE_BYTES_MAX {
            return Some(1 + u64::from(lines_in(&text[..start])));
        }
        start = end + 1;
    }
    None
}

fn too_wide(line: u32) -> String {
    format!("line {line} holds more than {CELLS_MAX} cells; this is no table of transactions")
}

/// A carriage return alone ends a line, too, as it did on old machines.
fn lines_in(text: &str) -> u32 {
    let feeds = text.matches('\n').count();
    (if feeds > 0 { feeds } else { text.matches('\r').count() }) as u32
}

fn is_grouped_by_comma(cell: &str) -> bool {
    cell.split_once(',').is_some_and(|(whole, rest)| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits(whole.trim_start_matches('-')) && digits(rest)
    })
}

/// The mark that parts the cells: the one that stands most often outside of quotes in the first lines.
fn delimiter(text: &str) -> u8 {
    let mut counts = [(b';', 0_u32), (b'\t', 0), (b',', 0), (b'|', 0)];
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(60) {
        let mut quoted = false;
        for byte in line.bytes() {
            quoted ^= byte == b'"';
            if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| *mark == byte && !quoted) {
                *count += 1;
            }
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.iter().find(|(_, count)| *count == most && most > 0).map_or(b',', |(mark, _)| *mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Vec<String> {
        let opened = Opened::open(text.as_bytes()).unwrap();
        let rows = opened.sheets[0].rows();
        rows.map(|row| format!("{}: {}", row.line(), row.cells().collect::<Vec<_>>().join("|"))).collect()
    }

    #[test]
    fn the_cell_separator_is_detected() {
        for text in ["a,b\n1,\"2,5\"\n", "a;b\n1;2,5\n", "a\tb\n1\t2,5\n", "a|b\n1|2,5\n"] {
            assert_eq!(table(text), ["1: a|b", "2: 1|2,5"], "{text:?}");
        }
    }

    #[test]
    fn a_row_knows_its_line_number_despite_blank_and_quoted_lines() {
        assert_eq!(table("a,b\r\n\r\n1,\"x\r\ny\"\r\n,\r\n2,z"), ["1: a|b", "3: 1|x\r\ny", "6: 2|z"]);
        assert_eq!(table("a,b\r1,2\r3,4"), ["1: a|b", "2: 1|2", "3: 3|4"]);
    }

    #[test]
    fn an_unclosed_quote_is_found() {
        let opened = Opened::open(b"a,b\n1,\"x\n2,y\n3,z\n").unwrap();
        assert_eq!(opened.open_quote, Some(2));
        assert_eq!(Opened::open(b"a,b\n1,\"x\ny\"\n").unwrap().open_quote, None);
    }

    #[test]
    fn files_that_are_no_tables_are_named() {
        let reason = |bytes: &[u8]| Opened::open(bytes).map(|_| ()).unwrap_err().reason;
        assert_eq!(reason(b"  \n"), "the file is empty");
        assert!(reason(b"%PDF-1.7").contains("PDF"));
        assert!(reason(b"PK\x03\x04garbage").contains("damaged"));
        assert!(reason(b"PORTFOLIO\x01\xfe\x12").contains("under a password"));
        assert!(reason(b"PPPBV1\x08\x45").contains("save it there as XML"));
        assert!(reason(&vec![b'a'; BYTES_MAX + 1]).contains("larger than 50 MiB"));
    }

    #[test]
    fn a_zipped_portfolio_performance_file_is_not_taken_for_a_workbook() {
        use std::io::Write;
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file("data.portfolio", zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(b"PPPBV1").unwrap();
        let bytes = archive.finish().unwrap().into_inner();
        assert!(Opened::open(&bytes).unwrap_err().reason.contains("save it there as XML"));
    }

    #[test]
    fn a_row_with_too_many_cells_is_refused() {
        let reason = |text: String| Opened::open(text.as_bytes()).map(|_| ()).unwrap_err().reason;
        for end in ["\n", "\r\n", "\r"] {
            assert!(reason(format!("a,b{end}1,2{end}{}", ",".repeat(20_000))).starts_with("line 3 holds more than 1000 cells"));
            assert!(reason(format!("a,b{end}1,2{end}{}", "x,".repeat(1_500))).starts_with("line 3 holds more than 1000 cells"));
            assert!(Opened::open(format!("a,b{end}1,2{end}").repeat(20_000).as_bytes()).is_ok());
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        for end in ["\n", "\r\n", "\r"] {
            let text = |bytes: usize| format!("a,b{end}1,2{end}{}{end}3,4{end}", "x".repeat(bytes));
            assert!(Opened::open(text(LINE_BYTES_MAX).as_bytes()).is_ok());
            let problem = Opened::open(text(LINE_BYTES_MAX + 1).as_bytes()).unwrap_err();
            assert_eq!(
                (problem.line, problem.reason.as_str()),
                (3, "line 3 is longer than 256 KiB; this is no table of transactions")
            );
        }
        assert!(Opened::open(format!("[{}", " ".repeat(LINE_BYTES_MAX)).as_bytes()).is_ok(), "other formats may be one line");
    }

    #[test]
    fn a_line_is_quoted_verbatim() {
        assert_eq!(Opened::open(b"a,b\n1,\"2\"\n").unwrap().quote(2).as_deref(), Some("1,\"2\""));
    }
}
