//! The offline folder: what is read from each file, and how invalid lines are named.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use market::files::{Files, Problem, Stock, parse, read};

fn parsed(texts: &[(&str, &str)]) -> Files {
    parse(texts.iter().map(|(name, text)| (*name, text.as_bytes()))).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The problems as a person reads them.
fn problems(name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    match parse([(name, text.as_ref())].into_iter()) {
        Ok(files) => panic!("taken: {files:?}"),
        Err(problems) => problems.iter().map(Problem::to_string).collect(),
    }
}

const STOCKS: &str = "symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,\
    forward_rate,payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52,yield_avg_5y_pct,tracked";

#[test]
fn every_column_of_stocks_is_read() {
    let row = "dge.l,\"Diageo, plc\",GBp,LSE,EQUITY,gb0002374006,GB,Consumer Defensive,Beverages,equity,2505.5,2026-11-13T16:30:00Z,\
        80.4,0.81,1.2,17.5,2450,2600.25,2300,2900,3.15,false";
    let Files { stocks, .. } = parsed(&[("stocks.csv", &format!("{STOCKS}\n{row}\n"))]);
    let [stock]: [Stock; 1] = stocks.try_into().unwrap();
    let text = |field: &Option<String>| field.clone().unwrap();
    assert_eq!((stock.symbol.as_str(), text(&stock.profile.name).as_str()), ("DGE.L", "Diageo, plc"));
    assert_eq!((stock.unit.name(), stock.unit.currency.code()), ("GBp", "GBP"), "prices in pence become pounds");
    let profile = &stock.profile;
    assert_eq!([&profile.exchange, &profile.kind, &profile.isin].map(text), ["LSE", "EQUITY", "GB0002374006"]);
    assert_eq!([&profile.country, &profile.sector, &profile.industry].map(text), ["GB", "Consumer Defensive", "Beverages"]);
    assert_eq!(text(&profile.instrument_type), "equity");
    assert_eq!(stock.price_as_of.unwrap().to_string(), "2026-11-13T16:30:00Z");
    let figures = [
        stock.price,
        profile.forward_rate,
        profile.payout_ratio,
        profile.fcf_cover,
        profile.pe,
        profile.ma50,
        profile.ma200,
        profile.low52,
        profile.high52,
        profile.yield_avg_5y_pct,
    ];
    let expected = ["25.055", "0.804", "0.81", "1.2", "17.5", "24.50", "26.0025", "23", "29", "3.15"];
    assert_eq!(figures.map(|figure| figure.unwrap().to_string()), expected);
    assert!(!stock.tracked);
}

#[test]
fn empty_fields_are_unknown_and_stocks_are_tracked_by_default() {
    let Files { stocks, .. } =
        parsed(&[("stocks.csv", "currency,symbol,price,price_as_of,tracked\nUSD,KO,,,\nUSD,PEP,1,2026-11-13,yes\n")]);
    assert_eq!(
        (stocks[0].profile.name.clone(), stocks[0].price, stocks[0].price_as_of, stocks[0].tracked),
        (None, None, None, true)
    );
    assert_eq!(stocks[1].price_as_of.unwrap().to_string(), "2026-11-13T00:00:00Z", "a day is its midnight");
}

#[test]
fn the_other_files_are_read() {
    let files = parsed(&[
        (
            "dividends.csv",
            "symbol,ex_date,pay_date,declared_date,amount,currency,kind\n\
             ko,2026-09-12,2026-10-01,2026-07-17,0.51,USD,regular\nKO,2026-12-01,,,1.5,,special\nDGE.L,2026-10-10,,,20.5,GBp,\n",
        ),
        ("splits.csv", "symbol,date,ratio\nKO,2012-08-13,2:1\n"),
        ("prices.csv", "date,symbol,close\n2026-11-13,KO,70.125\n"),
        ("fx.csv", "date,currency,rate\n2026-11-13,USD,1.0812\n"),
    ]);
    let [first, special, pence] = &files.dividends[..] else { panic!("{files:?}") };
    assert_eq!((first.symbol.as_str(), first.special, first.unit.unwrap().name()), ("KO", false, "USD"));
    let days = [Some(first.ex_date), first.pay_date, first.declared_date].map(|day| day.unwrap().to_string());
    assert_eq!(days, ["2026-09-12", "2026-10-01", "2026-07-17"]);
    assert_eq!((special.special, special.pay_date, special.unit), (true, None, None));
    assert_eq!((pence.amount.to_string().as_str(), pence.unit.unwrap().name()), ("20.5", "GBp"));
    assert_eq!((files.splits[0].ratio.to_string().as_str(), files.splits[0].date.to_string().as_str()), ("2:1", "2012-08-13"));
    assert_eq!((files.prices[0].close.to_string().as_str(), files.prices[0].symbol.as_str()), ("70.125", "KO"));
    assert_eq!((files.fx[0].rate.to_string().as_str(), files.fx[0].currency.code()), ("1.0812", "USD"));
}

#[test]
fn every_bad_line_is_named_with_its_file_and_line() {
    let rows = "KO,,USD,70\n,,USD,70\nPEP,,,70\nMMM,,usd,70\nT\tT,,USD,70\nT,,USD,0\nT,,USD,cheap\nT,,USD\n";
    let expected = [
        "stocks.csv, line 3: symbol is missing",
        "stocks.csv, line 4: currency is missing",
        "stocks.csv, line 5: unknown currency \"usd\"",
        "stocks.csv, line 6: symbol \"T\tT\" is no ticker of up to 32 characters",
        "stocks.csv, line 7: price 0 is not above zero",
        "stocks.csv, line 8: price \"cheap\" is no decimal number below a trillion",
        "stocks.csv, line 9: not CSV in UTF-8, or another number of fields than the header",
    ];
    let text = format!("symbol,name,currency,price\n{rows}");
    assert_eq!(problems("stocks.csv", &text), expected);
    assert_eq!(problems("stocks.csv", text.replace('\n', "\r\n")), expected);
    assert_eq!(problems("stocks.csv", format!("\u{feff}{text}")), expected);
    let spread = problems("stocks.csv", text.replace('\n', "\n\n"));
    assert_eq!(spread[0], "stocks.csv, line 5: symbol is missing", "blank lines count");
}

#[test]
fn invalid_fields_are_named_in_every_file() {
    for (name, text, reason) in [
        ("stocks.csv", "symbol,currency,tracked\nKO,USD,maybe\n", "tracked \"maybe\" is neither true nor false"),
        ("stocks.csv", "symbol,currency,price_as_of\nKO,USD,noon\n", "price_as_of \"noon\" is neither a date nor an instant"),
        ("dividends.csv", "symbol,ex_date,amount\nKO,,1\n", "ex_date is missing"),
        ("dividends.csv", "symbol,ex_date,amount\nKO,2026-02-29,1\n", "ex_date \"2026-02-29\" is no date"),
        ("dividends.csv", "symbol,ex_date,amount\nKO,2026-01-02,\n", "amount is missing"),
        ("dividends.csv", "symbol,ex_date,amount\nKO,2026-01-02,-1\n", "amount -1 is not above zero"),
        ("dividends.csv", "symbol,ex_date,amount,kind\nKO,2026-01-02,1,extra\n", "kind \"extra\" is neither regular nor special"),
        ("splits.csv", "symbol,date,ratio\nKO,2026-01-02,\n", "ratio is missing"),
        ("splits.csv", "symbol,date,ratio\nKO,2026-01-02,1:0\n", "ratio \"1:0\" is not new:old"),
        ("prices.csv", "symbol,date,close\nKO,2026-01-02,\n", "close is missing"),
        ("prices.csv", "symbol,date,close\nKO,02.01.2026,1\n", "date \"02.01.2026\" is no date"),
        ("fx.csv", "date,currency,rate\n2026-01-02,,1\n", "currency is missing"),
        ("fx.csv", "date,currency,rate\n2026-01-02,USD,1e0\n", "rate \"1e0\" is no decimal number below a trillion"),
        ("fx.csv", "date,currency,rate\n2026-01-02,GBp,85\n", "rate per hundredth of GBP"),
    ] {
        let found = problems(name, text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("{name}, line 2: {reason}")), "{found:?}");
    }
}

#[test]
fn a_header_that_is_not_understood_is_refused() {
    let unknown = problems("prices.csv", "symbol,date,Close\nKO,2026-01-02,1\n");
    assert_eq!(unknown, ["prices.csv, line 1: unknown column \"Close\""]);
    let twice = problems("fx.csv", "date,currency,rate,rate\n2026-01-02,USD,1,2\n");
    assert_eq!(twice, ["fx.csv, line 1: column \"rate\" is there twice"]);
    let latin_1 = problems("stocks.csv", b"symbol,currency,n\xe4me\nKO,USD,x\n");
    assert_eq!(latin_1, ["stocks.csv, line 1: header is not UTF-8"]);
}

#[test]
fn a_repeated_dividend_counts_once_and_two_amounts_on_a_day_are_refused() {
    let header = "symbol,ex_date,amount,currency,kind\n";
    let row = "KO,2026-09-12,0.51,USD,\n";
    let same = parsed(&[("dividends.csv", &format!("{header}{row}{row}ko,2026-09-12,0.510,USD,regular\n"))]);
    assert_eq!(same.dividends.len(), 1);
    let special = parsed(&[("dividends.csv", &format!("{header}{row}KO,2026-09-12,2,USD,special\nPEP,2026-09-12,1,USD,\n"))]);
    assert_eq!(special.dividends.len(), 3);
    let other = problems("dividends.csv", format!("{header}{row}KO,2026-09-12,0.52,USD,\n"));
    let reason = "Dividend { symbol: \"KO\", date: 2026-09-12 } is on line 2 with other figures";
    assert_eq!(other, [format!("dividends.csv, line 3: {reason}")]);
}

#[test]
fn a_folder_needs_one_of_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let problems = read(folder.path()).unwrap_err();
    assert!(problems[0].to_string().ends_with("holds no market files"));
    std::fs::write(folder.path().join("fx.csv"), "date,currency,rate\n2026-11-13,USD,1.08\n").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not looked at").unwrap();
    assert_eq!(read(folder.path()).unwrap().fx.len(), 1);
    std::fs::create_dir(folder.path().join("prices.csv")).unwrap();
    assert!(read(folder.path()).unwrap_err()[0].to_string().starts_with("prices.csv: cannot be read: "));
}

#[test]
fn two_different_rows_with_one_key_are_refused_in_every_file() {
    for (name, text, reason) in [
        ("stocks.csv", "symbol,currency\nKO,USD\nKO,USD\nko,EUR\n", "Stock { symbol: \"KO\" }"),
        (
            "splits.csv",
            "symbol,date,ratio\nKO,2026-01-02,2:1\nKO,2026-01-02,2:1\nKO,2026-01-02,3:1\n",
            "Split { symbol: \"KO\", date: 2026-01-02 }",
        ),
        (
            "prices.csv",
            "symbol,date,close\nKO,2026-01-02,70\nKO,2026-01-02,70\nKO,2026-01-02,71\n",
            "Close { symbol: \"KO\", date: 2026-01-02 }",
        ),
        (
            "fx.csv",
            "date,currency,rate\n2026-01-02,USD,1.1\n2026-01-02,USD,1.1\n2026-01-02,USD,1.2\n",
            "Rate { currency: USD, date: 2026-01-02 }",
        ),
    ] {
        assert_eq!(problems(name, text), [format!("{name}, line 4: {reason} is on line 2 with other figures")]);
    }
}

#[test]
fn a_payout_ratio_above_five_is_a_percentage_and_refused() {
    let stocks = |payout: &str| format!("symbol,currency,payout_ratio\nKO,USD,{payout}\n");
    assert_eq!(problems("stocks.csv", stocks("40")), ["stocks.csv, line 2: payout_ratio 40 is no fraction"]);
    assert_eq!(problems("stocks.csv", stocks("5.01")), ["stocks.csv, line 2: payout_ratio 5.01 is no fraction"]);
    for payout in ["5", "0.40", "-0.2"] {
        let Files { stocks, .. } = parsed(&[("stocks.csv", &stocks(payout))]);
        assert_eq!(stocks[0].profile.payout_ratio.unwrap().to_string(), payout);
    }
}
