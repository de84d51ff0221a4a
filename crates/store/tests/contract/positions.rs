use ledger::{Ratio, Split};
use scratch::Scratch;
use store::entries::{self, Entry, Renaming};
use store::positions::{self, Position, Traded};
use store::postgres::Settings;
use store::stocks::{self, Stock};
use store::{Store, Tx, deletion, imports, portfolios, splits, statements};
use uuid::Uuid;

use crate::sample::{Database, buy, currency, decimal, id, import, new_portfolio, stock, user_with_entry};

/// Two users: of the first (10) the portfolio 12 has AAA (1) and BBB (2, of the import 15), 13 has AAA (3); of the other (20)
/// portfolio 22 has AAA. All of them have snapshots.
async fn with_snapshots(tx: &mut Tx) -> (Uuid, Uuid) {
    let (user, other) = (user_with_entry(tx, 10).await, user_with_entry(tx, 20).await);
    portfolios::add(tx, user, &new_portfolio(13, "Other")).await.unwrap();
    imports::add(tx, user, &import(15), b"file").await.unwrap();
    let imported = Entry { import_id: Some(id(15)), ..buy(id(12), 2, "BBB") };
    entries::add(tx, user, &[imported, buy(id(13), 3, "AAA")]).await.unwrap();
    let of_user = [(id(12), "AAA"), (id(12), "BBB"), (id(13), "AAA")];
    positions::keep(tx, user, &of_user.map(|(portfolio_id, symbol)| (portfolio_id, symbol, vec![1, 2]))).await.unwrap();
    positions::keep(tx, other, &[(id(22), "AAA", vec![3])]).await.unwrap();
    (user, other)
}

/// Those without a snapshot, as `portfolio symbol`.
async fn marked(tx: &mut Tx, user: Uuid) -> Vec<String> {
    let all = positions::of_user(tx, user).await.unwrap().into_iter();
    let mut marked: Vec<String> =
        all.filter(|one| one.snapshot.is_none()).map(|one| format!("{} {}", one.portfolio_id.as_u128(), one.symbol)).collect();
    marked.sort();
    marked
}

#[tokio::test]
async fn a_snapshot_is_stored_for_its_portfolio_and_symbol_only() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    positions::keep(&mut tx, user, &[(id(13), "AAA", vec![9]), (id(13), "BBB", vec![8])]).await.unwrap();
    let mut all = positions::of_user(&mut tx, user).await.unwrap();
    all.sort_by_key(|one| (one.portfolio_id, one.symbol.clone()));
    let kept = |portfolio, symbol: &str, snapshot: &[u8]| Position {
        portfolio_id: id(portfolio),
        symbol: symbol.to_owned(),
        snapshot: Some(snapshot.to_vec()),
    };
    assert_eq!(all, [kept(12, "AAA", &[1, 2]), kept(12, "BBB", &[1, 2]), kept(13, "AAA", &[9])]);
    assert_eq!(positions::of_user(&mut tx, other).await.unwrap(), [kept(22, "AAA", &[3])]);
    positions::remove(&mut tx, other, &[(id(13), "AAA")]).await.unwrap();
    positions::remove(&mut tx, user, &[(id(13), "AAA")]).await.unwrap();
    assert_eq!(positions::of_user(&mut tx, user).await.unwrap().len(), 2);
}

#[tokio::test]
async fn adding_entries_marks_their_positions() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    entries::add(&mut tx, user, &[buy(id(12), 4, "AAA"), buy(id(13), 5, "CCC"), buy(id(12), 6, "AAA")]).await.unwrap();
    assert_eq!(marked(&mut tx, user).await, ["12 AAA", "13 CCC"]);
    assert!(marked(&mut tx, other).await.is_empty());
}

#[tokio::test]
async fn changing_an_entry_marks_its_old_and_new_positions() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    assert!(!entries::update(&mut tx, user, &buy(id(12), 99, "ZZZ")).await.unwrap());
    assert!(marked(&mut tx, user).await.is_empty(), "there is no such entry");
    assert!(entries::update(&mut tx, user, &buy(id(13), 2, "CCC")).await.unwrap());
    assert_eq!(marked(&mut tx, user).await, ["12 BBB", "13 CCC"]);
    assert!(entries::update(&mut tx, user, &Entry { shares: Some(decimal("1")), ..buy(id(13), 3, "AAA") }).await.unwrap());
    assert_eq!(marked(&mut tx, user).await, ["12 BBB", "13 AAA", "13 CCC"]);
    assert!(marked(&mut tx, other).await.is_empty());
}

#[tokio::test]
async fn renaming_an_entry_marks_both_symbols() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    let renaming = Renaming { sequence: 3, symbol: "CCC".to_owned(), identity: "new".to_owned() };
    entries::rename(&mut tx, user, &[renaming]).await.unwrap();
    assert_eq!(marked(&mut tx, user).await, ["13 AAA", "13 CCC"]);
    assert!(marked(&mut tx, other).await.is_empty());
}

#[tokio::test]
async fn deleting_an_entry_marks_its_position() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    assert!(entries::delete(&mut tx, other, 1).await.unwrap());
    assert_eq!(marked(&mut tx, other).await, ["22 AAA"]);
    assert_eq!(entries::delete_of_import(&mut tx, other, id(15)).await.unwrap(), 0);
    assert!(marked(&mut tx, user).await.is_empty());
    assert_eq!(entries::delete_of_import(&mut tx, user, id(15)).await.unwrap(), 1);
    assert_eq!(marked(&mut tx, user).await, ["12 BBB"]);
}

#[tokio::test]
async fn deleting_a_portfolio_or_an_account_deletes_its_positions() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    assert!(portfolios::delete(&mut tx, user, id(12)).await.unwrap());
    let left: Vec<Uuid> = positions::of_user(&mut tx, user).await.unwrap().iter().map(|one| one.portfolio_id).collect();
    assert_eq!(left, [id(13)]);
    assert!(deletion::delete_user(&mut tx, user).await.unwrap());
    assert!(positions::of_user(&mut tx, user).await.unwrap().is_empty());
    assert_eq!(positions::of_user(&mut tx, other).await.unwrap().len(), 1);
}

#[tokio::test]
async fn market_data_of_a_users_symbols_is_read_in_one_query() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    stocks::upsert(&mut tx, &[stock("AAA"), Stock { placeholder: true, ..stock("BBB") }, stock("ZZZ")]).await.unwrap();
    let split = |date: &str| Split { date: date.parse().unwrap(), ratio: Ratio { new: decimal("4"), old: decimal("1.50") } };
    splits::upsert(&mut tx, "BBB", &[split("2026-02-03"), split("2025-02-03")]).await.unwrap();
    splits::upsert(&mut tx, "ZZZ", &[split("2025-02-03")]).await.unwrap();
    let mut traded = positions::traded(&mut tx, user).await.unwrap();
    traded.sort_by_key(|one| one.symbol.clone());
    let traded_as = |symbol: &str, placeholder| Traded { symbol: symbol.to_owned(), currency: currency("GBP"), placeholder };
    assert_eq!(traded, [traded_as("AAA", false), traded_as("AAA", false), traded_as("BBB", true)]);
    let expected = [("BBB".to_owned(), split("2025-02-03")), ("BBB".to_owned(), split("2026-02-03"))];
    assert_eq!(positions::splits(&mut tx, user).await.unwrap(), expected);
    assert!(positions::splits(&mut tx, other).await.unwrap().is_empty());
}

#[tokio::test]
async fn entries_of_some_symbols_are_read_in_the_order_of_recording() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let many: Vec<Entry> = (2..=41).map(|sequence| buy(id(12), sequence, &format!("S{}", sequence % 20))).collect();
    entries::add(&mut tx, user, &many).await.unwrap();
    let symbols: Vec<String> = (0..18).map(|number| format!("S{number}")).collect();
    let mut asked: Vec<&str> = symbols.iter().map(String::as_str).collect();
    // Named twice, and not there.
    asked.extend(["S0", "NONE"]);
    let found = entries::of_symbols(&mut tx, user, &asked).await.unwrap();
    let expected: Vec<Entry> = many.iter().filter(|entry| !["S18", "S19"].contains(&entry.symbol.as_str())).cloned().collect();
    assert_eq!(found, expected);
    assert_eq!(entries::of_symbols(&mut tx, user, &["AAA"]).await.unwrap(), [buy(id(12), 1, "AAA")]);
    assert!(entries::of_symbols(&mut tx, user, &[]).await.unwrap().is_empty());
    assert_eq!(entries::by_identity(&mut tx, user, id(12), "row 7").await.unwrap(), Some(7));
    assert_eq!(entries::by_identity(&mut tx, user, id(13), "row 7").await.unwrap(), None);
}

/// A long ledger is not read for one stock: the embedded engine uses an index for each symbol.
#[tokio::test]
async fn entries_of_a_symbol_are_found_without_reading_the_others() {
    let steps = plan("OF_SYMBOLS").await;
    let entries: Vec<&String> = steps.iter().filter(|step| step.contains(" entries ")).collect();
    assert_eq!(entries, ["SEARCH entries USING INDEX entries_by_symbol (symbol=? AND user_id=?)"], "{steps:?}");
}

/// Nor for the newest entries.
#[tokio::test]
async fn the_newest_entries_are_found_without_reading_the_others() {
    let expected = "SEARCH entries USING COVERING INDEX entries_by_date (user_id=? AND date>? AND (date,sequence)<(?,?))";
    assert_eq!(plan("NEWEST").await, [expected]);
}

/// The same on a server, whatever the parameters are.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_newest_entries_are_found_with_an_index_on_postgresql() {
    let scratch = Scratch::empty().await;
    let store = Store::connect(&Settings::new(&scratch.url())).await.unwrap();
    let mut tx = store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let many: Vec<Entry> = (2..=5_000).map(|sequence| buy(id(12), sequence, "AAA")).collect();
    entries::add(&mut tx, user, &many).await.unwrap();
    tx.commit().await.unwrap();
    let raw = scratch.raw().await;
    raw.batch_execute("VACUUM ANALYZE entries").await.unwrap();
    let statement = statements::all().find(|one| one.name.ends_with("entries::NEWEST")).unwrap();
    raw.batch_execute(&format!("SET plan_cache_mode = force_generic_plan; PREPARE newest AS {}", statement.sql)).await.unwrap();
    let user = user.to_string();
    let explain = format!("EXPLAIN EXECUTE newest('{user}', '9999-12-31', 9000, '0001-01-01', NULL, NULL, 101)");
    let lines: Vec<String> = raw.query(&explain, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    let plan = lines.join("\n");
    assert!(plan.contains("Index Only Scan Backward using entries_by_date") && !plan.contains("Sort"), "{plan}");
}

/// How the embedded engine runs a statement on entries.
async fn plan(name: &str) -> Vec<String> {
    let database = Database::embedded().await;
    let name = format!("entries::{name}");
    let statement = statements::all().find(|one| one.name.ends_with(&name)).unwrap();
    let connection = database.raw();
    let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql)).unwrap();
    let mut rows = plan.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get::<_, String>(3).unwrap());
    }
    steps
}

#[tokio::test]
async fn a_marked_symbol_is_read_with_its_positions_in_other_portfolios() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (user, other) = with_snapshots(&mut tx).await;
    assert!(positions::of_marked_symbols(&mut tx, user).await.unwrap().is_empty());
    entries::add(&mut tx, user, &[buy(id(13), 4, "AAA"), buy(id(13), 5, "CCC")]).await.unwrap();
    let mut found = positions::of_marked_symbols(&mut tx, user).await.unwrap();
    found.sort_by_key(|one| (one.symbol.clone(), one.portfolio_id));
    let found: Vec<_> = found.iter().map(|one| (one.portfolio_id, one.symbol.as_str(), one.snapshot.is_some())).collect();
    assert_eq!(found, [(id(12), "AAA", true), (id(13), "AAA", false), (id(13), "CCC", false)]);
    assert!(positions::of_marked_symbols(&mut tx, other).await.unwrap().is_empty());
}

/// In a batch, only values that differ from the previous row are bound again.
#[tokio::test]
async fn rows_that_differ_only_in_trailing_zeros_keep_them() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let entry = |sequence, shares: &str, fees: Option<&str>, note: Option<&str>| Entry {
        shares: Some(decimal(shares)),
        fees: fees.map(decimal),
        note: note.map(str::to_owned),
        ..buy(id(12), sequence, "AAA")
    };
    let rows = [
        entry(2, "1.5", Some("1"), None),
        entry(3, "1.50", None, Some("a")),
        entry(4, "1.50", None, Some("a")),
        entry(5, "1.5", Some("1.0"), None),
        entry(6, "-1.5", Some("1"), Some("")),
    ];
    entries::add(&mut tx, user, &rows).await.unwrap();
    let mut stored = entries::of_user(&mut tx, user).await.unwrap();
    stored.retain(|entry| entry.sequence > 1);
    assert_eq!(stored, rows);
    let written = |entry: &Entry| format!("{} {:?}", entry.shares.unwrap(), entry.fees.map(|fees| fees.to_string()));
    assert_eq!(stored.iter().map(written).collect::<Vec<_>>(), rows.iter().map(written).collect::<Vec<_>>());
}
