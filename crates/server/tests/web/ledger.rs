use crate::fixture::{Fixture, location};

pub const BUY: [(&str, &str); 8] = [
    ("kind", "buy"),
    ("shown", "buy"),
    ("date", "2026-11-02"),
    ("symbol", "qtr"),
    ("portfolio", "Core"),
    ("shares", "2"),
    ("price", "81.50"),
    ("currency", "USD"),
];

pub fn with(fields: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let kept = BUY.into_iter().filter(|(name, _)| !fields.iter().any(|(other, _)| name == other));
    kept.chain(fields.iter().copied()).collect()
}

/// The sequence of the newest entry of the symbol.
pub fn newest(fixture: &Fixture, symbol: &str) -> String {
    let page = fixture.ana.get(&format!("/ledger?symbol={symbol}")).text();
    page.split("href=\"/ledger/")
        .find(|part| part.starts_with(|letter: char| letter.is_ascii_digit()))
        .unwrap()
        .split(['"', '?'])
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
    let sequence = sequence.split(['"', '?']).next().unwrap();
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
pub fn confirmed(page: &str) -> String {
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
    let address = format!("/ledger/{}/delete", sequence.split(['"', '?']).next().unwrap());
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
    assert_eq!(rows("?kind=nonsense&from=never&page=zero&portfolio=Nope&sort=amount&source=nowhere"), 19);
    assert_eq!(rows("?text=SEVERN&source=manual"), 0);
}

#[test]
fn the_headings_sort_the_ledger_and_keep_its_filter() {
    let fixture = Fixture::new();
    let symbols = |page: &str| -> Vec<String> {
        page.split("class=\"symbol\" href=\"/stocks/").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let newest = fixture.ana.get("/ledger?kind=buy").text();
    assert!(newest.contains("<th scope=\"col\" aria-sort=\"descending\"><a href=\"/ledger?kind=buy&#38;sort=date\""), "{newest}");
    let sorted = fixture.ana.get("/ledger?kind=buy&sort=symbol").text();
    assert!(sorted.contains("aria-sort=\"ascending\"><a href=\"/ledger?kind=buy&#38;sort=-symbol\""), "{sorted}");
    assert!(sorted.contains("<a href=\"/ledger?kind=buy\" title=\"Sort by Date\""), "{sorted}");
    assert!(sorted.contains("name=\"sort\" value=\"symbol\""), "the filter form keeps the order");
    let mut expected = symbols(&newest);
    expected.sort();
    assert_eq!(symbols(&sorted), expected);
    expected.reverse();
    assert_eq!(symbols(&fixture.ana.get("/ledger?kind=buy&sort=-symbol").text()), expected);
}

#[test]
fn the_ledger_is_filtered_by_the_file_that_entries_come_from() {
    let fixture = Fixture::new();
    let page = fixture.ana.get("/ledger").text();
    let options = page.split_once("name=\"source\">").unwrap().1.split_once("</select>").unwrap().0;
    let values: Vec<&str> = options.split("value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let rows = |source: &str| fixture.ana.get(&format!("/ledger?source={source}")).text().matches("<th scope=\"row\">").count();
    let files: Vec<&&str> = values.iter().filter(|value| value.len() == 36).collect();
    assert!(!files.is_empty(), "{options}");
    assert_eq!(files.iter().map(|file| rows(file)).sum::<usize>(), 19);
    assert_eq!(fixture.bob().get(&format!("/ledger?source={}", files[0])).text().matches("<th scope=\"row\">").count(), 0);
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

#[test]
fn a_form_leads_back_to_the_list_it_was_opened_from() {
    let fixture = Fixture::new();
    let list = "/ledger?symbol=QTR&kind=buy";
    let page = fixture.ana.get(list).text();
    let link = page.split("href=\"").find(|part| part.contains("?next=") && part.starts_with("/ledger/")).unwrap();
    let link = link.split('"').next().unwrap();
    assert!(link.ends_with("?next=%2Fledger%3Fsymbol%3DQTR%26kind%3Dbuy"), "{link}");
    let form = fixture.ana.get(link).text();
    assert!(form.contains("name=\"next\" value=\"/ledger?symbol=QTR&#38;kind=buy\""), "{form}");
    let sequence = newest(&fixture, "QTR");
    let saved = fixture.ana.post(&format!("/ledger/{sequence}"), &with(&[("shares", "4"), ("next", list)]));
    assert_eq!(location(&saved), list);
    let deleted = fixture.ana.post(&format!("/ledger/{sequence}/delete"), &[("next", "https://evil.example/")]);
    assert_eq!(location(&deleted), "/");
}

#[test]
fn a_row_is_edited_in_the_list_with_the_same_checks() {
    let fixture = Fixture::new();
    let address = location_of_new(&fixture);
    let headers = [("Sec-Fetch-Site", "same-origin"), ("X-Fragment", "1")];
    let token = fixture.ana.token();
    let save = |shares: &'static str| {
        let fields: Vec<(&str, &str)> = with(&[("shares", shares)]).into_iter().chain([("_token", token.as_str())]).collect();
        fixture.ana.post_raw(&address, &fields, &headers)
    };
    let wrong = save("many");
    assert_eq!(wrong.status, 422);
    let text = wrong.text();
    assert!(text.contains("id=\"shares-problem\"") && !text.contains("<html"), "{text}");
    let saved = save("3");
    let sequence = address.rsplit('/').next().unwrap();
    assert_eq!((saved.status, saved.text().contains(&format!("data-saved=\"{sequence}\""))), (200, true));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("18.5"));
    assert_eq!(fixture.bob().get(&address).status, 404);
}

fn location_of_new(fixture: &Fixture) -> String {
    location(&fixture.ana.fill("/ledger/new", "/ledger/new", &BUY));
    format!("/ledger/{}", newest(fixture, "QTR"))
}
