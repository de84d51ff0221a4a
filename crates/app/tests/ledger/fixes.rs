//! Rows with errors that are fixed in the plan: skipped, or given an opening position.

use std::sync::Arc;

use app::entries::{self, Filter, Kind};
use app::import::staged::{self, Answers, Fix};
use app::import::{self, Describe, Fate, FileBytes, FileReason, Reason, Report, Request};
use app::{Error, Refusal, refusal};
use ledger::Currency;
use uuid::Uuid;

use crate::world::{World, buy, dec, sell};

/// The types of lines 3 and 5 are unknown.
const UNKNOWN: &str = "date,type,symbol,shares,price,currency\n\
    2026-01-05,buy,WELL,10,20,USD\n\
    2026-01-06,conversion,WELL,1,20,USD\n\
    2026-01-07,buy,WELL,2,21,USD\n\
    2026-01-08,swap,WELL,2,21,USD\n";

/// Of 10 shares, 15 and then 2 are sold: 5 are missing on line 3, and 7 in all.
const OVERSOLD: &str = "date,type,symbol,shares,price,currency\n\
    2026-01-05,buy,WELL,10,20,USD\n\
    2026-02-02,sell,WELL,15,25,USD\n\
    2026-03-02,sell,WELL,2,25,USD\n";

async fn upload(world: &World, text: &str) -> Uuid {
    super::world::put(&world.app, world.ana, "file.csv", text.as_bytes().to_vec()).await.unwrap()
}

async fn plan(world: &World, id: Uuid) -> Arc<Report> {
    // Boxed, because a test that waits for many of them would need a large stack.
    Box::pin(staged::plan(&world.app, world.ana, id)).await.unwrap().unwrap().report
}

async fn fix(world: &World, id: Uuid, fix: Fix) -> Result<bool, Error> {
    Box::pin(staged::answer(&world.app, world.ana, id, Answers { fix: Some(fix), ..Answers::default() })).await
}

/// The plan with the row fixed.
async fn fixed(world: &World, id: Uuid, with: Fix) -> Arc<Report> {
    assert!(fix(world, id, with).await.unwrap());
    plan(world, id).await
}

async fn apply(world: &World, id: Uuid) -> Report {
    Box::pin(staged::apply(&world.app, world.ana, id)).await.unwrap().unwrap()
}

async fn total(world: &World) -> usize {
    entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().total
}

fn errors(report: &Report) -> Vec<(u64, &'static str)> {
    report.errors.iter().map(|problem| (problem.line, problem.reason.code())).collect()
}

fn skips(report: &Report) -> Vec<(u64, &'static str)> {
    report.skips.iter().map(|problem| (problem.line, problem.reason.code())).collect()
}

fn opening(line: u64, date: &str, shares: &str, cost: Option<&str>) -> Fix {
    Fix::Open { line, date: date.parse().unwrap(), shares: dec(shares), cost: cost.map(dec) }
}

fn refusal<T>(result: Result<T, Error>) -> refusal::Import {
    match result {
        Err(Error::Refused(Refusal::Import(refusal))) => refusal,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

#[tokio::test]
async fn a_skipped_row_is_counted_and_can_be_included_again() {
    let world = World::new().await;
    let id = upload(&world, UNKNOWN).await;
    assert_eq!(errors(&*plan(&world, id).await), [(3, "unknown_kind"), (5, "unknown_kind")]);
    let one = fixed(&world, id, Fix::Skip(3)).await;
    assert_eq!((errors(&one), one.skipped_by_user()), (vec![(5, "unknown_kind")], 1));
    let both = fixed(&world, id, Fix::Skip(5)).await;
    assert_eq!((both.rows, both.new, both.entries, errors(&both)), (4, 2, 2, vec![]));
    assert_eq!(skips(&both), [(3, "skipped_by_user"), (5, "skipped_by_user")]);
    assert_eq!(both.quotes[&3], "2026-01-06,conversion,WELL,1,20,USD");
    assert_eq!(errors(&*fixed(&world, id, Fix::Include(3)).await), [(3, "unknown_kind")]);
    fixed(&world, id, Fix::Skip(3)).await;
    assert_eq!(errors(&*fixed(&world, id, Fix::IncludeAll).await), [(3, "unknown_kind"), (5, "unknown_kind")]);
    assert_eq!(fixed(&world, id, Fix::SkipAll("unknown_kind".to_owned())).await.entries, 2);
    let done = apply(&world, id).await;
    assert_eq!((done.entries, done.skipped_by_user(), total(&world).await), (2, 2, 2));
    let listed = import::list(&world.app, world.ana).await.unwrap();
    assert_eq!((listed[0].rows, listed[0].added, listed[0].skipped), (4, 2, 2));
}

#[tokio::test]
async fn only_a_row_with_an_error_can_be_skipped() {
    let world = World::new().await;
    let id = upload(&world, UNKNOWN).await;
    for line in [0, 1, 2, 4, 6, u64::MAX] {
        assert_eq!(refusal(fix(&world, id, Fix::Skip(line)).await), refusal::Import::RowNotSkippable { line });
    }
    assert_eq!(errors(&*fixed(&world, id, Fix::SkipAll("left_out".to_owned())).await).len(), 2, "of no error");
    assert_eq!(errors(&*fixed(&world, id, Fix::Include(2)).await).len(), 2, "it is not skipped");
    let skip = || Answers { fix: Some(Fix::Skip(3)), ..Answers::default() };
    assert!(!staged::answer(&world.app, world.ben, id, skip()).await.unwrap(), "another’s upload is none");
    assert_eq!(errors(&*plan(&world, id).await).len(), 2);
}

#[tokio::test]
async fn of_several_rows_on_one_line_none_can_be_skipped() {
    let world = World::new().await;
    let activity = r#"{"type":"MOVE","date":"2026-01-05T00:00:00.000Z","symbol":"WELL","quantity":1,"unitPrice":1,"fee":0,"currency":"USD","dataSource":"YAHOO"}"#;
    let json =
        |apart: &str| format!(r#"{{"meta":{{"date":"2026-01-06","version":"2"}},"activities":[{activity},{apart}{activity}]}}"#);
    let id = upload(&world, &json("")).await;
    let report = plan(&world, id).await;
    assert_eq!((report.errors.len(), report.skippable().count()), (2, 0));
    assert_eq!(refusal(fix(&world, id, Fix::Skip(1)).await), refusal::Import::RowNotSkippable { line: 1 });
    let id = upload(&world, &json("\n")).await;
    assert_eq!(plan(&world, id).await.skippable().count(), 2);
}

#[tokio::test]
async fn rows_that_belong_to_a_skipped_one_are_skipped_with_it() {
    let world = World::new().await;
    let order = "7d0c1f7e-0000-4000-8000-000000000002";
    let file = format!(
        "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id\n\
         04-03-2026,09:10,04-03-2026,HARBOUR LIGHT PLC,GB00HL000013,DEGIRO Transaction and/or third party fees,,EUR,-1.00,EUR,998.00,{order}\n\
         04-03-2026,09:10,04-03-2026,HARBOUR LIGHT PLC,GB00HL000013,Buy 10 @ 12 EUR,,EUR,-120.00,EUR,-120.00,{order}\n"
    );
    let id = upload(&world, &file).await;
    let asked = plan(&world, id).await;
    assert_eq!((errors(&asked), skips(&asked)), (vec![(3, "unknown_security")], vec![(2, "part_of_error")]));
    let report = fixed(&world, id, Fix::Skip(3)).await;
    assert_eq!((errors(&report), report.questions.len()), (vec![], 0), "nothing is left to ask");
    assert_eq!(report.skips[0].reason, Reason::File(FileReason::PartOf { line: 3 }));
    assert_eq!(
        (report.skips[1].reason.clone(), report.rows, report.skipped_by_user()),
        (Reason::SkippedByUser { problems: vec![] }, 2, 1)
    );
}

#[tokio::test]
async fn an_opening_position_is_part_of_the_import_and_undone_with_it() {
    let world = World::new().await;
    let id = upload(&world, OVERSOLD).await;
    let report = plan(&world, id).await;
    assert_eq!(errors(&report), [(3, "oversold")]);
    let missing = &report.missing[&3];
    assert_eq!((missing.date.to_string(), missing.shares, missing.short), ("2026-01-04".to_owned(), dec("7"), dec("5")));
    assert_eq!((missing.symbol.as_str(), missing.currency.code()), ("WELL", "USD"));
    let report = fixed(&world, id, opening(3, "2026-01-04", "7", Some("70"))).await;
    // Three rows and the opening position.
    assert_eq!((errors(&report), report.new, report.entries), (vec![], 3, 4));
    let what = &report.plan[1].what;
    assert_eq!((what[0].kind, what[0].shares, what[0].amount.unwrap().amount), (Kind::TransferIn, Some(dec("7")), dec("70")));
    assert_eq!((what[0].date.to_string(), what[0].portfolio.as_str()), ("2026-01-04".to_owned(), "Main"));
    assert_eq!((what[1].kind, what[1].shares), (Kind::Sell, Some(dec("15"))));
    let done = apply(&world, id).await;
    assert_eq!((done.entries, done.openings.len(), total(&world).await), (4, 1, 4));
    let all = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap();
    let opened = all.rows.iter().find(|row| row.entry.kind == Kind::TransferIn).unwrap();
    assert_eq!((opened.entry.amount, opened.entry.source.as_str()), (Some(dec("70")), "opening"));

    let again = upload(&world, OVERSOLD).await;
    let report = plan(&world, again).await;
    assert_eq!((errors(&report), report.existing, report.entries), (vec![], 3, 0));
    let undone = import::undo_of(&world.app, world.ana, done.id.unwrap()).await.unwrap();
    assert_eq!((undone.entries, total(&world).await), (4, 0));
    assert_eq!(errors(&*plan(&world, again).await), [(3, "oversold")]);
}

#[tokio::test]
async fn the_same_file_answered_twice_adds_its_opening_position_once() {
    let world = World::new().await;
    let (one, other) = (upload(&world, OVERSOLD).await, upload(&world, OVERSOLD).await);
    fixed(&world, one, opening(3, "2026-01-04", "7", None)).await;
    fixed(&world, other, opening(3, "2026-01-03", "8", Some("1"))).await;
    assert_eq!(apply(&world, one).await.entries, 4);
    let report = plan(&world, other).await;
    assert_eq!((report.existing, report.entries, report.openings.len()), (3, 0, 0));
    assert_eq!((apply(&world, other).await.entries, total(&world).await), (0, 4));
}

#[tokio::test]
async fn an_opening_position_of_too_few_shares_is_replaced_or_removed() {
    let world = World::new().await;
    let id = upload(&world, OVERSOLD).await;
    // 10 + 3 − 15.
    let report = fixed(&world, id, opening(3, "2026-01-04", "3", None)).await;
    assert_eq!((errors(&report), report.missing[&3].short), (vec![(3, "oversold")], dec("2")));
    let missing = (report.missing[&3].shares, report.missing[&3].date.to_string());
    assert_eq!(missing, (dec("7"), "2026-01-04".to_owned()), "another one would replace it");
    // 10 + 6 − 15 leaves 1 of the 2 that are sold next.
    let report = fixed(&world, id, opening(3, "2026-01-04", "6", None)).await;
    assert_eq!(errors(&report), [(4, "oversold")]);
    assert_eq!((report.missing[&4].shares, report.missing[&4].date.to_string()), (dec("1"), "2026-01-03".to_owned()));
    let report = fixed(&world, id, opening(4, "2026-01-03", "1", None)).await;
    assert_eq!((errors(&report), report.entries), (vec![], 5), "one for each row");
    let report = fixed(&world, id, Fix::Close(3)).await;
    // 10 + 1 − 15.
    assert_eq!((errors(&report), report.missing[&3].short), (vec![(3, "oversold")], dec("4")));
    // On the day of the sale, before it.
    let report = fixed(&world, id, opening(3, "2026-02-02", "6", None)).await;
    assert_eq!((errors(&report), report.entries), (vec![], 5));
}

#[tokio::test]
async fn an_opening_position_is_checked_like_an_entry() {
    let world = World::new().await;
    let id = upload(&world, OVERSOLD).await;
    for (line, date, shares, cost, field) in [
        (3, "2026-01-04", "0", None, "shares"),
        (3, "2026-01-04", "-7", None, "shares"),
        (3, "2026-01-04", "7", Some("-1"), "amount"),
        (3, "1899-12-31", "7", None, "date"),
        (3, "2028-01-01", "7", None, "date"),
    ] {
        let Err(Error::Entry(problems)) = fix(&world, id, opening(line, date, shares, cost)).await else { panic!("{field}") };
        assert_eq!(problems.iter().map(|problem| problem.field).collect::<Vec<_>>(), [field]);
    }
    for line in [0, 2, 4, 9] {
        let refused = refusal(fix(&world, id, opening(line, "2026-01-04", "7", None)).await);
        assert_eq!(refused, refusal::Import::NoSharesMissing { line });
    }
    assert_eq!(plan(&world, id).await.missing.len(), 1);
}

#[tokio::test]
async fn rows_are_skipped_and_opening_positions_added_in_one_plan() {
    let world = World::new().await;
    let text = format!("{OVERSOLD}2026-04-01,conversion,WELL,1,1,USD\n2026-04-02,sell,BROOK.MC,3,10,EUR\n");
    let id = upload(&world, &text).await;
    assert_eq!(errors(&*plan(&world, id).await), [(5, "unknown_kind")], "what cannot be read comes first");
    let report = fixed(&world, id, Fix::Skip(5)).await;
    assert_eq!(errors(&report), [(3, "oversold"), (6, "oversold")]);
    assert_eq!((report.missing[&6].date.to_string(), report.missing[&6].shares), ("2026-04-01".to_owned(), dec("3")));
    fixed(&world, id, opening(3, "2026-01-04", "7", None)).await;
    let report = fixed(&world, id, Fix::Skip(6)).await;
    // Three rows of WELL and its opening position.
    assert_eq!((errors(&report), report.rows, report.new, report.entries), (vec![], 5, 3, 4));
    assert_eq!(skips(&report), [(5, "skipped_by_user"), (6, "skipped_by_user")]);
    assert_eq!((apply(&world, id).await.entries, total(&world).await), (4, 4));
}

#[tokio::test]
async fn a_row_that_breaks_a_recorded_sale_can_be_fixed_too() {
    let world = World::new().await;
    entries::add(&world.app, world.ana, &buy("2026-01-05", "WELL", "10", "20")).await.unwrap();
    entries::add(&world.app, world.ana, &sell("2026-03-02", "WELL", "10", "25")).await.unwrap();
    let id = upload(&world, "date,type,symbol,shares,price,currency\n2026-02-02,sell,WELL,4,25,USD\n").await;
    let report = plan(&world, id).await;
    assert_eq!(errors(&report), [(2, "breaks_recorded")]);
    assert_eq!((report.missing[&2].date.to_string(), report.missing[&2].shares), ("2026-01-04".to_owned(), dec("4")));
    let opened = fixed(&world, id, opening(2, "2026-01-04", "4", Some("80"))).await;
    assert_eq!((errors(&opened), opened.entries), (vec![], 2));
    fixed(&world, id, Fix::Close(2)).await;
    let skipped = fixed(&world, id, Fix::Skip(2)).await;
    assert_eq!((errors(&skipped), skipped.entries), (vec![], 0));
    assert_eq!(skipped.plan[0].fate, Fate::Skipped(Reason::SkippedByUser { problems: vec![] }));
}

#[tokio::test]
async fn answers_stay_when_others_are_given() {
    let world = World::new().await;
    let text = format!("{OVERSOLD}2026-04-01,conversion,WELL,1,1,USD\n");
    let id = upload(&world, &text).await;
    fixed(&world, id, Fix::Skip(5)).await;
    fixed(&world, id, opening(3, "2026-01-04", "7.50", Some("70.10"))).await;
    let portfolio = Answers { portfolio: Some(Some("New".to_owned())), ..Answers::default() };
    assert!(staged::answer(&world.app, world.ana, id, portfolio).await.unwrap());
    let planned = staged::plan(&world.app, world.ana, id).await.unwrap().unwrap();
    assert_eq!((planned.upload.skipped.len(), planned.upload.openings.len()), (1, 1));
    let what = &planned.report.plan[1].what[0];
    assert_eq!((what.portfolio.as_str(), what.shares, what.amount.unwrap().amount), ("New", Some(dec("7.5")), dec("70.1")));
}

#[tokio::test]
async fn at_most_ten_thousand_rows_of_a_file_can_be_skipped() {
    let world = World::new().await;
    let row = "2026-01-06,conversion,WELL,1,20,USD\n";
    let file = |rows: usize| format!("date,type,symbol,shares,price,currency\n{}", row.repeat(rows));
    let all = || Fix::SkipAll("unknown_kind".to_owned());
    let id = upload(&world, &file(10_001)).await;
    assert_eq!(refusal(fix(&world, id, all()).await), refusal::Import::TooManySkipped { max: staged::SKIPPED_MAX });
    let id = upload(&world, &file(10_000)).await;
    assert_eq!(fixed(&world, id, all()).await.skipped_by_user(), 10_000);
}

/// There is no rate of the yen: 20,000 JPY are 132 USD at the user's rate.
#[tokio::test]
async fn a_rate_that_is_not_known_is_given_once_for_all_rows() {
    let world = World::new().await;
    let text = "date,type,symbol,shares,price,currency\n\
        2026-01-05,buy,WELL,10,2000,JPY\n2026-01-06,buy,WELL,1,1000,JPY\n2026-01-07,buy,WELL,1,24.36,EUR\n";
    let id = upload(&world, text).await;
    assert_eq!(errors(&*plan(&world, id).await), [(2, "missing_rate")]);
    let rate = |rate: Option<&str>| {
        let (from, to) = (Currency::parse("JPY").unwrap(), Currency::parse("USD").unwrap());
        Answers { rate: Some((from, to, rate.map(dec))), ..Answers::default() }
    };
    for odd in ["0", "-1"] {
        let refused = Box::pin(staged::answer(&world.app, world.ana, id, rate(Some(odd)))).await;
        assert!(matches!(&refused, Err(Error::Entry(problems)) if problems[0].field == "fx_rate"), "{odd}");
    }
    Box::pin(staged::answer(&world.app, world.ana, id, rate(Some("0.0066")))).await.unwrap();
    assert!(errors(&*plan(&world, id).await).is_empty());
    Box::pin(staged::answer(&world.app, world.ana, id, rate(None))).await.unwrap();
    assert_eq!(errors(&*plan(&world, id).await), [(2, "missing_rate")]);
    Box::pin(staged::answer(&world.app, world.ana, id, rate(Some("0.0066")))).await.unwrap();
    assert_eq!(apply(&world, id).await.entries, 3);
    let mut rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    rows.sort_by_key(|row| row.entry.date);
    let rates: Vec<_> = rows.iter().map(|row| row.entry.fx_rate).collect();
    assert_eq!(rates, [Some(dec("0.0066")), Some(dec("0.0066")), None], "the euro has a rate of its own");
    // 132 + 6.60, and 24.36 EUR at 1.25 are 30.45: 169.05 for 12 shares.
    let held = app::portfolios::holdings::list(&world.app, world.ana, None).await.unwrap();
    assert_eq!(held[0].average_cost.amount, dec("14.0875"));
    assert_eq!(
        import::import(
            &world.app,
            &Request {
                user_id: world.ana,
                file_name: "file.csv",
                bytes: FileBytes::Plain(text.as_bytes()),
                ..Request::default()
            },
            &|_, _, _| {}
        )
        .await
        .unwrap()
        .existing,
        3
    );
}

#[tokio::test]
async fn one_bad_row_of_a_thousand_is_listed_and_the_rest_imported_and_undone() {
    let world = World::new().await;
    let mut text = String::from("date,type,symbol,shares,price,currency\n");
    for row in 0..1_000 {
        let shares = if row == 617 { "ten" } else { "1" };
        text += &format!("2026-01-05,buy,WELL,{shares},20,USD\n");
    }
    let id = upload(&world, &text).await;
    Box::pin(staged::answer(&world.app, world.ana, id, Answers::recommended())).await.unwrap();
    let report = apply(&world, id).await;
    assert_eq!((report.entries, total(&world).await), (999, 999));
    let import = import::import_of(&world.app, world.ana, report.id.unwrap()).await.unwrap().unwrap();
    assert_eq!((import.skipped, import.left_out.as_str()), (1, "619"));
    let left_out = Box::pin(staged::left_out(&world.app, world.ana, &import)).await.unwrap().unwrap();
    assert_eq!((left_out.report.plan.len(), left_out.report.plan[0].line, left_out.readable), (1, 619, 0));
    import::undo_of(&world.app, world.ana, import.id).await.unwrap();
    assert_eq!(total(&world).await, 0);
}
