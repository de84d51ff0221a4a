use testkit::Browser;

use crate::fixture::{Fixture, location};

pub const LEDGER: &[u8] = b"date,type,symbol,shares,price,amount,currency\n\
    2026-11-02,buy,RAD,10,30,,EUR\n\
    2026-11-03,dividend,RAD,,,3.50,EUR\n";
pub const UNKNOWN: &[u8] = b"date,type,isin,shares,price,currency\n2026-11-02,buy,US0378331005,10,20,USD\n";
const TABLE: &[u8] = b"When,Ticker,Pieces,Each\n2026-11-02,RAD,10,30\n2026-11-03,RAD,1,31\n";

/// Uploads the file, and returns the address of its plan.
pub fn bring(browser: &Browser, bytes: &[u8]) -> String {
    browser.get("/import");
    location(&browser.upload("/import", &[], "file.csv", bytes))
}

pub fn answer(browser: &Browser, plan: &str, fields: &[(&str, &str)]) {
    assert_eq!(location(&browser.fill(plan, &format!("{plan}/answer"), fields)), plan);
}

pub fn apply(browser: &Browser, plan: &str) {
    let page = location(&browser.fill(plan, &format!("{plan}/apply"), &[]));
    assert!(page == "/import" || page.starts_with("/import/done/"), "{page}");
}

/// The address of the first import on the page, for undoing it.
pub fn undo_address(browser: &Browser) -> String {
    let page = browser.get("/import").text();
    let id = page.split("/import/undo/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    format!("/import/undo/{id}")
}

#[test]
fn a_file_is_reviewed_imported_downloaded_and_undone() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let plan = bring(&fixture.ana, LEDGER);
    let text = fixture.ana.get(&plan).text();
    assert!(text.contains("2 of 2 rows will be added") && text.contains("Dripline ledger file"), "{text}");
    assert!(fixture.ana.get("/import").text().contains(&plan), "it waits");
    assert_eq!(fixture.tag(), before, "a plan changes nothing");
    apply(&fixture.ana, &plan);
    assert!(fixture.ana.get("/import").text().contains("2 transactions imported"));
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10"));
    let imported = fixture.tag();
    assert_ne!(imported, before);

    let undo = undo_address(&fixture.ana);
    let file = fixture.ana.get(&undo.replace("undo", "files"));
    assert_eq!(file.body, LEDGER);
    assert_eq!(file.header("content-disposition"), "attachment; filename*=UTF-8''file.csv");
    location(&fixture.ana.post(&undo, &[]));
    assert_eq!(fixture.shares("RAD", "Core"), None);
    assert_ne!(fixture.tag(), imported);
}

#[test]
fn an_import_leads_to_the_dividends_and_can_be_undone_on_the_spot() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, LEDGER);
    let done = location(&fixture.ana.fill(&plan, &format!("{plan}/apply"), &[]));
    let page = fixture.ana.get(&done).text();
    assert!(page.contains("2 transactions imported.") && page.contains("1 purchase, 1 dividend"), "{page}");
    assert!(page.contains("See your dividends") && page.contains("href=\"/dividends\""), "{page}");
    let undo = done.replace("done", "undo");
    assert!(page.contains(&format!("action=\"{undo}\"")) && !page.contains("Rows left out"), "{page}");
    assert!(fixture.ana.get("/import").text().contains(&done), "it is listed");
    assert_eq!(location(&fixture.ana.get(&plan)), done, "the plan is done");
    let ledger = fixture.ana.get("/ledger").text();
    let rows = ledger.split_once("<tbody>").unwrap().1;
    assert!(rows.contains("file.csv") && !rows.contains("ledger file"), "{ledger}");
    let bob = fixture.bob();
    bob.get("/import");
    assert_eq!((bob.get(&done).status, bob.post(&format!("{done}/again"), &[]).status), (404, 404), "another's import is none");
    location(&fixture.ana.post(&undo, &[]));
    assert_eq!(fixture.shares("RAD", "Core"), None);
    assert_eq!(fixture.ana.get(&done).status, 404);
}

#[test]
fn rows_that_were_left_out_stay_listed_and_are_imported_later() {
    let fixture = Fixture::new();
    let file = b"date,type,symbol,shares,price,currency\n\
        2026-11-03,sell,RAD,4,30,EUR\n2026-11-04,buy,DUE,2,10,USD\n2026-11-05,conversion,RAD,1,30,EUR\n";
    let plan = bring(&fixture.ana, file);
    answer(&fixture.ana, &plan, &[("part", "errors")]);
    let done = location(&fixture.ana.fill(&plan, &format!("{plan}/apply"), &[]));
    let page = fixture.ana.get(&done).text();
    assert!(page.contains("Rows left out") && page.contains("“conversion”"), "{page}");
    assert!(page.contains("2026-11-03,sell,RAD,4,30,EUR"), "as in the file: {page}");

    apply(&fixture.ana, &bring(&fixture.ana, b"date,type,symbol,shares,price,currency\n2026-11-02,buy,RAD,10,30,EUR\n"));
    let page = fixture.ana.get(&done).text();
    assert!(page.contains("1 of these rows can be imported now."), "{page}");
    let again = location(&fixture.ana.fill(&done, &format!("{done}/again"), &[]));
    answer(&fixture.ana, &again, &[("part", "errors")]);
    let review = fixture.ana.get(&again).text();
    assert!(review.contains("1 of 3 rows will be added: 1 sale."), "{review}");
    apply(&fixture.ana, &again);
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("6"));
    let page = fixture.ana.get(&done).text();
    assert!(page.contains("“conversion”") && !page.contains("sell,RAD"), "{page}");
}

#[test]
fn what_is_held_is_typed_or_pasted() {
    let fixture = Fixture::new();
    let typed = |fields: &[(&str, &str)]| fixture.ana.fill("/import", "/import/positions", fields);
    let blank = typed(&[]);
    assert_eq!((blank.status, blank.text().contains("Enter at least one security.")), (422, true));
    let wrong = typed(&[("symbol.0", "RAD"), ("shares.0", "ten"), ("list", "DUE 3")]);
    assert_eq!(wrong.status, 422);
    let page = wrong.text();
    assert!(page.contains("value=\"ten\"") && page.contains(">DUE 3</textarea>"), "nothing is lost: {page}");
    assert_eq!(typed(&[("shares.1", "3")]).status, 422);

    let plan = location(&typed(&[("symbol.0", "rad"), ("shares.0", "10.5"), ("cost.0", "30"), ("currency.0", "EUR")]));
    let page = fixture.ana.get(&plan).text();
    assert!(page.contains("positions.csv") && page.contains("List of positions"), "{page}");
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10.5"));
    let plan = location(&typed(&[("list", "HIDE;3;20,50;USD\nDUE;2;10,25;USD")]));
    apply(&fixture.ana, &plan);
    assert_eq!((fixture.shares("HIDE", "Core").as_deref(), fixture.shares("DUE", "Core").as_deref()), (Some("3"), Some("2")));
    assert_eq!(location(&typed(&[("symbol.0", "HIDE"), ("shares.0", "1"), ("list", "DUE 2")])), "/import", "two files wait");
}

#[test]
fn all_unfinished_imports_are_discarded_at_once() {
    let fixture = Fixture::new();
    bring(&fixture.ana, LEDGER);
    assert!(!fixture.ana.get("/import").text().contains("Discard all"), "one has a button of its own");
    let kept = bring(&fixture.bob(), LEDGER);
    bring(&fixture.ana, UNKNOWN);
    assert_eq!(location(&fixture.ana.fill("/import", "/import/discard-all", &[])), "/import");
    let page = fixture.ana.get("/import").text();
    assert!(page.contains("2 imports discarded") && !page.contains("Unfinished imports"), "{page}");
    assert!(fixture.bob().get("/import").text().contains(&kept), "another's stay");
}

#[test]
fn rows_go_to_the_chosen_portfolio() {
    let fixture = Fixture::new();
    fixture.ana.get("/import");
    let plan = location(&fixture.ana.upload("/import", &[("portfolio", "Élan")], "file.csv", LEDGER));
    answer(&fixture.ana, &plan, &[("part", "portfolio"), ("portfolio", "Core")]);
    answer(&fixture.ana, &plan, &[("part", "portfolio"), ("portfolio", "Élan")]);
    apply(&fixture.ana, &plan);
    assert_eq!((fixture.shares("RAD", "Élan").as_deref(), fixture.shares("RAD", "Core")), (Some("10"), None));
}

#[test]
fn an_unknown_security_is_asked_about_and_matched() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, UNKNOWN);
    let text = fixture.ana.get(&plan).text();
    assert!(text.contains("US0378331005") && !text.contains("/apply"), "{text}");
    assert!(!text.contains("--"), "a page names no flag");
    let wrong =
        fixture.ana.post(&format!("{plan}/answer"), &[("part", "instruments"), ("key.q1", "US0378331005"), ("other.q1", "A B")]);
    assert_eq!(wrong.status, 422);
    answer(&fixture.ana, &plan, &[("part", "instruments"), ("key.q1", "US0378331005"), ("other.q1", "hide")]);
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("HIDE", "Core").as_deref(), Some("10"));
}

#[test]
fn an_unknown_security_can_be_kept_under_its_isin() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, UNKNOWN);
    answer(&fixture.ana, &plan, &[("part", "keep"), ("keep", "yes")]);
    apply(&fixture.ana, &plan);
    assert_eq!(fixture.shares("US0378331005", "Core").as_deref(), Some("10"));
}

#[test]
fn an_unknown_table_is_read_by_the_chosen_columns() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, TABLE);
    let text = fixture.ana.get(&plan).text();
    assert!(text.contains("Match columns") && !text.contains("/apply"), "{text}");
    assert!(!text.contains("default-currency=") && !text.contains("mapping so far"), "no settings of a mapping: {text}");
    let columns = [
        ("part", "columns"),
        ("column.date", "When"),
        ("column.symbol", "Ticker"),
        ("column.shares", "Pieces"),
        ("column.price", "Each"),
        ("setting.default", "buy"),
        ("setting.default-currency", "EUR"),
    ];
    answer(&fixture.ana, &plan, &columns);
    apply(&fixture.ana, &plan);
    // 10 + 1
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("11"));
}

#[test]
fn a_file_with_an_error_stores_nothing_and_quotes_the_line() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let plan = bring(
        &fixture.ana,
        b"date,type,symbol,shares,price,currency\n2026-11-02,buy,RAD,10,30,EUR\n2026-11-03,sell,RAD,11,30,EUR\n",
    );
    let text = fixture.ana.get(&plan).text();
    assert!(text.contains("Sold 1 share that isn’t in your history."), "{text}");
    assert!(text.contains("2026-11-03,sell,RAD,11,30,EUR") && !text.contains("/apply"));
    assert_eq!(fixture.ana.post(&format!("{plan}/apply"), &[]).status, 422);
    assert_eq!(fixture.tag(), before);
    assert!(fixture.ana.get(&format!("{plan}?fate=error")).text().contains("class=\"error\""));
    assert!(!fixture.ana.get(&format!("{plan}?fate=new")).text().contains("class=\"error\""));
    assert_eq!(location(&fixture.ana.post(&format!("{plan}/discard"), &[])), "/import");
    assert_eq!(fixture.ana.get(&plan).status, 404);
}

#[test]
fn an_upload_form_sent_twice_counts_once_and_its_key_accepts_no_other_file() {
    let fixture = Fixture::new();
    fixture.ana.get("/import");
    let send = |bytes: &[u8]| fixture.ana.upload("/import", &[("key", "the key of a page")], "file.csv", bytes);
    let first = location(&send(LEDGER));
    assert_eq!(location(&send(LEDGER)), first);
    assert_eq!(send(UNKNOWN).status, 422);
    apply(&fixture.ana, &first);
    assert_eq!(location(&send(LEDGER)), first);
    assert!(location(&fixture.ana.get(&first)).starts_with("/import/done/"), "it was imported already");
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10"));
}

#[test]
fn uploading_the_same_file_again_adds_nothing() {
    let fixture = Fixture::new();
    let (one, other) = (bring(&fixture.ana, LEDGER), bring(&fixture.ana, LEDGER));
    assert_ne!(one, other);
    apply(&fixture.ana, &one);
    let text = fixture.ana.get(&other).text();
    assert!(text.contains("Nothing to add"), "{text}");
    fixture.ana.post(&format!("{other}/apply"), &[]);
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10"));
}

#[test]
fn an_import_that_later_entries_depend_on_cannot_be_undone() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, LEDGER);
    apply(&fixture.ana, &plan);
    let undo = undo_address(&fixture.ana);
    let sell = bring(&fixture.ana, b"date,type,symbol,shares,price,currency\n2026-11-05,sell,RAD,4,30,EUR\n");
    apply(&fixture.ana, &sell);
    let answer = fixture.ana.post(&undo, &[]);
    assert_eq!(answer.status, 422);
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("6"));
}

#[test]
fn another_users_import_is_not_found() {
    let fixture = Fixture::new();
    let plan = bring(&fixture.ana, LEDGER);
    let bob = fixture.bob();
    bob.get("/import");
    assert_eq!(bob.get(&plan).status, 404);
    for action in ["apply", "discard", "answer"] {
        assert_eq!(bob.post(&format!("{plan}/{action}"), &[]).status, 404, "{action}");
    }
    apply(&fixture.ana, &plan);
    let undo = undo_address(&fixture.ana);
    assert_eq!(bob.get(&undo.replace("undo", "files")).status, 404);
    assert_eq!(bob.post(&undo, &[]).status, 404);
    assert_eq!(fixture.shares("RAD", "Core").as_deref(), Some("10"));
}

#[test]
fn a_file_is_accepted_from_our_own_page_and_signed_in_users_only() {
    let fixture = Fixture::new();
    let stranger = fixture.world.browser();
    assert!(location(&stranger.upload("/import", &[], "file.csv", LEDGER)).starts_with("/sign-in"));
    // The token of the page before signing in is another's.
    let forged = fixture.bob();
    assert_eq!(forged.upload("/import", &[], "file.csv", LEDGER).status, 403);
    fixture.ana.get("/import");
    let nothing = fixture.ana.upload("/import", &[], "", b"");
    assert_eq!(nothing.status, 422);
}
