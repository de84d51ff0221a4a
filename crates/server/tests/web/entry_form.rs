//! The form of an entry: the fields that its type needs, questions, suggestions and the preview.

use ledger::Decimal;

use crate::fixture::{Fixture, location};
use crate::ledger::{BUY, confirmed, newest, with};

fn part(fixture: &Fixture, path: &str, fields: &[(&str, &str)]) -> String {
    fixture.ana.get("/ledger/new");
    let token = fixture.ana.token();
    let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("_token", token.as_str())]).collect();
    fixture.ana.post_raw(path, &fields, &[("Sec-Fetch-Site", "same-origin"), ("X-Fragment", "1")]).text()
}

#[test]
fn the_script_gets_the_fields_of_another_type() {
    let fixture = Fixture::new();
    let text = part(&fixture, "/ledger/kind", &with(&[("kind", "split"), ("note", "kept")]));
    assert!(text.starts_with("<div class=\"stack\" id=\"entry-fields\">") && text.contains("value=\"split\""), "{text}");
    assert!(text.contains("name=\"ratio\"") && text.contains("value=\"kept\"") && !text.contains("name=\"price\""), "{text}");
}

#[test]
fn more_opens_for_a_value_or_an_error() {
    let fixture = Fixture::new();
    let open = "<details class=\"more\" open>";
    assert!(!fixture.ana.get("/ledger/new?symbol=QTR").text().contains(open));
    assert!(fixture.ana.get("/ledger/new?symbol=QTR&fees=1.5").text().contains(open));
    let wrong = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("fees", "many")])).text();
    assert!(wrong.contains(open) && wrong.contains("fees-problem"), "{wrong}");
}

#[test]
fn decimal_comma_and_point_are_both_read() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("shares", "1,5"), ("price", "1.234,50")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17"));
    let unclear = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("shares", "1,234")]));
    assert!(unclear.status == 422 && unclear.text().contains("Enter 1234 or 1.234."), "{}", unclear.text());
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17"));
}

#[test]
fn an_unknown_security_is_added_only_if_the_user_insists_and_chooses_a_currency() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let typed = with(&[("symbol", "Nimbus-Widgets"), ("currency", "")]);
    let asked = fixture.ana.fill("/ledger/new", "/ledger/new", &typed);
    assert_eq!((asked.status, fixture.tag()), (422, before.clone()));
    let page = asked.text();
    assert!(page.contains("Which security is “Nimbus-Widgets”?") && page.contains("Add NIMBUS-WIDGETS anyway"), "{page}");

    let anyway = ("anyway", "unknown-NIMBUS-WIDGETS");
    let insisted: Vec<(&str, &str)> = typed.iter().copied().chain([anyway]).collect();
    let no_currency = fixture.ana.fill("/ledger/new", "/ledger/new", &insisted);
    assert!(no_currency.status == 422 && no_currency.text().contains("currency-problem"), "{}", no_currency.text());
    // It was confirmed, so the next attempt only needs the currency.
    let known = confirmed(&no_currency.text());
    let again: Vec<(&str, &str)> =
        with(&[("symbol", "Nimbus-Widgets")]).into_iter().chain([("confirmed", known.as_str())]).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &again));
    assert_eq!(fixture.shares("NIMBUS-WIDGETS", "Core").as_deref(), Some("2"));

    // An insistence counts for that symbol alone.
    let other: Vec<(&str, &str)> = with(&[("symbol", "Other-Widgets")]).into_iter().chain([anyway]).collect();
    assert_eq!(fixture.ana.fill("/ledger/new", "/ledger/new", &other).status, 422);
    let full: Vec<(&str, &str)> =
        with(&[("symbol", "third one"), ("currency", "")]).into_iter().chain([("anyway_currency", "EUR")]).collect();
    let page = fixture.ana.fill("/ledger/new", "/ledger/new", &full).text();
    assert!(
        page.contains("Which security is “third one”?") && !page.contains("name=\"anyway\""),
        "no symbol has a space: {page}"
    );
}

#[test]
fn a_name_is_answered_with_matches_and_a_match_is_saved_at_once() {
    let fixture = Fixture::new();
    let name = fixture.api("/api/v1/stocks/QTR")["name"].as_str().unwrap().to_owned();
    let name: &'static str = name.leak();
    let page = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("symbol", name)])).text();
    assert!(page.contains("name=\"match\" value=\"QTR\""), "{page}");
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    let chosen: Vec<(&str, &str)> = with(&[("symbol", name)]).into_iter().chain([("match", "QTR")]).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &chosen));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17.5"));
    let suggested = fixture.ana.get(&format!("/ledger/suggest?q={}", name.replace(' ', "%20"))).text();
    assert!(suggested.contains("role=\"option\"") && suggested.contains("QTR"), "{suggested}");
}

#[test]
fn a_future_date_is_saved_only_after_confirmation() {
    let fixture = Fixture::new();
    // Today is 15 November 2026.
    let later = with(&[("date", "2026-11-16")]);
    let asked = fixture.ana.fill("/ledger/new", "/ledger/new", &later);
    let page = asked.text();
    assert!(asked.status == 422 && page.contains("16 Nov 2026 is in the future.") && page.contains("Save anyway"), "{page}");
    let known = confirmed(&page);
    let moved: Vec<(&str, &str)> = with(&[("date", "2026-11-17")]).into_iter().chain([("confirmed", known.as_str())]).collect();
    assert_eq!(fixture.ana.fill("/ledger/new", "/ledger/new", &moved).status, 422, "another date is another doubt");
    let meant: Vec<(&str, &str)> = later.into_iter().chain([("confirmed", known.as_str())]).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &meant));
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("date", "2026-11-15")])));
}

/// The figure that the form shows beside a blank field.
fn shown(page: &str, field: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("name=\"{field}_shown\" value=\""))?;
    Some(rest.split('"').next().unwrap().to_owned())
}

#[test]
fn a_blank_price_is_that_of_the_day_only_if_the_form_has_shown_it() {
    let fixture = Fixture::new();
    fixture.world.load(&[("prices.csv", "symbol,date,close\nQTR,2026-11-02,80.25\n")]);
    let blank = with(&[("price", ""), ("currency", "")]);
    let unseen = fixture.ana.fill("/ledger/new", "/ledger/new", &blank);
    let page = unseen.text();
    assert!(unseen.status == 422 && page.contains("price-problem") && page.contains("placeholder=\"80.25\""), "{page}");
    let price = shown(&page, "price").unwrap();
    assert_eq!(price, "80.25");
    let other_day: Vec<(&str, &str)> = with(&[("price", ""), ("currency", ""), ("date", "2026-09-01")])
        .into_iter()
        .chain([("price_shown", price.as_str())])
        .collect();
    assert_eq!(fixture.ana.fill("/ledger/new", "/ledger/new", &other_day).status, 422, "it is not the price of that day");
    let seen: Vec<(&str, &str)> = blank.into_iter().chain([("price_shown", price.as_str())]).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &seen));
    assert!(fixture.ana.get(&format!("/ledger/{}", newest(&fixture, "QTR"))).text().contains("value=\"80.25\""));
}

#[test]
fn the_tax_of_a_dividend_is_estimated_where_the_form_shows_it() {
    let fixture = Fixture::new();
    let paid =
        [("kind", "dividend"), ("shown", "dividend"), ("date", "2026-11-10"), ("shares", ""), ("price", ""), ("currency", "")];
    let page = fixture.ana.get("/ledger/new?kind=dividend&symbol=QTR&portfolio=Core&date=2026-11-10").text();
    let rate: Decimal = shown(&page, "tax").unwrap().parse().unwrap();
    assert!(rate > Decimal::ZERO && rate < Decimal::ONE && page.contains("enter 0 for none"), "{page}");
    let rate = rate.to_string();
    let fields = |amount: &'static str, tax: &'static str, shown: Option<&str>| {
        let typed: Vec<(&'static str, &'static str)> = paid.into_iter().chain([("amount", amount), ("tax", tax)]).collect();
        let fields = with(&typed).into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        fields.chain(shown.map(|rate| ("tax_shown".to_owned(), rate.to_owned()))).collect::<Vec<_>>()
    };
    for (amount, tax, shown, expected) in
        [("100", "", Some(&*rate), None), ("200", "", None, Some("")), ("300", "0", Some(&*rate), Some("0"))]
    {
        let fields = fields(amount, tax, shown);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        location(&fixture.ana.fill("/ledger/new", "/ledger/new", &fields));
        let page = fixture.ana.get(&format!("/ledger/{}", newest(&fixture, "QTR"))).text();
        let taxed = (rate.parse::<Decimal>().unwrap() * Decimal::ONE_HUNDRED).round_dp(2).normalize().to_string();
        let value = expected.unwrap_or(&taxed);
        assert!(page.contains(&format!("id=\"tax\" name=\"tax\" value=\"{value}\"")), "{amount}: {value} in {page}");
    }
}

#[test]
fn the_preview_brings_suggestions_for_blank_fields() {
    let fixture = Fixture::new();
    fixture.world.load(&[("prices.csv", "symbol,date,close\nQTR,2026-11-02,80.25\n")]);
    let text = part(&fixture, "/ledger/check", &with(&[("price", ""), ("currency", "")]));
    assert!(text.contains("id=\"price-suggested\"") && text.contains("data-placeholder=\"80.25\""), "{text}");
    assert!(text.contains("value=\"160.50\""), "2 × 80.25: {text}");
    let in_euros = part(&fixture, "/ledger/check", &with(&[("price", ""), ("currency", "EUR")]));
    assert!(!in_euros.contains("80.25") && in_euros.contains("Official rate: 1 EUR = "), "{in_euros}");
}

#[test]
fn saving_and_adding_another_keeps_type_date_and_portfolio() {
    let fixture = Fixture::new();
    let fields: Vec<(&str, &str)> = BUY.into_iter().chain([("another", "1")]).collect();
    let next = location(&fixture.ana.fill("/ledger/new", "/ledger/new", &fields));
    assert_eq!(next, "/ledger/new?kind=buy&date=2026-11-02&portfolio=Core");
    let page = fixture.ana.get(&next).text();
    assert!(page.contains("value=\"2026-11-02\"") && page.contains("QTR transaction added."), "{page}");
    assert!(!page.contains("value=\"81.5"), "{page}");
}

/// What is before and after in a row of the preview.
fn change(page: &str, label: &str) -> Option<[String; 2]> {
    let (_, row) = page.split_once(&format!("<th scope=\"row\">{label}</th>"))?;
    let cells = row.split("</tr>").next()?.split("<td").skip(1);
    let figure =
        |cell: &str| Some(cell.split_once("value=\"").map_or("–", |(_, rest)| rest.split('"').next().unwrap()).to_owned());
    cells.map(figure).collect::<Option<Vec<_>>>()?.try_into().ok()
}

#[test]
fn the_preview_shows_what_changes() {
    let fixture = Fixture::new();
    let world = &fixture.world;
    world.load(&[("stocks.csv", "symbol,currency,name,price\nNWP,EUR,New Payer,25\n")]);
    let paid = |day: &str| format!("NWP,{day},{day},0.50,EUR,\n");
    let dividends: String = ["2025-12-02", "2026-03-03", "2026-06-02", "2026-09-01"].map(paid).concat();
    world.load(&[("dividends.csv", &format!("symbol,ex_date,pay_date,amount,currency,kind\n{dividends}"))]);
    let first = fixture.ana.get("/ledger/new?symbol=NWP&portfolio=Core&date=2026-11-02&shares=10&price=20").text();
    let both = |before: &str, after: &str| Some([before.to_owned(), after.to_owned()]);
    // 4 × 0.50 a year for each share: 20.00, and 10% of the cost of 20.
    assert_eq!(change(&first, "Shares"), both("0", "10"), "{first}");
    assert_eq!(change(&first, "Average cost"), both("–", "20.00"));
    assert_eq!(change(&first, "Annual income (gross)"), both("0.00", "20.00"));
    assert_eq!(change(&first, "Yield on cost"), both("–", "10.0"));

    let bought = [("symbol", "NWP"), ("currency", "EUR"), ("shares", "10"), ("price", "20")];
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &with(&bought)));
    // (200 + 30 × 24) ÷ 40 = 23, of which 2.00 is 8.70%.
    let more = fixture.ana.get("/ledger/new?symbol=NWP&portfolio=Core&date=2026-11-03&shares=30&price=24").text();
    assert_eq!(change(&more, "Shares"), both("10", "40"));
    assert_eq!(change(&more, "Average cost"), both("20.00", "23.00"));
    assert_eq!(change(&more, "Annual income (gross)"), both("20.00", "80.00"));
    assert_eq!(change(&more, "Yield on cost"), both("10.0", "8.7"));
    let out = fixture.ana.get("/ledger/new?kind=sell&symbol=NWP&portfolio=Core&date=2026-11-03&shares=10&price=24").text();
    assert_eq!(change(&out, "Shares"), both("10", "0"));
    assert_eq!(change(&out, "Annual income (gross)"), both("20.00", "0.00"));
    assert_eq!(change(&out, "Yield on cost"), both("10.0", "–"));
    // At the same price, the average cost and the yield on it stay.
    let same = fixture.ana.get("/ledger/new?symbol=NWP&portfolio=Core&date=2026-11-03&shares=1&price=20").text();
    assert_eq!((change(&same, "Average cost"), change(&same, "Yield on cost")), (None, None));
}

#[test]
fn the_preview_of_an_earlier_entry_shows_its_day_and_what_changes_today() {
    let fixture = Fixture::new();
    // Before all else: 2 are held then, and 10 + 5.5 + 2 today.
    let page = fixture.ana.get("/ledger/new?kind=buy&symbol=QTR&portfolio=Core&date=2015-03-02&shares=2&price=81.5").text();
    let (_, then) = page.split_once("<dt>Shares after this transaction</dt>").unwrap();
    assert!(then.split_once("</dd>").unwrap().0.contains("<data value=\"2\">"), "{then}");
    assert_eq!(change(&page, "Shares"), Some(["15.5".to_owned(), "17.5".to_owned()]));
    let today = fixture.ana.get("/ledger/new?kind=buy&symbol=QTR&portfolio=Core&date=2026-11-15&shares=2&price=81.5").text();
    assert!(!today.contains("Shares after this transaction") && change(&today, "Shares").is_some(), "{today}");
}

#[test]
fn an_opening_position_is_recorded_with_its_cost() {
    let fixture = Fixture::new();
    let page = fixture.ana.get("/ledger/new?kind=opening").text();
    assert!(
        page.contains("value=\"opening\" checked") && page.contains("Total cost") && !page.contains("name=\"fees\""),
        "{page}"
    );
    let held = with(&[("kind", "opening"), ("shown", "opening"), ("shares", "4"), ("price", "30")]);
    let no_cost =
        fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("kind", "opening"), ("shown", "opening"), ("price", "")]));
    assert!(no_cost.status == 422 && no_cost.text().contains("Enter a price per share or a total."), "{}", no_cost.text());
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &held));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("19.5"));
    let ledger = fixture.ana.get("/ledger?symbol=QTR").text();
    assert!(ledger.contains("Opening position"), "{ledger}");
    let edit = fixture.ana.get(&format!("/ledger/{}", newest(&fixture, "QTR"))).text();
    assert!(edit.contains("value=\"opening\" checked") && !edit.contains("value=\"transfer_in\""), "{edit}");
    assert!(edit.contains("id=\"amount\" name=\"amount\" value=\"120\""), "4 × 30: {edit}");
    let other = fixture.ana.get("/ledger/1").text();
    assert!(!other.contains("value=\"opening\""), "only an opening position stays one: {other}");
}
