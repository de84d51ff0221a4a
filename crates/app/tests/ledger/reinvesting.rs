//! A dividend and its purchase, recorded and edited as one.

use app::automatic::{self, Automatic};
use app::entries::{self, Draft, Entry, Filter, Kind, Reinvested, Row};
use jiff::civil::date;
use ledger::Currency;
use uuid::Uuid;

use crate::world::{World, buy, dec, draft, problems, texts};

/// Ten shares, and a dividend of 10.00 less 1.50 of tax.
fn paid(reinvested: Reinvested) -> Draft {
    let (amount, tax) = (Some(dec("10.00")), Some(dec("1.50")));
    Draft { amount, tax, reinvested, ..draft(Kind::Dividend, "2026-03-02", "WELL") }
}

fn at(price: &str) -> Reinvested {
    Reinvested::Yes { shares: None, price: Some(dec(price)) }
}

async fn holding() -> World {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "35")).await.unwrap();
    world
}

async fn rows(world: &World) -> Vec<Row> {
    let mut rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    rows.sort_by_key(|row| (row.entry.date, row.entry.sequence));
    rows
}

async fn dividend(world: &World) -> Row {
    rows(world).await.into_iter().find(|row| row.entry.kind == Kind::Dividend).unwrap()
}

async fn bought(world: &World) -> Vec<Entry> {
    let purchases = entries::purchases(&world.app, world.ana, &dividend(world).await).await.unwrap();
    purchases.into_iter().map(|row| row.entry).collect()
}

async fn imported(world: &World, file: &[u8]) -> Uuid {
    let bytes = app::import::FileBytes::Plain(file);
    let request = app::import::Request { user_id: world.ana, file_name: "l.csv", bytes, ..Default::default() };
    app::import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().id.unwrap()
}

fn figures(purchase: &Entry) -> [Option<String>; 3] {
    [purchase.shares, purchase.price, purchase.amount].map(|figure| figure.map(|figure| figure.to_string()))
}

fn of(shares: &str, price: &str, amount: Option<&str>) -> [Option<String>; 3] {
    [Some(shares), Some(price), amount].map(|figure| figure.map(str::to_owned))
}

/// 8.50 ÷ 34 = 0.25. Held then 10.25 at (350 + 8.50) ÷ 10.25 = 34.9756097560….
#[tokio::test]
async fn a_dividend_and_its_purchase_are_checked_and_recorded_together() {
    let world = holding().await;
    let checked = entries::check(&world.app, world.ana, None, &paid(at("34"))).await.unwrap();
    assert_eq!((texts(&checked.problems), checked.doubts), (vec![], vec![]));
    let after = checked.after.unwrap();
    assert_eq!(after.shares, dec("10.25"));
    assert_eq!(after.average_cost.unwrap().per_share_text(), "34.9756097561");
    assert_eq!(figures(&checked.purchase.unwrap()), of("0.25", "34", Some("8.50")));
    assert_eq!(rows(&world).await.len(), 1, "nothing is stored");

    let sequence = entries::add(&world.app, world.ana, &paid(at("34"))).await.unwrap();
    assert_eq!(rows(&world).await.len(), 3);
    assert_eq!(figures(&bought(&world).await[0]), of("0.25", "34", Some("8.50")));
    let purchase = &bought(&world).await[0];
    assert_eq!(entries::dividend_of(&world.app, world.ana, purchase).await.unwrap(), Some(sequence));
}

#[tokio::test]
async fn editing_a_dividend_edits_its_purchase() {
    let world = holding().await;
    let sequence = entries::add(&world.app, world.ana, &paid(at("34"))).await.unwrap();
    let edit = async |draft: &Draft| entries::edit(&world.app, world.ana, sequence, draft).await.unwrap();
    // 7.00 ÷ 35.
    edit(&Draft { tax: Some(dec("3.00")), ..paid(at("35")) }).await;
    let first = bought(&world).await;
    assert_eq!(figures(&first[0]), of("0.2", "35", Some("7.00")));
    edit(&Draft { tax: Some(dec("3.00")), ..paid(Reinvested::Yes { shares: Some(dec("0.1")), price: Some(dec("35")) }) }).await;
    assert_eq!(figures(&bought(&world).await[0]), of("0.1", "35", None));
    assert_eq!(bought(&world).await[0].identity, first[0].identity);

    // A draft that says nothing of it only moves it.
    entries::add(&world.app, world.ana, &buy("2026-01-05", "BROOK.MC", "10", "35")).await.unwrap();
    let moved = Draft {
        symbol: "BROOK.MC".to_owned(),
        currency: dividend(&world).await.draft().currency,
        fx_rate: Some(dec("0.8")),
        ..paid(Reinvested::AsBefore)
    };
    edit(&moved).await;
    assert_eq!((bought(&world).await[0].symbol.as_str(), rows(&world).await.len()), ("BROOK.MC", 4));
    edit(&paid(Reinvested::No)).await;
    assert_eq!((bought(&world).await, rows(&world).await.len()), (vec![], 3));
}

/// 8.50 in dollars bought 0.25 at 34, but was typed in euros, with a rate and a date that are wrong as well. Held then 10.25 at
/// (350 + 8.50) ÷ 10.25 = 34.9756097560….
#[tokio::test]
async fn correcting_the_currency_rate_or_date_of_a_dividend_corrects_its_purchase() {
    let world = holding().await;
    let wrong = Draft { currency: Some(Currency::EUR), fx_rate: Some(dec("1.10")), ..paid(at("34")) };
    let sequence = entries::add(&world.app, world.ana, &Draft { date: date(2026, 3, 1), ..wrong.clone() }).await.unwrap();
    let shown = Reinvested::Yes { shares: Some(dec("0.25")), price: Some(dec("34")) };
    let edit = async |draft: Draft| {
        let checked = entries::check(&world.app, world.ana, Some(sequence), &draft).await.unwrap();
        entries::edit(&world.app, world.ana, sequence, &draft).await.unwrap();
        let one = bought(&world).await.remove(0);
        assert_eq!(figures(&one), of("0.25", "34", Some("8.50")));
        let held = checked.today.or(checked.after).unwrap();
        (one.date, one.currency, one.fx_rate, held.average_cost.unwrap().per_share_text())
    };
    let rated = edit(Draft { fx_rate: Some(dec("1.20")), reinvested: shown, ..wrong.clone() }).await;
    // (350 + 8.50 × 1.20) ÷ 10.25
    let average = "35.1414634146".to_owned();
    assert_eq!(rated, (date(2026, 3, 2), Currency::EUR, Some(dec("1.20")), average));
    let right = edit(paid(shown)).await;
    assert_eq!(right, (date(2026, 3, 2), Currency::USD, None, "34.9756097561".to_owned()));

    // 8.50 ÷ 17, with the price corrected in the same step.
    entries::edit(&world.app, world.ana, sequence, &Draft { reinvested: shown, ..wrong }).await.unwrap();
    entries::edit(&world.app, world.ana, sequence, &paid(at("17"))).await.unwrap();
    let one = bought(&world).await.remove(0);
    assert_eq!((figures(&one), one.currency), (of("0.5", "17", Some("8.50")), Currency::USD));
}

#[tokio::test]
async fn a_purchase_of_another_day_or_currency_keeps_them() {
    let world = holding().await;
    let file = b"date,type,symbol,shares,price,amount,tax,currency,fx_rate,reinvests
2026-03-02,dividend,WELL,,,10.00,1.50,EUR,1.10,
2026-03-05,buy,WELL,0.25,34,,,USD,,2026-03-02
";
    imported(&world, file).await;
    let row = dividend(&world).await;
    let shown = Reinvested::Yes { shares: Some(dec("0.25")), price: Some(dec("34")) };
    let changed = Draft { date: date(2026, 3, 3), fx_rate: Some(dec("1.20")), reinvested: shown, ..row.draft() };
    entries::edit(&world.app, world.ana, row.entry.sequence, &changed).await.unwrap();
    let one = bought(&world).await.remove(0);
    assert_eq!((one.date, one.currency, one.fx_rate), (date(2026, 3, 5), Currency::USD, None));
    assert_eq!(figures(&one), of("0.25", "34", None));
}

#[tokio::test]
async fn a_purchase_needs_shares_or_a_price_that_the_net_can_pay() {
    let world = holding().await;
    let empty = paid(Reinvested::Yes { shares: None, price: None });
    let missing = "Enter the price per share, or the number of shares bought.".to_owned();
    assert_eq!(problems(entries::add(&world.app, world.ana, &empty).await), [("reinvested_price", missing)]);
    let nothing = Draft { tax: Some(dec("10.00")), ..paid(at("34")) };
    let none = "Enter this figure. It can’t be calculated from the dividend’s net amount.".to_owned();
    assert_eq!(problems(entries::add(&world.app, world.ana, &nothing).await), [("reinvested_shares", none)]);
    let negative = paid(Reinvested::Yes { shares: Some(dec("-1")), price: Some(dec("34")) });
    assert_eq!(problems(entries::add(&world.app, world.ana, &negative).await)[0].0, "reinvested_shares");
    assert_eq!(rows(&world).await.len(), 1);
}

#[tokio::test]
async fn a_purchase_that_others_depend_on_cannot_be_unticked() {
    let world = holding().await;
    let sequence = entries::add(&world.app, world.ana, &paid(at("34"))).await.unwrap();
    entries::add(&world.app, world.ana, &crate::world::sell("2026-04-01", "WELL", "10.25", "40")).await.unwrap();
    let refused = problems(entries::edit(&world.app, world.ana, sequence, &paid(Reinvested::No)).await);
    assert!(refused[0].1.contains("You only held 10 WELL on 2026-04-01."), "{refused:?}");
    assert_eq!(bought(&world).await.len(), 1);
}

#[tokio::test]
async fn unticking_can_be_undone() {
    let world = holding().await;
    let sequence = entries::add(&world.app, world.ana, &paid(at("34"))).await.unwrap();
    let before = rows(&world).await;
    entries::edit(&world.app, world.ana, sequence, &paid(Reinvested::No)).await.unwrap();
    assert_eq!(rows(&world).await.len(), 2);
    let deleted = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap();
    assert_eq!(entries::undo_deletion(&world.app, world.ana, deleted.deletion_id).await.unwrap(), 1);
    assert_eq!(rows(&world).await, before);
    // Nothing else that is saved counts as a deletion.
    entries::edit(&world.app, world.ana, sequence, &paid(at("35"))).await.unwrap();
    assert_eq!(entries::last_deletion(&world.app, world.ana).await.unwrap(), None);
}

/// The same, and 10.00 recorded automatically.
async fn recording() -> World {
    let world = holding().await;
    let load = async |name: &'static str, text: &str| {
        app::market::load_texts(&world.app, &[(name, text.to_owned())]).await.unwrap();
        automatic::record_due(&world.app).await.unwrap();
    };
    load("stocks.csv", "symbol,currency,name,price\nWELL,USD,Wellspring Foods,40\n").await;
    load("dividends.csv", "symbol,ex_date,pay_date,amount,currency,kind\nWELL,2026-02-10,2026-03-02,1,USD,\n").await;
    automatic::set_mode(&world.app, world.ana, "Main", Automatic::Record).await.unwrap();
    world
}

#[tokio::test]
async fn an_automatic_dividend_keeps_its_purchase_whatever_ex_date_is_typed() {
    let world = recording().await;
    let row = dividend(&world).await;
    let typed = Draft { reinvested: at("34"), ex_date: Some(date(2026, 2, 11)), ..row.draft() };
    entries::edit(&world.app, world.ana, row.entry.sequence, &typed).await.unwrap();
    assert_eq!(bought(&world).await.len(), 1);
    let row = dividend(&world).await;
    entries::edit(&world.app, world.ana, row.entry.sequence, &Draft { reinvested: at("17"), ..typed }).await.unwrap();
    assert_eq!(figures(&bought(&world).await[0]), of("0.5", "17", Some("8.50")));
}

/// As long as a real dividend replaces it, the purchase is on its own.
#[tokio::test]
async fn an_automatic_dividend_can_be_reinvested_and_keeps_its_purchase() {
    let world = recording().await;
    let row = dividend(&world).await;
    assert_eq!(row.entry.source, "automatic:estimated");
    let reinvested = Draft { reinvested: at("34"), ..row.draft() };
    entries::edit(&world.app, world.ana, row.entry.sequence, &reinvested).await.unwrap();
    assert_eq!(dividend(&world).await.entry.source, "automatic");
    assert_eq!(figures(&bought(&world).await[0]), of("0.25", "34", Some("8.50")));

    let by_hand = entries::add(&world.app, world.ana, &paid(Reinvested::AsBefore)).await.unwrap();
    assert_eq!((rows(&world).await.len(), bought(&world).await), (3, vec![]), "the real one is another dividend");
    entries::remove(&world.app, world.ana, by_hand).await.unwrap();
    assert_eq!(bought(&world).await.len(), 1);
    let sequence = dividend(&world).await.entry.sequence;
    entries::remove(&world.app, world.ana, sequence).await.unwrap();
    assert_eq!(rows(&world).await.len(), 1, "both are gone, and the payment is ignored");
}

#[tokio::test]
async fn undoing_an_import_takes_a_purchase_that_was_added_by_hand() {
    let world = holding().await;
    let file = b"date,type,symbol,amount,tax,currency\n2026-03-02,dividend,WELL,10.00,1.50,USD\n";
    let import = imported(&world, file).await;
    let row = dividend(&world).await;
    entries::edit(&world.app, world.ana, row.entry.sequence, &Draft { reinvested: at("34"), ..row.draft() }).await.unwrap();
    assert_eq!(rows(&world).await.len(), 3);
    let undone = app::import::undo_of(&world.app, world.ana, import).await.unwrap();
    assert_eq!((undone.entries, rows(&world).await.len()), (2, 1));
}
