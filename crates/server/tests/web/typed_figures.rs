use ledger::Decimal;
use pages::format::Format;
use pages::format::figures::{FigureError, parse, written};

fn read(way: &str, typed: &str) -> Result<String, FigureError> {
    let format = Format::of(Some(way), "", messages::web::texts("").shell.months_short);
    parse(typed, &format).map(|figure| figure.to_string())
}

#[test]
fn each_number_format_is_read_with_its_own_separators() {
    for (way, typed, meant) in [
        ("en", "1,234.50", "1234.50"),
        ("en", " 1234.5 ", "1234.5"),
        ("en", "1.234", "1.234"),
        ("en", "1,234,567", "1234567"),
        ("de", "1.234,50", "1234.50"),
        ("de", "1234,5", "1234.5"),
        ("de", "0,125", "0.125"),
        ("de", "-3,20", "-3.20"),
        ("fr", "1 234,50", "1234.50"),
        ("fr", "1\u{202f}234", "1234"),
        ("ch", "1'234.50", "1234.50"),
        ("ch", "\u{2212}12", "-12"),
        ("de", "0,500", "0.500"),
    ] {
        assert_eq!(read(way, typed), Ok(meant.to_owned()), "{way} {typed}");
    }
}

#[test]
fn an_ambiguous_number_is_refused_with_both_readings() {
    for (way, typed, large, small) in [
        ("en", "1,234", "1234", "1.234"),
        ("de", "1.234", "1234", "1,234"),
        ("de", "1.000", "1000", "1,0"),
        ("de", "-2.500", "-2500", "-2,5"),
    ] {
        let error = read(way, typed).unwrap_err();
        let [text, large, small] = [typed, large, small].map(str::to_owned);
        assert_eq!(error, FigureError::Ambiguous { text, large, small });
    }
    let text = read("de", "1.000").unwrap_err().text(messages::web::texts(""));
    assert!(text.ends_with("Enter 1000 or 1,0."), "{text}");
}

#[test]
fn separators_of_another_format_are_read_if_they_have_one_meaning() {
    for (way, typed, meant) in [
        ("de", "12.5", "12.5"),
        ("de", "1,234.50", "1234.50"),
        ("de", "1,234,567", "1234567"),
        ("de", "1234.567", "1234.567"),
        ("en", "1,5", "1.5"),
        ("en", "0,500", "0.500"),
        ("en", "-1.234,50", "-1234.50"),
        ("en", "1.234.567", "1234567"),
        ("en", "1 234,567", "1234.567"),
        ("en", "1'234,5", "1234.5"),
        ("fr", "81.50", "81.50"),
        ("ch", "81,50", "81.50"),
        ("ch", "1,234,567.5", "1234567.5"),
    ] {
        assert_eq!(read(way, typed), Ok(meant.to_owned()), "{way} {typed}");
    }
    for (way, typed) in [("fr", "1.234"), ("ch", "1,234")] {
        assert!(matches!(read(way, typed), Err(FigureError::Ambiguous { .. })), "{way} {typed}");
    }
}

#[test]
fn malformed_numbers_are_refused_with_an_example() {
    for (way, example) in [("de", "1234,50"), ("en", "1234.50")] {
        assert_eq!(read(way, "many"), Err(FigureError::Malformed { example: example.to_owned() }));
    }
    for odd in
        ["", "-", "abc", "1..2", "1e5", "12,34,567", "1,2.3", "1,23,4.5", "1.234,567.8", "1 234'567", ".", "5.", ",5", "+4"]
    {
        for way in ["en", "de"] {
            assert!(read(way, odd).is_err(), "{way} {odd}");
        }
    }
}

#[test]
fn a_number_shown_in_a_field_reads_back_unchanged() {
    for way in ["en", "de", "fr", "ch"] {
        let format = Format::of(Some(way), "", messages::web::texts("").shell.months_short);
        let figure: Decimal = "-1234567.125".parse().unwrap();
        assert_eq!(parse(&written(figure, &format), &format), Ok(figure));
    }
}
