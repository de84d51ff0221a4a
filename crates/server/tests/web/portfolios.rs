use crate::desk::{Desk, location};

#[test]
fn a_portfolio_is_added_renamed_and_made_the_default() {
    let desk = Desk::new();
    let tag = || desk.world.get("/api/v1/portfolios", Some(&desk.world.ana)).header("etag").to_owned();
    let before = tag();
    assert_eq!(location(&desk.ana.fill("/portfolios", "/portfolios/add", &[("name", "Pension")])), "/portfolios");
    assert_eq!(desk.names(), ["Core", "Élan", "Pension"]);
    assert_ne!(tag(), before);
    location(&desk.ana.post("/portfolios/rename", &[("name", "Pension"), ("new_name", "Old age")]));
    location(&desk.ana.post("/portfolios/default", &[("name", "Old age")]));
    assert_eq!(desk.names(), ["Old age", "Core", "Élan"]);
}

#[test]
fn a_name_that_is_taken_comes_back_with_what_was_typed() {
    let desk = Desk::new();
    let before = desk.tag();
    let answer = desk.ana.fill("/portfolios", "/portfolios/add", &[("name", "core")]);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("value=\"core\"") && answer.text().contains("already"), "{}", answer.text());
    let answer = desk.ana.post("/portfolios/rename", &[("name", "Élan"), ("new_name", "CORE")]);
    assert!(answer.status == 422 && answer.text().contains("value=\"CORE\""));
    assert_eq!(desk.tag(), before);
}

#[test]
fn the_order_is_what_the_button_says() {
    let desk = Desk::new();
    location(&desk.ana.fill("/portfolios", "/portfolios/add", &[("name", "Last")]));
    location(&desk.ana.post("/portfolios/up", &[("name", "Last")]));
    assert_eq!(desk.names(), ["Core", "Last", "Élan"]);
    assert_eq!(desk.ana.post("/portfolios/up", &[("name", "Nowhere")]).status, 404);
}

#[test]
fn sharing_gives_an_address_and_ending_it_takes_that_away() {
    let desk = Desk::new();
    let share = [("name", "Core"), ("slug", "ana-core"), ("show_amounts", "yes")];
    location(&desk.ana.fill("/portfolios", "/portfolios/share", &share));
    assert!(desk.ana.get("/portfolios").text().contains("/p/ana-core</code>"));
    assert_eq!(desk.api("/api/v1/portfolios")["portfolios"][0]["slug"], "ana-core");
    location(&desk.ana.post("/portfolios/amounts", &[("name", "Core")]));
    assert!(desk.ana.get("/portfolios").text().contains("see percentages only"));
    location(&desk.ana.post("/portfolios/unshare", &[("name", "Core")]));
    assert!(!desk.ana.get("/portfolios").text().contains("ana-core"));
    let taken = desk.ana.post("/portfolios/share", &[("name", "Core"), ("slug", "elan-income")]);
    assert!(taken.status == 422 && taken.text().contains("The address &#34;elan-income&#34; is taken"), "{}", taken.text());
}

#[test]
fn an_address_is_suggested_that_nobody_can_guess() {
    let desk = Desk::new();
    let suggested = || {
        let page = desk.ana.get("/portfolios").text();
        page.split("name=\"slug\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let (one, other) = (suggested(), suggested());
    assert!(one.len() == 16 && one != other, "{one}, {other}");
    location(&desk.ana.post("/portfolios/share", &[("name", "Core"), ("slug", &one)]));
    assert_eq!(desk.api("/api/v1/portfolios")["portfolios"][0]["slug"], one.as_str());
}

#[test]
fn deleting_needs_the_name_typed_and_takes_the_entries_along() {
    let desk = Desk::new();
    // Ana's ledger has two entries in Élan: a purchase and a dividend.
    assert!(desk.ana.get("/portfolios").text().contains("its 2 transactions"));
    let wrong = desk.ana.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Elan")]);
    assert_eq!(wrong.status, 422);
    assert_eq!(desk.shares("QTR", "Élan").as_deref(), Some("4"));
    location(&desk.ana.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Élan")]));
    assert_eq!(desk.names(), ["Core"]);
    assert_eq!(desk.shares("QTR", "Élan"), None);
}

#[test]
fn anothers_portfolio_is_none() {
    let desk = Desk::new();
    let bob = desk.bob();
    bob.get("/portfolios");
    let others = bob.post("/portfolios/delete", &[("name", "Élan"), ("typed", "Élan")]);
    let nobodys = bob.post("/portfolios/delete", &[("name", "Nope"), ("typed", "Nope")]);
    assert_eq!((others.status, nobodys.status), (404, 404));
    assert_eq!(desk.names(), ["Core", "Élan"]);
    assert_eq!(bob.post("/portfolios/nonsense", &[("name", "Main")]).status, 404);
}
