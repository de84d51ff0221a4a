use crate::fixture::{Fixture, location};

#[test]
fn a_portfolio_is_added_renamed_and_made_the_default() {
    let fixture = Fixture::new();
    let tag = || fixture.world.get("/api/v1/portfolios", Some(&fixture.world.ana)).header("etag").to_owned();
    let before = tag();
    assert_eq!(location(&fixture.ana.fill("/portfolios", "/portfolios/add", &[("name", "Pension")])), "/portfolios");
    assert_eq!(fixture.names(), ["Core", "Élan", "Pension"]);
    assert_ne!(tag(), before);
    location(&fixture.ana.post("/portfolios/rename", &[("name", "Pension"), ("new_name", "Old age")]));
    location(&fixture.ana.post("/portfolios/default", &[("name", "Old age")]));
    assert_eq!(fixture.names(), ["Old age", "Core", "Élan"]);
}

#[test]
fn a_portfolio_name_that_is_taken_is_shown_again() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let answer = fixture.ana.fill("/portfolios", "/portfolios/add", &[("name", "core")]);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("value=\"core\"") && answer.text().contains("already"), "{}", answer.text());
    let answer = fixture.ana.post("/portfolios/rename", &[("name", "Élan"), ("new_name", "CORE")]);
    assert!(answer.status == 422 && answer.text().contains("value=\"CORE\""));
    assert_eq!(fixture.tag(), before);
}

#[test]
fn a_portfolio_moves_up_by_its_button() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/portfolios", "/portfolios/add", &[("name", "Last")]));
    location(&fixture.ana.post("/portfolios/up", &[("name", "Last")]));
    assert_eq!(fixture.names(), ["Core", "Last", "Élan"]);
    assert_eq!(fixture.ana.post("/portfolios/up", &[("name", "Nowhere")]).status, 404);
}

#[test]
fn sharing_creates_an_address_and_ending_it_removes_it() {
    let fixture = Fixture::new();
    let share = [("name", "Core"), ("slug", "ana-core"), ("show_amounts", "yes")];
    location(&fixture.ana.fill("/portfolios", "/portfolios/share", &share));
    assert!(fixture.ana.get("/portfolios").text().contains("/p/ana-core</code>"));
    assert_eq!(fixture.api("/api/v1/portfolios")["portfolios"][0]["slug"], "ana-core");
    location(&fixture.ana.post("/portfolios/amounts", &[("name", "Core")]));
    assert!(fixture.ana.get("/portfolios").text().contains("see percentages only"));
    location(&fixture.ana.post("/portfolios/unshare", &[("name", "Core")]));
    assert!(!fixture.ana.get("/portfolios").text().contains("ana-core"));
    let taken = fixture.ana.post("/portfolios/share", &[("name", "Core"), ("slug", "elan-income")]);
    assert!(taken.status == 422 && taken.text().contains("The address &#34;elan-income&#34; is taken"), "{}", taken.text());
}

#[test]
fn the_suggested_slug_cannot_be_guessed() {
    let fixture = Fixture::new();
    let suggested = || {
        let page = fixture.ana.get("/portfolios").text();
        page.split("name=\"slug\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let (one, other) = (suggested(), suggested());
    assert!(one.len() == 16 && one != other, "{one}, {other}");
    location(&fixture.ana.post("/portfolios/share", &[("name", "Core"), ("slug", &one)]));
    assert_eq!(fixture.api("/api/v1/portfolios")["portfolios"][0]["slug"], one.as_str());
}

#[test]
fn deleting_a_portfolio_needs_its_name_typed_and_deletes_its_entries() {
    let fixture = Fixture::new();
    // Ana's ledger has two entries in Élan: a purchase and a dividend.
    assert!(fixture.ana.get("/portfolios").text().contains("its 2 transactions"));
    let wrong = fixture.ana.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Elan")]);
    assert_eq!(wrong.status, 422);
    assert_eq!(fixture.shares("QTR", "Élan").as_deref(), Some("4"));
    location(&fixture.ana.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Élan")]));
    assert_eq!(fixture.names(), ["Core"]);
    assert_eq!(fixture.shares("QTR", "Élan"), None);
}

#[test]
fn another_users_portfolio_cannot_be_changed_by_forms() {
    let fixture = Fixture::new();
    let bob = fixture.bob();
    bob.get("/portfolios");
    let others = bob.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Élan")]);
    let nobodys = bob.post("/portfolios/delete", &[("name", "Nope"), ("typed", "Nope")]);
    assert_eq!((others.status, nobodys.status), (404, 404));
    assert_eq!(fixture.names(), ["Core", "Élan"]);
    assert_eq!(bob.post("/portfolios/nonsense", &[("name", "Main")]).status, 404);
}
