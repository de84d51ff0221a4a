use app::entries::{self, Draft, Filter, Kind};
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
        (by(Filter { text: Some("nothing".to_owned()), ..Filter::default() }), 0),
    ] {
        assert_eq!(days(&world, &filter).await.len(), expected, "{filter:?}");
    }
    let unknown = Filter { portfolio: Some("Nowhere".to_owned()), ..Filter::default() };
    assert!(matches!(entries::list(&world.app, world.ana, &unknown).await, Err(Error::UnknownPortfolio { .. })));
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
