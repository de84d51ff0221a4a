//! Several entries of the ledger at once: moved, deleted, restored, and downloaded.

use crate::fixture::{Fixture, location};
use crate::ledger::{BUY, confirmed, newest, with};

type Fields = Vec<(String, String)>;

/// Ticks the rows of a list, as its page has them.
fn ticked(fixture: &Fixture, list: &str) -> Fields {
    let page = fixture.ana.get(list).text();
    let rows = page.split("form=\"selection\" name=\"").skip(1).map(|rest| {
        let (name, rest) = rest.split_once('"').unwrap();
        (name.to_owned(), rest.split_once("value=\"").unwrap().1.split_once('"').unwrap().0.to_owned())
    });
    rows.chain([("next".to_owned(), list.to_owned())]).collect()
}

fn post(fixture: &Fixture, path: &str, fields: &Fields, more: &[(&str, &str)]) -> testkit::Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fixture.ana.post(path, &[&fields, more].concat())
}

fn rows(fixture: &Fixture, list: &str) -> usize {
    fixture.ana.get(list).text().matches("<th scope=\"row\">").count()
}

/// The form's field for the last deletion.
fn deletion(page: &str) -> String {
    page.split_once("name=\"deletion\" value=\"").unwrap().1.split('"').next().unwrap().to_owned()
}

#[test]
fn selected_entries_move_together_and_the_list_stays_filtered() {
    let fixture = Fixture::new();
    let list = "/ledger?symbol=QTR&portfolio=%C3%89lan";
    let selected = ticked(&fixture, list);
    assert_eq!(fixture.shares("QTR", "Élan").as_deref(), Some("4"));
    let moved = post(&fixture, "/ledger/move", &selected, &[("to", "Core")]);
    assert_eq!(location(&moved), list);
    // 15.5 + 4
    assert_eq!((fixture.shares("QTR", "Core").as_deref(), fixture.shares("QTR", "Élan")), (Some("19.5"), None));
    let page = fixture.ana.get(list).text();
    assert!(page.contains(&format!("{} transactions moved to Core.", selected.len() - 1)), "{page}");
}

#[test]
fn a_move_that_makes_a_ledger_impossible_is_refused_with_the_figures() {
    let fixture = Fixture::new();
    let bought = ticked(&fixture, "/ledger?symbol=SEVN&kind=buy");
    let before = fixture.tag();
    let refused = post(&fixture, "/ledger/move", &bought, &[("to", "Élan")]);
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("conflicts with another transaction: You") && text.contains("held"), "{text}");
    assert!(text.contains("Nothing has been changed yet.") && !text.contains("Move anyway"), "{text}");
    assert_eq!(fixture.tag(), before);
}

#[test]
fn deleting_several_asks_about_likely_mistakes_and_can_be_undone() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let list = "/ledger?symbol=QTR&kind=buy";
    let selected = ticked(&fixture, list);
    let asked = post(&fixture, "/ledger/delete", &selected, &[]);
    assert_eq!((asked.status, fixture.tag()), (422, before.clone()));
    let text = asked.text();
    assert!(text.contains("no longer hold any shares") && text.contains("Delete anyway"), "{text}");
    assert!(text.contains("name=\"sequence."), "the selection is kept: {text}");
    assert_eq!(location(&post(&fixture, "/ledger/delete", &selected, &[("confirmed", &confirmed(&text))])), list);
    assert_eq!((fixture.shares("QTR", "Core"), rows(&fixture, list)), (None, 0));

    let page = fixture.ana.get("/ledger").text();
    assert!(page.contains(&format!("{} transactions deleted.", selected.len() - 1)) && page.contains("Undo"), "{page}");
    let id = deletion(&page);
    assert_eq!(fixture.bob().get("/ledger").text().matches("name=\"deletion\"").count(), 0);
    assert_eq!(location(&fixture.ana.post("/ledger/undo", &[("deletion", &id), ("next", list)])), list);
    assert_eq!(rows(&fixture, list), selected.len() - 1);
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    let again = fixture.ana.post("/ledger/undo", &[("deletion", &id)]);
    assert_eq!(location(&again), "/ledger");
    assert!(fixture.ana.get("/ledger").text().contains("This deletion can no longer be undone."));
}

#[test]
fn an_undo_that_is_impossible_says_why() {
    let fixture = Fixture::new();
    let gone = ticked(&fixture, "/ledger?symbol=SEVN&kind=sell");
    assert_eq!(gone.len(), 2, "one sale of SEVN");
    location(&post(&fixture, "/ledger/delete", &gone, &[]));
    let id = deletion(&fixture.ana.get("/ledger").text());
    let held = fixture.shares("SEVN", "Core").unwrap();
    let sale = with(&[("kind", "sell"), ("shown", "sell"), ("symbol", "SEVN"), ("date", "2026-11-14"), ("currency", "")]);
    let sale: Vec<(&str, &str)> =
        sale.into_iter().map(|(name, value)| (name, if name == "shares" { held.as_str() } else { value })).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &sale));
    location(&fixture.ana.post("/ledger/undo", &[("deletion", &id)]));
    let page = fixture.ana.get("/ledger").text();
    assert!(page.contains("Not restored. ") && page.contains("SEVN on"), "{page}");
    assert_eq!(deletion(&page), id, "it can be undone once that sale is corrected");
}

#[test]
fn the_page_or_everything_that_matches_is_selected_without_ticking() {
    let fixture = Fixture::new();
    let all = |count: &str| {
        let fields = [("scope", "all"), ("matching", count), ("next", "/ledger?kind=dividend&symbol=QTR")];
        fixture.ana.post("/ledger/delete", &fields)
    };
    fixture.ana.get("/ledger");
    location(&all("3"));
    assert!(fixture.ana.get("/ledger").text().contains("The list has changed since you selected it."));
    location(&all("2"));
    assert_eq!((rows(&fixture, "/ledger?kind=dividend&symbol=QTR"), rows(&fixture, "/ledger")), (0, 17));
    let none = fixture.ana.post("/ledger/delete", &[("next", "/ledger")]);
    assert_eq!(location(&none), "/ledger");
    assert!(fixture.ana.get("/ledger").text().contains("Select at least one transaction."));
    let last = newest(&fixture, "QTR");
    location(
        &fixture.ana.post("/ledger/delete", &[("scope", "page"), ("shown.1", &last), ("sequence.1", "1"), ("confirmed", "")]),
    );
    assert_eq!(rows(&fixture, "/ledger"), 16);
}

#[test]
fn the_list_and_the_selection_are_downloaded_in_the_order_shown() {
    let fixture = Fixture::new();
    let lines = |answer: testkit::Answer| -> Vec<String> {
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/csv; charset=utf-8"));
        assert!(answer.header("content-disposition").starts_with("attachment; filename=\"transactions-2026-"));
        answer.text().lines().map(str::to_owned).collect()
    };
    let page = fixture.ana.get("/ledger?kind=dividend&sort=symbol").text();
    let listed = |browser: &testkit::Browser, list: &str| {
        browser.get(list);
        lines(browser.post("/ledger/export", &[("next", list), ("scope", "list")]))
    };
    let all = listed(&fixture.ana, "/ledger?kind=dividend&sort=symbol");
    assert_eq!(all.len() - 1, page.matches("<th scope=\"row\">").count());
    assert!(all[0].starts_with("date,type,symbol,") && all[1..].iter().all(|line| line.contains(",dividend,")), "{all:?}");
    let symbols = |lines: &[String]| lines[1..].iter().map(|line| line.split(',').nth(2).unwrap().to_owned()).collect::<Vec<_>>();
    let mut sorted = symbols(&all);
    sorted.sort();
    assert_eq!(symbols(&all), sorted);
    let selected = ticked(&fixture, "/ledger?kind=dividend&sort=symbol");
    assert_eq!(lines(post(&fixture, "/ledger/export", &selected, &[])), all);
    assert_eq!(lines(post(&fixture, "/ledger/export", &selected[..1].to_vec(), &[])), all[..2]);
    assert_eq!(listed(&fixture.ana, "/ledger").len(), 20);
    let activity = fixture.ana.get("/settings/security").text();
    assert_eq!(activity.matches("Transactions exported").count(), 4, "{activity}");
    assert_eq!(listed(&fixture.bob(), "/ledger?portfolio=Core").len(), 6, "bob's own five");
}

#[test]
fn another_users_entries_are_not_touched() {
    let fixture = Fixture::new();
    let bob = fixture.bob();
    bob.get("/ledger");
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &BUY));
    let theirs = newest(&fixture, "QTR");
    let count = rows(&fixture, "/ledger");
    for path in ["/ledger/delete", "/ledger/move", "/ledger/export"] {
        let answer = bob.post(path, &[("sequence.1", theirs.as_str()), ("to", "Core"), ("confirmed", "x")]);
        assert!(!answer.text().contains("QTR"), "{path}");
        assert!([303, 422].contains(&answer.status), "{path}: {}", answer.status);
    }
    location(&fixture.ana.post(&format!("/ledger/{theirs}/delete"), &[]));
    let id = deletion(&fixture.ana.get("/ledger").text());
    bob.post("/ledger/undo", &[("deletion", &id)]);
    assert_eq!(rows(&fixture, "/ledger"), count - 1, "only ana can undo it");
    fixture.ana.post("/ledger/undo", &[("deletion", &id)]);
    assert_eq!(rows(&fixture, "/ledger"), count);
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17.5"));
}
