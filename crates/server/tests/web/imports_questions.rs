//! Questions of an import: unknown securities, missing currency, repeated rows.

use crate::fixture::Fixture;
use crate::imports::{answer, apply, bring};

/// An unknown ISIN with its check digit: letters count as two digits (U 30, S 28), and every
/// second digit from the right is doubled.
fn isin(number: usize) -> String {
    let body = format!("{number:09}");
    let digits: Vec<u32> = format!("3028{body}").chars().map(|digit| digit.to_digit(10).unwrap()).collect();
    let doubled = |(at, digit): (usize, &u32)| if at.is_multiple_of(2) { digit * 2 / 10 + digit * 2 % 10 } else { *digit };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    format!("US{body}{}", (10 - sum % 10) % 10)
}

fn question_keys(page: &str) -> Vec<String> {
    let values = page.split("name=\"key.q").skip(1);
    values.map(|rest| rest.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()).collect()
}

/// Answers every question of the page, each with a symbol of its own.
fn answer_all(fixture: &Fixture, plan: &str, page: &str) {
    let mut fields = vec![("part".to_owned(), "instruments".to_owned())];
    for (at, key) in question_keys(page).into_iter().enumerate() {
        fields.push((format!("other.q{}", at + 1), format!("S{}", &key[2..11])));
        fields.push((format!("key.q{}", at + 1), key));
    }
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    answer(&fixture.ana, plan, &fields);
}

#[test]
fn unknown_securities_are_matched_a_hundred_at_a_time_or_kept_at_once() {
    let fixture = Fixture::new();
    let rows: String = (0..1_500).map(|number| format!("2026-11-02,buy,{},1,20,EUR\n", isin(number))).collect();
    let plan = bring(&fixture.ana, format!("date,type,isin,shares,price,currency\n{rows}").as_bytes());
    let page = fixture.ana.get(&plan).text();
    assert_eq!(question_keys(&page).len(), 100);
    assert!(page.contains("1400 more securities to match after these."), "the rest is told");
    answer_all(&fixture, &plan, &page);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("1300 more securities to match") && !page.contains("earlier match"));
    answer_all(&fixture, &plan, &page);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("1200 more securities to match") && page.contains("100 earlier matches aren’t shown"));
    answer(&fixture.ana, &plan, &[("part", "keep"), ("keep", "yes")]);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("1500 of 1500 rows will be added") && question_keys(&page).is_empty());
    answer(&fixture.ana, &plan, &[("part", "keep")]);
    assert!(fixture.ana.get(&plan).text().contains("1200 more securities to match"), "taken back");
    answer(&fixture.ana, &plan, &[("part", "keep"), ("keep", "yes")]);
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("S000000150", "Core").as_deref(), Some("1"), "of the second hundred");
    assert_eq!(fixture.shares(&isin(1_499), "Core").as_deref(), Some("1"), "kept");
}

#[test]
fn a_missing_currency_is_asked_for_on_the_review_page() {
    let fixture = Fixture::new();
    let header = "Symbol,Current Price,Date,Time,Change,Open,High,Low,Volume,Trade Date,Purchase Price,Quantity,Commission,High Limit,Low Limit,Comment,Transaction Type";
    let file = format!("{header}\nSTRANGE,12,2026/11/06,10:00 EST,0,1,1,1,1,20261102,20,10,0,,,,BUY\n");
    let plan = bring(&fixture.ana, file.as_bytes());
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("which currency these securities are in: STRANGE") && !page.contains("/apply"), "{page}");
    assert_eq!(fixture.ana.post(&format!("{plan}/answer"), &[("part", "currency"), ("currency", "QQQ")]).status, 422);
    answer(&fixture.ana, &plan, &[("part", "currency"), ("currency", "EUR")]);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("<option value=\"EUR\" selected>") && page.contains("1 of 1 row will be added"), "{page}");
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("STRANGE", "Core").as_deref(), Some("10"));
}

#[test]
fn rows_repeated_in_a_file_are_not_reported_as_imported_before() {
    let fixture = Fixture::new();
    let row = "2026-11-02,buy,RAD,10,30,EUR,A\n";
    let plan = bring(&fixture.ana, format!("date,type,symbol,shares,price,currency,id\n{row}{row}{row}").as_bytes());
    let page = fixture.ana.get(&format!("{plan}?fate=repeated")).text();
    assert_eq!(page.matches("This row repeats line 2 ").count(), 2);
    apply(&fixture.ana, &plan);
    let listed = fixture.ana.get("/import").text();
    assert!(listed.contains("1 transaction imported. 2 rows are repeated in the file"), "{listed}");
    let plan = bring(&fixture.ana, format!("date,type,symbol,shares,price,currency,id\n{row}").as_bytes());
    assert!(!fixture.ana.get(&plan).text().contains("fate=repeated"));
}
