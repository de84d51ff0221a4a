//! Unknown tables: the suggested mapping, its doubts, and what a mapping reads.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod render;

use importers::generic::{self, Mapping};
use importers::{Opened, Reason};
use proptest::prelude::*;
use render::render;

fn open(text: &str) -> Opened {
    Opened::open(text.as_bytes()).unwrap()
}

/// The file read with the suggested mapping and the answers to its questions.
fn answered(text: &str, answers: &str) -> String {
    let file = open(text);
    let suggestion = generic::suggest(&file).unwrap();
    let mapping = Mapping::parse(&format!("{};{answers}", suggestion.mapping)).unwrap();
    render(&generic::read_with(&file, &mapping))
}

fn with(text: &str, mapping: &str) -> String {
    render(&generic::read_with(&open(text), &Mapping::parse(mapping).unwrap()))
}

#[test]
fn a_suggested_mapping_shows_the_table_and_lists_its_doubts() {
    let file =
        open("My broker\n\nDate,What,Paper,Pieces,Price,Currency\n03/04/2024,Buy,KO,1,60.5,USD\n04/04/2024,Buy,KO,2,60.5,USD\n");
    let suggestion = generic::suggest(&file).unwrap();
    assert_eq!(suggestion.header, ["Date", "What", "Paper", "Pieces", "Price", "Currency"]);
    assert_eq!(suggestion.sample[1], ["04/04/2024", "Buy", "KO", "2", "60.5", "USD"]);
    assert_eq!(suggestion.mapping.to_string(), "date=Date;type=What;price=Price;currency=Currency;decimals=point;word:Buy=buy");
    let order = Reason::DateOrder { text: "03/04/2024".into(), date: jiff::civil::date(2024, 4, 3) };
    let which = |field| Reason::WhichColumn { field };
    assert_eq!(suggestion.doubts, [which("security"), order, which("shares")], "trades need shares");
    assert!(!generic::detect(&file), "names of columns that nobody knows");
}

#[test]
fn answers_complete_a_suggested_mapping() {
    let days = "Date,Type,Symbol,Shares,Price,Currency\n03/04/2024,Buy,KO,10,60.00,USD\n";
    assert!(answered(days, "dates=day-first").contains("2024-04-03 buy ticker=KO"));
    assert!(answered(days, "dates=month-first").contains("2024-03-04 buy ticker=KO"));

    let words = "Date,Type,Symbol,Shares,Price,Currency\n2024-04-03,Xyz,KO,10,60.00,USD\n";
    assert!(answered(words, "word:xyz=sell").contains("2: 2024-04-03 sell ticker=KO"));
    assert!(answered(words, "word:Xyz=ignore").contains("2: skipped: ignored_type\n"));

    let figures = "Date,Type,Symbol,Shares,Price,Currency\n2024-04-03,Buy,KO,\"1,234\",60,USD\n";
    assert!(answered(figures, "decimals=point").contains("shares=1234 "));
    assert!(answered(figures, "decimals=comma").contains("shares=1.234 "));

    let money = "Date,Type,Symbol,Shares,Amount,Currency\n2024-04-03,Dividend,KO,10,4.12,USD\n";
    assert!(answered(money, "net=Amount").contains("shares=10 net=4.12 currency=USD"), "not the gross as well");
    assert!(answered(money, "amount=Amount").contains("shares=10 amount=4.12 currency=USD"), "said again");

    let splits = "Date,Type,Symbol,Shares,Price,Currency,Ratio\n2024-04-03,Split,KO,,,,1:4\n2024-04-04,Buy,KO,1,2.5,USD,\n";
    assert!(answered(splits, "ratios=old-first").contains("ratio=4:1"));
    assert!(answered(splits, "ratios=new-first").contains("ratio=1:4"));

    let untyped = "Date,Symbol,Shares,Gross Amount\n2024-04-03,KO,10,-605.00\n2024-05-03,KO,5,300.00\n";
    let lines = answered(untyped, "default=by-amount;default-currency=USD");
    assert!(lines.contains("2: 2024-04-03 buy ticker=KO shares=10 amount=605.00 currency=USD"), "{lines}");
    assert!(lines.contains("3: 2024-05-03 sell ticker=KO shares=5 amount=300.00 currency=USD"), "{lines}");
    assert!(
        answered(untyped, "default=dividend;default-currency=traded")
            .contains("2: 2024-04-03 dividend ticker=KO shares=10 amount=-605.00\n")
    );
}

#[test]
fn questions_have_settings_that_answer_them() {
    let text = "Date,Type,Symbol,Shares,Price,Currency\n03/04/2024,Xyz,KO,\"1,234\",60,USD\n";
    let file = open(text);
    let refusal = importers::by_name("generic").unwrap().read(&file).refusal.unwrap().reason;
    let settings = refusal.settings();
    for setting in ["dates=day-first", "dates=month-first", "decimals=point", "decimals=comma", "word:Xyz=sell"] {
        assert!(settings.iter().any(|known| known == setting), "{setting} of {settings:?}");
    }
    assert!(answered(text, "dates=day-first;decimals=comma;word:Xyz=sell").contains("2024-04-03 sell ticker=KO shares=1.234 "));
    let unknown = Mapping::parse("dates=ymd").unwrap_err();
    assert_eq!(unknown.settings(), ["dates=day-first", "dates=month-first"]);
    assert_eq!(Reason::Cash.settings(), [""; 0]);
}

/// The likeliest answer to the only question about the table.
fn likely(text: &str) -> Option<String> {
    let suggestion = generic::suggest(&open(text)).unwrap();
    assert_eq!(suggestion.doubts.len(), 1, "{:?}", suggestion.doubts);
    suggestion.likely.into_iter().next().unwrap()
}

#[test]
fn the_rows_suggest_answers() {
    let dividends = |rows: &str| format!("Date,Type,Symbol,Amount,Tax,Currency\n{rows}");
    // 15% of 100.00, and 15% of 100.00 = 85.00 + 15.00.
    let gross = dividends("2024-04-03,Dividend,KO,100.00,15.00,USD\n2024-07-01,Dividend,KO,48.50,7.28,USD\n");
    assert_eq!(likely(&gross).as_deref(), Some("amount=Amount"));
    let net = dividends("2024-04-03,Dividend,KO,85.00,15.00,USD\n2024-07-01,Dividend,KO,41.22,7.28,USD\n");
    assert_eq!(likely(&net).as_deref(), Some("net=Amount"));
    assert!(answered(&net, "net=Amount").contains("amount=100.00 tax=15.00 net=85.00"), "{}", answered(&net, "net=Amount"));

    let days = |currency: &str| format!("Date,Type,Symbol,Shares,Price,Currency\n03/04/2024,Buy,KO,10,60.00,{currency}\n");
    assert_eq!(likely(&days("USD")).as_deref(), Some("dates=month-first"));
    assert_eq!(likely(&days("EUR")).as_deref(), Some("dates=day-first"));

    // 1234 × 2 = 2468; with a decimal comma it would be 2.468, which is no 2468.
    let marks = "Date,Type,Symbol,Shares,Price,Gross amount,Currency\n2024-04-03,Buy,KO,\"1,234\",2,2468,USD\n";
    assert_eq!(likely(marks).as_deref(), Some("decimals=point"));
    let untyped = "Date,Symbol,Shares,Price,Currency\n2024-04-03,KO,10,60.00,USD\n";
    assert_eq!(likely(untyped).as_deref(), Some("default=buy"));
}

#[test]
fn a_few_rows_that_do_not_add_up_are_no_question() {
    let table = |amount: &str, days: i32| {
        let rows = (1..=days).map(|day| format!("2024-04-{day:02},Buy,KO,10,60.00,5.00,{amount},USD\n"));
        let header = "Date,Type,Symbol,Shares,Price,Fees,Amount,Currency\n".to_owned();
        rows.fold(header, |text, row| text + &row) + "2024-05-01,Buy,KO,10,60.00,5.00,999.00,USD\n"
    };
    let parsed = importers::by_name("generic").unwrap().read(&open(&table("600.00", 20)));
    assert_eq!((parsed.refusal, parsed.records.len(), parsed.errors.len()), (None, 20, 1));
    assert_eq!(likely(&table("600.00", 19)).as_deref(), Some("amount=Amount"));
    assert_eq!(likely(&table("605.00", 20)).as_deref(), Some("net=Amount"), "nothing else would find that row");
}

#[test]
fn a_mapping_finds_columns_by_name_or_position_below_a_preamble() {
    let text = "Report,of,my,broker\nwhen;x,what,,n,p\n2024-04-03,KO,ignored,3,60.5\n";
    let mapping = "date=when\\;X;symbol=What;shares=#4;price=p;default=buy;default-currency=USD;style=yahoo";
    assert_eq!(with(text, mapping), "1 rows\n3: 2024-04-03 buy symbol=KO shares=3 price=60.5 currency=USD\n");
}

#[test]
fn a_mapping_that_does_not_fit_gives_the_reason() {
    let text = "Date,Type,Symbol,Shares\n2024-04-03,Buy,KO,3\n";
    let refusal = |mapping: &str| {
        let parsed = generic::read_with(&open(text), &Mapping::parse(mapping).unwrap());
        parsed.refusal.unwrap().reason
    };
    assert_eq!(refusal("date=Day;symbol=Symbol;shares=Shares"), Reason::ColumnMissing { name: "Day".into() });
    assert_eq!(refusal("symbol=Symbol;shares=Shares"), Reason::WhichColumn { field: "date" });
    assert_eq!(refusal("date=Date;shares=Shares"), Reason::WhichColumn { field: "security" });
    assert_eq!(refusal("date=Date;symbol=Symbol"), Reason::WhichColumn { field: "figures" });
    let untyped = with(text, "date=Date;symbol=Symbol;shares=Shares;price=Shares");
    assert!(untyped.contains("2: error: missing column=\"type\"\n"), "{untyped}");
}

#[test]
fn a_remembered_mapping_asks_again_about_new_values() {
    let mapping = "date=Date;type=Type;symbol=Symbol;shares=Shares;price=Price;currency=Currency";
    let lines = with(
        "Date,Type,Symbol,Shares,Price,Currency\n03/04/2024,Buy,KO,3,1,USD\n2024-03-04,New,KO,3,1,USD\n25/04/2024,Buy,KO,3,1,USD\n",
        mapping,
    );
    assert!(lines.contains("2: error: date_order text=\"03/04/2024\" date=2024-04-03\n"), "{lines}");
    assert!(lines.contains("3: error: unknown_word word=\"New\" line=3\n"), "{lines}");
    assert!(lines.contains("4: 2024-04-25 buy"), "{lines}");
}

#[test]
fn a_fingerprint_depends_on_the_column_names_in_any_order() {
    let fingerprint_of = |text: &str| generic::fingerprint(&open(text)).unwrap();
    let one = fingerprint_of("Title\nDate,Type,Symbol,Shares,Price\n2024-04-03,Buy,KO,3,60.5\n");
    assert_eq!(fingerprint_of("price;SHARES;symbol;type;date\n1;2;KO;Sell;2024-01-01\n"), one);
    assert_ne!(fingerprint_of("Date,Type,Symbol,Shares,Amount\n2024-04-03,Buy,KO,3,60.5\n"), one);
    assert_eq!(generic::fingerprint(&open("<a/>")), None);
}

#[test]
fn the_time_orders_the_rows_of_a_day_and_a_cusip_names_an_instrument() {
    let text = "Date,Time,Type,CUSIP,Shares,Price,Currency\n2024-04-03,15:30,Sell,191216100,3,60.5,USD\n2024-04-03,09:15:01,Buy,191216100,3,60.5,USD\n";
    let file = open(text);
    let parsed = importers::detect(&file).unwrap().read(&file);
    assert_eq!(parsed.errors, []);
    let order: Vec<u64> = parsed.records.iter().map(|record| record.line).collect();
    assert_eq!(order, [3, 2]);
    assert_eq!(parsed.records[0].time.unwrap().to_string(), "09:15:01");
    assert_eq!(parsed.records[0].cusip.as_deref(), Some("191216100"));
}

#[test]
fn a_long_file_is_read_quickly() {
    let mut text = "Date,Type,Symbol,Name,Shares,Price,Fees,Currency,ID\n".to_owned();
    for at in 0..10_000 {
        text.push_str(&format!(
            "2024-04-{:02},{},KO,Coca-Cola,{}.5,60.25,1.00,USD,A{at}\n",
            at % 28 + 1,
            ["Buy", "Sell"][at % 2],
            at % 90 + 1
        ));
    }
    let start = std::time::Instant::now();
    let file = open(&text);
    let parsed = importers::detect(&file).unwrap().read(&file);
    assert_eq!(parsed.records.len(), 10_000);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

fn odd_cell() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "",
        "-",
        "2024-01-02",
        "03/04/2024",
        "25.12.2023",
        "Buy",
        "Kauf",
        "Dividend",
        "Split",
        "Tax",
        "Total",
        "KO",
        "US1912161007",
        "1",
        "-2.5",
        "1,234",
        "1.234,5",
        "€5",
        "EUR",
        "GBX",
        "4:1",
        "1:4",
        "n/a",
        "=x",
        "'=x",
        "999999999999",
        "99999999999999999999",
        "1e30",
        "0",
        "0.000000000000000001",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

fn odd_name() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "Date",
        "Type",
        "Symbol",
        "ISIN",
        "Name",
        "Shares",
        "Price",
        "Amount",
        "Gross",
        "Fees",
        "Stamp Duty",
        "Tax",
        "Net",
        "Currency",
        "Ratio",
        "Ex-Date",
        "ID",
        "Note",
        "Price (EUR)",
        "",
        "#1",
        "a;b=c\\d",
        "Wert in €",
    ]);
    prop_oneof![9 => known.prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_row_of_any_table_is_accounted_for(
        header in prop::collection::vec(odd_name(), 1..14),
        rows in prop::collection::vec(prop::collection::vec(odd_cell(), 0..15), 0..6),
    ) {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for row in std::iter::once(&header).chain(&rows).filter(|row| !row.is_empty()) {
            writer.write_record(row).unwrap();
        }
        let Ok(file) = Opened::open(&writer.into_inner().unwrap()) else { return Ok(()) };
        let Some(suggestion) = generic::suggest(&file) else { return Ok(()) };
        generic::fingerprint(&file).unwrap();
        let mapping = suggestion.mapping;
        if !mapping.columns.is_empty() {
            prop_assert_eq!(Mapping::parse(&mapping.to_string()), Ok(mapping.clone()));
        }
        let read = generic::read_with(&file, &mapping);
        prop_assert!(read.adds_up(), "{}", render(&read));
        let fault = read.refusal.iter().any(|refusal| matches!(refusal.reason, Reason::RowsUnaccounted { .. }));
        prop_assert!(!fault, "{}", render(&read));
    }
}
