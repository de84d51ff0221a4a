use market::Fault;
use market::yahoo::search::parse;

use crate::ok;

#[test]
fn search_finds_only_holdable_instruments_and_cleans_names() {
    let body = r#"{"explains":"odd","count":"odd","quotes":[
        {"exchange":"LSE","exchDisp":"London","shortname":"MILL PLC","longname":"Mill  &  Sons plc ","quoteType":"EQUITY","symbol":"MILL.L","isYahooFinance":true},
        {"exchange":"FRA","shortname":"Mill                   R","quoteType":"ETF","symbol":"MI1.F","isYahooFinance":true},
        {"exchange":"OPR","shortname":"MILL Dec 120 call","quoteType":"OPTION","symbol":"MILL251219C00120000","isYahooFinance":true},
        {"exchange":"CCC","quoteType":"CRYPTOCURRENCY","symbol":"MILL-USD","isYahooFinance":true},
        {"exchange":"PNK","quoteType":"EQUITY","symbol":"MILLX","isYahooFinance":false},
        {"index":"78dd","name":"Millworks","permalink":"millworks","isYahooFinance":false},
        {"shouldNot":"exist"}]}"#;
    let found = parse(&ok(body)).unwrap();
    let rows: Vec<_> = found.iter().map(|hit| (&*hit.symbol, hit.name.as_deref(), hit.exchange.as_deref())).collect();
    assert_eq!(rows, [("MILL.L", Some("Mill & Sons plc"), Some("London")), ("MI1.F", Some("Mill R"), Some("FRA"))]);
    assert_eq!(found[1].kind.as_deref(), Some("ETF"));
}

#[test]
fn an_empty_result_is_valid_and_an_unexpected_shape_is_not() {
    assert_eq!(parse(&ok(r#"{"count":0,"quotes":[]}"#)), Ok(Vec::new()));
    assert!(matches!(parse(&ok(r#"{"surprise":[]}"#)), Err(Fault::Malformed(_))));
    assert_eq!(parse(&ok("Too Many Requests")), Err(Fault::Throttled(None)));
}
