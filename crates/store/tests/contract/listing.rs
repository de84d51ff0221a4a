use jiff::civil::Date;
use store::entries::listing::{self, Order, Origin, Sort, Wanted};
use store::entries::{self, Entry, Kind};
use store::{Tx, imports, portfolios, statements};
use uuid::Uuid;

use crate::sample::{Database, buy, id, import, new_portfolio, user_with_entry};

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn entry(sequence: i64, date: &str, kind: Kind, symbol: &str) -> Entry {
    Entry { date: day(date), kind, ..buy(id(12), sequence, symbol) }
}

/// A user whose entries 2 to 7 differ in everything that a list can be filtered by, and another user with one entry.
async fn user(tx: &mut Tx) -> Uuid {
    let (user, _other) = (user_with_entry(tx, 10).await, user_with_entry(tx, 20).await);
    entries::delete(tx, user, 1).await.unwrap();
    portfolios::add(tx, user, &new_portfolio(13, "Other")).await.unwrap();
    imports::add(tx, user, &import(15), b"file").await.unwrap();
    let rows = [
        Entry { note: Some("a gift".to_owned()), ..entry(2, "2026-02-05", Kind::Buy, "BBB") },
        Entry { portfolio_id: id(13), ..entry(3, "2026-03-05", Kind::Sell, "AAA") },
        Entry { import_id: Some(id(15)), source: "import:degiro".to_owned(), ..entry(4, "2026-01-05", Kind::Buy, "BBB") },
        Entry { source: "automatic:estimated".to_owned(), ..entry(5, "2026-02-05", Kind::Dividend, "AAA") },
        Entry { source: "automatic".to_owned(), ..entry(6, "2026-02-06", Kind::Dividend, "BBB") },
        Entry { isin: Some("X1".to_owned()), name: Some("Ccc".to_owned()), ..entry(7, "2026-02-05", Kind::Buy, "CCC") },
    ];
    entries::add(tx, user, &rows).await.unwrap();
    user
}

const NEWEST: Order = Order { sort: Sort::Date, descending: true };

async fn listed(tx: &mut Tx, user: Uuid, wanted: &Wanted, order: Order) -> Vec<i64> {
    let all = listing::sequences(tx, user, wanted, order, 0, usize::MAX).await.unwrap();
    assert_eq!(listing::count(tx, user, wanted).await.unwrap(), all.len() as u64);
    let mut searched: Vec<i64> = listing::texts(tx, user, wanted).await.unwrap().iter().map(|one| one.sequence).collect();
    searched.sort();
    let mut sorted = all.clone();
    sorted.sort();
    assert_eq!(searched, sorted);
    all
}

#[tokio::test]
async fn entries_are_listed_by_date_security_or_type_in_both_directions() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    for (sort, expected) in
        [(Sort::Date, [4, 2, 5, 7, 6, 3]), (Sort::Symbol, [5, 3, 4, 2, 6, 7]), (Sort::Kind, [4, 2, 7, 5, 6, 3])]
    {
        let up = listed(&mut tx, user, &Wanted::default(), Order { sort, descending: false }).await;
        assert_eq!(up, expected, "{sort:?}");
        let mut down = listed(&mut tx, user, &Wanted::default(), Order { sort, descending: true }).await;
        down.reverse();
        assert_eq!(down, expected, "{sort:?}");
        let origin = Some(Origin::default());
        let any = listed(&mut tx, user, &Wanted { origin, ..Wanted::default() }, Order { sort, descending: false }).await;
        assert_eq!(any, expected, "{sort:?}");
    }
}

#[tokio::test]
async fn entries_are_filtered_by_everything_together() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    let of = |sources: &[&str]| Some(Origin { import_id: None, sources: sources.iter().map(|one| (*one).to_owned()).collect() });
    let symbol = |symbol: &str| Some(symbol.to_owned());
    let all = Wanted::default();
    for (wanted, expected) in [
        (Wanted { symbol: symbol("BBB"), ..all.clone() }, vec![6, 2, 4]),
        (Wanted { symbol: symbol("BB"), ..all.clone() }, vec![]),
        (Wanted { kind: Some(Kind::Buy), ..all.clone() }, vec![7, 2, 4]),
        (Wanted { kind: Some(Kind::Buy), symbol: symbol("BBB"), ..all.clone() }, vec![2, 4]),
        (Wanted { portfolio_id: Some(id(13)), ..all.clone() }, vec![3]),
        (Wanted { from: Some(day("2026-02-05")), to: Some(day("2026-02-05")), ..all.clone() }, vec![7, 5, 2]),
        (Wanted { from: Some(day("-000001-01-01")), to: Some(day("2026-01-31")), ..all.clone() }, vec![4]),
        (Wanted { origin: of(&["manual"]), ..all.clone() }, vec![3, 7, 2]),
        (Wanted { origin: of(&["automatic", "automatic:estimated"]), ..all.clone() }, vec![6, 5]),
        (Wanted { origin: Some(Origin { import_id: Some(id(15)), sources: Vec::new() }), ..all.clone() }, vec![4]),
        (Wanted { origin: Some(Origin { import_id: Some(id(99)), sources: Vec::new() }), ..all.clone() }, vec![]),
        (Wanted { origin: of(&["manual"]), kind: Some(Kind::Buy), symbol: symbol("CCC"), ..all.clone() }, vec![7]),
    ] {
        assert_eq!(listed(&mut tx, user, &wanted, NEWEST).await, expected, "{wanted:?}");
    }
}

#[tokio::test]
async fn a_page_is_a_part_of_the_list_and_of_its_own_user() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user(&mut tx).await;
    let page = listing::sequences(&mut tx, user, &Wanted::default(), NEWEST, 2, 3).await.unwrap();
    assert_eq!(page, [7, 5, 2]);
    assert_eq!(listed(&mut tx, id(20), &Wanted::default(), NEWEST).await, [1]);
    assert_eq!(listed(&mut tx, id(99), &Wanted::default(), NEWEST).await, [0_i64; 0]);
    let read = entries::some(&mut tx, user, &[7, 1, 2, 99]).await.unwrap();
    assert_eq!(read.iter().map(|entry| entry.sequence).collect::<Vec<_>>(), [7, 2]);
    let found = listing::texts(&mut tx, user, &Wanted { symbol: Some("CCC".to_owned()), ..Wanted::default() }).await.unwrap();
    let texts = (found[0].symbol.as_str(), found[0].name.as_deref(), found[0].isin.as_deref(), found[0].note.as_deref());
    assert_eq!(texts, ("CCC", Some("Ccc"), Some("X1"), None));
}

/// A long ledger is not read for one page: an index has its order.
#[tokio::test]
async fn a_page_is_found_without_reading_the_others() {
    let database = Database::embedded().await;
    let connection = database.raw();
    for (name, index) in [("DATE", "entries_by_date"), ("SYMBOL", "entries_by_security"), ("KIND", "entries_by_type")] {
        for name in [format!("listing::BY_{name}"), format!("listing::BY_{name}_DOWN")] {
            let statement = statements::all().find(|one| one.name.ends_with(&name)).unwrap();
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql)).unwrap();
            let params = vec![rusqlite::types::Null; statement.params.len()];
            let steps = plan.query_map(rusqlite::params_from_iter(params), |row| row.get::<_, String>(3)).unwrap();
            let steps: Vec<String> = steps.map(Result::unwrap).collect();
            let used = format!("SEARCH entries USING COVERING INDEX {index} ");
            assert!(steps.len() == 1 && steps[0].starts_with(&used), "{name}: {steps:?}");
        }
    }
}
