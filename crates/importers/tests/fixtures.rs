//! Files of each format with their expected result: `fixtures/FORMAT/NAME.csv` and `fixtures/FORMAT/NAME.txt`.
//! Files named `forced_…` are not recognised by themselves and are read with the format given.
//! `DRIPLINE_WRITE_FIXTURES=1` rewrites the expected results; read them before you commit them.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod render;

use std::path::{Path, PathBuf};

use importers::{FORMATS, Opened, Parsed};
use jiff::civil::date;
use render::render;

#[test]
fn every_fixture_is_recognised_and_read_as_its_expected_text() {
    let mut wrong = Vec::new();
    for (format, path) in fixtures() {
        let read = render(&read(format, &std::fs::read(&path).unwrap(), &path));
        let beside = path.with_extension("txt");
        if std::env::var_os("DRIPLINE_WRITE_FIXTURES").is_some() {
            std::fs::write(&beside, &read).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if read != expected {
            wrong.push(format!("{}\n--- expected\n{expected}--- read\n{read}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_format_has_a_good_and_a_bad_file() {
    for format in FORMATS {
        let of_format: Vec<PathBuf> =
            fixtures().into_iter().filter(|(name, _)| *name == format.name).map(|(_, path)| path).collect();
        let texts: Vec<String> =
            of_format.iter().map(|path| std::fs::read_to_string(path.with_extension("txt")).unwrap()).collect();
        assert!(
            texts.iter().any(|text| !text.contains(": error:") && !text.contains("refused")),
            "{}: no good file",
            format.name
        );
        assert!(texts.iter().any(|text| text.contains(": error:") || text.contains("refused")), "{}: no bad file", format.name);
    }
}

#[test]
fn encodings_and_line_endings_make_no_difference() {
    for (format, path) in fixtures() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let plain = render(&read(format, text.as_bytes(), &path));
        let utf16 = |little: bool| -> Vec<u8> {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
        };
        let (windows, _, lossy) = encoding_rs::WINDOWS_1252.encode(&text);
        let forms = [text.replace('\n', "\r\n").into_bytes(), format!("\u{feff}{text}").into_bytes(), utf16(true), utf16(false)];
        for bytes in forms.into_iter().chain((!lossy).then(|| windows.to_vec())) {
            assert_eq!(render(&read(format, &bytes, &path)), plain, "{}", path.display());
        }
    }
}

/// Format and path of every file.
fn fixtures() -> Vec<(&'static str, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found = Vec::new();
    for format in FORMATS {
        let Ok(files) = std::fs::read_dir(root.join(format.name)) else { continue };
        let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_none_or(|extension| extension != "txt"));
        files.sort();
        found.extend(files.into_iter().map(|path| (format.name, path)));
    }
    found
}

fn read(format: &str, bytes: &[u8], path: &Path) -> Parsed {
    let file = match Opened::open(bytes) {
        Ok(file) => Opened { import_date: Some(date(2024, 7, 1)), ..file },
        Err(problem) => return Parsed { refusal: Some(problem), ..Parsed::default() },
    };
    let detected = importers::detect(&file).map(|format| format.name);
    let forced = path.file_name().unwrap().to_string_lossy().starts_with("forced_");
    assert!(forced || detected == Some(format), "{} is taken for {detected:?}", path.display());
    let parsed = importers::by_name(format).unwrap().read(&file);
    assert!(parsed.adds_up(), "{}: {} rows, but\n{}", path.display(), parsed.rows, render(&parsed));
    parsed
}
