//! Workbooks (XLSX) → the same sheets of cells as from a CSV file.

use std::io::{Cursor, Read};

use calamine::{DataRef, Reader, Xlsx};

use super::figure::Decimals;
use super::sheet::{ROWS_MAX, Sheet};
use crate::Reason;

/// The maximum unpacked size of a workbook: a larger one is made to exhaust its reader.
const UNPACKED_MAX: u64 = 256 * 1024 * 1024;
const PARTS_MAX: usize = 1_000;
const COLUMNS_MAX: u32 = 500;
/// No spreadsheet has longer cells; one long text repeated in every cell of a row would multiply.
const CELL_BYTES_MAX: usize = 4 * 32_767;

pub fn sheets(bytes: &[u8]) -> Result<Vec<Sheet>, Reason> {
    check_unpacked_size(bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(unreadable)?;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        let Some((sheet, mistakable)) = sheet(&mut workbook, &name, Decimals::Point)? else { continue };
        let sheet = match sheet.decimals == Decimals::Comma && mistakable {
            true => self::sheet(&mut workbook, &name, Decimals::Comma)?.map(|(sheet, _)| sheet),
            false => Some(sheet),
        };
        sheets.extend(sheet);
    }
    Ok(sheets)
}

/// A sheet's cells, and whether one of its numbers would be misread next to texts with decimal commas: 1.234 is not 1234.
fn sheet(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str, beside: Decimals) -> Result<Option<(Sheet, bool)>, Reason> {
    // Charts have no cells.
    let Ok(mut cells) = workbook.worksheet_cells_reader(name) else { return Ok(None) };
    let mut sheet = Sheet::named(name.to_owned());
    let (mut row, mut line) = (Vec::new(), 0);
    let (mut points, mut commas, mut mistakable) = (0_u32, 0_u32, false);
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (number, column) = cell.get_position();
        if number != line {
            push(&mut sheet, line, &mut row)?;
            line = number;
        }
        if column >= COLUMNS_MAX {
            continue;
        }
        let mut text = text(cell.get_value())?;
        match (cell.get_value(), Decimals::sniff(std::iter::once(text.as_str()))) {
            (DataRef::Float(_), None) if text.contains('.') => {
                mistakable = true;
                if beside == Decimals::Comma {
                    text.push('0');
                }
            }
            (DataRef::String(_) | DataRef::SharedString(_), Some(Decimals::Point)) => points += 1,
            (DataRef::String(_) | DataRef::SharedString(_), Some(Decimals::Comma)) => commas += 1,
            _ => {}
        }
        row.resize(row.len().max(column as usize + 1), String::new());
        row[column as usize] = text;
    }
    push(&mut sheet, line, &mut row)?;
    sheet.decimals = if commas > points { Decimals::Comma } else { Decimals::Point };
    Ok(Some((sheet, mistakable)))
}

fn unreadable(error: calamine::XlsxError) -> Reason {
    Reason::WorkbookMalformed { cause: error.to_string().into() }
}

/// Whether the archive is another program's file and not a workbook, recognised by a part with that name.
pub fn holds(bytes: &[u8], parts: &[&str]) -> bool {
    let Ok(archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return false };
    archive.len() < PARTS_MAX && archive.file_names().any(|name| name.is_ok_and(|name| parts.contains(&name.as_ref())))
}

fn push(sheet: &mut Sheet, line: u32, row: &mut Vec<String>) -> Result<(), Reason> {
    sheet.push(line + 1, row.iter().map(String::as_str));
    row.clear();
    match sheet.len() > ROWS_MAX || sheet.bytes() as u64 > UNPACKED_MAX {
        true => Err(Reason::TooManyRows { max: ROWS_MAX }),
        false => Ok(()),
    }
}

/// As in a CSV file of the same table; the shortest decimal that is the cell's number.
fn text(value: &DataRef<'_>) -> Result<String, Reason> {
    let length = match value {
        DataRef::String(text) => text.len(),
        DataRef::SharedString(text) => text.len(),
        _ => 0,
    };
    if length > CELL_BYTES_MAX {
        return Err(Reason::WorkbookCellTooLong);
    }
    Ok(match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(yes) => yes.to_string(),
        DataRef::DateTime(at) => match at.is_datetime() {
            true => {
                let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
                match (hour, minute, second) {
                    (0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
                    _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
                }
            }
            false => at.as_f64().to_string(),
        },
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    })
}

/// Unpacks everything once without keeping it, because the sizes stated in the file prove nothing.
fn check_unpacked_size(bytes: &[u8]) -> Result<(), Reason> {
    let broken = |_| Reason::WorkbookDamaged;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > PARTS_MAX {
        return Err(Reason::WorkbookParts { max: PARTS_MAX });
    }
    let mut left = UNPACKED_MAX;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(broken)?;
        let taken = std::io::copy(&mut part.take(left + 1), &mut std::io::sink()).map_err(|_| Reason::WorkbookDamaged)?;
        left = left.checked_sub(taken).ok_or(Reason::WorkbookTooLarge { max_mib: UNPACKED_MAX / 1024 / 1024 })?;
    }
    Ok(())
}
