use app::entries::{self, Doubt, Draft, Kind, Put};
use jiff::civil::date;

use crate::world::{World, buy, dec, draft, sell};

fn dividend(day: &str, amount: &str) -> Draft {
    Draft { amount: Some(dec(amount)), ..draft(Kind::Dividend, day, "WELL") }
}

async fn doubts(world: &World, editing: Option<i64>, draft: &Draft) -> Vec<Doubt> {
    let checked = entries::check(&world.app, world.ana, editing, draft).await.unwrap();
    assert_eq!(checked.problems, []);
    checked.doubts
}

async fn add(world: &World, draft: &Draft) -> i64 {
    entries::add(&world.app, world.ana, draft).await.unwrap()
}

#[tokio::test]
async fn the_position_on_the_entrys_day_differs_from_the_position_today() {
    let world = World::new().await;
    add(&world, &buy("2026-03-02", "WELL", "10", "20")).await;
    let earlier = buy("2026-01-05", "WELL", "30", "24");
    let checked = entries::check(&world.app, world.ana, None, &earlier).await.unwrap();
    let (after, today) = (checked.after.unwrap(), checked.today.unwrap());
    // 30 at 24, and since March 40 at (720 + 200) ÷ 40 = 23.
    assert_eq!((after.day, after.shares), (date(2026, 1, 5), dec("30")));
    assert_eq!(after.average_cost.unwrap().per_share_text(), "24.00");
    assert_eq!((today.shares, today.average_cost.unwrap().per_share_text()), (dec("40"), "23.00".to_owned()));
    let all_out = entries::check(&world.app, world.ana, None, &sell("2026-03-02", "WELL", "10", "20")).await.unwrap();
    assert_eq!((all_out.after.as_ref().unwrap().shares, all_out.after.unwrap().average_cost), (dec("0"), None));
}

#[tokio::test]
async fn an_entry_with_the_same_day_kind_and_size_is_doubted_as_a_duplicate() {
    let world = World::new().await;
    let first = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let paid = add(&world, &dividend("2026-02-02", "5.10")).await;
    assert_eq!(doubts(&world, None, &buy("2026-01-05", "well", "10.0", "21")).await, [Doubt::Duplicate { sequence: first }]);
    assert_eq!(doubts(&world, None, &dividend("2026-02-02", "5.1")).await, [Doubt::Duplicate { sequence: paid }]);
    for other in [
        buy("2026-01-05", "WELL", "11", "20"),
        buy("2026-01-06", "WELL", "10", "20"),
        sell("2026-01-05", "WELL", "10", "20"),
        dividend("2026-02-02", "5.11"),
    ] {
        let orphans = |doubt: &Doubt| matches!(doubt, Doubt::Orphaned { .. });
        let texts: Vec<Doubt> = doubts(&world, None, &other).await.into_iter().filter(|doubt| !orphans(doubt)).collect();
        assert_eq!(texts, [], "{other:?}");
    }
    assert_eq!(doubts(&world, Some(first), &buy("2026-01-05", "WELL", "10", "22")).await, [], "it is no twin of itself");
    let twin = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let noted = Draft { note: Some("meant".to_owned()), ..buy("2026-01-05", "WELL", "10", "20") };
    assert_eq!(doubts(&world, Some(twin), &noted).await, [], "what was so before is not told again");
}

/// Today is 15 November 2026.
#[tokio::test]
async fn a_date_after_today_is_doubted() {
    let world = World::new().await;
    assert_eq!(doubts(&world, None, &buy("2026-11-15", "WELL", "10", "20")).await, []);
    let later = buy("2026-11-16", "WELL", "10", "20");
    let future = |day| Doubt::Future { date: day };
    assert_eq!(doubts(&world, None, &later).await, [future(date(2026, 11, 16))]);
    let refused = entries::put(&world.app, world.ana, None, &later, |doubts| doubts.is_empty()).await.unwrap();
    assert_eq!(refused, Put::Doubted(vec![future(date(2026, 11, 16))]));
    let sequence = add(&world, &later).await;
    let more = Draft { shares: Some(dec("11")), ..later.clone() };
    assert_eq!(doubts(&world, Some(sequence), &more).await, [], "it was so before");
    let even_later = Draft { date: date(2026, 11, 17), ..later };
    assert_eq!(doubts(&world, Some(sequence), &even_later).await, [future(date(2026, 11, 17))]);
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let promised = Draft { ex_date: Some(date(2026, 12, 1)), ..dividend("2026-11-15", "5") };
    assert_eq!(doubts(&world, None, &promised).await, [future(date(2026, 12, 1))]);
}

#[tokio::test]
async fn an_unknown_symbol_is_doubted_and_not_stored() {
    let world = World::new().await;
    let typed = Draft { currency: Some(ledger::Currency::EUR), ..buy("2026-01-05", "coca-cola", "10", "20") };
    let unknown = Doubt::SymbolUnknown { symbol: "COCA-COLA".to_owned() };
    let refused = entries::put(&world.app, world.ana, None, &typed, |doubts| doubts.is_empty()).await.unwrap();
    assert_eq!(refused, Put::Doubted(vec![unknown.clone()]));
    let mut tx = world.app.store.read().await.unwrap();
    assert_eq!(store::stocks::by_symbol(&mut tx, "COCA-COLA").await.unwrap(), None);
    drop(tx);
    add(&world, &typed).await;
    assert_eq!(doubts(&world, None, &Draft { shares: Some(dec("3")), ..typed }).await, [], "it is the user's own now");
}

#[tokio::test]
async fn a_tax_above_the_gross_is_doubted_for_reversals_too() {
    let world = World::new().await;
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    for (amount, tax, doubted) in [("10", "10.01", true), ("10", "10", false), ("-10", "-1.5", false), ("-10", "-15", true)] {
        let taxed = Draft { tax: Some(dec(tax)), ..dividend("2026-02-02", amount) };
        let texts = doubts(&world, None, &taxed).await;
        assert_eq!(matches!(texts[..], [Doubt::TaxAboveGross { .. }]), doubted, "{amount} {tax}");
    }
}

#[tokio::test]
async fn a_dividend_without_shares_is_doubted() {
    let world = World::new().await;
    let bought = Some(date(2026, 1, 5));
    add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    add(&world, &sell("2026-03-02", "WELL", "10", "30")).await;
    let on = |day, ex_date: Option<&str>| Draft { ex_date: ex_date.map(|day| day.parse().unwrap()), ..dividend(day, "5") };
    // Bought on its ex-date is too late; sold on its ex-date is not. Without one, 90 days from the 2nd of March end on the 31st of May.
    for (day, ex_date, doubted) in [
        ("2026-01-04", None, true),
        ("2026-01-06", None, false),
        ("2026-01-20", Some("2026-01-05"), true),
        ("2026-01-20", Some("2026-01-06"), false),
        ("2026-06-30", Some("2026-03-02"), false),
        ("2026-06-30", Some("2026-03-03"), true),
        ("2026-05-31", None, false),
        ("2026-06-01", None, true),
    ] {
        let texts = doubts(&world, None, &on(day, ex_date)).await;
        let expected = Doubt::NothingHeld {
            symbol: "WELL".to_owned(),
            date: day.parse().unwrap(),
            ex_date: ex_date.map(|day| day.parse().unwrap()),
            first_bought: bought,
        };
        assert_eq!(texts, if doubted { vec![expected] } else { vec![] }, "{day} {ex_date:?}");
    }
}

#[tokio::test]
async fn a_change_that_leaves_dividends_without_shares_is_doubted() {
    let world = World::new().await;
    let bought = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    add(&world, &dividend("2026-02-02", "5")).await;
    add(&world, &dividend("2026-05-04", "6")).await;
    let orphaned = |count| Doubt::Orphaned { count, first: date(2026, 2, 2) };
    assert_eq!(entries::of_removal(&world.app, world.ana, bought).await.unwrap(), [orphaned(2)]);
    assert_eq!(doubts(&world, Some(bought), &buy("2026-06-01", "WELL", "10", "20")).await, [orphaned(2)]);
    assert_eq!(doubts(&world, Some(bought), &buy("2026-02-02", "WELL", "10", "20")).await, [orphaned(1)]);
    assert_ne!(orphaned(1).key(), orphaned(2).key());
    add(&world, &buy("2026-01-06", "WELL", "1", "20")).await;
    assert_eq!(entries::of_removal(&world.app, world.ana, bought).await.unwrap(), [], "a share is left for each");
    assert!(entries::of_removal(&world.app, world.ben, bought).await.is_err(), "another's entry is none");
}

#[tokio::test]
async fn a_doubted_entry_is_stored_only_after_confirmation() {
    let world = World::new().await;
    let first = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let before = (world.rows(), world.version(world.ana).await);
    let again = buy("2026-01-05", "WELL", "10", "20");
    let twin = [Doubt::Duplicate { sequence: first }];
    let put = |meant: bool| entries::put(&world.app, world.ana, None, &again, move |doubts| doubts.is_empty() || meant);
    assert_eq!(put(false).await.unwrap(), Put::Doubted(twin.to_vec()));
    assert_eq!((world.rows(), world.version(world.ana).await), before);
    assert_eq!(put(true).await.unwrap(), Put::Recorded(first + 1));
    let wrong = entries::put(&world.app, world.ana, None, &sell("2026-01-06", "WELL", "21", "20"), |_| false).await;
    assert!(matches!(wrong, Err(app::Error::Entry(_))), "what is wrong is told before what is doubted");
}

/// A ledger of many dividends with purchases and sales in between.
#[tokio::test]
async fn every_dividend_is_compared_with_the_shares_held_at_its_time() {
    let world = World::new().await;
    let bought = add(&world, &buy("2020-01-10", "WELL", "10", "20")).await;
    add(&world, &sell("2021-01-10", "WELL", "10", "20")).await;
    add(&world, &buy("2022-01-10", "WELL", "5", "20")).await;
    for day in ["2020-02-10", "2020-08-10", "2021-03-10", "2022-02-10", "2022-08-10"] {
        add(&world, &dividend(day, "5")).await;
    }
    let ex_date = Some(date(2021, 1, 10));
    add(&world, &Draft { ex_date, ..dividend("2021-12-01", "5") }).await;
    // More of them is no loss to any.
    let less = Draft { shares: Some(dec("15")), ..buy("2020-01-10", "WELL", "10", "20") };
    assert_eq!(doubts(&world, Some(bought), &less).await, []);
    // Bought on the day it was sold: those of 2020, and that of the ex-date, are on nothing. That of March 2021 is within 90 days.
    let late = buy("2021-01-10", "WELL", "10", "20");
    assert_eq!(doubts(&world, Some(bought), &late).await, [Doubt::Orphaned { count: 3, first: date(2020, 2, 10) }]);
}
