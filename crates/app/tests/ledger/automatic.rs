//! Dividends that market data knows and nobody recorded.

use app::automatic::{self, Automatic, Chosen, Suggestion};
use app::book::lots;
use app::entries::{self, Draft, Filter, Kind};
use app::import::{self, FileBytes, Request};
use app::income::expected;
use jiff::civil::date;
use ledger::expected::State;

use crate::world::{World, buy, dec, draft, sell};

const STOCKS: &str = "symbol,currency,name,price\nWELL,USD,Wellspring Foods,40\n";
const DIVIDENDS: &str = "symbol,ex_date,pay_date,amount,currency,kind
WELL,2026-02-10,2026-02-27,0.50,USD,
WELL,2026-05-12,2026-05-29,0.50,USD,
WELL,2026-08-11,2026-08-28,0.55,USD,
WELL,2026-11-10,2026-11-27,0.55,USD,
";

async fn load(world: &World, file: &str, text: &str) {
    app::market::load_texts(&world.app, &[(file, text.to_owned())]).await.unwrap();
    automatic::record_due(&world.app).await.unwrap();
}

/// Ten shares bought before all four payments, of which the last is paid on 27 November.
async fn bought() -> World {
    let world = World::new().await;
    load(&world, "stocks.csv", STOCKS).await;
    load(&world, "dividends.csv", DIVIDENDS).await;
    add(&world, &buy("2026-01-05", "WELL", "10", "35")).await;
    world
}

/// The same, with the payments recorded as they are due.
async fn recording() -> World {
    let world = bought().await;
    set(&world, Automatic::Record).await;
    world
}

async fn set(world: &World, mode: Automatic) {
    automatic::set_mode(&world.app, world.ana, "Main", mode).await.unwrap();
}

async fn add(world: &World, draft: &Draft) -> i64 {
    entries::add(&world.app, world.ana, draft).await.unwrap()
}

fn paid(day: &str, amount: &str, tax: &str) -> Draft {
    Draft { amount: Some(dec(amount)), tax: Some(dec(tax)), ..draft(Kind::Dividend, day, "WELL") }
}

async fn rows(world: &World) -> Vec<entries::Entry> {
    let filter = Filter { kind: Some(Kind::Dividend), ..Filter::default() };
    let mut rows: Vec<_> =
        entries::list(&world.app, world.ana, &filter).await.unwrap().rows.into_iter().map(|row| row.entry).collect();
    rows.sort_by_key(|row| (row.date, row.sequence));
    rows
}

/// Payment date, gross, tax and net of each dividend, and where it comes from.
async fn dividends(world: &World) -> Vec<String> {
    let figure = |figure: Option<ledger::Decimal>| figure.map_or("-".to_owned(), |figure| figure.to_string());
    let line = |row: &entries::Entry| {
        let (amount, tax, net) = (figure(row.amount), figure(row.tax), figure(row.net));
        let source = if row.source.starts_with("import:") { "imported" } else { &row.source };
        format!("{} {amount} {tax} {net} {source}", row.date)
    };
    rows(world).await.iter().map(line).collect()
}

async fn open(world: &World) -> Vec<Suggestion> {
    automatic::suggestions(&world.app, world.ana, None).await.unwrap().open
}

async fn imported(world: &World, rows: &str) -> uuid::Uuid {
    let text = format!("date,type,symbol,amount,tax,currency,id\n{rows}");
    let bytes = FileBytes::Plain(text.as_bytes());
    let request = Request { user_id: world.ana, file_name: "broker.csv", bytes, format: Some("dripline"), ..Request::default() };
    let report = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!(report.errors, []);
    report.id.unwrap()
}

/// 10 × 0.50 = 5.00, of which 15% is 0.75; of 10 × 0.55 = 5.50 it is 0.825, which rounds half-even to 0.82.
const RECORDED: [&str; 3] = [
    "2026-02-27 5.00 0.75 4.25 automatic:estimated",
    "2026-05-29 5.00 0.75 4.25 automatic:estimated",
    "2026-08-28 5.50 0.82 4.68 automatic:estimated",
];

#[tokio::test]
async fn payments_are_only_suggested_at_first() {
    let world = bought().await;
    assert_eq!(dividends(&world).await, [""; 0]);
    let found = automatic::suggestions(&world.app, world.ana, None).await.unwrap();
    let dates: Vec<_> = found.open.iter().map(|one| (one.pay_date, one.gross.amount, one.tax.amount)).collect();
    assert_eq!(
        dates,
        [
            (date(2026, 8, 28), dec("5.50"), dec("0.82")),
            (date(2026, 5, 29), dec("5.00"), dec("0.75")),
            (date(2026, 2, 27), dec("5.00"), dec("0.75")),
        ]
    );
    // 4.25 + 4.25 + 4.68 = 13.18 dollars, at 1.25 dollars for a euro.
    assert_eq!(found.net.aggregate_text(), "10.54");
}

#[tokio::test]
async fn past_payments_are_recorded_at_once_and_later_ones_on_their_day() {
    let world = recording().await;
    assert_eq!(dividends(&world).await, RECORDED);
    let world = world.later("2026-11-26T12:00:00Z");
    assert_eq!(automatic::record_due(&world.app).await.unwrap(), 0);
    let world = world.later("2026-11-27T00:00:00Z");
    assert_eq!(automatic::record_due(&world.app).await.unwrap(), 1);
    assert_eq!(automatic::record_due(&world.app).await.unwrap(), 0, "once");
    assert_eq!(dividends(&world).await[3], "2026-11-27 5.50 0.82 4.68 automatic:estimated");
}

#[tokio::test]
async fn a_recorded_dividend_replaces_the_automatic_one_and_teaches_its_tax() {
    let world = recording().await;
    // 1.50 of 5.00 is 30%, so that the others are taxed by 30%, too: 1.50 and 1.65.
    let sequence = add(&world, &paid("2026-06-02", "5.00", "1.50")).await;
    let taught = [
        "2026-02-27 5.00 1.50 3.50 automatic:estimated",
        "2026-06-02 5.00 1.50 - manual",
        "2026-08-28 5.50 1.65 3.85 automatic:estimated",
    ];
    assert_eq!(dividends(&world).await, taught);
    entries::remove(&world.app, world.ana, sequence).await.unwrap();
    assert_eq!(dividends(&world).await, RECORDED);
}

#[tokio::test]
async fn a_year_of_real_rows_leaves_exactly_these_and_undoing_brings_the_automatic_ones_back() {
    let world = recording().await;
    let changed = entries::Draft { tax: Some(dec("0.70")), net: None, ..confirmable(&world, 1).await };
    entries::edit(&world.app, world.ana, rows(&world).await[1].sequence, &changed).await.unwrap();
    let before = dividends(&world).await;
    assert_eq!(before[1], "2026-05-29 5.00 0.70 - automatic");
    let id = imported(
        &world,
        "2026-02-27,dividend,WELL,5.00,0.75,USD,a\n2026-05-29,dividend,WELL,5.00,0.75,USD,b\n2026-08-31,dividend,WELL,5.50,0.83,USD,c\n",
    )
    .await;
    let real = ["2026-02-27 5.00 0.75 - imported", "2026-05-29 5.00 0.75 - imported", "2026-08-31 5.50 0.83 - imported"];
    assert_eq!(dividends(&world).await, real);
    import::undo_of(&world.app, world.ana, id).await.unwrap();
    assert_eq!(dividends(&world).await, before);
}

/// The automatic entry at this place, as a form has it.
async fn confirmable(world: &World, at: usize) -> Draft {
    let sequence = rows(world).await[at].sequence;
    entries::one(&world.app, world.ana, sequence).await.unwrap().unwrap().draft()
}

#[tokio::test]
async fn an_amount_that_nothing_explains_is_asked_about() {
    let world = recording().await;
    add(&world, &paid("2026-05-29", "50.00", "0")).await;
    let asked = open(&world).await;
    assert_eq!(asked.len(), 1);
    let (day, amount) = asked[0].beside.unwrap();
    assert_eq!((day, amount.amount, asked[0].gross.amount), (date(2026, 5, 29), dec("50.00"), dec("5.00")));
    assert_eq!(dividends(&world).await.len(), 4, "both are shown");
    automatic::ignore(&world.app, world.ana, &[asked[0].key.clone()]).await.unwrap();
    assert_eq!((dividends(&world).await.len(), open(&world).await.len()), (3, 0));
    // Half of the amount is what is left of it after tax and fees.
    let world = recording().await;
    add(&world, &paid("2026-05-29", "2.50", "0")).await;
    assert_eq!((dividends(&world).await.len(), open(&world).await.len()), (3, 0));
    // 10.5648398 × 0.50 = 5.2824199, recorded as 5.28: half of that is 2.64.
    for (amount, left) in [("2.63", (4, 1)), ("2.64", (3, 0))] {
        let world = recording().await;
        add(&world, &buy("2026-01-06", "WELL", "0.5648398", "35")).await;
        add(&world, &paid("2026-05-29", amount, "0")).await;
        assert_eq!((dividends(&world).await.len(), open(&world).await.len()), left, "{amount}");
    }
}

#[tokio::test]
async fn what_the_user_confirmed_is_never_recomputed() {
    let world = recording().await;
    let same = confirmable(&world, 0).await;
    entries::edit(&world.app, world.ana, rows(&world).await[0].sequence, &same).await.unwrap();
    let first = "2026-02-27 5.00 0.75 4.25 automatic";
    assert_eq!(dividends(&world).await[0], first);
    // 20 shares were held before: the estimates double.
    add(&world, &buy("2026-01-06", "WELL", "10", "35")).await;
    assert_eq!(
        dividends(&world).await,
        [first, "2026-05-29 10.00 1.50 8.50 automatic:estimated", "2026-08-28 11.00 1.65 9.35 automatic:estimated"]
    );
    // Without the mode, only what was confirmed stays.
    set(&world, Automatic::Off).await;
    assert_eq!((dividends(&world).await, open(&world).await.len()), (vec![first.to_owned()], 0));
    set(&world, Automatic::Record).await;
    assert_eq!(dividends(&world).await.len(), 3);
}

#[tokio::test]
async fn a_split_a_correction_or_a_sale_recomputes_estimates() {
    let world = recording().await;
    // Ten shares become twenty before the second payment, which market data gives as paid.
    load(&world, "splits.csv", "symbol,date,ratio\nWELL,2026-03-02,2:1\n").await;
    assert_eq!(
        dividends(&world).await,
        [RECORDED[0], "2026-05-29 10.00 1.50 8.50 automatic:estimated", "2026-08-28 11.00 1.65 9.35 automatic:estimated"]
    );
    // Sold before the third ex-date.
    add(&world, &sell("2026-08-10", "WELL", "20", "30")).await;
    assert_eq!(dividends(&world).await, [RECORDED[0], "2026-05-29 10.00 1.50 8.50 automatic:estimated"]);
    let corrected = DIVIDENDS.replace("2026-05-29,0.50", "2026-06-01,0.40");
    load(&world, "dividends.csv", &corrected).await;
    assert_eq!(dividends(&world).await, [RECORDED[0], "2026-06-01 8.00 1.20 6.80 automatic:estimated"]);
}

#[tokio::test]
async fn a_deleted_payment_stays_away_until_it_is_suggested_again() {
    let world = recording().await;
    entries::remove(&world.app, world.ana, rows(&world).await[0].sequence).await.unwrap();
    assert_eq!(dividends(&world).await, RECORDED[1..]);
    let ignored = automatic::suggestions(&world.app, world.ana, None).await.unwrap().ignored;
    assert_eq!(ignored.iter().map(|one| one.pay_date).collect::<Vec<_>>(), [date(2026, 2, 27)]);
    automatic::unignore(&world.app, world.ana, &[ignored[0].key.clone()]).await.unwrap();
    assert_eq!(dividends(&world).await, RECORDED);
}

#[tokio::test]
async fn suggested_payments_are_recorded_with_the_figures_that_the_user_changed() {
    let world = bought().await;
    let keys: Vec<_> = open(&world).await.into_iter().map(|one| one.key).collect();
    let chosen = |at: usize, amount: &str, tax: &str| Chosen {
        key: automatic::Key::clone(&keys[at]),
        pay_date: None,
        amount: Some(dec(amount)),
        tax: Some(dec(tax)),
        net: None,
    };
    let recorded = automatic::record(&world.app, world.ana, &[chosen(2, "5.00", "0.75"), chosen(1, "5.01", "0.70")]).await;
    assert_eq!(recorded.unwrap(), 2);
    assert_eq!(dividends(&world).await, ["2026-02-27 5.00 0.75 - automatic", "2026-05-29 5.01 0.70 - automatic"]);
    assert_eq!(open(&world).await.len(), 1);
    let refused = automatic::record(&world.app, world.ana, &[chosen(0, "-5.00", "9")]).await;
    assert!(matches!(refused, Err(app::Error::Payments(_))));
    // Another user's payments are not there.
    assert_eq!(automatic::record(&world.app, world.ben, &[chosen(0, "5.50", "0")]).await.unwrap(), 0);
}

#[tokio::test]
async fn doubted_data_records_nothing() {
    let world = bought().await;
    let mut tx = world.app.store.write().await.unwrap();
    let doubted = app::RejectedValue {
        symbol: "WELL".to_owned(),
        topic: app::Topic::History,
        provider: "yahoo".to_owned(),
        field: "dividend 2026-08-11".to_owned(),
        value: "55 USD".to_owned(),
        reason: "unusual".to_owned(),
        seen_at: 0,
    };
    store::rejected_values::put(&mut tx, &doubted).await.unwrap();
    tx.commit().await.unwrap();
    set(&world, Automatic::Record).await;
    assert_eq!((dividends(&world).await, open(&world).await.len()), (vec![], 0));
}

#[tokio::test]
async fn estimates_count_as_received_but_not_for_the_tax_that_is_learned() {
    let world = recording().await;
    let compared = expected::compare(&world.app, world.ana, None).await.unwrap();
    assert!(compared.payments.iter().all(|payment| payment.state == State::Received));
    assert_eq!(compared.payments.len(), 3);
    let before = app::income::outlook(&world.app, world.ana, None, 0, false).await.unwrap().income;
    set(&world, Automatic::Off).await;
    let after = app::income::outlook(&world.app, world.ana, None, 0, false).await.unwrap().income;
    assert_eq!(before.net_annual, after.net_annual);
    assert!(rows(&world).await.iter().all(|row| !lots::is_estimated(row)));
}

/// Another server may know nothing of the payments.
#[tokio::test]
async fn exported_estimates_stay_where_market_data_knows_nothing_until_a_real_row_replaces_them() {
    let first = recording().await;
    let file = entries::export::ledger_file(&first.app, first.ana).await.unwrap();
    let world = World::new().await;
    let request = Request {
        user_id: world.ana,
        file_name: "ledger.csv",
        bytes: FileBytes::Plain(&file),
        format: Some("dripline"),
        ..Request::default()
    };
    assert_eq!(import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().errors, []);
    assert_eq!(dividends(&world).await, RECORDED);
    assert_eq!(open(&world).await.len(), 0);
    add(&world, &paid("2026-05-29", "5.00", "0.75")).await;
    assert_eq!(dividends(&world).await, [RECORDED[0], "2026-05-29 5.00 0.75 - manual", RECORDED[2]]);
}

/// The purchase is corrected to a day after the first ex-date.
#[tokio::test]
async fn an_imported_estimate_stays_even_if_no_shares_were_held() {
    let first = recording().await;
    let file = entries::export::ledger_file(&first.app, first.ana).await.unwrap();
    let world = World::new().await;
    let bytes = FileBytes::Plain(&file);
    let request = Request { user_id: world.ana, file_name: "l.csv", bytes, format: Some("dripline"), ..Request::default() };
    import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    load(&world, "dividends.csv", DIVIDENDS).await;
    let filter = Filter { kind: Some(Kind::Buy), ..Filter::default() };
    let bought = entries::list(&world.app, world.ana, &filter).await.unwrap().rows.remove(0);
    let later = Draft { date: date(2026, 3, 1), ..bought.draft() };
    entries::edit(&world.app, world.ana, bought.entry.sequence, &later).await.unwrap();
    assert_eq!(dividends(&world).await, RECORDED);
}
