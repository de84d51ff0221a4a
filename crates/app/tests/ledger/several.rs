//! Several entries moved or deleted together, and deletions undone.

use std::io::Read;

use app::accounts::{archive, audit};
use app::automatic::{self, Automatic};
use app::entries::{self, Changed, Doubt, Draft, Entry, Filter, Kind, Reinvested, Selection, list_file};
use app::{Error, import, portfolios};

use crate::world::{World, buy, dec, draft, problems, sell};

async fn world() -> World {
    let world = World::new().await;
    portfolios::add(&world.app, world.ana, "Main", false).await.unwrap();
    portfolios::add(&world.app, world.ana, "Other", false).await.unwrap();
    world
}

async fn add(world: &World, draft: &Draft) -> i64 {
    entries::add(&world.app, world.ana, draft).await.unwrap()
}

async fn all(world: &World) -> Vec<Entry> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    rows.into_iter().map(|row| row.entry).collect()
}

/// Portfolio, day, type and source of each entry, newest first.
async fn lines(world: &World) -> Vec<String> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let line = |row: entries::Row| format!("{} {} {} {}", row.portfolio, row.entry.date, row.entry.kind.word(), row.entry.source);
    rows.into_iter().map(line).collect()
}

fn these(sequences: &[i64]) -> Selection {
    Selection::These(sequences.to_vec())
}

async fn moved(world: &World, selection: &Selection, to: &str) -> Result<Changed, Error> {
    entries::move_all(&world.app, world.ana, selection, to, <[Doubt]>::is_empty).await
}

async fn removed(world: &World, selection: &Selection) -> Result<Changed, Error> {
    entries::remove_all(&world.app, world.ana, selection, <[Doubt]>::is_empty).await
}

async fn undone(world: &World) -> Result<usize, Error> {
    let last = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap();
    entries::undo_deletion(&world.app, world.ana, last.deletion_id).await
}

fn code(result: Result<impl std::fmt::Debug, Error>) -> &'static str {
    result.unwrap_err().code()
}

async fn shares(world: &World, portfolio: &str) -> Option<ledger::Decimal> {
    let found = app::portfolios::holdings::list(&world.app, world.ana, Some(portfolio)).await.unwrap();
    found.into_iter().map(|holding| holding.shares).next()
}

#[tokio::test]
async fn entries_move_together_although_one_alone_could_not() {
    let world = world().await;
    let bought = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let sold = add(&world, &sell("2026-03-02", "WELL", "4", "30")).await;
    let before = all(&world).await;
    let version = world.version(world.ana).await;
    let reason = "This change conflicts with another transaction: You held no WELL on 2026-03-02.";
    assert_eq!(problems(moved(&world, &these(&[bought]), "Other").await), [("portfolio", reason.to_owned())]);
    let reason = "You held no WELL on 2026-03-02.";
    assert_eq!(problems(moved(&world, &these(&[sold]), "Other").await), [("portfolio", reason.to_owned())]);
    assert_eq!(code(moved(&world, &these(&[bought]), "Nowhere").await), "bad_entry");
    assert_eq!((all(&world).await, world.version(world.ana).await), (before.clone(), version), "nothing was changed");
    assert_eq!(moved(&world, &these(&[bought, sold]), "other").await.unwrap(), Changed::Done(2));
    assert_eq!(world.version(world.ana).await, version + 1);
    assert_eq!((shares(&world, "Main").await, shares(&world, "Other").await), (None, Some(dec("6"))));
    let after = all(&world).await;
    let other = after[0].portfolio_id;
    let expected: Vec<Entry> = before.into_iter().map(|entry| Entry { portfolio_id: other, ..entry }).collect();
    assert_eq!(after, expected, "only the portfolio differs");
}

#[tokio::test]
async fn a_move_that_doubles_an_entry_is_asked_about_or_refused() {
    let world = world().await;
    let one = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let twin = add(&world, &Draft { portfolio: "Other".to_owned(), ..buy("2026-01-05", "WELL", "10", "20") }).await;
    let doubted = Changed::Doubted(vec![Doubt::Duplicate { sequence: twin }]);
    assert_eq!(moved(&world, &these(&[one]), "Other").await.unwrap(), doubted);
    assert_eq!(shares(&world, "Main").await, Some(dec("10")));
    let file = b"date,type,symbol,shares,price,currency\n2026-02-05,buy,WELL,1,20,USD\n";
    for portfolio in ["Main", "Other"] {
        let request = import::Request {
            user_id: world.ana,
            file_name: "l.csv",
            bytes: import::FileBytes::Plain(file),
            portfolio: Some(portfolio),
            ..import::Request::default()
        };
        import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    }
    let rows = entries::list(&world.app, world.ana, &Filter { portfolio: Some("Main".to_owned()), ..Filter::default() })
        .await
        .unwrap()
        .rows;
    let imported = rows.iter().find(|row| row.entry.import_id.is_some()).unwrap().entry.sequence;
    let result = entries::move_all(&world.app, world.ana, &these(&[imported]), "Other", |_| true).await;
    assert_eq!(problems(result), [("portfolio", "That portfolio already has this transaction.".to_owned())]);
    assert_eq!(all(&world).await.iter().filter(|entry| entry.import_id.is_some()).count(), 2);
}

#[tokio::test]
async fn everything_that_a_filter_lists_is_selected_as_long_as_the_list_stays_the_same() {
    let world = world().await;
    for day in ["2026-01-05", "2026-01-06", "2026-01-07"] {
        add(&world, &buy(day, "WELL", "1", "20")).await;
    }
    add(&world, &buy("2026-01-08", "BROOK.MC", "1", "20")).await;
    let of_well =
        |count| Selection::Matching { filter: Box::new(Filter { symbol: Some("WELL".to_owned()), ..Filter::default() }), count };
    assert_eq!(code(removed(&world, &of_well(2)).await), "entry_list_changed");
    assert_eq!(code(removed(&world, &these(&[])).await), "no_entry_selected");
    assert_eq!(removed(&world, &of_well(3)).await.unwrap(), Changed::Done(3));
    assert_eq!(lines(&world).await, ["Main 2026-01-08 buy manual"]);
}

#[tokio::test]
async fn another_users_entries_are_neither_moved_deleted_nor_restored() {
    let world = world().await;
    let bought = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    entries::add(&world.app, world.ben, &Draft { portfolio: String::new(), ..buy("2026-01-05", "WELL", "1", "20") })
        .await
        .unwrap();
    let gone = add(&world, &buy("2026-01-06", "WELL", "1", "20")).await;
    removed(&world, &these(&[gone])).await.unwrap();
    let last = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap();
    let before = all(&world).await;
    let (app, ben) = (&world.app, world.ben);
    // Ben's only entry has the first sequence, as has Ana's.
    assert_eq!(code(entries::remove_all(app, ben, &these(&[gone]), |_| true).await), "no_entry_selected");
    assert_eq!(code(entries::move_all(app, ben, &these(&[bought]), "Other", |_| true).await), "bad_entry");
    assert_eq!(code(entries::undo_deletion(app, ben, last.deletion_id).await), "entry_not_restorable");
    assert_eq!(entries::last_deletion(app, ben).await.unwrap(), None);
    assert_eq!(all(&world).await, before);
}

#[tokio::test]
async fn a_deletion_is_undone_exactly_even_after_a_restart() {
    let world = world().await;
    let bought = add(&world, &Draft { note: Some("a gift".to_owned()), ..buy("2026-01-05", "WELL", "10", "20.50") }).await;
    let sold = add(&world, &sell("2026-03-02", "WELL", "4", "30")).await;
    add(&world, &buy("2026-01-05", "BROOK.MC", "1", "2")).await;
    let before = all(&world).await;
    let version = world.version(world.ana).await;
    assert_eq!(removed(&world, &these(&[bought, sold])).await.unwrap(), Changed::Done(2));
    assert_eq!((shares(&world, "Main").await, all(&world).await.len()), (Some(dec("1")), 1));
    let world = world.later("2026-11-16T11:59:00Z");
    assert_eq!(undone(&world).await.unwrap(), 2);
    assert_eq!(all(&world).await, before);
    assert_eq!(world.version(world.ana).await, version + 2);
    assert_eq!(entries::last_deletion(&world.app, world.ana).await.unwrap(), None, "once");
}

#[tokio::test]
async fn only_the_last_deletion_of_the_last_24_hours_can_be_undone() {
    let world = world().await;
    let first = add(&world, &buy("2026-01-05", "WELL", "1", "20")).await;
    let second = add(&world, &buy("2026-01-06", "WELL", "1", "20")).await;
    removed(&world, &these(&[first])).await.unwrap();
    let older = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap().deletion_id;
    removed(&world, &these(&[second])).await.unwrap();
    let last = entries::last_deletion(&world.app, world.ana).await.unwrap().unwrap().deletion_id;
    assert_eq!(code(entries::undo_deletion(&world.app, world.ana, older).await), "entry_not_restorable");
    // A new entry does not take the place of one that could come back.
    assert!(add(&world, &buy("2026-01-07", "WELL", "1", "20")).await > second);
    let world = world.later("2026-11-16T12:00:01Z");
    assert_eq!(entries::last_deletion(&world.app, world.ana).await.unwrap(), None);
    assert_eq!(code(entries::undo_deletion(&world.app, world.ana, last).await), "entry_not_restorable");
}

#[tokio::test]
async fn an_undo_that_has_become_impossible_is_refused_with_the_reason() {
    let world = world().await;
    let bought = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let sold = add(&world, &sell("2026-03-02", "WELL", "10", "30")).await;
    removed(&world, &these(&[sold])).await.unwrap();
    add(&world, &sell("2026-04-02", "WELL", "4", "30")).await;
    let reason = "This change conflicts with another transaction: You held no WELL on 2026-04-02.";
    assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
    assert_eq!(all(&world).await.len(), 2);

    let elsewhere = add(&world, &Draft { portfolio: "Other".to_owned(), ..buy("2026-01-05", "WELL", "1", "20") }).await;
    removed(&world, &these(&[elsewhere])).await.unwrap();
    portfolios::delete(&world.app, world.ana, "Other").await.unwrap();
    let reason = "You can’t undo this deletion, because a portfolio of these transactions was deleted.";
    assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
    assert_eq!(entries::one(&world.app, world.ana, bought).await.unwrap().unwrap().portfolio, "Main");
}

#[tokio::test]
async fn an_imported_entry_comes_back_with_its_import_unless_that_was_undone() {
    let world = world().await;
    let file = b"date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,10,20,USD\n2026-01-06,buy,WELL,1,20,USD\n";
    let request = import::Request {
        user_id: world.ana,
        file_name: "l.csv",
        bytes: import::FileBytes::Plain(file),
        ..import::Request::default()
    };
    let report = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    let before = all(&world).await;
    removed(&world, &these(&[before[0].sequence])).await.unwrap();
    undone(&world).await.unwrap();
    assert_eq!(all(&world).await, before);
    removed(&world, &these(&[before[0].sequence])).await.unwrap();
    import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    let reason = "That portfolio already has this transaction.";
    assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
    removed(&world, &these(&[before[1].sequence])).await.unwrap();
    import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap();
    let reason = "You can’t undo this deletion, because the import of these transactions was undone.";
    assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
}

const KEPT: &str = "date,type,isin,shares,price,amount,net,currency,reinvests
2026-01-05,buy,US1912161007,10,20,,,USD,
2026-01-06,buy,US1912161007,5,20,,,USD,
2026-03-02,dividend,US1912161007,,,10.00,8.50,USD,
2026-03-03,buy,US1912161007,0.25,34,,,USD,2026-03-02
";

async fn kept(world: &World) {
    let bytes = import::FileBytes::Plain(KEPT.as_bytes());
    let request =
        import::Request { user_id: world.ana, file_name: "l.csv", bytes, keep_unresolved: true, ..import::Request::default() };
    let report = import::import(&world.app, &request, &|_, _, _| {}).await.unwrap();
    assert_eq!(report.errors, []);
}

/// Ten shares, or a dividend and its purchase: they come back as what the rest is called by then.
#[tokio::test]
async fn what_was_deleted_is_matched_with_the_rest_of_its_security() {
    for (deleted, count) in [("2026-01-05", 1), ("2026-03-02", 2), ("2026-03-03", 1)] {
        let world = world().await;
        kept(&world).await;
        let gone: Vec<i64> =
            all(&world).await.into_iter().filter(|entry| entry.date.to_string() == deleted).map(|entry| entry.sequence).collect();
        assert_eq!(removed(&world, &these(&gone)).await.unwrap(), Changed::Done(count));
        import::map(&world.app, world.ana, &[("US1912161007".to_owned(), "WELL".to_owned())]).await.unwrap();
        assert_eq!(undone(&world).await.unwrap(), count);
        assert!(all(&world).await.iter().all(|entry| entry.symbol == "WELL"), "{deleted}");
        assert_eq!(shares(&world, "Main").await, Some(dec("15.25")));
        assert_eq!(reinvested_on(&world, "2026-03-02").await.len(), 2, "{deleted}");
        let before = all(&world).await;
        kept(&world).await;
        assert_eq!(all(&world).await, before, "the file has nothing new");
    }
}

#[tokio::test]
async fn what_was_imported_again_after_a_match_does_not_come_back_twice() {
    let world = world().await;
    kept(&world).await;
    let gone = all(&world).await.into_iter().find(|entry| entry.shares == Some(dec("10"))).unwrap().sequence;
    removed(&world, &these(&[gone])).await.unwrap();
    import::map(&world.app, world.ana, &[("US1912161007".to_owned(), "WELL".to_owned())]).await.unwrap();
    kept(&world).await;
    assert_eq!(shares(&world, "Main").await, Some(dec("15.25")));
    let reason = "That portfolio already has this transaction.";
    assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
}

const DIVIDENDS: &str = "symbol,ex_date,pay_date,amount,currency,kind
WELL,2026-02-10,2026-02-27,0.50,USD,
WELL,2026-05-12,2026-05-29,0.50,USD,
";

/// Ten shares, whose two payments were recorded automatically; the first of them is confirmed.
async fn recording() -> World {
    let world = world().await;
    app::market::load_texts(&world.app, &[("dividends.csv", DIVIDENDS.to_owned())]).await.unwrap();
    add(&world, &buy("2026-01-05", "WELL", "10", "35")).await;
    for portfolio in ["Main", "Other"] {
        automatic::set_mode(&world.app, world.ana, portfolio, Automatic::Record).await.unwrap();
    }
    let first = all(&world).await.into_iter().find(|entry| entry.date.to_string() == "2026-02-27").unwrap();
    automatic::confirm(&world.app, world.ana, &[first.sequence]).await.unwrap();
    world
}

const RECORDED: [&str; 3] = ["2026-05-29 dividend automatic:estimated", "2026-02-27 dividend automatic", "2026-01-05 buy manual"];

fn at(portfolio: &str) -> Vec<String> {
    RECORDED.iter().map(|line| format!("{portfolio} {line}")).collect()
}

#[tokio::test]
async fn automatic_dividends_follow_the_shares_they_are_for() {
    let world = recording().await;
    assert_eq!(lines(&world).await, at("Main"));
    let bought = all(&world).await.into_iter().find(|entry| entry.kind == Kind::Buy).unwrap().sequence;
    assert_eq!(moved(&world, &these(&[bought]), "Other").await.unwrap(), Changed::Done(1));
    assert_eq!(lines(&world).await, at("Other"));
    let everything = Selection::Matching { filter: Box::default(), count: 3 };
    assert_eq!(moved(&world, &everything, "Main").await.unwrap(), Changed::Done(3));
    assert_eq!(lines(&world).await, at("Main"));
    let one = add(&world, &Draft { portfolio: "Other".to_owned(), ..buy("2026-01-06", "WELL", "1", "35") }).await;
    assert_eq!(moved(&world, &these(&[one, bought]), "Main").await.unwrap(), Changed::Done(1), "the other one is there");
}

#[tokio::test]
async fn an_automatic_dividend_that_moves_without_its_shares_is_recorded_by_hand() {
    let world = recording().await;
    let paid = all(&world).await[0].sequence;
    let doubted = moved(&world, &these(&[paid]), "Other").await.unwrap();
    assert!(matches!(&doubted, Changed::Doubted(doubts) if matches!(doubts[..], [Doubt::NothingHeld { .. }])), "{doubted:?}");
    entries::move_all(&world.app, world.ana, &these(&[paid]), "Other", |_| true).await.unwrap();
    let expected = ["Other 2026-05-29 dividend manual", "Main 2026-02-27 dividend automatic", "Main 2026-01-05 buy manual"];
    assert_eq!(lines(&world).await, expected, "and it is not recorded again");
}

#[tokio::test]
async fn undoing_the_deletion_of_automatic_dividends_forgets_that_they_are_ignored() {
    let world = recording().await;
    let before = all(&world).await;
    let paid: Vec<i64> = before.iter().filter(|entry| entry.kind == Kind::Dividend).map(|entry| entry.sequence).collect();
    assert_eq!(removed(&world, &these(&paid)).await.unwrap(), Changed::Done(2));
    automatic::record_due(&world.app).await.unwrap();
    assert_eq!(lines(&world).await, ["Main 2026-01-05 buy manual"]);
    assert_eq!(automatic::suggestions(&world.app, world.ana, None).await.unwrap().ignored.len(), 2);
    assert_eq!(undone(&world).await.unwrap(), 2);
    assert_eq!(all(&world).await, before);
    assert_eq!(automatic::suggestions(&world.app, world.ana, None).await.unwrap().ignored.len(), 0);
    automatic::record_due(&world.app).await.unwrap();
    assert_eq!(all(&world).await, before, "and they stay");
}

/// The dividend of May, with its gross amount.
async fn of_may(world: &World) -> Vec<(i64, String)> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows.into_iter();
    let paid = rows.filter(|row| row.entry.kind == Kind::Dividend && row.entry.date.to_string() == "2026-05-29");
    paid.map(|row| (row.entry.sequence, row.amount().unwrap().recorded_text())).collect()
}

/// Asks for the ignored payments again, and corrects the one of May.
async fn recorded_again(world: &World, amount: &str) {
    let ignored = automatic::suggestions(&world.app, world.ana, None).await.unwrap().ignored;
    let keys: Vec<automatic::Key> = ignored.iter().map(|one| one.key.clone()).collect();
    automatic::unignore(&world.app, world.ana, &keys).await.unwrap();
    let estimated = of_may(world).await[0].0;
    let row = entries::one(&world.app, world.ana, estimated).await.unwrap().unwrap();
    let right = Draft { amount: Some(dec(amount)), price: None, shares: None, tax: None, net: None, ..row.draft() };
    entries::edit(&world.app, world.ana, estimated, &right).await.unwrap();
}

#[tokio::test]
async fn undo_never_replaces_a_dividend_that_was_recorded_since() {
    for confirmed in [false, true] {
        let world = recording().await;
        if confirmed {
            automatic::confirm(&world.app, world.ana, &[of_may(&world).await[0].0]).await.unwrap();
        }
        let paid = of_may(&world).await;
        assert_eq!(paid[0].1, "5.00");
        removed(&world, &these(&[paid[0].0])).await.unwrap();
        recorded_again(&world, "6").await;
        let before = all(&world).await;
        match confirmed {
            false => {
                let reason = "That portfolio already has this transaction.";
                assert_eq!(problems(undone(&world).await), [("entry", reason.to_owned())]);
            }
            // It has the identity of the one that was deleted.
            true => assert_eq!(undone(&world).await.unwrap(), 1),
        }
        automatic::record_due(&world.app).await.unwrap();
        assert_eq!(all(&world).await, before);
        let [(_, amount)] = of_may(&world).await.try_into().unwrap();
        assert_eq!(amount, "6.00");
    }
}

fn at_price(price: &str) -> Reinvested {
    Reinvested::Yes { shares: None, price: Some(dec(price)) }
}

/// The dividend of a day and the purchases that reinvest it, each with its portfolio.
async fn reinvested_on(world: &World, day: &str) -> Vec<String> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let dividend = rows.into_iter().find(|row| row.entry.kind == Kind::Dividend && row.entry.date.to_string() == day).unwrap();
    let mut both = vec![dividend.clone()];
    both.extend(entries::purchases(&world.app, world.ana, &dividend).await.unwrap());
    both.iter().map(|row| format!("{} {} {}", row.portfolio, row.entry.kind.word(), row.entry.source)).collect()
}

#[tokio::test]
async fn a_dividend_takes_the_purchase_that_reinvests_it_along() {
    let world = world().await;
    for portfolio in ["Main", "Other"] {
        add(&world, &Draft { portfolio: portfolio.to_owned(), ..buy("2026-01-05", "WELL", "10", "35") }).await;
    }
    let paid = Draft { amount: Some(dec("8.50")), reinvested: at_price("34"), ..draft(Kind::Dividend, "2026-03-02", "WELL") };
    let paid = add(&world, &paid).await;
    let before = all(&world).await;
    let mut file = list_file::of_selection(&world.app, world.ana, &these(&[paid])).await.unwrap().file;
    let mut rows = String::new();
    file.read_to_string(&mut rows).unwrap();
    assert_eq!(rows.lines().filter(|row| row.contains(",WELL,")).count(), 2, "{rows}");
    assert_eq!(removed(&world, &these(&[paid])).await.unwrap(), Changed::Done(2));
    assert_eq!(all(&world).await.len(), 2);
    assert_eq!(undone(&world).await.unwrap(), 2);
    assert_eq!(all(&world).await, before);
    assert_eq!(moved(&world, &these(&[paid]), "Other").await.unwrap(), Changed::Done(2));
    assert_eq!(reinvested_on(&world, "2026-03-02").await, ["Other dividend manual", "Other buy manual"]);
}

#[tokio::test]
async fn a_reinvested_automatic_dividend_that_is_recorded_by_hand_keeps_its_purchase() {
    let world = recording().await;
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let changed = Draft { reinvested: at_price("34"), ..rows[0].draft() };
    entries::edit(&world.app, world.ana, rows[0].entry.sequence, &changed).await.unwrap();
    assert_eq!(reinvested_on(&world, "2026-05-29").await, ["Main dividend automatic", "Main buy manual"]);
    let paid = all(&world).await.into_iter().find(|entry| entry.date == rows[0].entry.date && entry.kind == Kind::Dividend);
    entries::move_all(&world.app, world.ana, &these(&[paid.unwrap().sequence]), "Other", |_| true).await.unwrap();
    assert_eq!(reinvested_on(&world, "2026-05-29").await, ["Other dividend manual", "Other buy manual"]);
}

#[tokio::test]
async fn exported_lists_are_recorded_and_limited_apart_from_exports_of_everything() {
    let world = world().await;
    let bought = add(&world, &buy("2026-01-05", "WELL", "10", "20")).await;
    let selection = these(&[bought]);
    let (app, ana) = (&world.app, world.ana);
    for _ in 1..list_file::A_DAY_MAX {
        list_file::of_filter(app, ana, &Filter::default()).await.unwrap();
    }
    list_file::of_selection(app, ana, &selection).await.unwrap();
    assert_eq!(code(list_file::of_selection(app, ana, &selection).await.map(drop)), "too_many_exports");
    assert_eq!(code(list_file::of_filter(app, ana, &Filter::default()).await.map(drop)), "too_many_exports");
    list_file::of_filter(app, world.ben, &Filter::default()).await.unwrap();
    archive::everything(app, ana, "").await.unwrap();
    let activity = audit::list(app, ana, 100).await.unwrap();
    assert_eq!(activity.iter().filter(|one| one.event == "transactions_exported").count(), list_file::A_DAY_MAX);
    let world = world.later("2026-11-16T12:00:00Z");
    list_file::of_filter(&world.app, world.ana, &Filter::default()).await.unwrap();
}
