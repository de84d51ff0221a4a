use app::entries::{self, Draft, Filter, Kind, Order, Sort, Source};
use app::stocks::radar;
use app::{Error, portfolios};

use crate::world::{World, buy, dec, draft};

async fn days(world: &World, filter: &Filter) -> Vec<String> {
    let page = entries::list(&world.app, world.ana, filter).await.unwrap();
    page.rows.iter().map(|row| format!("{} {}", row.entry.date, row.entry.symbol)).collect()
}

#[tokio::test]
async fn entries_are_listed_newest_first_and_filtered() {
    let world = World::new().await;
    portfolios::add(&world.app, world.ana, "Main", false).await.unwrap();
    portfolios::add(&world.app, world.ana, "Other", false).await.unwrap();
    let other = Draft { portfolio: "other".to_owned(), ..buy("2026-01-07", "BROOK.MC", "1", "1") };
    let noted = Draft { note: Some("A gift".to_owned()), ..buy("2026-01-06", "WELL", "1", "1") };
    let paid = Draft { amount: Some(dec("2")), ..draft(Kind::Dividend, "2026-01-06", "WELL") };
    for one in [&buy("2026-01-05", "WELL", "1", "1"), &other, &noted, &paid] {
        entries::add(&world.app, world.ana, one).await.unwrap();
    }
    entries::add(&world.app, world.ben, &buy("2026-01-08", "WELL", "1", "1")).await.unwrap();
    let all = ["2026-01-07 BROOK.MC", "2026-01-06 WELL", "2026-01-06 WELL", "2026-01-05 WELL"];
    assert_eq!(days(&world, &Filter::default()).await, all);
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    assert_eq!((rows[1].entry.kind, rows[0].portfolio.as_str()), (Kind::Dividend, "Other"), "of one day the last recorded first");
    assert_eq!(rows[0].name.as_deref(), Some("Brook Energía"));
    let by = |filter: Filter| filter;
    for (filter, expected) in [
        (by(Filter { portfolio: Some("OTHER".to_owned()), ..Filter::default() }), 1),
        (by(Filter { symbol: Some(" well ".to_owned()), ..Filter::default() }), 3),
        (by(Filter { kind: Some(Kind::Dividend), ..Filter::default() }), 1),
        (by(Filter { from: Some("2026-01-06".parse().unwrap()), ..Filter::default() }), 3),
        (by(Filter { to: Some("2026-01-06".parse().unwrap()), ..Filter::default() }), 3),
        (by(Filter { text: Some("gift".to_owned()), ..Filter::default() }), 1),
        (by(Filter { text: Some("BROOK ENERGÍA".to_owned()), ..Filter::default() }), 1),
        (by(Filter { text: Some("brook energia".to_owned()), ..Filter::default() }), 1),
        (by(Filter { text: Some("g\u{ed}ft".to_owned()), kind: Some(Kind::Buy), ..Filter::default() }), 1),
        (by(Filter { text: Some("gift".to_owned()), kind: Some(Kind::Sell), ..Filter::default() }), 0),
        (by(Filter { text: Some("nothing".to_owned()), ..Filter::default() }), 0),
        (by(Filter { source: Some(Source::ByHand), ..Filter::default() }), 4),
        (by(Filter { source: Some(Source::Automatic), ..Filter::default() }), 0),
        (by(Filter { source: Some(Source::ByHand), estimated: true, ..Filter::default() }), 0),
    ] {
        assert_eq!(days(&world, &filter).await.len(), expected, "{filter:?}");
    }
    let unknown = Filter { portfolio: Some("Nowhere".to_owned()), ..Filter::default() };
    assert!(matches!(entries::list(&world.app, world.ana, &unknown).await, Err(Error::UnknownPortfolio { .. })));
}

#[tokio::test]
async fn entries_are_sorted_also_while_searching() {
    let world = World::new().await;
    let noted = |day: &str, symbol: &str| Draft { note: Some("Größe".to_owned()), ..buy(day, symbol, "1", "1") };
    for one in [noted("2026-01-05", "WELL"), buy("2026-01-06", "BROOK.MC", "1", "1"), noted("2026-01-07", "BROOK.MC")] {
        entries::add(&world.app, world.ana, &one).await.unwrap();
    }
    let by = |sort, descending, text: Option<&str>| Filter {
        order: Order { sort, descending },
        text: text.map(str::to_owned),
        ..Filter::default()
    };
    for (filter, expected) in [
        (by(Sort::Date, false, None), vec!["2026-01-05 WELL", "2026-01-06 BROOK.MC", "2026-01-07 BROOK.MC"]),
        (by(Sort::Symbol, false, None), vec!["2026-01-06 BROOK.MC", "2026-01-07 BROOK.MC", "2026-01-05 WELL"]),
        (by(Sort::Symbol, true, Some("rösser")), vec![]),
        (by(Sort::Symbol, true, Some("GROSSE")), vec!["2026-01-05 WELL", "2026-01-07 BROOK.MC"]),
        (by(Sort::Symbol, false, Some("größe")), vec!["2026-01-07 BROOK.MC", "2026-01-05 WELL"]),
    ] {
        assert_eq!(days(&world, &filter).await, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn entries_are_filtered_by_imported_file_and_format() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-06", "WELL", "1", "1")).await.unwrap();
    let file = b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n";
    let request = app::import::Request {
        user_id: world.ana,
        file_name: "l.csv",
        bytes: app::import::FileBytes::Plain(file),
        ..app::import::Request::default()
    };
    let id = app::import::import(&world.app, &request, &|_, _, _| {}).await.unwrap().id.unwrap();
    let of = |source| Filter { source: Some(source), ..Filter::default() };
    let format = app::import::list(&world.app, world.ana).await.unwrap()[0].format.clone();
    assert_eq!(days(&world, &of(Source::File(id))).await, ["2026-01-05 WELL"]);
    assert_eq!(days(&world, &of(Source::Format(format))).await, ["2026-01-05 WELL"]);
    assert_eq!(days(&world, &of(Source::ByHand)).await, ["2026-01-06 WELL"]);
    let ben = entries::list(&world.app, world.ben, &of(Source::File(id))).await.unwrap();
    assert_eq!(ben.total, 0, "another user's file has no entries of ben's");
}

#[tokio::test]
async fn a_page_has_fifty_entries() {
    let world = World::new().await;
    for number in 1..=51 {
        entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", &number.to_string(), "1")).await.unwrap();
    }
    let page = |page| Filter { page, ..Filter::default() };
    let first = entries::list(&world.app, world.ana, &page(1)).await.unwrap();
    assert_eq!((first.rows.len(), first.total, first.page, first.pages), (50, 51, 1, 2));
    let last = entries::list(&world.app, world.ana, &page(9)).await.unwrap();
    assert_eq!((last.rows.len(), last.page), (1, 2));
    assert_eq!(last.rows[0].entry.shares, Some(dec("1")));
}

#[tokio::test]
async fn a_portfolio_lists_its_entry_count_and_whether_amounts_are_shown() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "1", "1")).await.unwrap();
    let version = world.version(world.ana).await;
    portfolios::set_show_amounts(&world.app, world.ana, "main", true).await.unwrap();
    assert!(world.version(world.ana).await > version);
    let listed = portfolios::list(&world.app, world.ana).await.unwrap();
    assert_eq!((listed[0].entries, listed[0].show_amounts, listed[0].default), (1, true, true));
    assert!(portfolios::set_show_amounts(&world.app, world.ben, "main", true).await.is_err());
}

#[tokio::test]
async fn the_watchlist_keeps_its_targets() {
    let world = World::new().await;
    radar::add(&world.app, world.ana, &["WELL".to_owned()]).await.unwrap();
    radar::set_target(&world.app, world.ana, "well", Some(dec("4.5")), Some(dec("18"))).await.unwrap();
    let watched = radar::list(&world.app, world.ana).await.unwrap();
    assert_eq!((watched[0].target_yield_pct, watched[0].target_price), (Some(dec("4.5")), Some(dec("18"))));
    assert!(radar::set_target(&world.app, world.ana, "WELL", Some(dec("0")), None).await.is_err());
    assert!(radar::set_target(&world.app, world.ben, "WELL", None, None).await.is_err(), "it is on no radar of ben's");
    radar::set_target(&world.app, world.ana, "WELL", None, None).await.unwrap();
    assert_eq!(radar::list(&world.app, world.ana).await.unwrap()[0].target_price, None);
}
