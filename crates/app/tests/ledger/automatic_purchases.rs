//! What dividends from market data buy.

use app::automatic::{self, Automatic, Reinvest};
use app::book::lots;
use app::entries::{self, Draft, Entry, Filter, Kind, Reinvested};
use app::import::{self, FileBytes, Request};

use crate::world::{World, buy, dec, draft};

const STOCKS: &str = "symbol,currency,name,price\nWELL,USD,Wellspring Foods,40\n";
const DIVIDENDS: &str = "symbol,ex_date,pay_date,amount,currency
WELL,2026-02-10,2026-02-27,0.50,USD
WELL,2026-05-12,2026-05-29,0.50,USD
WELL,2026-08-11,2026-08-28,0.55,USD
";
/// The last one is four days old when it is needed.
const CLOSES: &str = "symbol,date,close\nWELL,2026-02-26,99\nWELL,2026-02-27,34\nWELL,2026-05-29,40\nWELL,2026-08-24,50\n";

async fn load(world: &World, file: &'static str, text: &str) {
    app::market::load_texts(&world.app, &[(file, text.to_owned())]).await.unwrap();
    automatic::record_due(&world.app).await.unwrap();
}

/// Ten shares bought before all payments, which are recorded and reinvested.
async fn world(dividends: &str, closes: &str, rule: Reinvest) -> World {
    let world = World::new().await;
    for (file, text) in [("stocks.csv", STOCKS), ("dividends.csv", dividends), ("prices.csv", closes)] {
        load(&world, file, text).await;
    }
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "35")).await.unwrap();
    reinvest(&world, None, Some(rule)).await.unwrap();
    automatic::set_mode(&world.app, world.ana, "Main", Automatic::Record).await.unwrap();
    world
}

async fn fractional() -> World {
    world(DIVIDENDS, CLOSES, Reinvest::Fractional).await
}

async fn reinvest(world: &World, symbol: Option<&str>, rule: Option<Reinvest>) -> Result<(), app::Error> {
    automatic::set_reinvest(&world.app, world.ana, "Main", symbol, rule).await
}

/// All but the first purchase, oldest first, each purchase after its dividend.
async fn rows(world: &World) -> Vec<Entry> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let mut rows: Vec<Entry> = rows.into_iter().map(|row| row.entry).filter(|row| row.date.to_string() != "2026-01-05").collect();
    rows.sort_by_key(|row| (row.date, row.kind == Kind::Buy));
    rows
}

/// Dividends with gross and net, purchases with shares, price and amount.
async fn lines(world: &World) -> Vec<String> {
    let figure = |figure: Option<ledger::Decimal>| figure.map_or("-".to_owned(), |figure| figure.to_string());
    let source = |row: &Entry| row.source.split(':').next_back().unwrap_or_default().to_owned();
    let line = |row: &Entry| match row.kind {
        Kind::Buy => {
            let figures = format!("{} at {} for {}", figure(row.shares), figure(row.price), figure(row.amount));
            format!("  bought {figures} {} {}", row.currency, source(row))
        }
        _ => format!("{} {} {} {} {}", row.date, figure(row.amount), figure(row.net), row.currency, source(row)),
    };
    rows(world).await.iter().map(line).collect()
}

/// 4.25 ÷ 34 = 0.125. Then 10.125 × 0.50 = 5.0625, after 15% tax (0.759) 4.30, ÷ 40 = 0.1075. Then 10.2325 × 0.55 = 5.627875, after
/// tax (0.8445) 4.79, ÷ 50 = 0.0958.
const FRACTIONAL: [&str; 6] = [
    "2026-02-27 5.00 4.25 USD estimated",
    "  bought 0.125 at 34 for 4.25 USD estimated",
    "2026-05-29 5.06 4.30 USD estimated",
    "  bought 0.1075 at 40 for 4.30 USD estimated",
    "2026-08-28 5.63 4.79 USD estimated",
    "  bought 0.0958 at 50 for 4.79 USD estimated",
];

/// As it is without the first purchase: 4.25 ÷ 40 = 0.10625, and 10.10625 × 0.55 = 5.5584375, after tax (0.834) 4.73, ÷ 50.
const LATER: [&str; 4] = [
    "2026-05-29 5.00 4.25 USD estimated",
    "  bought 0.10625 at 40 for 4.25 USD estimated",
    "2026-08-28 5.56 4.73 USD estimated",
    "  bought 0.0946 at 50 for 4.73 USD estimated",
];

async fn sequence(world: &World, at: usize) -> i64 {
    rows(world).await[at].sequence
}

#[tokio::test]
async fn each_dividend_buys_shares_that_the_next_one_is_paid_for() {
    let world = fractional().await;
    assert_eq!(lines(&world).await, FRACTIONAL);
    let rows = rows(&world).await;
    assert!(rows.iter().all(lots::is_estimated));
    let dividend = entries::one(&world.app, world.ana, rows[0].sequence).await.unwrap().unwrap();
    let own = entries::purchases(&world.app, world.ana, &dividend).await.unwrap();
    assert_eq!(own.iter().map(|row| row.entry.sequence).collect::<Vec<_>>(), [rows[1].sequence]);
    assert_eq!(automatic::record_due(&world.app).await.unwrap(), 0, "nothing is left to do");
    let listed = app::portfolios::holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!(listed[0].shares, dec("10.3283"));
}

/// 4.25 ÷ 2 is two shares; 12 × 0.50 less 15% is 5.10, three shares at 1.70; 15 × 0.55 = 8.25 less 1.24 is not one at 1,000.
#[tokio::test]
async fn whole_shares_leave_the_rest_of_the_amount() {
    let closes = "symbol,date,close\nWELL,2026-02-27,2\nWELL,2026-05-29,1.70\nWELL,2026-08-28,1000\n";
    let world = world(DIVIDENDS, closes, Reinvest::Whole).await;
    let whole = [
        "2026-02-27 5.00 4.25 USD estimated",
        "  bought 2 at 2 for - USD estimated",
        "2026-05-29 6.00 5.10 USD estimated",
        "  bought 3 at 1.7 for - USD estimated",
        "2026-08-28 8.25 7.01 USD estimated",
    ];
    assert_eq!(lines(&world).await, whole);
}

/// Two shares for one in March: a close of 17 was a price of 34, and 20.25 shares are paid 0.25 each as 10.125 were 0.50.
#[tokio::test]
async fn the_price_is_the_one_before_later_splits() {
    let first = DIVIDENDS.lines().take(2).collect::<Vec<_>>().join("\n");
    let world = world(&first, "symbol,date,close\nWELL,2026-02-27,17\n", Reinvest::Fractional).await;
    load(&world, "splits.csv", "symbol,date,ratio\nWELL,2026-03-02,2:1\n").await;
    assert_eq!(lines(&world).await, FRACTIONAL[..2]);
    let listed = app::portfolios::holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!(listed[0].shares, dec("20.25"));
}

/// 42.50 dollars are 34 euros.
#[tokio::test]
async fn a_price_in_another_currency_is_converted() {
    let in_euros = "symbol,ex_date,pay_date,amount,currency\nWELL,2026-02-10,2026-02-27,0.50,EUR\n";
    let world = world(in_euros, "symbol,date,close\nWELL,2026-02-27,42.50\n", Reinvest::Fractional).await;
    assert_eq!(lines(&world).await, ["2026-02-27 5.00 4.25 EUR estimated", "  bought 0.125 at 34 for 4.25 EUR estimated"]);
}

#[tokio::test]
async fn nothing_is_bought_without_a_price_of_the_week_until_there_is_one() {
    let late = CLOSES.replace("2026-02-26,99\nWELL,2026-02-27", "2026-02-19");
    let world = world(DIVIDENDS, &late, Reinvest::Fractional).await;
    assert_eq!(lines(&world).await, [&["2026-02-27 5.00 4.25 USD estimated"], &LATER[..]].concat());
    load(&world, "prices.csv", "symbol,date,close\nWELL,2026-02-20,34\n").await;
    assert_eq!(lines(&world).await, FRACTIONAL);
}

#[tokio::test]
async fn a_stock_can_have_a_rule_of_its_own() {
    let world = fractional().await;
    reinvest(&world, Some("well"), Some(Reinvest::Off)).await.unwrap();
    let off = ["2026-02-27 5.00 4.25 USD estimated", "2026-05-29 5.00 4.25 USD estimated", "2026-08-28 5.50 4.68 USD estimated"];
    assert_eq!(lines(&world).await, off);
    let listed = app::portfolios::list(&world.app, world.ana).await.unwrap();
    assert_eq!(
        (listed[0].reinvest, listed[0].reinvest_of.as_slice()),
        (Reinvest::Fractional, &[("WELL".to_owned(), Reinvest::Off)][..])
    );
    reinvest(&world, Some("WELL"), None).await.unwrap();
    assert_eq!(lines(&world).await, FRACTIONAL);
    reinvest(&world, None, Some(Reinvest::Off)).await.unwrap();
    assert_eq!(lines(&world).await, off);
    let refused = reinvest(&world, Some("OAK"), Some(Reinvest::Whole)).await.unwrap_err();
    assert!(
        matches!(refused, app::Error::Refused(app::Refusal::Portfolio(app::refusal::Portfolio::WithoutStock { symbol })) if symbol == "OAK")
    );
}

#[tokio::test]
async fn a_real_dividend_replaces_both_and_undoing_it_brings_both_back() {
    let world = fractional().await;
    automatic::confirm(&world.app, world.ana, &[sequence(&world, 0).await]).await.unwrap();
    let confirmed =
        [&["2026-02-27 5.00 4.25 USD automatic", "  bought 0.125 at 34 for 4.25 USD automatic"], &FRACTIONAL[2..]].concat();
    assert_eq!(lines(&world).await, confirmed);
    let bytes = FileBytes::Plain(b"date,type,symbol,amount,tax,currency,id\n2026-03-02,dividend,WELL,5.00,0.75,USD,a\n");
    let request = Request { user_id: world.ana, file_name: "b.csv", bytes, format: Some("dripline"), ..Request::default() };
    let report = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!(lines(&world).await, [&["2026-03-02 5.00 - USD dripline"], &LATER[..]].concat());
    import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap();
    assert_eq!(lines(&world).await, confirmed);
}

#[tokio::test]
async fn what_was_confirmed_keeps_its_price() {
    let world = fractional().await;
    let first = sequence(&world, 0).await;
    assert_eq!(automatic::confirm(&world.app, world.ana, &[first]).await.unwrap(), 1);
    load(&world, "prices.csv", "symbol,date,close\nWELL,2026-02-27,17\nWELL,2026-05-29,80\n").await;
    let rows = lines(&world).await;
    assert_eq!(rows[1], "  bought 0.125 at 34 for 4.25 USD automatic");
    assert_eq!(rows[3], "  bought 0.05375 at 80 for 4.30 USD estimated");
    reinvest(&world, None, Some(Reinvest::Off)).await.unwrap();
    assert_eq!(lines(&world).await.len(), 4, "the other two purchases are gone");
}

#[tokio::test]
async fn a_deleted_purchase_does_not_come_back_until_that_is_undone() {
    let world = fractional().await;
    entries::remove(&world.app, world.ana, sequence(&world, 1).await).await.unwrap();
    let kept = [&["2026-02-27 5.00 4.25 USD automatic"], &LATER[..]].concat();
    assert_eq!(lines(&world).await, kept);
    automatic::record_due(&world.app).await.unwrap();
    assert_eq!(lines(&world).await, kept);
    undo(&world).await;
    let bought = ["2026-02-27 5.00 4.25 USD automatic", "  bought 0.125 at 34 for 4.25 USD automatic"];
    assert_eq!(lines(&world).await, [&bought, &FRACTIONAL[2..]].concat());
}

#[tokio::test]
async fn a_dividend_is_deleted_with_what_it_bought_and_comes_back_with_it() {
    let world = fractional().await;
    entries::remove(&world.app, world.ana, sequence(&world, 0).await).await.unwrap();
    assert_eq!(lines(&world).await, LATER);
    undo(&world).await;
    assert_eq!(lines(&world).await, FRACTIONAL);
    automatic::confirm(&world.app, world.ana, &[sequence(&world, 0).await]).await.unwrap();
    let confirmed = lines(&world).await;
    entries::remove(&world.app, world.ana, sequence(&world, 0).await).await.unwrap();
    undo(&world).await;
    assert_eq!(lines(&world).await, confirmed);
}

async fn undo(world: &World) {
    let last = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap();
    entries::undo_deletion(&world.app, world.ana, last.deletion_id).await.unwrap();
}

#[tokio::test]
async fn a_changed_purchase_is_the_users_own() {
    let world = fractional().await;
    let bought = sequence(&world, 1).await;
    let changed = Draft {
        shares: Some(dec("0.12")),
        amount: None,
        ..entries::one(&world.app, world.ana, bought).await.unwrap().unwrap().draft()
    };
    entries::edit(&world.app, world.ana, bought, &changed).await.unwrap();
    let rows = lines(&world).await;
    assert_eq!(rows[..2], ["2026-02-27 5.00 4.25 USD estimated", "  bought 0.12 at 34 for - USD manual"]);
    assert_eq!(rows.len(), 6, "{rows:?}");
    automatic::record_due(&world.app).await.unwrap();
    assert_eq!(lines(&world).await, rows);
}

#[tokio::test]
async fn a_changed_dividend_keeps_gets_or_loses_its_purchase() {
    let world = fractional().await;
    let draft = |rows: Vec<Entry>| entries::one(&world.app, world.ana, rows[0].sequence);
    let kept = Draft { note: Some("checked".to_owned()), ..draft(rows(&world).await).await.unwrap().unwrap().draft() };
    entries::edit(&world.app, world.ana, sequence(&world, 0).await, &kept).await.unwrap();
    let confirmed = ["2026-02-27 5.00 4.25 USD automatic", "  bought 0.125 at 34 for 4.25 USD automatic"];
    assert_eq!(lines(&world).await[..2], confirmed);
    // 4.25 ÷ 0.1 = 42.50.
    let other = Draft { reinvested: Reinvested::Yes { shares: Some(dec("0.1")), price: None }, ..kept.clone() };
    entries::edit(&world.app, world.ana, sequence(&world, 0).await, &other).await.unwrap();
    assert_eq!(lines(&world).await[..2], [confirmed[0], "  bought 0.1 at 42.5 for 4.25 USD automatic"]);
    let none = Draft { reinvested: Reinvested::No, ..kept };
    entries::edit(&world.app, world.ana, sequence(&world, 0).await, &none).await.unwrap();
    assert_eq!(lines(&world).await, [&confirmed[..1], &LATER].concat());
}

/// It becomes a dividend of another day of the user's own, and the payment is not recorded.
#[tokio::test]
async fn a_dividend_that_becomes_another_stocks_takes_its_purchase_along() {
    let world = fractional().await;
    let first = sequence(&world, 0).await;
    let moved = Draft { symbol: "OAK".to_owned(), ..entries::one(&world.app, world.ana, first).await.unwrap().unwrap().draft() };
    entries::add(
        &world.app,
        world.ana,
        &Draft {
            shares: Some(dec("1")),
            price: Some(dec("9")),
            currency: Some(ledger::Currency::USD),
            ..draft(Kind::Buy, "2026-01-05", "OAK")
        },
    )
    .await
    .unwrap();
    let put = entries::put(&world.app, world.ana, Some(first), &moved, |_| true).await.unwrap();
    assert!(matches!(put, entries::Put::Recorded(_)));
    let taken = ["2026-02-27 5.00 4.25 USD manual", "  bought 0.125 at 34 for 4.25 USD manual"];
    assert_eq!(lines(&world).await, [&taken, &LATER[..]].concat());
}

#[tokio::test]
async fn exported_purchases_stay_with_their_dividends_on_another_server() {
    let first = fractional().await;
    let file = entries::export::ledger_file(&first.app, first.ana).await.unwrap();
    let world = World::new().await;
    let bytes = FileBytes::Plain(&file);
    let request = Request { user_id: world.ana, file_name: "l.csv", bytes, format: Some("dripline"), ..Request::default() };
    assert_eq!(import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().errors, []);
    assert_eq!(lines(&world).await, FRACTIONAL);
    automatic::record_due(&world.app).await.unwrap();
    assert_eq!(lines(&world).await, FRACTIONAL);
    assert_eq!(entries::export::ledger_file(&world.app, world.ana).await.unwrap(), file);
    // A real row replaces one dividend with its purchase.
    let real = Draft { amount: Some(dec("5.00")), tax: Some(dec("0.75")), ..draft(Kind::Dividend, "2026-03-02", "WELL") };
    entries::add(&world.app, world.ana, &real).await.unwrap();
    assert_eq!(lines(&world).await[..2], ["2026-03-02 5.00 - USD manual", FRACTIONAL[2]]);
}

#[tokio::test]
async fn a_suggestion_says_what_it_would_buy_and_is_recorded_with_it() {
    let world = fractional().await;
    automatic::set_mode(&world.app, world.ana, "Main", Automatic::Suggest).await.unwrap();
    assert_eq!(lines(&world).await, [""; 0]);
    let open = automatic::suggestions(&world.app, world.ana, None).await.unwrap().open;
    let bought: Vec<_> = open.iter().map(|one| one.bought.unwrap().0.to_string()).collect();
    assert_eq!(bought, ["0.0936", "0.10625", "0.125"], "none of them is recorded: ten shares each");
    let first = &open[2];
    // 4.00 ÷ 34.
    let chosen = automatic::Chosen {
        key: first.key.clone(),
        pay_date: None,
        amount: Some(dec("5.00")),
        tax: Some(dec("1.00")),
        net: Some(dec("4.25")),
    };
    automatic::record(&world.app, world.ana, &[chosen]).await.unwrap();
    assert_eq!(lines(&world).await, ["2026-02-27 5.00 4.00 USD automatic", "  bought 0.11764706 at 34 for 4.00 USD automatic"]);
}
