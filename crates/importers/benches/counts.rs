//! Instructions of reading files; `bench/counts` counts them. No closures in the counted functions: see `crates/counts`.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use gungraun::{library_benchmark, library_benchmark_group, main};
use importers::{Format, Opened, Parsed, by_name};

const ROWS: usize = 200;

// Every format is asked, ours nearly as the last one.
#[library_benchmark]
#[bench::our_own_csv(args = (opened(&ours())), teardown = is_ours)]
fn detect(file: Opened) -> Option<&'static Format> {
    importers::detect(&file)
}

fn is_ours(format: Option<&'static Format>) {
    assert_eq!(format.unwrap().name, "dripline");
}

#[library_benchmark]
#[bench::our_own_csv(args = ("dripline", ours()), teardown = is_whole)]
#[bench::a_brokers_csv(args = ("trading212", trading212()), teardown = is_whole)]
#[bench::a_brokers_xml(args = ("ibkr-flex", ibkr_flex()), teardown = is_whole)]
#[bench::ofx(args = ("ofx", ofx()), teardown = is_whole)]
fn read(format: &str, file: String) -> Parsed {
    by_name(format).unwrap().read(&opened(&file))
}

/// What a file that is not understood costs says nothing.
fn is_whole(parsed: Parsed) {
    assert!(parsed.refusal.is_none() && parsed.errors.is_empty(), "{:?} {:?}", parsed.refusal, parsed.errors);
    assert_eq!(parsed.records.len(), ROWS);
}

#[library_benchmark]
#[bench::our_own_csv(read_before(&ours()))]
fn write(parsed: Parsed) -> Vec<u8> {
    importers::write_ledger_file(&parsed.records)
}

fn read_before(file: &str) -> Parsed {
    by_name("dripline").unwrap().read(&opened(file))
}

fn opened(file: &str) -> Opened {
    Opened::open(file.as_bytes()).unwrap()
}

fn month_and_day(row: usize) -> (usize, usize) {
    (1 + row / 28 % 12, 1 + row % 28)
}

fn ours() -> String {
    let mut file = String::from("date,type,symbol,isin,name,shares,price,amount,fees,tax,currency,portfolio\n");
    for row in 0..ROWS {
        let (month, day) = month_and_day(row);
        let start = format!("2024-{month:02}-{day:02}");
        match row % 3 {
            2 => writeln!(file, "{start},dividend,KO,US1912161007,Coca-Cola,,,{row}.25,,0.15,USD,Core").unwrap(),
            _ => writeln!(file, "{start},buy,KO,US1912161007,Coca-Cola,1.{row},60.25,,0.35,,USD,Core").unwrap(),
        }
    }
    file
}

fn trading212() -> String {
    let mut file = String::from(
        "Action,Time,ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,\
         Currency (Total),Withholding tax,Currency (Withholding tax)\n",
    );
    for row in 0..ROWS {
        let (month, day) = month_and_day(row);
        let moment = format!("2024-{month:02}-{day:02} 10:00:{:02}", row % 60);
        match row % 3 {
            2 => writeln!(
                file,
                "Dividend (Ordinary),{moment},US1912161007,KO,\"Coca-Cola, Inc.\",D{row},10,0.25,USD,1.00000,2.50,USD,0.38,USD"
            )
            .unwrap(),
            _ => {
                writeln!(file, "Market buy,{moment},US1912161007,KO,\"Coca-Cola, Inc.\",E{row},10,60.25,USD,1.00000,602.50,USD,,")
                    .unwrap()
            }
        }
    }
    file
}

fn ibkr_flex() -> String {
    let mut file = String::from(
        "<FlexQueryResponse queryName=\"Ledger\" type=\"AF\">\n<FlexStatements count=\"1\">\n\
         <FlexStatement accountId=\"U1\" fromDate=\"20240101\" toDate=\"20241231\" period=\"\" whenGenerated=\"20250102;080000\">\n\
         <AccountInformation accountId=\"U1\" currency=\"EUR\" />\n<Trades>\n",
    );
    for row in 0..ROWS {
        let (month, day) = month_and_day(row);
        writeln!(
            file,
            "<Trade accountId=\"U1\" currency=\"USD\" fxRateToBase=\"0.9\" assetCategory=\"STK\" symbol=\"KO\" conid=\"8894\" \
             isin=\"US1912161007\" listingExchange=\"NYSE\" description=\"COCA-COLA CO/THE\" multiplier=\"1\" tradeID=\"{row}\" \
             tradeDate=\"2024{month:02}{day:02}\" dateTime=\"2024{month:02}{day:02};100000\" transactionType=\"ExchTrade\" \
             quantity=\"10\" tradePrice=\"60\" tradeMoney=\"600\" taxes=\"0\" ibCommission=\"-0.35\" ibCommissionCurrency=\"USD\" \
             buySell=\"BUY\" transactionID=\"9{row}\" levelOfDetail=\"EXECUTION\" />"
        )
        .unwrap();
    }
    file.push_str("</Trades>\n</FlexStatement>\n</FlexStatements>\n</FlexQueryResponse>\n");
    file
}

fn ofx() -> String {
    let mut file = String::from(
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\n\
         OLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX>\n<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>0<INVSTMTRS>\n\
         <DTASOF>20241231160000.000[-5:EST]\n<CURDEF>USD\n<INVACCTFROM><BROKERID>broker.example<ACCTID>X1</INVACCTFROM>\n\
         <INVTRANLIST>\n<DTSTART>20240101<DTEND>20241231\n",
    );
    for row in 0..ROWS {
        let (month, day) = month_and_day(row);
        writeln!(
            file,
            "<INCOME><INVTRAN><FITID>B{row}<DTTRADE>2024{month:02}{day:02}</INVTRAN><SECID><UNIQUEID>191216100<UNIQUEIDTYPE>CUSIP\
             </SECID><INCOMETYPE>DIV<TOTAL>{row}.05</INCOME>"
        )
        .unwrap();
    }
    file.push_str(
        "</INVTRANLIST>\n</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>\n<SECLISTMSGSRSV1><SECLIST>\n<STOCKINFO><SECINFO><SECID>\
         <UNIQUEID>191216100<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>COCA COLA CO<TICKER>KO</SECINFO></STOCKINFO>\n</SECLIST>\
         </SECLISTMSGSRSV1>\n</OFX>\n",
    );
    file
}

library_benchmark_group!(name = files, benchmarks = [detect, read, write]);
main!(library_benchmark_groups = files);
