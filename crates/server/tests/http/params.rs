use serving::Query;
use serving::params::last_segment;

fn days(raw: &str) -> Result<i64, String> {
    let query = Query::parse(Some(raw)).map_err(|error| error.message.into_owned())?;
    query.integer("days", 1..=120, 45).map_err(|error| error.message.into_owned())
}

#[test]
fn an_integer_is_digits_and_out_of_range_is_clamped() {
    let cases = [("", 45), ("days=5", 5), ("days=%35", 5), ("days=007", 7), ("days=0", 1), ("days=-3", 1), ("days=-0", 1)];
    for (raw, expected) in cases {
        assert_eq!(days(raw), Ok(expected), "{raw}");
    }
    assert_eq!(days("days=121"), Ok(120));
    assert_eq!(days("days=99999999999999999999"), Ok(120));
    assert_eq!(days("days=-99999999999999999999"), Ok(1));
    assert_eq!(days(&format!("days={}", "9".repeat(8000))), Ok(120));
}

#[test]
fn a_malformed_integer_is_refused_with_its_name_and_range() {
    let malformed = ["", " 5", "+5", "%2B5", "5 ", "5%20", "%205", "1.5", "5.0", "1e2", "0x5", "NaN", "-", "--5", "5-", "five"];
    let hidden = ["%EF%BC%95", "%D9%A5", "%00", "5%00", "%FF", "%C0%B5", "%ED%A0%80", "%0d%0a5", "%", "%2", "%zz", "5%", "%+5"];
    for value in malformed.into_iter().chain(hidden) {
        let message = days(&format!("days={value}")).expect_err(value);
        assert!(message.contains("`days`"), "{value}: {message}");
    }
    assert!(days("days=x").unwrap_err().contains("a whole number from 1 to 120"));
    assert!(days("days").is_err());
}

#[test]
fn a_repeated_parameter_is_refused_even_when_equal() {
    assert!(days("days=5&days=6").is_err());
    assert!(days("days=5&x=1&days=5").is_err());
    assert!(days("days=5&day%73=6").is_err());
}

#[test]
fn unknown_parameters_are_ignored_unless_their_escapes_are_broken() {
    assert_eq!(days("DAYS=7&days[]=8&x=%FF&x=%00&x&=&&=5"), Ok(45));
    assert!(days("x=%zz").is_err());
    assert!(days("%zz=5").unwrap_err().contains("query string"));
    assert!(!days("%3Cb%3E=%zz").unwrap_err().contains("<b>"));
}

#[test]
fn a_boolean_is_exactly_true_or_false() {
    let drip = |raw: &str| Query::parse(Some(raw)).and_then(|query| query.boolean("drip", false)).ok();
    assert_eq!(drip("drip=true"), Some(true));
    assert_eq!(drip("drip=false"), Some(false));
    assert_eq!(drip(""), Some(false));
    for value in ["TRUE", "True", "1", "0", "yes", "", "+true", "t"] {
        assert_eq!(drip(&format!("drip={value}")), None, "{value}");
    }
}

#[test]
fn a_date_is_a_real_day_in_one_form() {
    let from = |raw: &str| Query::parse(Some(raw)).and_then(|query| query.date("from")).map_err(|error| error.status.as_u16());
    assert_eq!(from("x=1"), Ok(None));
    for day in ["2026-02-03", "2024-02-29", "0000-01-01", "9999-12-31", "1999-12-31"] {
        assert_eq!(from(&format!("from={day}")).unwrap().unwrap().to_string(), day);
    }
    let wrong = ["2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00Z", "", "2026-13-01", "2026-00-10", "2025-02-29"];
    let odd =
        ["-001-01-01", "02026-02-03", "2026-02-3 ", "2026/02/03", "+026-02-03", "2026-02-0%EF", "%EF%BC%92026-02-03", "today"];
    for day in wrong.into_iter().chain(odd) {
        assert_eq!(from(&format!("from={day}")), Err(422), "{day}");
    }
}

#[test]
fn text_is_trimmed_and_never_blank() {
    let read = |raw: &str| {
        let query = Query::parse(Some(raw)).ok()?;
        query.text("portfolio").ok().map(|text| text.map(str::to_owned))
    };
    assert_eq!(read("portfolio=+My%20Fund%C3%A9+"), Some(Some("My Fundé".into())));
    assert_eq!(read("portfolio=a=b"), Some(Some("a=b".into())));
    assert_eq!(read(""), Some(None));
    for value in ["", "+", "%20%09", "%E3%80%80", "%00", "a%00", "%FF"] {
        assert_eq!(read(&format!("portfolio={value}")), None, "{value}");
    }
}

#[test]
fn a_required_text_counts_characters_and_not_bytes() {
    let read = |raw: &str| Query::parse(Some(raw)).and_then(|query| query.required_text("q", 3).map(str::to_owned)).ok();
    assert_eq!(read("q=%C3%A9%C3%A9%C3%A9"), Some("ééé".into()));
    assert_eq!(read("q=++abc++"), Some("abc".into()));
    for raw in ["", "q", "q=", "q=+", "q=abcd", "q=%C3%A9%C3%A9%C3%A9%C3%A9", "q=a&q=a"] {
        assert_eq!(read(raw), None, "{raw}");
    }
}

#[test]
fn a_path_segment_is_decoded_and_a_broken_one_is_not_found() {
    let read = |path: &str| last_segment(path).map_err(|error| error.status.as_u16());
    assert_eq!(read("/stocks/KO"), Ok("KO".into()));
    assert_eq!(read("/stocks/a%2Fb"), Ok("a/b".into()));
    assert_eq!(read("/stocks/BRK+B"), Ok("BRK+B".into()));
    assert_eq!(read("/stocks/%20ko%20"), Ok("ko".into()));
    for path in [
        "/stocks/",
        "/stocks/%20",
        "/stocks/%FF",
        "/stocks/%00",
        "/stocks/A%00",
        "/stocks/%",
        "/stocks/%2",
        "/stocks/%zz",
        "/stocks/%C0%AF",
    ] {
        assert_eq!(read(path), Err(404), "{path}");
    }
}
