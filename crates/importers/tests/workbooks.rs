//! The same tables as workbooks: each CSV fixture reads the same when saved as XLSX.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod render;

use std::path::{Path, PathBuf};

use importers::generic::Decimals;
use importers::{FORMATS, Opened, Parsed};
use jiff::civil::date;
use render::render;
use rust_xlsxwriter::Workbook;

/// Files that cannot be represented as a workbook, and why.
const NO_WORKBOOK: &[(&str, &str)] = &[("dripline/wrong_fields.csv", "a row of a workbook has no count of cells")];

#[test]
fn every_table_reads_the_same_as_a_workbook() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    let import_date = Some(date(2024, 7, 1));
    for (format, path) in tables() {
        let name = format!("{format}/{}", path.file_name().unwrap().to_string_lossy());
        // Files that cannot be opened have no cells.
        let Ok(file) = Opened::open(&std::fs::read(&path).unwrap()) else { continue };
        if NO_WORKBOOK.iter().any(|(exempt, _)| *exempt == name) || file.open_quote.is_some() {
            continue;
        }
        let file = Opened { import_date, ..file };
        let plain = render(&importers::by_name(format).unwrap().read(&file));
        let workbook = Opened { import_date, ..Opened::open(&workbook(&file)).unwrap() };
        let detected = importers::detect(&workbook).map(|format| format.name);
        let read: Parsed = importers::by_name(format).unwrap().read(&workbook);
        let forced = path.file_name().unwrap().to_string_lossy().starts_with("forced_");
        if render(&read) != plain || (detected != Some(format) && !forced) {
            wrong.push(format!("{name} as {detected:?}\n--- CSV\n{plain}--- XLSX\n{}", render(&read)));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 20, "{compared}");
}

#[test]
fn every_exempt_file_really_differs_as_a_workbook() {
    for (name, _) in NO_WORKBOOK {
        let (format, _) = name.split_once('/').unwrap();
        let path = root().join(name);
        let file = Opened::open(&std::fs::read(&path).unwrap()).unwrap();
        let plain = render(&importers::by_name(format).unwrap().read(&file));
        let again = render(&importers::by_name(format).unwrap().read(&Opened::open(&workbook(&file)).unwrap()));
        assert_ne!(plain, again, "{name} may leave the list");
    }
}

#[test]
fn numeric_cells_are_unaffected_by_texts_with_decimal_commas() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, name) in ["date", "type", "symbol", "shares", "price", "currency"].iter().enumerate() {
        sheet.write_string(0, u16::try_from(column).unwrap(), *name).unwrap();
    }
    for (line, price) in [(1, "60,25"), (2, "60,5")] {
        sheet.write_string(line, 0, "2024-01-02").unwrap();
        sheet.write_string(line, 1, "buy").unwrap();
        sheet.write_string(line, 2, "KO").unwrap();
        sheet.write_number(line, 3, 1.234).unwrap();
        sheet.write_string(line, 4, price).unwrap();
        sheet.write_string(line, 5, "USD").unwrap();
    }
    let file = Opened::open(&workbook.save_to_buffer().unwrap()).unwrap();
    let cells: Vec<Vec<&str>> = file.sheets[0].rows().skip(1).map(|row| row.cells().collect()).collect();
    assert_eq!(file.sheets[0].decimals, Decimals::Comma);
    assert_eq!(cells[0], ["2024-01-02", "buy", "KO", "1.2340", "60,25", "USD"]);
}

/// The cells of the file on the rows of its lines; columns with only numbers as numbers, the rest as text.
fn workbook(file: &Opened) -> Vec<u8> {
    let mut workbook = Workbook::new();
    for sheet in &file.sheets {
        let into = workbook.add_worksheet();
        let width = sheet.rows().map(|row| row.len()).max().unwrap_or(0);
        let header = sheet.rows().position(|row| row.len() == width).unwrap_or(0);
        // With decimal commas, a point parts thousands.
        let number = |cell: &str| number(cell).filter(|_| sheet.decimals == Decimals::Point || !cell.contains('.'));
        let all_numbers = |column: usize| {
            sheet.rows().skip(header + 1).map(|row| row.cell(column)).all(|cell| cell.is_empty() || number(cell).is_some())
        };
        let numeric: Vec<bool> = (0..width).map(all_numbers).collect();
        for row in sheet.rows() {
            let line = u32::try_from(row.line() - 1).unwrap();
            for (at, cell) in row.cells().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let column = u16::try_from(at).unwrap();
                match number(cell).filter(|_| numeric[at]) {
                    Some(number) => into.write_number(line, column, number).unwrap(),
                    None => into.write_string(line, column, cell).unwrap(),
                };
            }
        }
    }
    workbook.save_to_buffer().unwrap()
}

/// A number that can be written in one way only, so that the cell reads back unchanged.
fn number(cell: &str) -> Option<f64> {
    cell.parse::<f64>().ok().filter(|number| number.is_finite() && number.to_string() == cell)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Format and path of every CSV file.
fn tables() -> Vec<(&'static str, PathBuf)> {
    let mut found = Vec::new();
    for format in FORMATS {
        let Ok(files) = std::fs::read_dir(root().join(format.name)) else { continue };
        let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
        files.sort();
        found.extend(files.into_iter().map(|path| (format.name, path)));
    }
    found
}
