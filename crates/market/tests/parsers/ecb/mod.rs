mod samples;
mod zipped;

use jiff::civil::date;
use market::ecb::{csv, fields, long_enough, reaches, xml};
use market::{Detail, Fault, Rate};

fn from_csv(text: &str) -> Result<Vec<String>, Fault> {
    csv::read(&mut text.as_bytes()).and_then(fields::validated).map(|rates| in_words(&rates))
}

fn from_xml(text: &str) -> Result<Vec<String>, Fault> {
    xml::read(text).and_then(fields::validated).map(|rates| in_words(&rates))
}

fn in_words(rates: &[Rate]) -> Vec<String> {
    rates.iter().map(|rate| format!("{} {} {}", rate.date, rate.currency, rate.rate)).collect()
}

/// The days in an envelope like the ECB's.
fn envelope(days: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gesmes:Envelope xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\"><gesmes:subject>Reference rates</gesmes:subject>\
         <gesmes:Sender><gesmes:name>A bank</gesmes:name></gesmes:Sender><Cube>{days}</Cube></gesmes:Envelope>"
    )
}

/// What is wrong with a malformed answer.
fn detail(result: Result<Vec<String>, Fault>) -> Detail {
    match result {
        Err(Fault::Malformed(detail)) => detail,
        other => panic!("{other:?}"),
    }
}

fn missing(field: &str, record: &str) -> Detail {
    Detail::Missing { field: field.to_owned(), record: record.to_owned() }
}

fn invalid(field: &str, value: &str) -> Detail {
    Detail::Invalid { field: field.to_owned(), value: value.to_owned(), record: String::new() }
}

fn twice(date: &str) -> Detail {
    Detail::RateTwice { currency: "USD".to_owned(), date: date.to_owned() }
}

#[test]
fn the_history_is_read_oldest_first_without_missing_rates() {
    let text = "Date,USD,ROL,ISK,\n2026-03-03,1.25,N/A,140.5,\n2026-03-02,1.2,36000,N/A,\n";
    assert_eq!(
        from_csv(text).unwrap(),
        ["2026-03-02 ROL 36000", "2026-03-02 USD 1.2", "2026-03-03 ISK 140.5", "2026-03-03 USD 1.25"]
    );
}

#[test]
fn the_daily_file_is_read_with_its_own_date_format() {
    let text = |day: &str| format!("Date, USD, JPY, \n{day}, 1.2551, 170.52, \n");
    assert_eq!(from_csv(&text("14 September 2026")).unwrap(), ["2026-09-14 JPY 170.52", "2026-09-14 USD 1.2551"]);
    for day in ["4 September 2026", "04 September 2026"] {
        assert_eq!(from_csv(&text(day)).unwrap()[0], "2026-09-04 JPY 170.52", "{day}");
    }
}

#[test]
fn windows_line_endings_are_read() {
    assert_eq!(from_csv("Date,USD,\r\n2026-03-02,1.2,\r\n").unwrap(), ["2026-03-02 USD 1.2"]);
}

#[test]
fn every_digit_of_a_rate_is_kept() {
    let text = "Date,TRL,IDR,INR,LVL,\n2003-03-03,1738901,20398.66,110.3755,0.702804,\n";
    assert_eq!(
        from_csv(text).unwrap(),
        ["2003-03-03 IDR 20398.66", "2003-03-03 INR 110.3755", "2003-03-03 LVL 0.702804", "2003-03-03 TRL 1738901"]
    );
}

#[test]
fn unknown_currency_codes_are_left_out_and_case_matters() {
    let text = "Date,GBp,XQZ,EUR,GBP,\n2026-03-02,85.5,what,1,0.855,\n";
    assert_eq!(from_csv(text).unwrap(), ["2026-03-02 GBP 0.855"]);
    let days = "<Cube time='2026-03-02'><Cube currency='GBp' rate='85.5'/><Cube currency='XQZ' rate='what'/>\
                <Cube currency='EUR' rate='1'/><Cube currency='GBP' rate='0.855'/></Cube>";
    assert_eq!(from_xml(&envelope(days)).unwrap(), ["2026-03-02 GBP 0.855"]);
}

#[test]
fn a_table_with_an_invalid_number_is_refused_as_a_whole() {
    let table = |row: &str| detail(from_csv(&format!("Date,USD,\n2026-03-03,1.1,\n{row}\n")));
    for (row, expected) in [
        ("2026-03-02,0,", invalid("rate", "0")),
        ("2026-03-02,-1.2,", invalid("rate", "-1.2")),
        ("2026-03-02,1.2e1,", invalid("rate", "1.2e1")),
        ("2026-03-02,1_2,", invalid("rate", "1_2")),
        ("2026-03-02,,", invalid("rate", "")),
        ("2026-03-02,n/a,", invalid("rate", "n/a")),
        ("2026-02-30,1.2,", invalid("date", "2026-02-30")),
        ("31 September 2026,1.2,", invalid("date", "31 September 2026")),
        ("20260302,1.2,", invalid("date", "20260302")),
        (",1.2,", invalid("date", "")),
        ("2026-03-02,1.2,1.3", missing("currency", "1.3")),
    ] {
        assert_eq!(table(row), Detail::InLine { line: 3, detail: Box::new(expected) }, "{row}");
    }
    assert!(matches!(table("2026-03-02,1.2"), Detail::Unparsable { .. }));
    assert_eq!(table("2026-03-03,1.1,"), twice("2026-03-03"));
}

#[test]
fn a_table_without_a_rate_or_with_another_header_is_refused() {
    for text in ["", "Date,USD,\n", "Date,USD,\n2026-03-02,N/A,\n", "Date,XQZ,\n2026-03-02,1,\n"] {
        detail(from_csv(text));
    }
    assert_eq!(detail(from_csv("Day,USD,\n2026-03-02,1.2,\n")), missing("Date", "Day"));
    assert_eq!(detail(from_csv("Date,USD,USD,\n2026-03-02,1.2,1.3,\n")), twice("2026-03-02"));
    let page = "<!doctype html><title>Be right back</title>";
    assert_eq!(detail(from_csv(page)), missing("Date", page));
}

#[test]
fn xml_rates_are_read_with_either_quotes_and_attribute_order() {
    let days = "<Cube time=\"2026-03-03\"><Cube currency=\"USD\" rate=\"1.25\"/></Cube>\n\
                <Cube time='2026-03-02'><Cube rate='1.2' currency='USD'></Cube><Cube rate='N/A' currency='ISK'/></Cube>";
    assert_eq!(from_xml(&envelope(days)).unwrap(), ["2026-03-02 USD 1.2", "2026-03-03 USD 1.25"]);
}

#[test]
fn an_xml_file_with_an_invalid_number_is_refused_as_a_whole() {
    let good = "<Cube time='2026-03-03'><Cube currency='USD' rate='1.1'/></Cube>";
    let file = |bad: &str| detail(from_xml(&envelope(&format!("{good}{bad}"))));
    for (bad, expected) in [
        ("<Cube time='2026-03-02'><Cube currency='USD' rate='0'/></Cube>", invalid("rate", "0")),
        ("<Cube time='2026-03-02'><Cube currency='USD' rate='-1'/></Cube>", invalid("rate", "-1")),
        ("<Cube time='2026-02-30'><Cube currency='USD' rate='1.2'/></Cube>", invalid("date", "2026-02-30")),
        ("<Cube time=''><Cube currency='USD' rate='1.2'/></Cube>", invalid("date", "")),
        ("<Cube time='2026-03-02'><Cube currency='USD'/></Cube>", missing("rate", "USD")),
        ("<Cube time='2026-03-02'><Cube rate='1.2'/></Cube>", missing("currency", "1.2")),
        ("<Cube currency='USD' rate='1.2'/>", missing("time", "USD")),
        ("<Cube time='2026-03-03'><Cube currency='USD' rate='1.2'/></Cube>", twice("2026-03-03")),
    ] {
        assert_eq!(file(bad), expected, "{bad}");
    }
    let open = "<Cube time='2026-03-02'><Cube currency='USD' rate='1.2'/>";
    assert!(matches!(file(open), Detail::Unparsable { .. }));
}

#[test]
fn an_xml_file_that_is_cut_off_or_has_no_rate_is_refused() {
    let whole = envelope("<Cube time='2026-03-03'><Cube currency='USD' rate='1.1'/></Cube>");
    assert!(from_xml(&whole).is_ok());
    for cut in ["</gesmes:Envelope>", "</Cube></gesmes:Envelope>", "/></Cube></Cube></gesmes:Envelope>"] {
        detail(from_xml(whole.strip_suffix(cut).unwrap()));
    }
    assert_eq!(detail(from_xml(&envelope(""))), Detail::NoRates);
    assert_eq!(detail(from_xml(&envelope("<Cube time='2026-03-03'></Cube>"))), Detail::NoRates);
    detail(from_xml("<!doctype html><title>Be right back</title><p>We are working on it."));
    detail(from_xml(""));
}

#[test]
fn the_file_is_chosen_by_how_far_back_rates_are_needed() {
    let first = |since| {
        let files = long_enough(since, date(2026, 11, 13)).next().unwrap();
        files.xml.unwrap_or(files.zip)
    };
    assert_eq!(first(date(2026, 11, 14)), "eurofxref-daily.xml");
    assert_eq!(first(date(2026, 11, 9)), "eurofxref-daily.xml");
    assert_eq!(first(date(2026, 11, 8)), "eurofxref-hist-90d.xml");
    // 13 days of November, 31 of October, 30 of September, 16 of August
    assert_eq!(first(date(2026, 8, 15)), "eurofxref-hist-90d.xml");
    assert_eq!(first(date(2026, 8, 14)), "eurofxref-hist.zip");
    assert_eq!(first(date(1999, 1, 1)), "eurofxref-hist.zip");
}

#[test]
fn a_file_reaches_back_far_enough_across_a_weekend() {
    let monday = [Rate { currency: fields::currency("USD").unwrap(), date: date(2026, 11, 9), rate: 1.into() }];
    for (since, reached) in
        [(date(2026, 11, 10), true), (date(2026, 11, 9), true), (date(2026, 11, 7), true), (date(2026, 11, 6), false)]
    {
        assert_eq!(reaches(&monday, since), reached, "{since}");
    }
}
