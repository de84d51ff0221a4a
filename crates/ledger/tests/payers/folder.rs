//! The histories as a folder of market files, for `dripline market backtest FOLDER`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use jiff::civil::{Date, date};

use crate::payer::Payer;
use crate::rows::{Symbols, one_source};

const WRITE: &str = "DRIPLINE_PAYERS_FOLDER";

/// Spin-offs, specials and returns of capital that the files list as regular dividends; quoted from memory.
const SPECIALS: [(&str, Date); 6] = [
    ("ADIG.L", date(2024, 7, 3)),
    ("COST", date(2017, 5, 8)),
    ("MO", date(2007, 4, 2)),
    ("MO", date(2008, 3, 31)),
    ("SSNLF", date(2020, 12, 29)),
    ("TENT.L", date(2024, 9, 19)),
];

/// Sources that were read for all their symbols on one day. The others end with the last payment of each symbol.
const READ_ON_ONE_DAY: [&str; 3] = ["A", "B", "E"];
const READ_IN_JUNE_2025: &str = "I";

/// Continued under another symbol.
const RENAMED: (&str, Date) = ("DWDP", date(2019, 5, 31));

/// Writes the files if the environment names a folder.
pub fn write(symbols: &Symbols) {
    let Some(folder) = std::env::var_os(WRITE) else { return };
    let ends = source_ends(symbols);
    let mut stocks = String::from("symbol,currency,type,price_as_of\n");
    let mut dividends = String::from("symbol,ex_date,pay_date,amount,currency,kind\n");
    let mut splits = String::from("symbol,date,ratio\n");
    for (symbol, rows) in symbols {
        let chosen = one_source(rows);
        let Payer { facts, ours, .. } = Payer::of(symbol, &chosen);
        let last = chosen[chosen.len() - 1].ex_date;
        let until = match chosen[0].source.as_str() {
            _ if symbol == RENAMED.0 => RENAMED.1,
            READ_IN_JUNE_2025 => last.max(date(2025, 6, 20)),
            source if READ_ON_ONE_DAY.contains(&source) => ends[source],
            _ => last,
        };
        let instrument = if facts.fund { "ETF" } else { "EQUITY" };
        writeln!(stocks, "{symbol},{},{instrument},{until}", facts.currency).unwrap();
        for payment in &ours.history.payments {
            let special = payment.special || SPECIALS.contains(&(symbol.as_str(), payment.ex_date));
            let pay_date = Some(payment.pay_date).filter(|_| payment.pay_date_known).map(|date| date.to_string());
            let kind = if special { "special" } else { "regular" };
            let (ex_date, amount, currency) = (payment.ex_date, payment.paid_amount, payment.currency);
            writeln!(dividends, "{symbol},{ex_date},{},{amount},{currency},{kind}", pay_date.unwrap_or_default()).unwrap();
        }
        for split in &facts.splits {
            writeln!(splits, "{symbol},{},{}:{}", split.date, split.ratio.new, split.ratio.old).unwrap();
        }
    }
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).unwrap();
    for (name, text) in [("stocks.csv", stocks), ("dividends.csv", dividends), ("splits.csv", splits)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// The newest ex-date of each source.
fn source_ends(symbols: &Symbols) -> BTreeMap<&str, Date> {
    let mut ends: BTreeMap<&str, Date> = BTreeMap::new();
    for row in symbols.values().flatten() {
        let end = ends.entry(&row.source).or_insert(row.ex_date);
        *end = row.ex_date.max(*end);
    }
    ends
}
