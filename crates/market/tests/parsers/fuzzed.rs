//! What the fuzz targets check for any bytes, here for sample answers.

#[path = "../../../../fuzz/properties/answers.rs"]
mod answers;

use answers::{answer, file};

#[test]
fn the_fuzzed_properties_hold_for_sample_answers() {
    let bodies = [
        "",
        "{}",
        "[]",
        "Too Many Requests",
        r#"{"chart":{"result":[{"meta":{"symbol":"A","currency":"GBp","gmtoffset":0},"events":{"dividends":{"1":{"amount":1e-28,"date":1}},
            "splits":{"2":{"date":99999,"numerator":2,"denominator":1}}}}]}}"#,
        r#"[{"symbol":"A","date":"2026-01-02","dividend":1e-28,"price":1e-28,"numerator":3,"denominator":2}]"#,
        r#"{"data":[{"ex_dividend_date":"2026-01-02","amount":"0.5"}]}"#,
        "Date,USD,\n2026-01-02,1.1,\n",
        "<Cube time='2026-01-02'><Cube currency='USD' rate='1.1'/></Cube>",
    ];
    for body in bodies {
        for provider in 0..5 {
            answer(&[&[provider], body.as_bytes()].concat());
            file(&[&[provider], body.as_bytes()].concat());
        }
    }
}
