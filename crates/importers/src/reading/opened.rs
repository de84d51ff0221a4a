//! An opened file: its text and its cells, before its broker is known.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;

use super::encoding::{decode, plain};
use super::figure::Decimals;
use super::sheet::{ROWS_MAX, Sheet};
use super::workbook;
use crate::{Problem, Reason};

pub const BYTES_MAX: usize = 50 * 1024 * 1024;

/// In one row.
const CELLS_MAX: usize = 1_000;
/// In a line of a table: far more than any broker writes.
const LINE_BYTES_MAX: usize = 256 << 10;

/// Elements and attributes of XML, or values of JSON: more than the longest history has.
const PARTS_MAX: usize = 4_000_000;

/// Rows that are examined to learn how a file writes numbers.
const SNIFFED_ROWS: usize = 5_000;

/// Lines that are quoted; a file with more errors than that has one error.
const QUOTES_MAX: usize = 1_000;

#[derive(Debug)]
pub struct Opened {
    /// Decoded; empty for a workbook.
    pub text: String,
    /// One for a CSV file, several for a workbook, none for XML, JSON and OFX.
    pub sheets: Vec<Sheet>,
    /// The line of a quote that is never closed and has swallowed what follows.
    pub open_quote: Option<u64>,
    /// For a list of what is held that has no date.
    pub import_date: Option<Date>,
}

impl Opened {
    /// The error is a reason for the user.
    pub fn open(bytes: &[u8]) -> Result<Opened, Problem> {
        if bytes.len() > BYTES_MAX {
            return refused(Reason::FileTooLarge { max_mib: BYTES_MAX / 1024 / 1024 });
        }
        match bytes {
            [b'P', b'K', 3, 4, ..] if workbook::holds(bytes, &["data.portfolio", "data.xml"]) => {
                return refused(Reason::PortfolioPacked);
            }
            [b'P', b'K', 3, 4, ..] => {
                return Ok(Opened {
                    text: String::new(),
                    sheets: workbook::sheets(bytes).map_err(|reason| Problem::new(1, reason))?,
                    open_quote: None,
                    import_date: None,
                });
            }
            [0xd0, 0xcf, 0x11, 0xe0, ..] => return refused(Reason::OldExcel),
            [b'%', b'P', b'D', b'F', ..] => return refused(Reason::Pdf),
            [0x1f, 0x8b, ..] => return refused(Reason::Compressed),
            _ if is_image(bytes) => return refused(Reason::Image),
            _ if bytes.starts_with(b"PPPBV1") => return refused(Reason::PortfolioPacked),
            [b'P', b'O', b'R', b'T', b'F', b'O', b'L', b'I', b'O', 0 | 1, ..] => return refused(Reason::PortfolioEncrypted),
            _ => {}
        }
        Opened::of_text(decode(bytes)?)
    }

    /// The same for owned bytes, which become the text without copying if possible.
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
            return refused(Reason::FileEmpty);
        }
        if text.trim_start().starts_with(['<', '{', '[']) || text.trim_start().starts_with("OFXHEADER") {
            return match has_too_many_parts(&text) {
                true => refused(Reason::TooManyValues { max: PARTS_MAX }),
                false => Ok(Opened { text, sheets: Vec::new(), open_quote: None, import_date: None }),
            };
        }
        if let Some(line) = long_line(&text) {
            return Err(Problem::new(line, Reason::LineTooLong { max_kib: LINE_BYTES_MAX >> 10 }));
        }
        let (sheet, open_quote) = cells(&text)?;
        Ok(Opened { text, sheets: vec![sheet], open_quote, import_date: None })
    }

    /// Lines of the file as the user sees them, for messages about them.
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

fn refused<T>(reason: Reason) -> Result<T, Problem> {
    Err(Problem::new(1, reason))
}

/// PNG, JPEG, GIF or WebP, by their first bytes.
fn is_image(bytes: &[u8]) -> bool {
    let begins = [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"GIF87a", b"GIF89a"];
    begins.iter().any(|begin| bytes.starts_with(begin)) || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"))
}

fn shortened(letters: impl Iterator<Item = char>) -> String {
    const LETTERS_MAX: usize = 300;
    letters.filter(|letter| !letter.is_control()).take(LETTERS_MAX).collect()
}

fn cells(text: &str) -> Result<(Sheet, Option<u64>), Problem> {
    let delimiter = delimiter(text);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    if let Some(line) = wide_line(text, delimiter) {
        return too_wide(line);
    }
    let mut sheet = Sheet::parted_by(delimiter);
    let mut record = csv::StringRecord::new();
    let (mut start, mut line) = (0, 1);
    let mut last = (0, 1);
    let malformed = |error: csv::Error| Problem::new(1, Reason::CsvMalformed { cause: error.to_string().into() });
    while reader.read_record(&mut record).map_err(malformed)? {
        let place = record.position().map_or(start, |place| place.byte() as usize);
        // The reader's position is the end of the previous record; the rest of its line break and blank lines may follow.
        let begin = place + text.as_bytes()[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += lines_in(&text[start..begin]);
        start = begin;
        last = (begin, line);
        if record.as_slice().len() > LINE_BYTES_MAX {
            return Err(Problem::new(u64::from(line), Reason::RowTooLong { max_kib: LINE_BYTES_MAX >> 10 }));
        }
        if record.len() > CELLS_MAX {
            return too_wide(line);
        }
        sheet.push(line, record.iter());
        if sheet.len() > ROWS_MAX {
            return refused(Reason::TooManyRows { max: ROWS_MAX });
        }
    }
    let sniffed = Decimals::sniff(sheet.rows().take(SNIFFED_ROWS).flat_map(|row| row.cells()));
    // Cells are separated by semicolons if the comma is the decimal mark.
    let comma = delimiter == b';' && sheet.rows().take(SNIFFED_ROWS).any(|row| row.cells().any(is_grouped_by_comma));
    sheet.decimals = sniffed.unwrap_or(if comma { Decimals::Comma } else { Decimals::Point });
    let closed = text[last.0..].matches('"').count().is_multiple_of(2);
    Ok((sheet, (!closed).then_some(u64::from(last.1))))
}

/// Checked before any cell is kept: a separator may be in a quoted text, but not that often.
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

/// Elements and attributes of XML, or values of JSON.
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

fn too_wide<T>(line: u32) -> Result<T, Problem> {
    Err(Problem::new(u64::from(line), Reason::TooManyCells { max: CELLS_MAX }))
}

/// A carriage return alone also ends a line, as on old machines.
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

/// The cell separator: the most frequent one outside quotes in the first lines.
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
        assert_eq!(reason(b"  \n"), Reason::FileEmpty);
        assert_eq!(reason(b"%PDF-1.7"), Reason::Pdf);
        assert_eq!(reason(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Reason::Image);
        assert_eq!(reason(b"\xff\xd8\xff\xe0\0\x10JFIF"), Reason::Image);
        assert_eq!(reason(b"RIFF\x24\0\0\0WEBPVP8 "), Reason::Image);
        assert_eq!(reason(b"PK\x03\x04garbage"), Reason::WorkbookDamaged);
        assert_eq!(reason(b"PORTFOLIO\x01\xfe\x12"), Reason::PortfolioEncrypted);
        assert_eq!(reason(b"PPPBV1\x08\x45"), Reason::PortfolioPacked);
        assert_eq!(reason(&vec![b'a'; BYTES_MAX + 1]), Reason::FileTooLarge { max_mib: 50 });
    }

    #[test]
    fn a_zipped_portfolio_performance_file_is_not_taken_for_a_workbook() {
        use std::io::Write;
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file("data.portfolio", zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(b"PPPBV1").unwrap();
        let bytes = archive.finish().unwrap().into_inner();
        assert_eq!(Opened::open(&bytes).unwrap_err().reason, Reason::PortfolioPacked);
    }

    #[test]
    fn a_row_with_too_many_cells_is_refused() {
        let problem = |text: String| Opened::open(text.as_bytes()).unwrap_err();
        let too_many = Problem::new(3, Reason::TooManyCells { max: 1_000 });
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(problem(format!("a,b{end}1,2{end}{}", ",".repeat(20_000))), too_many);
            assert_eq!(problem(format!("a,b{end}1,2{end}{}", "x,".repeat(1_500))), too_many);
            assert!(Opened::open(format!("a,b{end}1,2{end}").repeat(20_000).as_bytes()).is_ok());
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        for end in ["\n", "\r\n", "\r"] {
            let text = |bytes: usize| format!("a,b{end}1,2{end}{}{end}3,4{end}", "x".repeat(bytes));
            assert!(Opened::open(text(LINE_BYTES_MAX).as_bytes()).is_ok());
            let problem = Opened::open(text(LINE_BYTES_MAX + 1).as_bytes()).unwrap_err();
            assert_eq!(problem, Problem::new(3, Reason::LineTooLong { max_kib: 256 }));
        }
        assert!(Opened::open(format!("[{}", " ".repeat(LINE_BYTES_MAX)).as_bytes()).is_ok(), "other formats may be one line");
    }

    #[test]
    fn a_line_is_quoted_verbatim() {
        assert_eq!(Opened::open(b"a,b\n1,\"2\"\n").unwrap().quote(2).as_deref(), Some("1,\"2\""));
    }
}
