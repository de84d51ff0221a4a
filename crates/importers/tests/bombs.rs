//! Files made to exhaust the reader are refused with little memory.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use std::io::{Cursor, Write};

use importers::Opened;
use rust_xlsxwriter::Workbook;
use zip::write::SimpleFileOptions;

const MIB: usize = 1024 * 1024;

/// The reason the file was refused; peak memory may grow by at most this many MiB, where the system reports it.
fn refused(what: &str, bytes: Vec<u8>, mib_max: usize) -> String {
    let before = memory_peak();
    let reason = match Opened::open(&bytes) {
        Err(problem) => problem.reason.to_string(),
        Ok(file) => match importers::detect(&file).map(|format| format.read(&file)) {
            Some(parsed) => {
                let problem = parsed.refusal.as_ref().or(parsed.errors.first());
                problem.unwrap_or_else(|| panic!("{what} is read")).reason.to_string()
            }
            None => "in no format known".to_owned(),
        },
    };
    let grown = memory_peak().saturating_sub(before) / MIB;
    assert!(grown <= mib_max, "{what} takes {grown} MiB");
    reason
}

/// Zero if the system does not report it.
fn memory_peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<usize>().ok()).unwrap_or(0) * 1024
}

/// A part of an archive: pieces of text with their repetitions.
type Part<'a> = (&'a str, &'a [(&'a str, usize)]);

fn archive(parts: &[Part<'_>]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, pieces) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        for (text, times) in *pieces {
            let many = text.repeat(1_000);
            for _ in 0..times / 1_000 {
                archive.write_all(many.as_bytes()).unwrap();
            }
            archive.write_all(text.repeat(times % 1_000).as_bytes()).unwrap();
        }
    }
    archive.finish().unwrap().into_inner()
}

/// What it is, how it begins, what follows 40 MB long, and why it is refused.
const LINES: &[(&str, &str, &str, &str)] = &[
    ("one line", "", "x", "line_too_long max_kib=256"),
    ("quotes", "", "\"", "line_too_long max_kib=256"),
    ("an open quote", "a,b\n1,\"", "1,2\n", "row_too_long max_kib=256"),
    ("JSON of nothing", "{\"BrokerageTransactions\":[", "{},", "too_many_values max=4000000"),
    ("XML of nothing", "<FlexQueryResponse><FlexStatements><FlexStatement><Trades>", "<Trade/>", "too_many_values max=4000000"),
    ("XML attributes", "<FlexQueryResponse ", "abcdefgh=\"1\" ", ""),
];

/// One after the other, because memory is measured for the whole process.
#[test]
fn decompression_bombs_are_refused_with_little_memory() {
    let row = "<row><c t=\"inlineStr\"><is><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></is></c></row>";
    let large = archive(&[("xl/worksheets/sheet1.xml", &[(row, 5_000_000)])]);
    assert!(large.len() < 10 * MIB);
    assert!(refused("a sheet of 450 MB", large, 30).contains("workbook_too_large max_mib=256"));

    let parts: Vec<String> = (0..1_001).map(|at| format!("xl/media/{at}")).collect();
    let parts: Vec<Part<'_>> = parts.iter().map(|name| (name.as_str(), [("a", 1)].as_slice())).collect();
    assert!(refused("too many parts", archive(&parts), 30).contains("workbook_parts max=1000"));

    let mut workbook = Workbook::new();
    workbook.add_worksheet().write_string(1_048_575, 16_383, "far away").unwrap();
    let far = workbook.save_to_buffer().unwrap();
    assert_eq!(refused("a cell at XFD1048576", far, 30), "in no format known");

    assert!(refused("one long text in every cell", long_text(), 120).contains("workbook_cell_too_long"));

    let rows = format!("date,type,symbol\n{}", "1,2,3\n".repeat(1_000_000 + 1));
    assert!(refused("1,000,001 rows", rows.into_bytes(), 80).contains("too_many_rows max=1000000"));
    assert!(refused("51 MiB", vec![b'a'; 51 * MIB], 60).contains("file_too_large max_mib=50"));
    let wide = "a,".repeat(10_000_000);
    assert!(refused("a row of ten million cells", wide.into_bytes(), 30).contains("line_too_long max_kib=256"));
    for (what, start, piece, reason) in LINES {
        let bytes = format!("{start}{}", piece.repeat(40_000_000 / piece.len())).into_bytes();
        let found = refused(what, bytes, 130);
        assert!(found.contains(reason), "{what}: {found}");
    }
    refused("nested JSON", "[".repeat(100_000).into_bytes(), 30);
    refused("nested objects", "{\"a\":".repeat(100_000).into_bytes(), 30);
    refused("nested XML", "<a>".repeat(100_000).into_bytes(), 30);
}

/// A workbook with one shared text of 5 MB in 500 cells of a row.
fn long_text() -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let relation =
        |id: &str, kind: &str, target: &str| format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>");
    let relations = |inner: String| format!("<Relationships xmlns=\"{PACKAGE}\">{inner}</Relationships>");
    let root = relations(relation("rId1", "officeDocument", "xl/workbook.xml"));
    let parts = relations(
        relation("rId1", "worksheet", "worksheets/sheet1.xml") + &relation("rId2", "sharedStrings", "sharedStrings.xml"),
    );
    let workbook = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let (texts, sheet) =
        (format!("<sst xmlns=\"{MAIN}\"><si><t>"), format!("<worksheet xmlns=\"{MAIN}\"><sheetData><row r=\"1\">"));
    archive(&[
        ("_rels/.rels", &[(&root, 1)]),
        ("xl/workbook.xml", &[(&workbook, 1)]),
        ("xl/_rels/workbook.xml.rels", &[(&parts, 1)]),
        ("xl/sharedStrings.xml", &[(&texts, 1), ("a", 5_000_000), ("</t></si></sst>", 1)]),
        ("xl/worksheets/sheet1.xml", &[(&sheet, 1), ("<c t=\"s\"><v>0</v></c>", 500), ("</row></sheetData></worksheet>", 1)]),
    ])
}
