//! Missing dividends: suggested, recorded, ignored, recorded automatically and confirmed.

use testkit::Browser;

use crate::figures::words;
use crate::fixture::{Fixture, location};

const PAGE: &str = "/dividends/missing";

/// A payment in the table, with the values of its fields.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    at: usize,
    key: String,
    date: String,
    amounts: [String; 3],
}

impl Row {
    fn name(&self, field: &str) -> String {
        format!("{field}.{}", self.at)
    }

    /// The row as its form sends it, with some of its fields changed.
    fn sent(&self, picked: bool, changed: &[(&str, &str)]) -> Vec<(String, String)> {
        let [gross, tax, net] = &self.amounts;
        let fields = [("key", &self.key), ("date", &self.date), ("gross", gross), ("tax", tax), ("net", net)];
        let new = |field: &str| changed.iter().find(|(name, _)| *name == field).map(|(_, value)| (*value).to_owned());
        let sent = fields.map(|(field, value)| (self.name(field), new(field).unwrap_or_else(|| value.clone())));
        sent.into_iter().chain(picked.then(|| (self.name("pick"), "yes".to_owned()))).collect()
    }
}

fn value(html: &str, name: &str) -> String {
    let at = html.split(&format!("name=\"{name}\"")).nth(1).unwrap_or_else(|| panic!("no {name} in {html}"));
    at.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

fn rows(browser: &Browser) -> Vec<Row> {
    let page = browser.get(PAGE).text();
    page.split("<tr id=\"payment-").skip(1).zip(1..).map(|(html, at)| row(html, at)).collect()
}

fn row(html: &str, at: usize) -> Row {
    let value = |field: &str| value(html, &format!("{field}.{at}"));
    Row { at, key: value("key"), date: value("date"), amounts: [value("gross"), value("tax"), value("net")] }
}

fn one(browser: &Browser, symbol: &str, date: &str) -> Row {
    let all = rows(browser);
    let found = all.iter().find(|row| row.key.contains(&format!(" {symbol} ")) && row.date == date);
    found.unwrap_or_else(|| panic!("no {symbol} of {date} in {all:?}")).clone()
}

fn send(browser: &Browser, action: &str, fields: &[(String, String)]) -> testkit::Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(&format!("{PAGE}/{action}"), &fields)
}

/// Date, gross, tax, net, source and whether it is estimated, of Ana's dividends of a stock in a portfolio.
fn recorded(fixture: &Fixture, symbol: &str, portfolio: &str) -> Vec<String> {
    let list = fixture.api(&format!("/api/v1/dividends?symbol={symbol}&portfolio={portfolio}"));
    let text = |one: &serde_json::Value| {
        let money = |name: &str| one[name]["amount"].as_str().unwrap_or("-").to_owned();
        let (amount, tax, net) = (money("amount"), money("withholding_tax"), money("net"));
        let estimated = if one["estimated"] == true { " estimated" } else { "" };
        format!("{} {amount} {tax} {net} {}{estimated}", one["date"].as_str().unwrap(), one["source"].as_str().unwrap())
    };
    list["dividends"].as_array().unwrap().iter().map(text).collect()
}

/// How many missing payments of a stock and day the API lists.
fn missing(fixture: &Fixture, symbol: &str, pay_date: &str) -> usize {
    let all = fixture.api("/api/v1/received")["missing"].clone();
    all.as_array().unwrap().iter().filter(|one| one["symbol"] == symbol && one["pay_date"] == pay_date).count()
}

fn headline(browser: &Browser, page: &str) -> Option<String> {
    let text = words(&browser.get(page).text());
    let line = text.lines().find(|line| line.contains("payments are missing: "))?;
    Some(line[..line.find(" net")? + " net".len()].trim().to_owned())
}

#[test]
fn missing_dividends_are_listed_with_estimates_and_their_total_on_three_pages() {
    let fixture = Fixture::new();
    let missing = rows(&fixture.ana);
    // 15.5 × 0.90, of which 20% were withheld from her other dividends of QTR.
    assert_eq!(one(&fixture.ana, "QTR", "2026-06-20").amounts.join(" "), "13.95 2.79 11.16");
    assert!(!missing.iter().any(|row| row.key.contains(" QTR ") && row.date == "2026-09-20"), "recorded");
    assert!(missing.is_sorted_by(|a, b| a.date >= b.date));
    let said = headline(&fixture.ana, PAGE).unwrap();
    assert!(said.starts_with(&format!("{} payments are missing: €", missing.len())), "{said}");
    assert_eq!(headline(&fixture.ana, "/").as_ref(), Some(&said));
    assert_eq!(headline(&fixture.ana, "/dividends"), Some(said));
    // Market data has no payment date of ANN.
    let page = fixture.bob().get(PAGE).text();
    let rows: Vec<&str> = page.split("<tr id=\"payment-").collect();
    let has_estimate = |key: &str| rows.iter().find(|row| row.contains(key)).unwrap().contains("Estimated");
    assert!(has_estimate(" ANN 2025-12-22 ") && !has_estimate(" QTR 2026-06-10 "));
}

#[test]
fn a_missing_dividend_is_recorded_with_what_the_broker_paid() {
    let fixture = Fixture::new();
    let row = one(&fixture.ana, "QTR", "2026-06-20");
    let before = rows(&fixture.ana).len();
    let changed = [("gross", "14.00"), ("date", "2026-06-22")];
    assert_eq!(location(&send(&fixture.ana, "record", &row.sent(true, &changed))), "/dividends/missing?recorded=true");
    let page = fixture.ana.get("/dividends/missing?recorded=true").text();
    assert!(page.contains("1 dividend recorded.") && page.contains("href=\"/ledger?kind=dividend\""));
    assert!(recorded(&fixture, "QTR", "Core").contains(&"2026-06-22 14.00 2.79 11.21 automatic".to_owned()), "the net follows");
    assert_eq!(rows(&fixture.ana).len(), before - 1);

    let row = one(&fixture.ana, "QTR", "2026-03-20");
    location(&send(&fixture.ana, "record", &row.sent(true, &[("net", "11.86")])));
    assert!(recorded(&fixture, "QTR", "Core").contains(&"2026-03-20 13.95 2.09 11.86 automatic".to_owned()), "the tax follows");
}

#[test]
fn only_selected_dividends_are_recorded_unless_all_are() {
    let fixture = Fixture::new();
    let all = rows(&fixture.ana);
    let sent: Vec<_> = all.iter().flat_map(|row| row.sent(row.at <= 2, &[])).collect();
    location(&send(&fixture.ana, "record", &sent));
    assert!(fixture.ana.get(PAGE).text().contains("2 dividends recorded."));
    let left = rows(&fixture.ana);
    assert_eq!(left.iter().map(|row| &row.key).collect::<Vec<_>>(), all[2..].iter().map(|row| &row.key).collect::<Vec<_>>());
    let sent: Vec<_> = left.iter().flat_map(|row| row.sent(false, &[])).collect();
    location(&send(&fixture.ana, "record-all", &sent));
    assert!(rows(&fixture.ana).is_empty());
    assert_eq!(headline(&fixture.ana, "/"), None);
}

#[test]
fn a_form_with_errors_names_the_payment_and_keeps_what_was_typed() {
    let fixture = Fixture::new();
    let row = one(&fixture.ana, "QTR", "2026-06-20");
    let before = fixture.tag();
    let refused = |changed: &[(&str, &str)], picked: bool, word: &str, field: &str| {
        let answer = send(&fixture.ana, "record", &row.sent(picked, changed));
        let page = answer.text();
        assert_eq!(answer.status, 422, "{changed:?}");
        assert!(page.contains(word), "{word}: {page}");
        for (name, value) in changed {
            let input = page.split(&format!("name=\"{}\"", row.name(name))).nth(1).unwrap().split('>').next().unwrap();
            assert!(input.contains(&format!("value=\"{value}\"")), "{name}: {input}");
            assert_eq!(input.contains("aria-invalid"), *name == field, "{name}: {input}");
        }
        assert!(field.is_empty() || page.contains(&format!("href=\"#{field}-{}\">QTR, 20 Jun 2026, ", row.at)), "{page}");
    };
    refused(&[("gross", "12,5,1"), ("net", "3.5")], true, "Enter a number such as", "gross");
    refused(&[("net", "999")], true, "between zero and the gross", "net");
    refused(&[("tax", "14.00")], true, "between zero and the gross", "tax");
    refused(&[("gross", "-1")], true, "between zero and the gross", "");
    refused(&[("date", "2026-11-16")], true, "16 Nov 2026 is in the future", "date");
    refused(&[("date", "")], true, "Choose a date", "date");
    refused(&[("gross", ""), ("net", "")], true, "Enter the gross or the net.", "gross");
    refused(&[("net", "3.5")], false, "Select at least one payment.", "");
    assert_eq!(fixture.tag(), before);
    assert_eq!(location(&fixture.ana.get(&format!("{PAGE}/record"))), PAGE, "the page reloads");
}

#[test]
fn an_ignored_payment_is_neither_suggested_nor_recorded_until_it_is_suggested_again() {
    let fixture = Fixture::new();
    let (before, said) = (rows(&fixture.ana), headline(&fixture.ana, "/"));
    let row = one(&fixture.ana, "QTR", "2026-06-20");
    // In two portfolios.
    assert_eq!(missing(&fixture, "QTR", "2026-06-20"), 2);
    location(&send(&fixture.ana, "ignore", &row.sent(true, &[])));
    assert_eq!(missing(&fixture, "QTR", "2026-06-20"), 1);
    assert!(fixture.ana.get(PAGE).text().contains("1 payment ignored."));
    assert_eq!(rows(&fixture.ana).len(), before.len() - 1);
    assert_ne!(headline(&fixture.ana, "/"), said);
    assert!(fixture.ana.get("/dividends").text().contains("href=\"/dividends/missing#ignored\">You ignored 1 payment.</a>"));
    location(&fixture.ana.fill("/portfolios", "/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    assert!(!recorded(&fixture, "QTR", "Core").iter().any(|one| one.starts_with("2026-06-20")));
    location(&fixture.ana.fill("/portfolios", "/portfolios/automatic", &[("name", "Core"), ("mode", "suggest")]));
    let page = fixture.ana.get(PAGE).text();
    let ignored = page.split("id=\"ignored\"").nth(1).unwrap();
    assert_eq!(value(ignored, "key.1"), row.key);
    location(&fixture.ana.post("/dividends/missing/again", &[("key.1", &row.key)]));
    assert_eq!(rows(&fixture.ana), before);
    assert_eq!(missing(&fixture, "QTR", "2026-06-20"), 2);
}

#[test]
fn a_payment_beside_a_recorded_one_is_asked_about() {
    let fixture = Fixture::new();
    let ask = |date: &str| {
        let ledger = format!("date,type,symbol,amount,currency,portfolio\n{date},dividend,QTR,3.00,USD,Core\n");
        fixture.world.import(testkit::sample::ANA, &ledger);
        let page = fixture.ana.get(PAGE).text();
        let asked = page.split("id=\"beside\"").nth(1).unwrap().to_owned();
        assert!(asked.contains("You recorded $3.00 on"), "{asked}");
        assert!(asked.contains("Market data says $13.95. Is it the same payment?"), "{asked}");
        value(&asked, "key.1")
    };
    let key = ask("2026-06-22");
    assert!(!rows(&fixture.ana).iter().any(|row| row.key == key));
    location(&fixture.ana.post("/dividends/missing/same", &[("key.1", &key)]));
    assert!(!fixture.ana.get(PAGE).text().contains("id=\"beside\""));
    let key = ask("2026-03-23");
    location(&fixture.ana.post("/dividends/missing/both", &[("key.1", &key)]));
    let all = recorded(&fixture, "QTR", "Core");
    assert!(all.contains(&"2026-03-20 13.95 2.79 11.16 automatic".to_owned()), "{all:?}");
    assert!(all.iter().any(|one| one.starts_with("2026-03-23 3.00")), "{all:?}");
    assert!(!all.iter().any(|one| one.starts_with("2026-06-20")), "{all:?}");
}

#[test]
fn payments_of_other_users_cannot_be_recorded_or_ignored() {
    let fixture = Fixture::new();
    let row = one(&fixture.ana, "QTR", "2026-06-20");
    let (bob, before, of_ana) = (fixture.bob(), rows(&fixture.bob()).len(), rows(&fixture.ana));
    let nobodys = [(row.name("key"), "x".to_owned())];
    for action in ["record", "record-all", "ignore", "same", "both", "again"] {
        bob.get(PAGE);
        let theirs = send(&bob, action, &row.sent(true, &[]));
        assert_eq!((theirs.status, theirs.header("location")), (303, PAGE), "{action}");
        assert!(bob.get(PAGE).text().contains("no longer missing. Nothing was changed."), "{action}");
        let unknown = send(&bob, action, &[nobodys.as_slice(), &[(row.name("pick"), "yes".to_owned())]].concat());
        assert_eq!((unknown.status, unknown.header("location")), (303, PAGE), "{action}");
        assert_eq!(send(&bob, action, &[("portfolio".to_owned(), "Core".to_owned())]).status, 404, "{action}");
    }
    assert_eq!((rows(&bob).len(), rows(&fixture.ana)), (before, of_ana));
    assert_eq!(send(&bob, "nonsense", &[]).status, 404);
}

#[test]
fn automatic_dividends_are_estimated_until_they_are_confirmed() {
    let fixture = Fixture::new();
    assert!(fixture.ana.get("/portfolios").text().contains("Missing dividends: Suggest"));
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    let page = fixture.ana.get("/portfolios").text();
    assert!(
        page.contains("Missing dividends of “Core” are now recorded automatically.") && page.contains(": Record automatically")
    );
    let estimate = "2026-06-20 13.95 2.79 11.16 automatic estimated".to_owned();
    assert!(recorded(&fixture, "QTR", "Core").contains(&estimate));
    assert!(!rows(&fixture.ana).iter().any(|row| row.key.contains(" MON ")), "MON is in Core only");
    assert!(fixture.ana.get(PAGE).text().contains("Recorded automatically for: Core."));
    assert!(fixture.ana.get("/dividends").text().contains("badge estimated"));

    let ledger = fixture.ana.get("/ledger?symbol=QTR&portfolio=Core&estimated=true").text();
    assert!(!ledger.contains("2026-09-20") && ledger.contains("datetime=\"2026-06-20\"") && ledger.contains("badge estimated"));
    let sequence = value(ledger.split("datetime=\"2026-06-20\"").nth(1).unwrap(), "sequence.1");
    let confirm = [("sequence.1", sequence.as_str()), ("next", "/ledger?symbol=QTR")];
    assert_eq!(location(&fixture.ana.post("/ledger/confirm", &confirm)), "/ledger?symbol=QTR");
    assert!(fixture.ana.get("/ledger").text().contains("1 dividend confirmed."));
    assert!(recorded(&fixture, "QTR", "Core").contains(&estimate.replace(" estimated", "")));

    let ledger = fixture.ana.get("/ledger?symbol=QTR&estimated=true").text();
    let all = ledger.split("action=\"/ledger/confirm\"").nth(1).unwrap();
    let sequences: Vec<String> = (1..)
        .map_while(|at| all.contains(&format!("\"sequence.{at}\"")).then(|| value(all, &format!("sequence.{at}"))))
        .collect();
    assert!(sequences.len() > 2 && all.contains(&format!("Confirm these {}", sequences.len())));
    let fields: Vec<(String, &String)> = sequences.iter().zip(1..).map(|(one, at)| (format!("sequence.{at}"), one)).collect();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let bob = fixture.bob();
    location(&bob.fill("/ledger", "/ledger/confirm", &fields));
    assert!(bob.get("/ledger").text().contains("no longer estimates"));
    location(&fixture.ana.post("/ledger/confirm", &fields));
    assert!(!recorded(&fixture, "QTR", "Core").iter().any(|one| one.ends_with("estimated")));
}

#[test]
fn a_deleted_automatic_dividend_is_ignored_and_the_page_says_so() {
    let fixture = Fixture::new();
    location(&fixture.ana.fill("/portfolios", "/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    let ledger = fixture.ana.get("/ledger?symbol=QTR&portfolio=Core&estimated=true").text();
    let sequence = value(ledger.split("datetime=\"2026-06-20\"").nth(1).unwrap(), "sequence.1");
    let delete = format!("/ledger/{sequence}/delete");
    assert!(fixture.ana.get(&delete).text().contains("it won’t be recorded again"));
    assert_eq!(location(&fixture.ana.post(&delete, &[])), "/ledger");
    assert!(!recorded(&fixture, "QTR", "Core").iter().any(|one| one.starts_with("2026-06-20")));
    let ignored = fixture.ana.get(PAGE).text();
    assert!(value(ignored.split("id=\"ignored\"").nth(1).unwrap(), "key.1").contains(" QTR 2026-06-10 "));
    let by_hand = fixture.ana.get("/ledger?kind=buy&symbol=QTR").text();
    let sequence =
        by_hand.split("href=\"/ledger/").skip(1).find_map(|rest| rest.split(['"', '?']).next()?.parse::<i64>().ok()).unwrap();
    assert!(!fixture.ana.get(&format!("/ledger/{sequence}/delete")).text().contains("it won’t be recorded again"));
}

#[test]
fn nothing_is_suggested_for_a_portfolio_that_is_off() {
    let fixture = Fixture::new();
    let missing = fixture.ana.get("/dividends").text();
    assert!(missing.contains("/dividends/missing#payment-") && !missing.contains("href=\"/ledger/new?kind=dividend&"));
    for name in ["Core", "Élan"] {
        location(&fixture.ana.fill("/portfolios", "/portfolios/automatic", &[("name", name), ("mode", "off")]));
    }
    let page = fixture.ana.get(PAGE).text();
    assert!(!page.contains("No missing dividends") && page.contains("Suggestions are off for: Core, Élan."), "{page}");
    assert_eq!(headline(&fixture.ana, "/"), None);
    let compared = fixture.ana.get("/dividends").text();
    assert!(!compared.contains("#payment-") && compared.contains("href=\"/ledger/new?kind=dividend"), "a form by hand remains");
    assert_eq!(fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "perhaps")]).status, 404);
}

/// The close before the payment date of June: 11.16 net buys 0.248 of them, 2.88 in Élan 0.064.
const CLOSE: &str = "symbol,date,close\nQTR,2026-06-19,45.00\n";

fn reinvesting(rule: &str) -> Fixture {
    let fixture = Fixture::new();
    fixture.world.load(&[("prices.csv", CLOSE)]);
    location(&fixture.ana.fill("/portfolios", "/portfolios/reinvest", &[("name", "Core"), ("rule", rule)]));
    fixture
}

/// Where the ledger page edits the purchases of a filter.
fn sequences(page: &str) -> Vec<String> {
    page.split("data-edit=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn a_missing_dividend_says_what_it_buys_and_is_recorded_with_it() {
    let fixture = reinvesting("fractional");
    let bought = |path: &str| {
        let page = fixture.ana.get(path).text();
        let about = |row: &str| row.contains(" QTR 2026-06-10 ") && row.contains("buys ");
        let rows = page.split("<tr id=\"payment-").skip(1).filter(|row| about(row)).map(words).collect::<Vec<_>>();
        (rows, page.contains("The shares that a dividend buys follow from the net amount you record."))
    };
    let (rows, explained) = bought("/dividends/missing?portfolio=Core");
    assert!(rows.len() == 1 && rows[0].contains("buys 0.248 shares at $45.00") && explained, "{rows:?}");
    assert_eq!(bought("/dividends/missing?portfolio=%C3%89lan"), (Vec::new(), false), "the other portfolio reinvests nothing");
    let row = one(&fixture.ana, "QTR", "2026-06-20");
    location(&send(&fixture.ana, "record", &row.sent(true, &[("net", "9.00")])));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.7"), "9 ÷ 45 = 0.2");
    let ledger = fixture.ana.get("/ledger?symbol=QTR&portfolio=Core").text();
    assert!(ledger.contains("<summary>Dividend, reinvested</summary>") && !ledger.contains("badge estimated"), "{ledger}");
}

#[test]
fn whole_shares_are_only_bought_by_dividends_that_pay_for_one() {
    let fixture = reinvesting("whole");
    assert!(!fixture.ana.get(PAGE).text().contains("buys "));
    fixture.world.load(&[("prices.csv", "symbol,date,close\nQTR,2026-06-19,10.00\n")]);
    assert!(words(&fixture.ana.get(PAGE).text()).contains("buys 1 share at $10.00"));
}

#[test]
fn an_automatic_purchase_is_confirmed_with_its_dividend() {
    let fixture = reinvesting("fractional");
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.748"));
    let purchases = "/ledger?symbol=QTR&kind=buy&estimated=true";
    let alone = fixture.ana.get(purchases).text();
    assert!(alone.contains("Reinvested dividend") && alone.contains("badge estimated"), "{alone}");
    assert!(!alone.contains("/ledger/confirm"), "only dividends are confirmed: {alone}");
    let [purchase] = &sequences(&alone)[..] else { panic!("{alone}") };
    let dividend = location(&fixture.ana.get(&format!("/ledger/{purchase}")));
    let form = fixture.ana.get(&dividend).text();
    assert!(form.contains("name=\"reinvested\" value=\"true\" checked") && form.contains("value=\"0.248\""), "{form}");

    let ledger = fixture.ana.get("/ledger?symbol=QTR&estimated=true").text();
    let pair = ledger.split("<details class=\"more pair\">").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(pair.contains("badge estimated") && pair.matches("/ledger/confirm").count() == 1, "{pair}");
    assert!(ledger.contains("Confirming a dividend also confirms the purchase that reinvests it."), "{ledger}");
    let confirm = [("sequence.1", dividend.rsplit('/').next().unwrap())];
    location(&fixture.ana.post("/ledger/confirm", &confirm));
    assert!(sequences(&fixture.ana.get(purchases).text()).is_empty(), "the purchase is no estimate any more");
    location(&fixture.ana.post("/portfolios/reinvest", &[("name", "Core"), ("rule", "off")]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.748"), "and it stays");
}

#[test]
fn deleting_an_automatic_purchase_keeps_its_dividend_and_can_be_undone() {
    let fixture = reinvesting("fractional");
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    let alone = fixture.ana.get("/ledger?symbol=QTR&kind=buy&estimated=true").text();
    let delete = format!("/ledger/{}/delete", sequences(&alone)[0]);
    let asked = fixture.ana.get(&delete).text();
    assert!(asked.contains("the dividend stays in your ledger") && !asked.contains("/dividends/missing#ignored"), "{asked}");
    location(&fixture.ana.post(&delete, &[]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    assert!(recorded(&fixture, "QTR", "Core").contains(&"2026-06-20 13.95 2.79 11.16 automatic".to_owned()), "confirmed");
    let page = fixture.ana.get("/ledger").text();
    location(&fixture.ana.post("/ledger/undo", &[("deletion", &value(&page, "deletion"))]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.748"));
}

#[test]
fn deleting_an_automatic_dividend_names_its_purchase() {
    let fixture = reinvesting("fractional");
    location(&fixture.ana.post("/portfolios/automatic", &[("name", "Core"), ("mode", "record")]));
    let alone = fixture.ana.get("/ledger?symbol=QTR&kind=buy&estimated=true").text();
    let dividend = location(&fixture.ana.get(&format!("/ledger/{}", sequences(&alone)[0])));
    let asked = fixture.ana.get(&format!("{dividend}/delete")).text();
    assert!(asked.contains("it won’t be recorded again") && asked.contains("The purchase is deleted with it"), "{asked}");
    location(&fixture.ana.post(&format!("{dividend}/delete"), &[]));
    assert_eq!(fixture.shares("QTR", "Core").as_deref(), Some("15.5"));
    assert!(!recorded(&fixture, "QTR", "Core").iter().any(|one| one.starts_with("2026-06-20")));
}
