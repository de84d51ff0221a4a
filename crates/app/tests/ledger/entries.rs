use app::entries::{self, Draft, Filter, Kind, export};
use app::import;
use jiff::civil::date;

use crate::world::{World, buy, dec, draft, problems, sell, texts};

#[tokio::test]
async fn a_check_shows_the_effect_of_an_entry_and_stores_nothing() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "well", "10", "20")).await.unwrap();
    let version = world.version(world.ana).await;
    let more = Draft { fees: Some(dec("5")), ..buy("2026-02-05", "WELL", "30", "24") };
    let checked = entries::check(&world.app, world.ana, None, &more).await.unwrap();
    assert_eq!(texts(&checked.problems), []);
    assert_eq!(checked.symbol_name.as_deref(), Some("Wellspring Foods"));
    // 30 × 24 = 720, with fees 725; held then 10 + 30 at (200 + 725) ÷ 40 = 23.125.
    assert_eq!(checked.amount.unwrap().recorded_text(), "720.00");
    assert_eq!(checked.net.unwrap().recorded_text(), "725.00");
    assert_eq!(checked.currency.unwrap().code(), "USD");
    let after = checked.after.unwrap();
    assert_eq!((after.day.to_string().as_str(), after.shares), ("2026-02-05", dec("40")));
    assert_eq!(after.average_cost.unwrap().per_share_text(), "23.125");
    assert_eq!(checked.today, None, "nothing has changed since");
    assert_eq!(entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().total, 1);
    assert_eq!(world.version(world.ana).await, version);
}

#[tokio::test]
async fn a_sale_of_more_than_is_held_is_refused_with_the_figures() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    let version = world.version(world.ana).await;
    let refused = problems(entries::add(&world.app, world.ana, &sell("2026-03-01", "WELL", "10.5", "30")).await);
    assert_eq!(refused, [("shares", "You only held 10 WELL on 2026-03-01.".to_owned())]);
    assert_eq!(world.version(world.ana).await, version);
    entries::add(&world.app, world.ana, &sell("2026-03-01", "WELL", "10", "30")).await.unwrap();
    assert!(world.version(world.ana).await > version);
}

#[tokio::test]
async fn a_missing_or_invalid_field_is_named_for_each_kind() {
    let world = World::new().await;
    for (wrong, field, reason) in [
        (draft(Kind::Buy, "2026-01-05", "WELL"), "shares", "The number of shares for this purchase is missing."),
        (
            buy("2026-01-05", "WELL", "0", "1"),
            "shares",
            "The number of shares is 0. Enter a positive number. The type says whether the shares were bought or sold.",
        ),
        (
            draft(Kind::Split, "2026-01-05", "WELL"),
            "ratio",
            "The ratio for this split is missing. Enter it as new:old, such as 4:1.",
        ),
        (draft(Kind::Dividend, "2026-01-05", "WELL"), "amount", "The amount for this dividend is missing."),
        (buy("2027-11-16", "WELL", "1", "1"), "date", "2027-11-16 is more than a year ahead. Check the date."),
        (buy("2026-01-05", "", "1", "1"), "symbol", "Enter a ticker such as KO or IBE.MC."),
        (
            Draft { portfolio: "Nowhere".to_owned(), ..buy("2026-01-05", "WELL", "1", "1") },
            "portfolio",
            "You have no portfolio called \"Nowhere\". Choose one from the list.",
        ),
        (buy("2026-01-05", "NEW", "1", "1"), "currency", "Choose a currency."),
    ] {
        let checked = entries::check(&world.app, world.ana, None, &wrong).await.unwrap();
        assert!(texts(&checked.problems).contains(&(field, reason.to_owned())), "{reason}: {:?}", checked.problems);
        let refused = problems(entries::add(&world.app, world.ana, &wrong).await);
        assert_eq!(refused, texts(&checked.problems), "{reason}");
    }
    let last_day = buy("2027-11-15", "WELL", "1", "1");
    assert_eq!(problems(entries::add(&world.app, world.ana, &last_day).await), []);
}

#[tokio::test]
async fn a_missing_exchange_rate_is_asked_for() {
    let world = World::new().await;
    let in_yen = Draft { currency: Some(ledger::Currency::parse("JPY").unwrap()), ..buy("2026-01-05", "WELL", "2", "3000") };
    let refused = problems(entries::add(&world.app, world.ana, &in_yen).await);
    let reason =
        "There is no JPY/USD exchange rate for 2026-01-05. Enter how many USD you got for 1 JPY, because WELL trades in USD.";
    assert_eq!(refused, [("fx_rate", reason.to_owned())]);
    let with_rate = Draft { fx_rate: Some(dec("0.0065")), ..in_yen };
    let checked = entries::check(&world.app, world.ana, None, &with_rate).await.unwrap();
    // 3,000 × 0.0065 = 19.50 dollars a share.
    assert_eq!(checked.after.unwrap().average_cost.unwrap().per_share_text(), "19.50");
}

#[tokio::test]
async fn an_unknown_symbol_without_a_provider_takes_the_currency_of_the_entry() {
    let world = World::new().await;
    let new = Draft { currency: Some(ledger::Currency::EUR), ..buy("2026-01-05", "new", "3", "7") };
    let sequence = entries::add(&world.app, world.ana, &new).await.unwrap();
    let row = entries::one(&world.app, world.ana, sequence).await.unwrap().unwrap();
    assert_eq!((row.entry.symbol.as_str(), row.portfolio.as_str()), ("NEW", "Main"));
    let next = entries::check(&world.app, world.ana, None, &buy("2026-01-06", "NEW", "1", "7")).await.unwrap();
    assert_eq!((texts(&next.problems), next.currency), (vec![], Some(ledger::Currency::EUR)));
}

#[tokio::test]
async fn an_entry_that_others_depend_on_cannot_be_changed_or_deleted() {
    let world = World::new().await;
    let bought = entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    let sold = entries::add(&world.app, world.ana, &sell("2026-03-01", "WELL", "8", "30")).await.unwrap();
    let reason = "You held no WELL on 2026-03-01.";
    let whole =
        format!("You can’t delete this transaction, because others depend on it. Deleting it would cause this problem: {reason}");
    assert_eq!(problems(entries::remove(&world.app, world.ana, bought).await), [("entry", whole)]);
    let less = buy("2026-01-05", "WELL", "7", "20");
    let reason = "This change conflicts with another transaction: You only held 7 WELL on 2026-03-01.";
    assert_eq!(problems(entries::edit(&world.app, world.ana, bought, &less).await), [("shares", reason.to_owned())]);
    let elsewhere = buy("2026-01-05", "BROOK.MC", "10", "20");
    assert_eq!(problems(entries::edit(&world.app, world.ana, bought, &elsewhere).await).len(), 1, "it is missed where it was");
    entries::remove(&world.app, world.ana, sold).await.unwrap();
    entries::remove(&world.app, world.ana, bought).await.unwrap();
    assert_eq!(entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().total, 0);
}

#[tokio::test]
async fn an_edited_entry_is_recognised_when_its_file_is_imported_again() {
    let world = World::new().await;
    let file = b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n";
    let request = import::Request {
        user_id: world.ana,
        file_name: "l.csv",
        bytes: import::FileBytes::Plain(file),
        ..import::Request::default()
    };
    let first = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    let row = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows.remove(0);
    let changed = Draft { shares: Some(dec("11")), note: Some(" mistyped ".to_owned()), ..row.draft() };
    entries::edit(&world.app, world.ana, row.entry.sequence, &changed).await.unwrap();
    let after = entries::one(&world.app, world.ana, row.entry.sequence).await.unwrap().unwrap().entry;
    assert_eq!((after.shares, after.note.as_deref()), (Some(dec("11")), Some("mistyped")));
    assert_eq!((&after.identity, &after.source, after.import_id), (&row.entry.identity, &row.entry.source, first.id));
    let again = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!((again.new, again.existing), (0, 1));
}

#[tokio::test]
async fn two_equal_manual_entries_are_both_kept_and_recognised_in_an_export() {
    let world = World::new().await;
    for _ in 0..2 {
        entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    }
    let file = export::ledger_file(&world.app, world.ana).await.unwrap();
    let request = import::Request {
        user_id: world.ana,
        file_name: "l.csv",
        bytes: import::FileBytes::Plain(&file),
        ..import::Request::default()
    };
    let report = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!((report.rows, report.new, report.existing), (2, 0, 2), "{:?}", report.errors);
}

#[tokio::test]
async fn a_dividend_of_which_only_the_net_is_known_has_no_gross() {
    let world = World::new().await;
    let net = Draft { net: Some(dec("8.50")), ..draft(Kind::Dividend, "2026-02-01", "WELL") };
    let sequence = entries::add(&world.app, world.ana, &net).await.unwrap();
    let row = entries::one(&world.app, world.ana, sequence).await.unwrap().unwrap();
    assert_eq!((row.entry.gross_known, row.amount().unwrap().recorded_text()), (false, "8.50".to_owned()));
}

/// 10 × 0.50 = 5.00; 5.00 − 0.75 − 0.10 = 4.15. From the net: 4.15 + 0.75 + 0.10 = 5.00.
#[tokio::test]
async fn the_fees_of_a_dividend_are_taken_from_its_net() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    let paid = draft(Kind::Dividend, "2026-03-02", "WELL");
    let taken = Draft { tax: Some(dec("0.75")), fees: Some(dec("0.10")), ..paid.clone() };
    let per_share = Draft { shares: Some(dec("10")), price: Some(dec("0.50")), ..taken.clone() };
    let from_net = Draft { net: Some(dec("4.15")), ..taken.clone() };
    for draft in [&per_share, &Draft { amount: Some(dec("5")), ..taken.clone() }, &from_net] {
        let checked = entries::check(&world.app, world.ana, None, draft).await.unwrap();
        let money = [checked.amount, checked.net].map(|money| money.unwrap().recorded_text());
        assert_eq!((texts(&checked.problems), money), (vec![], ["5.00", "4.15"].map(str::to_owned)), "{draft:?}");
    }
    entries::add(&world.app, world.ana, &from_net).await.unwrap();
    let listed = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap();
    assert_eq!(listed.rows[0].amount().unwrap().recorded_text(), "5.00");
    let twin = entries::check(&world.app, world.ana, None, &per_share).await.unwrap();
    assert!(matches!(twin.doubts[..], [entries::Doubt::Duplicate { .. }]), "{:?}", twin.doubts);
    let net_only = Draft { net: Some(dec("4.15")), ..paid };
    let checked = entries::check(&world.app, world.ana, None, &net_only).await.unwrap();
    assert_eq!((checked.amount, checked.net.unwrap().recorded_text().as_str()), (None, "4.15"), "no gross is invented");
}

/// Today is 15 November 2026.
#[tokio::test]
async fn a_dividend_of_a_later_day_is_not_paid_yet() {
    let world = World::new().await;
    let market = "symbol,ex_date,amount\nWELL,2026-02-10,0.4\n".to_owned();
    app::market::load_texts(&world.app, &[("dividends.csv", market)]).await.unwrap();
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    for (day, amount) in [("2026-11-15", "5"), ("2026-11-16", "7")] {
        let paid = Draft { amount: Some(dec(amount)), ..draft(Kind::Dividend, day, "WELL") };
        entries::add(&world.app, world.ana, &paid).await.unwrap();
    }
    // 5 ÷ 1.25
    let received = |world: &World| (world.app.clone(), world.ana, world.app.clock.today());
    let (app, ana, today) = received(&world);
    let all = app::income::received::received(&app, ana, None, today).await.unwrap();
    assert_eq!(all.all_time.net.amount.normalize(), dec("4"));
    assert_eq!((all.years.len(), all.by_stock[0].total.net.amount.normalize()), (1, dec("4")));
    let listed = app::income::dividends::list(&app, ana, &Default::default()).await.unwrap();
    assert_eq!(listed.iter().map(|one| one.amount.recorded_text()).collect::<Vec<_>>(), ["5.00"]);
    let compared = app::income::expected::compare(&app, ana, None).await.unwrap();
    assert_eq!(compared.extra.iter().map(|one| one.date.to_string()).collect::<Vec<_>>(), ["2026-11-15"]);
    let world = world.later("2026-11-16T12:00:00Z");
    let (app, ana, today) = received(&world);
    // 12 ÷ 1.25
    assert_eq!(
        app::income::received::received(&app, ana, None, today).await.unwrap().all_time.net.amount.normalize(),
        dec("9.6")
    );
    assert_eq!(app::income::dividends::list(&app, ana, &Default::default()).await.unwrap().len(), 2);
}

fn asked(kind: Kind, day: &str) -> entries::Asked {
    let date = day.parse().unwrap();
    entries::Asked { kind, symbol: "well".to_owned(), portfolio: String::new(), date, ex_date: None, currency: None }
}

async fn load(world: &World, files: &[(&'static str, &str)]) {
    let files: Vec<(&str, String)> = files.iter().map(|(name, rows)| (*name, (*rows).to_owned())).collect();
    app::market::load_texts(&world.app, &files).await.unwrap();
}

async fn price(world: &World, day: &str) -> Option<(ledger::Decimal, jiff::civil::Date)> {
    entries::defaults(&world.app, world.ana, &asked(Kind::Buy, day)).await.unwrap().price
}

/// Closes are adjusted for the split of June; the purchase in May was before it.
#[tokio::test]
async fn the_price_of_a_day_is_the_one_before_later_splits() {
    let world = World::new().await;
    let closes = "symbol,date,close\nWELL,2026-05-29,20.5\nWELL,2026-06-02,21\n";
    load(&world, &[("prices.csv", closes), ("splits.csv", "symbol,date,ratio\nWELL,2026-06-01,4:1\n")]).await;
    assert_eq!(price(&world, "2026-05-31").await, Some((dec("82"), date(2026, 5, 29))));
    assert_eq!(price(&world, "2026-06-01").await, Some((dec("20.5"), date(2026, 5, 29))), "per new share");
    assert_eq!(price(&world, "2026-06-02").await, Some((dec("21"), date(2026, 6, 2))));
    assert_eq!(price(&world, "2026-06-10").await, None, "older than a week");
    let in_euros = entries::Asked { currency: Some(ledger::Currency::EUR), ..asked(Kind::Buy, "2026-06-02") };
    assert_eq!(entries::defaults(&world.app, world.ana, &in_euros).await.unwrap().price, None, "it is in dollars");
}

/// Today is 15 November 2026: no close is adjusted for the split of December yet.
#[tokio::test]
async fn an_announced_split_does_not_change_the_price_of_a_day() {
    let world = World::new().await;
    let closes = "symbol,date,close\nWELL,2026-11-13,82\n";
    load(&world, &[("prices.csv", closes), ("splits.csv", "symbol,date,ratio\nWELL,2026-12-01,4:1\n")]).await;
    assert_eq!(price(&world, "2026-11-14").await, Some((dec("82"), date(2026, 11, 13))));
}

/// 82 ÷ 4.
#[tokio::test]
async fn a_quote_from_before_a_split_becomes_one_per_new_share() {
    let world = World::new().await;
    let quote = "symbol,currency,price,price_as_of\nWELL,USD,82,2026-11-11T20:00:00Z\n";
    load(&world, &[("stocks.csv", quote), ("splits.csv", "symbol,date,ratio\nWELL,2026-11-12,4:1\n")]).await;
    assert_eq!(price(&world, "2026-11-11").await, Some((dec("82"), date(2026, 11, 11))));
    assert_eq!(price(&world, "2026-11-12").await, Some((dec("20.5"), date(2026, 11, 11))));
}

/// 10 × 4: a payment on the day of a split is per new share. A purchase of that day comes too late.
#[tokio::test]
async fn the_shares_of_a_dividend_are_those_after_a_split_on_its_ex_date() {
    let world = World::new().await;
    load(&world, &[("splits.csv", "symbol,date,ratio\nWELL,2026-06-01,4:1\n")]).await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    entries::add(&world.app, world.ana, &buy("2026-06-01", "WELL", "1", "20")).await.unwrap();
    let shares = async |ex_date: &str| {
        let asked = entries::Asked { ex_date: Some(ex_date.parse().unwrap()), ..asked(Kind::Dividend, "2026-06-15") };
        entries::defaults(&world.app, world.ana, &asked).await.unwrap().shares
    };
    assert_eq!(shares("2026-05-31").await, Some(dec("10")));
    assert_eq!(shares("2026-06-01").await, Some(dec("40")));
    assert_eq!(shares("2026-06-02").await, Some(dec("41")));
}
