//! A dividend and the purchase that it paid for, in the form and in the list.

use crate::fixture::{Fixture, location};
use crate::ledger::with;

const PAID: [(&str, &str); 9] = [
    ("kind", "dividend"),
    ("shown", "dividend"),
    ("date", "2026-11-02"),
    ("shares", ""),
    ("price", ""),
    ("amount", "10,00"),
    ("tax", "1,50"),
    ("ex_date", "2026-10-15"),
    ("reinvested", "true"),
];

fn paid(fields: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    with(&PAID).into_iter().filter(|(name, _)| !fields.iter().any(|(other, _)| name == other)).chain(fields.to_vec()).collect()
}

/// The links of the newest dividend that was reinvested, and of its purchase.
fn pair(fixture: &Fixture) -> [String; 2] {
    let page = fixture.ana.get("/ledger?symbol=QTR").text();
    let line = page.split("<details class=\"more pair\">").nth(1).unwrap().split("</details>").next().unwrap().to_owned();
    let links: Vec<String> =
        line.split("href=\"").skip(1).map(|part| part.split(['"', '?']).next().unwrap().to_owned()).collect();
    links.try_into().unwrap()
}

/// 8.50 ÷ 34 = 0.25; 15.5 are held.
#[test]
fn one_form_records_and_edits_a_dividend_with_its_purchase() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &paid(&[("reinvested_price", "34,00")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.75"));
    let [dividend, purchase] = pair(&fixture);
    assert_eq!(location(&fixture.ana.get(&purchase)), dividend, "both open the same form");
    let form = fixture.ana.get(&dividend).text();
    assert!(form.contains("name=\"reinvested\" value=\"true\" checked"), "{form}");
    assert!(form.contains("name=\"reinvested_shares\" value=\"0.25\"") && form.contains("value=\"34\""), "{form}");

    location(&fixture.ana.post(&dividend, &paid(&[("reinvested_shares", "0.5"), ("reinvested_price", "")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("16"));
    let asked = fixture.ana.get(&format!("{dividend}/delete")).text();
    assert!(asked.contains("The purchase is deleted with it"), "{asked}");
    location(&fixture.ana.post(&format!("{dividend}/delete"), &[]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
}

#[test]
fn unticking_deletes_the_purchase_alone() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &paid(&[("reinvested_price", "34")])));
    let [dividend, _] = pair(&fixture);
    location(&fixture.ana.post(&dividend, &paid(&[("reinvested", ""), ("reinvested_price", "34")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    assert!(fixture.ana.get(&dividend).text().contains("value=\"10\""), "the dividend is still there");
    let page = fixture.ana.get("/ledger").text();
    let deletion = page.split("name=\"deletion\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    location(&fixture.ana.post("/ledger/undo", &[("deletion", deletion)]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.75"), "undone");
    assert_eq!(pair(&fixture)[0], dividend);
}

/// A wrong click on another type, and back.
#[test]
fn choosing_another_type_for_a_moment_keeps_the_purchase() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &paid(&[("reinvested_price", "34")])));
    let [dividend, _] = pair(&fixture);
    let editing = dividend.rsplit('/').next().unwrap().to_owned();
    fixture.ana.get(&dividend);
    let token = fixture.ana.token();
    let fragment = |kind: &str, typed: &[(&str, &str)]| {
        let chosen = [("kind", kind), ("editing", editing.as_str()), ("_token", token.as_str())];
        let fields: Vec<(&str, &str)> = chosen.into_iter().chain(typed.iter().copied()).collect();
        fixture.ana.post_raw("/ledger/kind", &fields, &[("Sec-Fetch-Site", "same-origin"), ("X-Fragment", "1")]).text()
    };
    let typed = [("symbol", "QTR"), ("reinvested", "true"), ("reinvested_shares", "0.25"), ("reinvested_price", "34")];
    let as_purchase = fragment("buy", &typed);
    for (name, value) in &typed[1..] {
        let hidden = format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
        assert!(as_purchase.contains(&hidden), "{hidden}: {as_purchase}");
    }
    assert!(fragment("dividend", &typed).contains("name=\"reinvested\" value=\"true\" checked"));
    let link =
        location(&fixture.ana.post("/ledger/kind", &[&[("kind", "buy"), ("editing", editing.as_str())], &typed[..]].concat()));
    assert!(
        fixture.ana.get(&link).text().contains("<input type=\"hidden\" name=\"reinvested\" value=\"true\">"),
        "without script"
    );
}

#[test]
fn the_preview_shows_what_the_dividend_buys() {
    let fixture = Fixture::new();
    fixture.ana.get("/ledger/new");
    let token = fixture.ana.token();
    let check = |fields: &[(&'static str, &'static str)]| {
        let fields: Vec<(&str, &str)> = paid(fields).into_iter().chain([("_token", token.as_str())]).collect();
        fixture.ana.post_raw("/ledger/check", &fields, &[("Sec-Fetch-Site", "same-origin"), ("X-Fragment", "1")]).text()
    };
    let shown = check(&[("reinvested_price", "34")]);
    for part in ["Shares bought", "0.25", "Cost of the purchase", "15.75"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!check(&[("reinvested", ""), ("reinvested_price", "34")]).contains("Shares bought"));
    assert!(check(&[("reinvested_price", "many")]).contains("Purchase price per share"));
    assert!(check(&[("reinvested_price", "")]).contains("Enter the price per share, or the number of shares bought."));
}

#[test]
fn only_a_dividend_can_be_reinvested() {
    let fixture = Fixture::new();
    assert!(fixture.ana.get("/ledger/new?kind=dividend").text().contains("id=\"reinvested\""));
    assert!(!fixture.ana.get("/ledger/new?kind=buy&reinvested=true").text().contains("id=\"reinvested"));
}

#[test]
fn a_dividend_and_its_purchase_are_one_line_of_the_ledger() {
    let fixture = Fixture::new();
    let lines = |path: &str| fixture.ana.get(path).text().matches("<tr><td class=\"pick\"").count();
    let before = lines("/ledger?symbol=QTR");
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &paid(&[("reinvested_price", "34")])));
    assert_eq!(lines("/ledger?symbol=QTR"), before + 1);
    let page = fixture.ana.get("/ledger?symbol=QTR&kind=dividend").text();
    assert!(page.contains("<summary>Dividend, reinvested</summary>") && page.contains("0.25"), "{page}");
    let bought = fixture.ana.get("/ledger?symbol=QTR&kind=buy&from=2026-11-02").text();
    assert!(!bought.contains("Dividend, reinvested") && bought.contains("0.25"), "alone, it has a line of its own: {bought}");
    assert!(
        bought.contains("Reinvested dividend") && !page.contains("Reinvested dividend"),
        "and the line says what it is: {bought}"
    );
}
