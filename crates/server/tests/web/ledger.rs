use ledger::Decimal;

use crate::fixture::{Fixture, location};

const BUY: [(&str, &str); 8] = [
    ("kind", "buy"),
    ("shown", "buy"),
    ("date", "2026-11-02"),
    ("symbol", "qtr"),
    ("portfolio", "Core"),
    ("shares", "2"),
    ("price", "81.50"),
    ("currency", "USD"),
];

fn with(fields: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let kept = BUY.into_iter().filter(|(name, _)| !fields.iter().any(|(other, _)| name == other));
    kept.chain(fields.iter().copied()).collect()
}

/// The sequence of the newest entry of the symbol.
fn newest(fixture: &Fixture, symbol: &str) -> String {
    let page = fixture.ana.get(&format!("/ledger?symbol={symbol}")).text();
    page.split("href=\"/ledger/")
        .find(|part| part.starts_with(|letter: char| letter.is_ascii_digit()))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn an_entry_is_added_changed_and_deleted_and_the_api_shows_it() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    // 10 + 5.5 are held.
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    assert_eq!(location(&fixture.ana.fill("/ledger/new", "/ledger/new", &BUY)), "/ledger");
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17.5"));
    let added = fixture.tag();
    assert_ne!(added, before);

    let sequence = newest(&fixture, "QTR");
    assert!(fixture.ana.get(&format!("/ledger/{sequence}")).text().contains("value=\"81.5\""));
    location(&fixture.ana.post(&format!("/ledger/{sequence}"), &with(&[("shares", "3")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("18.5"));
    assert_ne!(fixture.tag(), added);

    assert!(fixture.ana.get(&format!("/ledger/{sequence}/delete")).text().contains("QTR"));
    location(&fixture.ana.post(&format!("/ledger/{sequence}/delete"), &[]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    assert_eq!(fixture.ana.get(&format!("/ledger/{sequence}")).status, 404);
}

#[test]
fn a_refused_entry_shows_errors_by_field_and_keeps_the_input() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    let answer =
        fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("shares", "many"), ("price", ""), ("note", "for <later>")]));
    assert_eq!(answer.status, 422);
    let text = answer.text();
    assert!(
        text.contains("id=\"shares-problem\"") && text.contains("value=\"many\"") && text.contains("for &#60;later&#62;"),
        "{text}"
    );
    assert_eq!(fixture.tag(), before);
}

#[test]
fn selling_more_than_held_is_refused_with_the_figures() {
    let fixture = Fixture::new();
    let sell = with(&[("kind", "sell"), ("shown", "sell"), ("shares", "20")]);
    let answer = fixture.ana.fill("/ledger/new", "/ledger/new", &sell);
    assert_eq!(answer.status, 422);
    let text = answer.text();
    assert!(text.contains("You only held 15.5 QTR on 2 Nov 2026."), "{text}");
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
}

#[test]
fn an_entry_that_others_depend_on_cannot_be_deleted() {
    let fixture = Fixture::new();
    let page = fixture.ana.get("/ledger?symbol=SEVN&kind=buy").text();
    let sequence = page.split("href=\"/ledger/").find(|part| part.starts_with(|one: char| one.is_ascii_digit())).unwrap();
    let sequence = sequence.split('"').next().unwrap();
    let answer = fixture.ana.post(&format!("/ledger/{sequence}/delete"), &[]);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("others depend on it"));
    assert_eq!(fixture.shares("SEVN", "Core").as_deref(), Some("150"));
}

#[test]
fn numbers_are_read_in_the_users_format_and_never_guessed() {
    let fixture = Fixture::new();
    let id = fixture.world.user_id(testkit::sample::ANA);
    fixture.world.run(async {
        let mut tx = fixture.world.app.store.write().await.unwrap();
        let user = store::users::by_id(&mut tx, id).await.unwrap().unwrap();
        let profile = store::users::Profile {
            name: user.name,
            preferred_currency: user.preferred_currency,
            residence: user.residence,
            number_format: Some("de".to_owned()),
            session_idle_minutes: user.session_idle_minutes,
        };
        store::users::set_profile(&mut tx, id, &profile).await.unwrap();
        tx.commit().await.unwrap();
    });
    let german = with(&[("shares", "1.000,5"), ("price", "81,50")]);
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &german));
    // 15.5 + 1000.5
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("1016"));
    let unclear = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("shares", "1.000"), ("price", "81,50")]));
    assert_eq!(unclear.status, 422);
    assert!(unclear.text().contains("Enter 1000 or 1,0."), "{}", unclear.text());
    let sell = with(&[("kind", "sell"), ("shown", "sell"), ("shares", "2000,5"), ("price", "81,50")]);
    let too_many = fixture.ana.fill("/ledger/new", "/ledger/new", &sell).text();
    assert!(too_many.contains("You only held"), "{too_many}");
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("1016"));
}

#[test]
fn the_preview_shows_the_effect_and_stores_nothing() {
    let fixture = Fixture::new();
    let before = fixture.tag();
    fixture.ana.get("/ledger/new");
    let token = fixture.ana.token();
    let mut fields = vec![("_token", token.as_str())];
    fields.extend(BUY);
    let headers = [("Sec-Fetch-Site", "same-origin"), ("X-Fragment", "1")];
    let text = fixture.ana.post_raw("/ledger/check", &fields, &headers).text();
    // 2 × 81.50, and 15.5 + 2 held afterwards.
    assert!(
        text.starts_with("<div id=\"preview\"") && text.contains("value=\"163.00\"") && text.contains("value=\"17.5\""),
        "{text}"
    );
    fields.retain(|(name, _)| *name != "kind");
    fields.push(("kind", "split"));
    let other = fixture.ana.post_raw("/ledger/check", &fields, &headers).text();
    assert!(other.contains("Split has different fields"), "{other}");
    assert_eq!(fixture.tag(), before);
}

/// The form's field for confirmed doubts.
fn confirmed(page: &str) -> String {
    page.split_once("name=\"confirmed\" value=\"").unwrap().1.split('"').next().unwrap().to_owned()
}

#[test]
fn a_doubted_entry_is_saved_only_after_confirmation() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &BUY));
    let again = fixture.ana.fill("/ledger/new", "/ledger/new", &BUY);
    assert_eq!(again.status, 422);
    let page = again.text();
    let twin = format!("href=\"/ledger/{}\"", newest(&fixture, "QTR"));
    assert!(page.contains("Save anyway") && page.contains("same date, type and size") && page.contains(&twin), "{page}");
    assert!(page.contains("value=\"81.50\""), "what was typed is there");
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("17.5"));

    // A confirmation covers only the doubts shown: a tax of 200 on 163 is another doubt.
    let known = confirmed(&page);
    let taxed: Vec<(&str, &str)> = with(&[("tax", "200")]).into_iter().chain([("confirmed", known.as_str())]).collect();
    let other = fixture.ana.fill("/ledger/new", "/ledger/new", &taxed);
    assert!(
        other.status == 422 && other.text().contains("$200.00) is higher than the gross amount ($163.00)"),
        "{}",
        other.text()
    );

    let meant: Vec<(&str, &str)> = BUY.into_iter().chain([("confirmed", known.as_str())]).collect();
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &meant));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("19.5"));
}

#[test]
fn a_dividend_before_the_first_purchase_names_that_purchase() {
    let fixture = Fixture::new();
    let fields =
        [("kind", "dividend"), ("shown", "dividend"), ("date", "2019-05-02"), ("shares", ""), ("price", ""), ("amount", "5")];
    let answer = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&fields));
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("You first bought QTR on "), "{}", answer.text());
}

#[test]
fn deleting_a_purchase_with_dividends_asks_for_confirmation() {
    let fixture = Fixture::new();
    let page = fixture.ana.get("/ledger?symbol=QTR&portfolio=%C3%89lan&kind=buy").text();
    let sequence = page.split("href=\"/ledger/").find(|part| part.starts_with(|one: char| one.is_ascii_digit())).unwrap();
    let address = format!("/ledger/{}/delete", sequence.split('"').next().unwrap());
    let asked = fixture.ana.get(&address).text();
    assert!(asked.contains("no longer hold any shares") && asked.contains("Delete anyway"), "{asked}");
    let unasked = fixture.ana.post(&address, &[]);
    assert_eq!(unasked.status, 422);
    assert_eq!(fixture.shares("QTR", "Élan").as_deref(), Some("4"));
    location(&fixture.ana.post(&address, &[("confirmed", &confirmed(&unasked.text()))]));
    assert_eq!(fixture.shares("QTR", "Élan"), None);
}

#[test]
fn a_field_error_does_not_repeat_its_label_and_localizes_dates() {
    let fixture = Fixture::new();
    let text = fixture.ana.fill("/ledger/new", "/ledger/new", &with(&[("date", "2031-01-02")])).text();
    assert!(text.contains("2 Jan 2031 is more than a year ahead. Check the date."), "{text}");
    assert!(!text.contains("Date</a>: Date"));
}

#[test]
fn the_preview_shows_the_position_on_the_entrys_day_and_today() {
    let fixture = Fixture::new();
    // Before all else: 2 are held then, and 10 + 5.5 + 2 today.
    let page = fixture.ana.get("/ledger/new?kind=buy&symbol=QTR&portfolio=Core&date=2015-03-02&shares=2&price=81.5").text();
    let facts = page.split_once("class=\"facts\"").unwrap().1.split_once("</dl>").unwrap().0;
    let figure = |label: &str| {
        let rest = facts.split_once(label).unwrap_or_else(|| panic!("no {label} in {facts}")).1;
        rest.split_once("value=\"").unwrap().1.split('"').next().unwrap().to_owned()
    };
    assert_eq!((figure("Shares after this transaction"), figure("Shares today")), ("2".into(), "17.5".into()));
    let today = fixture.ana.get("/ledger/new?kind=buy&symbol=QTR&portfolio=Core&date=2026-11-15&shares=2&price=81.5").text();
    assert!(today.contains("Shares after this transaction") && !today.contains("Shares today"), "{today}");
}

#[test]
fn switching_the_type_changes_the_fields_and_keeps_the_input() {
    let fixture = Fixture::new();
    let to = location(&fixture.ana.fill("/ledger/new", "/ledger/kind", &with(&[("kind", "dividend")])));
    assert!(to.starts_with("/ledger/new?") && !to.contains("_token"), "{to}");
    let text = fixture.ana.get(&to).text();
    assert!(text.contains("name=\"net\"") && text.contains("name=\"ex_date\"") && text.contains("value=\"81.50\""), "{text}");
    let out = location(&fixture.ana.fill("/ledger/new", "/ledger/kind", &with(&[("kind", "transfer_out")])));
    let text = fixture.ana.get(&out).text();
    assert!(text.contains("name=\"shares\"") && !text.contains("name=\"price\"") && !text.contains("name=\"fees\""), "{text}");
    let unseen = fixture.ana.post("/ledger/new", &with(&[("kind", "split")]));
    assert!(unseen.status == 422 && unseen.text().contains("name=\"ratio\""));
}

#[test]
fn a_link_prefills_the_form() {
    let fixture = Fixture::new();
    let text = fixture.ana.get("/ledger/new?symbol=MON&kind=dividend&date=2026-11-10&amount=1234.5&portfolio=Core").text();
    for part in ["value=\"MON\"", "value=\"2026-11-10\"", "value=\"1234.5\"", "value=\"dividend\" checked"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn the_ledger_is_filtered_and_invalid_filters_are_ignored() {
    let fixture = Fixture::new();
    let rows = |query: &str| fixture.ana.get(&format!("/ledger{query}")).text().matches("<th scope=\"row\">").count();
    // Nineteen entries are in Ana's ledger; four of QTR in Core, one dividend among them.
    assert_eq!(rows(""), 19);
    assert_eq!(rows("?symbol=qtr&portfolio=Core"), 3);
    assert_eq!(rows("?symbol=qtr&kind=dividend"), 2);
    assert_eq!(rows("?from=2026-10-15&to=2026-10-30"), 2);
    assert_eq!(rows("?text=severn"), 6);
    assert_eq!(rows("?kind=nonsense&from=never&page=zero&portfolio=Nope"), 19);
}

#[test]
fn another_users_entry_is_not_found() {
    let fixture = Fixture::new();
    let bob = fixture.bob();
    bob.get("/ledger/new");
    // Ana's ledger is longer than Bob's five entries.
    for path in ["/ledger/15", "/ledger/9999", "/ledger/x", "/ledger/15/delete"] {
        assert_eq!(bob.get(path).status, 404, "{path}");
    }
    let before = fixture.tag();
    assert_eq!(bob.post("/ledger/15/delete", &[]).status, 404);
    assert_eq!(bob.post("/ledger/15", &BUY).status, 404);
    assert_eq!(fixture.tag(), before);
}

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
