//! Rows with errors that are fixed on the review page: skipped, or given an opening position.

use testkit::Browser;

use crate::fixture::{Fixture, location};
use crate::imports::{apply, bring, undo_address};

/// Lines 3 and 4 have an unknown type.
const UNKNOWN: &[u8] = b"date,type,symbol,shares,price,currency\n\
    2026-11-02,buy,RAD,10,30,EUR\n\
    2026-11-03,conversion,RAD,1,30,EUR\n\
    2026-11-04,swap,RAD,1,30,EUR\n";
/// Of 10 shares, 11.5 and then 2 are sold: 1.5 are missing on line 3, and 3.5 in all.
const OVERSOLD: &[u8] = b"date,type,symbol,shares,price,currency\n\
    2026-11-02,buy,RAD,10,30,EUR\n\
    2026-11-03,sell,RAD,11.5,30,EUR\n\
    2026-11-04,sell,RAD,2,30,EUR\n";

/// Sends a form about a row, and returns the page it leads to.
fn fix(browser: &Browser, plan: &str, fields: &[(&str, &str)]) -> String {
    let fields = [&[("part", "rows")], fields].concat();
    assert_eq!(location(&browser.fill(plan, &format!("{plan}/answer"), &fields)), format!("{plan}#rows"));
    browser.get(plan).text()
}

fn status(browser: &Browser, plan: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let answer = browser.post(&format!("{plan}/answer"), &[&[("part", "rows")], fields].concat());
    (answer.status, answer.text())
}

#[test]
fn a_row_is_skipped_and_included_again() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, UNKNOWN);
    let page = fixture.ana.get(&plan).text();
    assert_eq!(page.matches("name=\"skip\"").count(), 2, "on the rows with an error: {page}");
    assert_eq!(page.matches("Skip all 2 rows with this error").count(), 1);
    assert!(!page.contains("/apply"));
    let page = fix(&fixture.ana, &plan, &[("skip", "3")]);
    assert!(page.contains("Error: Type: “conversion”") && page.contains("Include again"), "{page}");
    assert_eq!(page.matches("name=\"skip\"").count(), 1);
    assert!(!page.contains("rows with this error"), "one needs no button for all");
    let page = fix(&fixture.ana, &plan, &[("skip", "4")]);
    assert!(page.contains("1 of 3 rows will be added: 1 purchase. 2 rows are left out."), "{page}");
    assert_eq!(page.matches("Include all 2 skipped rows again").count(), 1);
    assert!(!fix(&fixture.ana, &plan, &[("include", "3")]).contains("/apply"));
    fix(&fixture.ana, &plan, &[("include_all", "yes")]);
    fix(&fixture.ana, &plan, &[("skip_all", "unknown_kind")]);
    apply(&fixture.ana, &plan);
    let page = fixture.ana.get("/import").text();
    assert!(page.contains("1 transaction imported. You skipped 2 rows."), "{page}");
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10"));
}

#[test]
fn an_opening_position_is_added_imported_and_undone() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, OVERSOLD);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("Sold 1.5 shares that aren’t in your history."), "{page}");
    assert!(page.contains("3.5 shares held on 1 Nov 2026"), "{page}");
    assert!(
        page.contains("name=\"shares\" class=\"num\" inputmode=\"decimal\" autocomplete=\"off\" required value=\"3.5\""),
        "{page}"
    );
    assert!(page.contains("type=\"date\" required value=\"2026-11-01\"") && page.contains("Total cost (EUR)"));
    let page = fix(&fixture.ana, &plan, &[("open", "3"), ("shares", "4.5"), ("date", "2026-10-30"), ("cost", "90.00")]);
    // Three rows and the opening position.
    assert!(page.contains("3 of 3 rows will be added") && page.contains("Remove opening position"), "{page}");
    let page = fix(&fixture.ana, &plan, &[("close", "3")]);
    assert!(page.contains("Add opening position") && !page.contains("/apply"), "{page}");
    fix(&fixture.ana, &plan, &[("open", "3"), ("shares", "4.5"), ("date", "2026-10-30"), ("cost", "90.00")]);
    apply(&fixture.ana, &plan);
    // 4.5 + 10 − 11.5 − 2 = 1; of 14.5 shares for €390.00, each cost 26.8965517241….
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("1"));
    let holdings = fixture.api("/api/v1/holdings");
    let rad = holdings["holdings"].as_array().unwrap().iter().find(|one| one["symbol"] == "RAD").unwrap();
    assert_eq!(rad["average_cost"]["amount"], "26.8965517241");
    let again = fixture.ana.get(&bring(&fixture.ana, OVERSOLD)).text();
    assert!(again.contains("Nothing to add: everything in this file is already in your ledger."), "{again}");
    location(&fixture.ana.post(&undo_address(&fixture.ana), &[]));
    assert_eq!(fixture.shares("RAD", "Core"), None);
    assert!(fixture.ana.get("/import").text().contains("Import undone: 4 transactions removed."));
}

#[test]
fn one_button_takes_the_recommended_answers() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, &[OVERSOLD, b"2026-11-05,conversion,RAD,1,30,EUR\n"].concat());
    let page = fixture.ana.get(&plan).text();
    let will_add = "3 of 4 rows will be added: 1 purchase, 2 sales. 1 security gets an opening position. 1 row is left out.";
    assert!(page.contains(&format!("With the recommended answers, {will_add}")) && !page.contains("/apply"), "{page}");
    location(&fixture.ana.fill(&plan, &format!("{plan}/answer"), &[("part", "recommended")]));
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains(&format!("<strong>Ready to import.</strong> {will_add}")), "{page}");
    assert!(page.contains("We add 1 opening position for shares that aren’t in your history."), "{page}");
    let page = fix(&fixture.ana, &plan, &[("include_all", "yes")]);
    assert!(page.contains("Rows we can’t import") && !page.contains("/apply"), "{page}");
    location(&fixture.ana.fill(&plan, &format!("{plan}/answer"), &[("part", "errors"), ("code", "unknown_kind")]));
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("RAD", "Core"), None, "3.5 + 10 − 11.5 − 2");
    location(&fixture.ana.post(&undo_address(&fixture.ana), &[]));
    assert!(fixture.ana.get("/import").text().contains("Import undone: 4 transactions removed."));
}

#[test]
fn opening_positions_are_added_all_at_once_and_holdings_say_that_their_cost_is_not_known() {
    let fixture = Fixture::new();
    let file = b"date,type,symbol,shares,price,currency\n2026-11-02,sell,RAD,2,30,EUR\n2026-11-03,buy,RAD,1,20,EUR\n\
        2026-11-04,sell,RAD,2,30,EUR\n2026-11-05,buy,RAD,1,20,EUR\n";
    let plan = bring(&fixture.ana, file);
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("Add 1 opening position</button>"), "{page}");
    location(&fixture.ana.fill(&plan, &format!("{plan}/answer"), &[("part", "openings"), ("add", "yes")]));
    apply(&fixture.ana, &plan);
    // Sold out on November 4, so the last purchase is at a known cost.
    let holdings = fixture.api("/api/v1/holdings");
    let rad = |holdings: &serde_json::Value| {
        holdings["holdings"].as_array().unwrap().iter().find(|one| one["symbol"] == "RAD").unwrap().clone()
    };
    assert!(rad(&holdings).get("cost_known").is_none());
    location(&fixture.ana.post(&undo_address(&fixture.ana), &[]));
    let stated = b"date,type,symbol,shares,price,currency,source\n2026-11-02,transfer_in,RAD,2,30,EUR,opening:estimated\n";
    apply(&fixture.ana, &bring(&fixture.ana, stated));
    assert_eq!(rad(&fixture.api("/api/v1/holdings"))["cost_known"], false);
    assert!(fixture.ana.get("/holdings").text().contains("cost not known"));
}

#[test]
fn a_fix_of_another_row_is_refused_or_changes_nothing() {
    let fixture = Fixture::new();
    let (unknown, oversold) = (bring(&fixture.ana, UNKNOWN), bring(&fixture.ana, OVERSOLD));
    for line in ["0", "2", "5", "18446744073709551615"] {
        let (code, page) = status(&fixture.ana, &unknown, &[("skip", line)]);
        assert!(code == 422 && page.contains(&format!("Line {line} can’t be skipped")), "{line}: {page}");
        let fields = [("open", line), ("shares", "1"), ("date", "2026-11-01")];
        assert_eq!(status(&fixture.ana, &oversold, &fields).0, 422, "{line}");
    }
    for fields in
        [[("skip", "x")], [("skip", "-3")], [("skip", "18446744073709551616")], [("skip_all", "left_out")], [("include", "2")]]
    {
        assert_eq!(status(&fixture.ana, &unknown, &fields).0, 303, "{fields:?}");
    }
    let page = fixture.ana.get(&unknown).text();
    assert!(page.matches("name=\"skip\"").count() == 2 && !page.contains("Include again"), "{page}");
}

#[test]
fn an_opening_position_needs_a_date_and_a_number_of_shares() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, OVERSOLD);
    for (shares, date, cost, words) in [
        ("", "2026-11-01", "", "Enter the number of shares you held."),
        ("three", "2026-11-01", "", "Enter a number such as"),
        ("-3", "2026-11-01", "", "Enter a positive number"),
        ("3.5", "", "", "date"),
        ("3.5", "2026-11-31", "", "date"),
        ("3.5", "2026-11-01", "much", "Enter a number such as"),
        ("3.5", "2026-11-01", "-1", "must not be negative"),
    ] {
        let (code, page) = status(&fixture.ana, &plan, &[("open", "3"), ("shares", shares), ("date", date), ("cost", cost)]);
        let notice = page.split("role=\"alert\">").nth(1).and_then(|rest| rest.split("</div>").next()).unwrap_or_default();
        assert!(code == 422 && notice.contains(words), "{words}: {code} {notice}");
    }
    assert!(fixture.ana.get(&plan).text().contains("Add opening position"));
}

#[test]
fn rows_are_fixed_in_place() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, UNKNOWN);
    let page = fixture.ana.get(&format!("{plan}?fate=error")).text();
    assert!(page.contains(&format!("action=\"{plan}/answer?fate=error\"")), "{page}");
    let answer = fixture.ana.post(&format!("{plan}/answer?fate=error&page=1"), &[("part", "rows"), ("skip", "3")]);
    assert_eq!(location(&answer), format!("{plan}?fate=error#rows"));
    let refused = fixture.ana.post(&format!("{plan}/answer?fate=error"), &[("part", "rows"), ("skip", "2")]);
    assert!(refused.status == 422 && !refused.text().contains("Include again"), "still only the rows with errors");
}

#[test]
fn rows_of_others_are_not_fixed() {
    let fixture = Fixture::new();
    let (plan, bob) = (bring(&fixture.ana, UNKNOWN), fixture.bob());
    bob.get("/import");
    for fields in [[("skip", "3")], [("skip_all", "unknown_kind")], [("include_all", "yes")], [("close", "3")]] {
        assert_eq!(status(&bob, &plan, &fields).0, 404, "{fields:?}");
    }
    assert_eq!(status(&bob, &plan, &[("open", "3"), ("shares", "1"), ("date", "2026-11-01")]).0, 404);
    let stranger = fixture.world.browser();
    stranger.get("/sign-in");
    assert_eq!(location(&stranger.post(&format!("{plan}/answer"), &[("part", "rows"), ("skip", "3")])), "/sign-in");
    let forged = [("part", "rows"), ("skip", "3"), ("_token", "forged")];
    let answer = fixture.ana.post_raw(&format!("{plan}/answer"), &forged, &[("Sec-Fetch-Site", "same-origin")]);
    assert_eq!(answer.status, 403);
    assert!(!fixture.ana.get(&plan).text().contains("Include again"));
}
