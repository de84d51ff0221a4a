//! Opening positions that an import adds by itself, rows that it leaves out, and the recommended answers.

use app::entries::{self, Draft, Filter, Kind};
use app::import::staged::{self, Answers};
use app::import::{self, Becomes, Describe, FileBytes, Report, Request};
use app::portfolios::holdings;

use crate::world::{World, buy, dec, problems};

/// Of 10 shares, 15 and then 2 are sold at 25: 7 are missing. Of 4 shares, 3 are left.
const OVERSOLD: &str = "date,type,symbol,shares,price,currency\n\
    2026-01-05,buy,WELL,10,20,USD\n\
    2026-02-02,sell,WELL,15,25,USD\n\
    2026-03-02,sell,WELL,2,26,USD\n\
    2026-03-03,buy,WELL,4,30,USD\n\
    2026-03-04,sell,BROOK.MC,3,10,EUR\n";

async fn run(world: &World, text: &str, with: Request<'_>) -> Report {
    let request = Request { user_id: world.ana, file_name: "file.csv", bytes: FileBytes::Plain(text.as_bytes()), ..with };
    import::import(&world.app, &request, &|_, _, _| {}).await.unwrap()
}

fn opened(report: &Report) -> Vec<(u64, String, String, String, bool)> {
    let text = |(line, one): &(u64, Becomes)| {
        let (shares, cost) = (one.shares.unwrap().to_string(), one.amount.unwrap().amount.normalize().to_string());
        (*line, format!("{} {}", one.symbol, one.date), shares, cost, one.cost_known)
    };
    report.openings.iter().map(text).collect()
}

#[tokio::test]
async fn missing_shares_are_opened_the_day_before_at_the_price_of_the_sale() {
    let world = World::new().await;
    let report = run(&world, OVERSOLD, Request { open_missing: true, ..Request::default() }).await;
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    // 7 × 25, and 3 × 10.
    let well = (3, "WELL 2026-01-04".to_owned(), "7".to_owned(), "175".to_owned(), false);
    let brook = (6, "BROOK.MC 2026-03-03".to_owned(), "3".to_owned(), "30".to_owned(), false);
    assert_eq!(opened(&report), [well, brook]);
    assert_eq!((report.rows, report.new, report.entries), (5, 5, 7));
    let held = holdings::list(&world.app, world.ana, None).await.unwrap();
    // All 17 were sold, so the 4 bought later have a known cost.
    assert_eq!(held.iter().map(|one| (one.symbol.as_str(), one.cost_known)).collect::<Vec<_>>(), [("WELL", true)]);
    assert_eq!(held[0].average_cost.amount, dec("30"));

    let again = run(&world, OVERSOLD, Request { open_missing: true, ..Request::default() }).await;
    assert_eq!((again.existing, again.entries, again.openings.len()), (5, 0, 0));
    let undone = import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap();
    assert_eq!(undone.entries, 7);
}

#[tokio::test]
async fn an_average_that_includes_an_opening_position_says_that_its_cost_is_unknown() {
    let world = World::new().await;
    let file = "date,type,symbol,shares,price,currency\n\
        2026-02-02,sell,WELL,5,25,USD\n\
        2026-02-03,buy,WELL,1,10,USD\n\
        2026-02-04,sell,WELL,2,20,USD\n\
        2026-02-05,buy,WELL,3,40,USD\n";
    // 5 at first, and one more later: 6 × 25.
    let report = run(&world, file, Request { open_missing: true, ..Request::default() }).await;
    assert_eq!(opened(&report), [(2, "WELL 2026-02-01".to_owned(), "6".to_owned(), "150".to_owned(), false)]);
    let held = holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!((held[0].shares, held[0].average_cost.amount, held[0].cost_known), (dec("3"), dec("40"), true));
    let more = "date,type,symbol,shares,price,currency\n2026-02-06,sell,BROOK.MC,1,10,EUR\n2026-02-01,buy,BROOK.MC,1,8,EUR\n\
        2026-02-07,sell,BROOK.MC,1,12,EUR\n2026-02-02,transfer_out,BROOK.MC,1,9,EUR\n";
    let report = run(&world, more, Request { open_missing: true, ..Request::default() }).await;
    // 1 − 1 − 1 − 1; the first row that lacks a share is the sale at 10.
    assert_eq!(opened(&report), [(2, "BROOK.MC 2026-01-31".to_owned(), "2".to_owned(), "20".to_owned(), false)]);
}

#[tokio::test]
async fn a_split_after_the_opening_scales_the_price_of_the_sale() {
    let world = World::new().await;
    let file = "date,type,symbol,shares,price,currency,ratio\n\
        2026-02-02,split,WELL,,,USD,4:1\n\
        2026-02-03,sell,WELL,8,25,USD,\n";
    // 8 shares after the split are 2 before it, sold for 8 × 25 = 200.
    let report = run(&world, file, Request { open_missing: true, ..Request::default() }).await;
    assert_eq!(opened(&report), [(3, "WELL 2026-02-01".to_owned(), "2".to_owned(), "200".to_owned(), false)]);
}

#[tokio::test]
async fn rows_with_errors_are_left_out_with_their_reason() {
    let world = World::new().await;
    let file = format!("{OVERSOLD}2026-04-01,conversion,WELL,1,1,USD\n");
    let report = run(&world, &file, Request { skip_errors: true, ..Request::default() }).await;
    // Without the sale of 15, the sale of 2 fits.
    let skipped: Vec<(u64, &str)> = report.skips.iter().map(|one| (one.line, one.reason.code())).collect();
    assert_eq!(skipped, [(3, "skipped_by_user"), (6, "skipped_by_user"), (7, "skipped_by_user")]);
    assert_eq!((report.rows, report.new, report.entries, report.skipped_by_user()), (6, 3, 3, 3));
    let held = holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!(held[0].shares, dec("12"));
}

#[tokio::test]
async fn one_bad_row_of_a_thousand_is_listed_and_the_others_are_imported() {
    let world = World::new().await;
    let mut file = "date,type,symbol,shares,price,currency\n".to_owned();
    for row in 0..999 {
        file.push_str(&format!("2026-01-05,buy,WELL,1,{}.50,USD\n", row + 1));
    }
    file.push_str("2026-01-06,conversion,WELL,1,1,USD\n");
    let report = run(&world, &file, Request { skip_errors: true, ..Request::default() }).await;
    assert_eq!((report.rows, report.new, report.skips.len(), report.skips[0].line), (1_000, 999, 1, 1_001));
    assert_eq!(import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap().entries, 999);
}

#[tokio::test]
async fn the_recommended_answers_leave_no_question_open() {
    let world = World::new().await;
    let file = "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id\n\
        04-03-2026,09:10,04-03-2026,HARBOUR LIGHT PLC,GB00HL000013,Sell 10 @ 12 EUR,,EUR,120.00,EUR,120.00,7d0c1f7e-0000-4000-8000-000000000002\n\
        05-03-2026,09:10,05-03-2026,HARBOUR LIGHT PLC,GB00HL000013,Buy ten @ 12 EUR,,EUR,-120.00,EUR,0.00,7d0c1f7e-0000-4000-8000-000000000003\n";
    let id = super::world::put(&world.app, world.ana, "file.csv", file.as_bytes().to_vec()).await.unwrap();
    let planned = Box::pin(staged::plan(&world.app, world.ana, id)).await.unwrap().unwrap();
    assert!(!planned.report.errors.is_empty());
    let recommended = planned.recommended.unwrap();
    assert_eq!((recommended.entries, recommended.openings.len(), recommended.skipped_by_user()), (2, 1, 1));
    Box::pin(staged::answer(&world.app, world.ana, id, Answers::recommended())).await.unwrap();
    let planned = Box::pin(staged::plan(&world.app, world.ana, id)).await.unwrap().unwrap();
    assert!(planned.report.errors.is_empty() && planned.recommended.is_none());
    let done = Box::pin(staged::apply(&world.app, world.ana, id)).await.unwrap().unwrap();
    assert_eq!((done.entries, opened(&done)[0].1.as_str()), (2, "GB00HL000013 2026-03-03"));
}

/// The opening positions in the ledger: date, shares and cost.
async fn recorded(world: &World) -> Vec<(String, String, String)> {
    let all = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let openings = all.iter().map(|row| &row.entry).filter(|entry| entry.kind == Kind::TransferIn);
    let text = |figure: Option<ledger::Decimal>| figure.unwrap().normalize().to_string();
    openings.map(|entry| (entry.date.to_string(), text(entry.shares), text(entry.amount))).collect()
}

async fn shares(world: &World) -> Vec<String> {
    let held = holdings::list(&world.app, world.ana, None).await.unwrap();
    held.iter().map(|one| one.shares.normalize().to_string()).collect()
}

const LATER: &str = "date,type,symbol,shares,price,currency\n2026-03-02,sell,WELL,10,25,USD\n2026-03-03,buy,WELL,4,30,USD\n";

#[tokio::test]
async fn the_earlier_history_replaces_an_opening_position_and_undoing_it_brings_it_back() {
    let world = World::new().await;
    run(&world, LATER, Request { open_missing: true, ..Request::default() }).await;
    let opening = ("2026-03-01".to_owned(), "10".to_owned(), "250".to_owned());
    assert_eq!((recorded(&world).await, shares(&world).await), (vec![opening.clone()], vec!["4".to_owned()]));

    let part = "date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,8,20,USD\n2026-02-05,sell,WELL,1,22,USD\n";
    let dry = run(&world, part, Request { dry_run: true, ..Request::default() }).await;
    let some = run(&world, part, Request::default()).await;
    // 8 − 1 − 10: 3 are still missing, sold for 25 each.
    assert_eq!((dry.reopened.len(), some.reopened[0].before, some.reopened[0].after), (1, dec("10"), dec("3")));
    let smaller = ("2026-01-04".to_owned(), "3".to_owned(), "75".to_owned());
    assert_eq!((recorded(&world).await, shares(&world).await), (vec![smaller.clone()], vec!["4".to_owned()]));

    let rest = "date,type,symbol,shares,price,currency\n2025-12-01,buy,WELL,5,18,USD\n";
    let all = run(&world, rest, Request::default()).await;
    assert_eq!((all.reopened[0].before, all.reopened[0].after), (dec("3"), dec("0")));
    // 5 + 8 − 1 − 10 + 4: two more are held than before.
    assert_eq!((recorded(&world).await, shares(&world).await), (vec![], vec!["6".to_owned()]));

    let undone = import::undo_of(&world.app, world.ana, all.id.unwrap()).await.unwrap();
    assert_eq!((undone.reopened, recorded(&world).await), (1, vec![smaller]));
    let undone = import::undo_of(&world.app, world.ana, some.id.unwrap()).await.unwrap();
    assert_eq!((undone.reopened, recorded(&world).await), (1, vec![opening]));
    assert_eq!(shares(&world).await, ["4"]);
}

#[tokio::test]
async fn what_is_stated_beyond_the_missing_shares_shrinks_by_what_came_before_it() {
    let world = World::new().await;
    let stated = "date,type,symbol,shares,amount,currency,source\n2026-02-01,transfer_in,WELL,100,1000,USD,opening\n";
    run(&world, stated, Request::default()).await;
    let later = "date,type,symbol,shares,price,currency\n2026-03-01,buy,WELL,5,10,USD\n2026-03-02,sell,WELL,1,10,USD\n";
    assert_eq!(run(&world, later, Request::default()).await.reopened, []);
    assert_eq!(shares(&world).await, ["104"]);
    let earlier = "date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,60,12,USD\n";
    let report = run(&world, earlier, Request::default()).await;
    // 60 of the 100 are now in the history; the other 40 keep their average cost of 10.
    assert_eq!((report.reopened[0].before, report.reopened[0].after), (dec("100"), dec("40")));
    assert_eq!(recorded(&world).await, [("2026-02-01".to_owned(), "40".to_owned(), "400".to_owned())]);
    assert_eq!(shares(&world).await, ["104"]);
    let undone = import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap();
    assert_eq!((undone.entries, undone.reopened), (1, 1));
    assert_eq!(recorded(&world).await, [("2026-02-01".to_owned(), "100".to_owned(), "1000".to_owned())]);
}

#[tokio::test]
async fn an_import_that_later_sales_need_cannot_be_undone_by_an_opening_position() {
    let world = World::new().await;
    let bought = run(&world, "date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,8,20,USD\n", Request::default()).await;
    run(&world, "date,type,symbol,shares,price,currency\n2026-02-05,sell,WELL,8,20,USD\n", Request::default()).await;
    assert!(import::undo_of(&world.app, world.ana, bought.id.unwrap()).await.is_err());
}

#[tokio::test]
async fn an_opening_position_recorded_by_hand_shrinks_and_comes_back_with_its_cost() {
    let world = World::new().await;
    let by_hand = Draft { opening: true, kind: Kind::TransferIn, ..buy("2026-02-01", "WELL", "100", "10") };
    let unpriced = Draft { price: None, ..by_hand.clone() };
    let refused = problems(entries::add(&world.app, world.ana, &unpriced).await);
    assert_eq!(refused.iter().map(|(field, _)| *field).collect::<Vec<_>>(), ["price"]);
    entries::add(&world.app, world.ana, &by_hand).await.unwrap();
    let whole = ("2026-02-01".to_owned(), "100".to_owned(), "1000".to_owned());
    assert_eq!(recorded(&world).await, std::slice::from_ref(&whole));
    let exported = String::from_utf8(entries::export::ledger_file(&world.app, world.ana).await.unwrap()).unwrap();
    assert_eq!(run(&world, &exported, Request::default()).await.entries, 0, "{exported}");
    let earlier = "date,type,symbol,shares,price,currency\n2026-01-05,buy,WELL,100,12,USD\n";
    let report = run(&world, earlier, Request::default()).await;
    assert_eq!((report.reopened[0].before, report.reopened[0].after), (dec("100"), dec("0")));
    import::undo_of(&world.app, world.ana, report.id.unwrap()).await.unwrap();
    assert_eq!(recorded(&world).await, [whole]);
}

#[tokio::test]
async fn the_cost_of_an_opening_position_is_known_once_it_is_entered() {
    let world = World::new().await;
    run(&world, LATER, Request { open_missing: true, ..Request::default() }).await;
    let rows = async || entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let opening = rows().await.into_iter().find(|row| row.entry.kind == Kind::TransferIn).unwrap();
    assert_eq!(opening.entry.source, "opening:estimated");
    let noted = Draft { note: Some("from the bank".to_owned()), ..opening.draft() };
    for (draft, source) in
        [(&noted, "opening:estimated"), (&Draft { amount: Some(dec("180")), ..noted.clone() }, "opening"), (&noted, "opening")]
    {
        entries::edit(&world.app, world.ana, opening.entry.sequence, draft).await.unwrap();
        let stored = entries::one(&world.app, world.ana, opening.entry.sequence).await.unwrap().unwrap();
        assert_eq!(stored.entry.source, source);
    }
}
