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

/// The part of the page about a portfolio.
fn part(fixture: &Fixture, path: &str, name: &str) -> String {
    let page = fixture.ana.get(path).text();
    let part = page.split("<section class=\"card stack\"").find(|part| part.contains(&format!("<h2>{name}")));
    part.unwrap_or_else(|| panic!("no {name} in {page}")).to_owned()
}

/// The values of a select in it.
fn options(part: &str, select: &str) -> Vec<String> {
    let select = part.split(&format!("name=\"{select}\">")).nth(1).unwrap().split("</select>").next().unwrap();
    select.split("<option value=\"").skip(1).map(|option| option.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn dividends_of_a_portfolio_are_reinvested_except_those_of_single_stocks() {
    let fixture = Fixture::new();
    assert!(part(&fixture, "/portfolios", "Core").contains("Reinvest dividends: Off<"));
    assert_eq!(location(&fixture.ana.post("/portfolios/reinvest", &[("name", "Core"), ("rule", "fractional")])), "/portfolios");
    let page = fixture.ana.get("/portfolios").text();
    assert!(page.contains("Dividends of “Core” now buy fractional shares."), "{page}");
    let core = part(&fixture, "/portfolios", "Core");
    assert!(core.contains("Reinvest dividends: Fractional shares<") && core.contains("value=\"fractional\" checked"), "{core}");
    assert!(part(&fixture, "/portfolios", "Élan").contains("Reinvest dividends: Off<"));

    let except = |symbol: &str, rule: &str| {
        fixture.ana.post("/portfolios/reinvest-stock", &[("name", "Core"), ("symbol", symbol), ("rule", rule)])
    };
    assert_eq!(location(&except("QTR", "whole")), "/portfolios?reinvest=Core");
    let page = fixture.ana.get("/portfolios?reinvest=Core").text();
    assert!(page.contains("Reinvest dividends of QTR in “Core”: Whole shares."), "{page}");
    let core = part(&fixture, "/portfolios?reinvest=Core", "Core");
    assert!(core.contains("<details class=\"more\" open><summary>Reinvest dividends: Fractional shares, 1 exception<"), "{core}");
    assert!(core.contains("Remove: QTR, Core"), "{core}");
    location(&except("MON", "off"));
    assert!(part(&fixture, "/portfolios", "Core").contains("Fractional shares, 2 exceptions<"));
    location(&except("QTR", "default"));
    let page = fixture.ana.get("/portfolios").text();
    assert!(page.contains("Dividends of QTR are now reinvested as those of the rest of “Core”."), "{page}");
    assert!(!page.contains("Remove: QTR, Core") && page.contains("Remove: MON, Core"), "{page}");
}

#[test]
fn only_stocks_of_a_portfolio_can_be_exceptions() {
    let fixture = Fixture::new();
    assert_eq!(options(&part(&fixture, "/portfolios", "Élan"), "symbol"), ["QTR"]);
    assert_eq!(options(&part(&fixture, "/portfolios", "Core"), "symbol"), ["ANN", "HALT", "MON", "QTR", "SEVN", "SHIP", "SPLT"]);
    location(&fixture.ana.fill("/portfolios", "/portfolios/add", &[("name", "Empty")]));
    assert!(!part(&fixture, "/portfolios", "Empty").contains("reinvest-stock"));
    let post = |name: &str, symbol: &str, rule: &str| {
        fixture.ana.post("/portfolios/reinvest-stock", &[("name", name), ("symbol", symbol), ("rule", rule)])
    };
    let refused = post("Élan", "MON", "whole");
    assert!(refused.status == 422 && refused.text().contains("This portfolio has no transactions of MON."), "{}", refused.text());
    assert_eq!(post("Élan", "QTR", "perhaps").status, 404);
    assert_eq!(post("Nope", "QTR", "whole").status, 404);
    for rule in ["perhaps", "default", ""] {
        assert_eq!(fixture.ana.post("/portfolios/reinvest", &[("name", "Core"), ("rule", rule)]).status, 404, "{rule}");
    }
    for name in ["Core", "Élan"] {
        assert!(part(&fixture, "/portfolios", name).contains("Reinvest dividends: Off<"), "{name}");
    }
}

#[test]
fn a_portfolio_without_missing_dividends_says_that_nothing_is_bought() {
    let fixture = Fixture::new();
    assert!(!fixture.ana.get("/portfolios").text().contains("so nothing is bought"));
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "off")]));
    assert!(part(&fixture, "/portfolios", "Core").contains("so nothing is bought"));
    assert!(!part(&fixture, "/portfolios", "Élan").contains("so nothing is bought"));
}

#[test]
fn the_page_of_a_stock_sets_its_rule_in_each_portfolio_that_holds_it() {
    let fixture = Fixture::new();
    let page = |symbol: &str| fixture.ana.get(&format!("/stocks/{symbol}")).text();
    assert!(page("MON").contains("<summary>Reinvest dividends: Off</summary>"));
    assert!(!page("RAD").contains("reinvest-stock"), "she does not hold it");
    assert!(!fixture.world.browser().get("/stocks/MON").text().contains("reinvest-stock"), "for strangers");
    let change = [("name", "Core"), ("symbol", "QTR"), ("rule", "whole"), ("next", "/stocks/QTR")];
    assert_eq!(location(&fixture.ana.post("/portfolios/reinvest-stock", &change)), "/stocks/QTR");
    let qtr = page("QTR");
    assert!(qtr.contains("Reinvest dividends of QTR in “Core”: Whole shares."), "{qtr}");
    assert!(qtr.contains("<summary>Reinvest dividends</summary>"), "they differ: {qtr}");
    assert!(qtr.contains("<option value=\"whole\" selected>Whole shares</option>"), "{qtr}");
    assert!(qtr.contains("<option value=\"default\" selected>Same as portfolio (Off)</option>"), "{qtr}");
    assert!(part(&fixture, "/portfolios", "Core").contains("Reinvest dividends: Off, 1 exception<"));
    for next in ["https://evil.example", "//evil.example"] {
        let change = [("name", "Core"), ("symbol", "QTR"), ("rule", "off"), ("next", next)];
        assert_eq!(location(&fixture.ana.post("/portfolios/reinvest-stock", &change)), "/");
    }
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "off")]));
    assert!(!page("MON").contains("reinvest-stock"), "nothing is recorded, so that nothing is bought");
}
