use market::yahoo::quote::parse;
use market::{Denial, Detail, Fault, Quote};

use crate::{figure, ok, response};

fn list(rows: &str) -> String {
    format!(r#"{{"quoteResponse":{{"result":[{rows}],"error":null}}}}"#)
}

fn quotes(rows: &str) -> Vec<Quote> {
    parse(&ok(&list(rows))).unwrap()
}

const GOOD: &str = r#"{"symbol":"MILL","quoteType":"EQUITY","exchange":"NYQ","currency":"USD",
    "regularMarketPrice":41.5,"regularMarketTime":1700000000,"dividendYield":3.4}"#;

#[test]
fn a_price_in_hundredths_becomes_whole_units_and_keeps_its_unit() {
    for (unit, whole) in [("GBp", "GBP"), ("ILA", "ILS"), ("ZAc", "ZAR")] {
        let row = format!(r#"{{"symbol":"X","currency":"{unit}","regularMarketPrice":250.5,"regularMarketTime":1700000000}}"#);
        let quote = quotes(&row).remove(0);
        assert_eq!((quote.price, quote.unit.name(), quote.unit.currency.code()), (figure("2.505"), unit, whole));
        assert_eq!(quote.as_of.as_second(), 1_700_000_000);
    }
    assert_eq!(quotes(GOOD)[0].price, figure("41.5"));
}

#[test]
fn single_precision_noise_is_removed_and_a_large_price_keeps_its_cents() {
    let price = |text: &str| quotes(&format!(r#"{{"symbol":"X","currency":"USD","regularMarketPrice":{text}}}"#))[0].price;
    assert_eq!(price("3563.2002"), figure("3563.2"));
    assert_eq!(price("731900.56"), figure("731900.56"));
}

#[test]
fn symbols_without_a_price_are_left_out() {
    // Renamed, delisted with an old date, delisted with a zero.
    for row in [
        r#"{"symbol":"GONE","quoteType":"NONE","regularMarketPrice":1.5,"currency":"USD"}"#,
        r#"{"symbol":"GONE","quoteType":"MUTUALFUND","exchange":"YHD","regularMarketTime":1561759658}"#,
        r#"{"symbol":"GONE","quoteType":"EQUITY","currency":"USD","regularMarketPrice":0}"#,
    ] {
        assert_eq!(quotes(row), Vec::new(), "{row}");
        assert_eq!(quotes(&format!("{row},{GOOD}")).len(), 1, "{row}");
    }
    assert_eq!(quotes(""), Vec::new(), "an unknown symbol is an empty list");
}

#[test]
fn an_invalid_row_is_left_out_and_named_if_it_is_the_only_one() {
    let strange = r#"{"symbol":"ODD","currency":"XYZ","regularMarketPrice":7}"#;
    assert_eq!(quotes(&format!("{strange},{GOOD}"))[0].symbol, "MILL");
    assert_eq!(parse(&ok(&list(strange))), Err(Fault::invalid("currency", "XYZ", "ODD")));
    let without_currency = r#"{"symbol":"BARE","regularMarketPrice":7}"#;
    assert_eq!(parse(&ok(&list(without_currency))), Err(Fault::missing("currency", "BARE")));
}

#[test]
fn an_error_in_place_of_quotes_becomes_the_right_fault() {
    let crumb = r#"{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}"#;
    assert_eq!(parse(&response(401, crumb)), Err(Fault::Denied(Denial::Quoted("Invalid Crumb".to_owned()))));
    assert_eq!(parse(&ok("Too Many Requests\r\n")), Err(Fault::Throttled(None)));
    assert_eq!(parse(&response(404, "{}")), Err(Fault::Status(404)), "an address that moved makes no symbol unknown");
    let other = r#"{"finance":{"result":null,"error":{"code":"Internal","description":"sorry"}}}"#;
    assert_eq!(parse(&response(404, other)), Err(Fault::Status(404)));
    assert_eq!(parse(&ok(other)), Err(Fault::Malformed(Detail::Quoted("Internal: sorry".to_owned()))));
    for strange in ["<!doctype html>", "", "{\"somethingWeird\":true}", "{\"quoteResponse\":{\"result\":null,\"error\":null}}"] {
        assert!(matches!(parse(&ok(strange)), Err(Fault::Malformed(_))), "{strange}");
    }
}
