//! What is built into the program: whole, small, and right where everybody would notice.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use jiff::civil::date;
use ledger::fx::BaseRates;
use ledger::{Currency, Decimal, Fx, QuoteUnit};
use reference::{Listing, REFERENCE};

/// ISIN, and the line for somebody who trades in each currency.
const WELL_KNOWN: &[(&str, &[(&str, &str)])] = &[
    ("US1912161007", &[("USD", "KO")]),
    ("US0378331005", &[("USD", "AAPL")]),
    ("US5949181045", &[("USD", "MSFT")]),
    ("US4781601046", &[("USD", "JNJ")]),
    ("US7427181091", &[("USD", "PG")]),
    ("US7134481081", &[("USD", "PEP")]),
    ("US5801351017", &[("USD", "MCD")]),
    ("US7561091049", &[("USD", "O")]),
    ("US00287Y1091", &[("USD", "ABBV")]),
    ("US88579Y1010", &[("USD", "MMM")]),
    ("US30231G1022", &[("USD", "XOM")]),
    ("US00206R1023", &[("USD", "T")]),
    ("US67066G1040", &[("USD", "NVDA")]),
    ("US11135F1012", &[("USD", "AVGO")]),
    ("US0846707026", &[("USD", "BRK-B")]),
    ("US56035L1044", &[("USD", "MAIN")]),
    ("IE000S9YS762", &[("USD", "LIN")]),
    ("US8085247976", &[("USD", "SCHD")]),
    ("US9219464065", &[("USD", "VYM")]),
    ("US46641Q3323", &[("USD", "JEPI")]),
    ("US9229083632", &[("USD", "VOO")]),
    ("US9220427424", &[("USD", "VT")]),
    ("CH0038863350", &[("CHF", "NESN.SW")]),
    ("CH0012005267", &[("CHF", "NOVN.SW")]),
    ("CH0012032048", &[("CHF", "ROG.SW")]),
    ("CH0011075394", &[("CHF", "ZURN.SW")]),
    ("NL0010273215", &[("EUR", "ASML.AS")]),
    ("NL0011821202", &[("EUR", "INGA.AS")]),
    ("ES0144580Y14", &[("EUR", "IBE.MC")]),
    ("ES0148396007", &[("EUR", "ITX.MC")]),
    ("DE0008404005", &[("EUR", "ALV.DE")]),
    ("DE0007164600", &[("EUR", "SAP.DE")]),
    ("DE000BASF111", &[("EUR", "BAS.DE")]),
    ("DE0005190003", &[("EUR", "BMW.DE")]),
    ("FR0000120271", &[("EUR", "TTE.PA")]),
    ("FR0000121014", &[("EUR", "MC.PA")]),
    ("FR0000120578", &[("EUR", "SAN.PA")]),
    ("NL0000235190", &[("EUR", "AIR.PA")]),
    ("IT0003128367", &[("EUR", "ENEL.MI")]),
    ("GB00B10RZP78", &[("GBP", "ULVR.L"), ("EUR", "UNA.AS")]),
    ("GB00BP6MXD84", &[("GBP", "SHEL.L"), ("EUR", "SHELL.AS")]),
    ("GB0002374006", &[("GBP", "DGE.L")]),
    ("GB0002875804", &[("GBP", "BATS.L")]),
    ("DK0062498333", &[("DKK", "NOVO-B.CO")]),
    ("SE0000115446", &[("SEK", "VOLV-B.ST")]),
    ("NO0010096985", &[("NOK", "EQNR.OL")]),
    ("CA7800871021", &[("CAD", "RY.TO")]),
    ("AU000000BHP4", &[("AUD", "BHP.AX")]),
    ("JP3633400001", &[("JPY", "7203.T")]),
    ("IE00BK5BQT80", &[("EUR", "VWCE.DE"), ("USD", "VWRA.L")]),
    ("IE00B3RBWM25", &[("EUR", "VWRL.AS"), ("GBP", "VWRL.L"), ("CHF", "VWRL.SW")]),
    ("IE00B3XXRP09", &[("EUR", "VUSA.AS"), ("GBP", "VUSA.L")]),
    ("IE00B8GKDB10", &[("EUR", "VHYL.AS"), ("GBP", "VHYL.L")]),
    ("IE00B4L5Y983", &[("EUR", "IWDA.AS"), ("GBP", "SWDA.L"), ("USD", "IWDA.L")]),
    ("IE00B5BMR087", &[("EUR", "CSPX.AS"), ("USD", "CSPX.L")]),
    ("NL0011683594", &[("EUR", "TDIV.AS")]),
];

fn all() -> Vec<Listing<'static>> {
    REFERENCE.listings.iter().collect()
}

#[test]
fn well_known_isins_have_the_lines_that_people_expect() {
    assert!(WELL_KNOWN.len() >= 50);
    for (isin, lines) in WELL_KNOWN {
        let found: Vec<Listing<'_>> = REFERENCE.listings.by_isin(isin).collect();
        for (currency, symbol) in *lines {
            let first = found.iter().find(|one| one.unit.currency.code() == *currency).map(|one| one.symbol);
            assert_eq!(first, Some(*symbol), "{isin} {currency}");
        }
        let is_fund = found.iter().all(|one| one.kind == "ETF");
        assert!(is_fund || found.len() == lines.len(), "{isin}: {found:?}");
    }
}

#[test]
fn there_are_at_least_twenty_thousand_listings_in_at_most_three_megabytes() {
    assert!(REFERENCE.listings.len() >= 20_000, "{}", REFERENCE.listings.len());
    let packed = include_bytes!("../data/listings.z").len() + include_bytes!("../data/rates.z").len();
    assert!(packed <= 3_000_000, "{packed}");
}

#[test]
fn symbols_are_unique_and_found() {
    let all = all();
    assert!(all.is_sorted_by(|one, other| one.symbol < other.symbol));
    for one in all {
        assert_eq!(REFERENCE.listings.by_symbol(one.symbol), Some(one));
    }
    assert_eq!(REFERENCE.listings.by_symbol("NO-SUCH"), None);
    let of_root: Vec<&str> = REFERENCE.listings.by_root("SAN").map(|one| one.symbol).collect();
    assert_eq!(of_root, ["SAN.MC", "SAN.NZ", "SAN.PA"]);
    assert_eq!(REFERENCE.listings.by_isin("XX0000000000").count(), 0);
}

#[test]
fn every_isin_has_its_check_digit() {
    let mut isins = 0;
    for isin in all().into_iter().filter_map(|one| one.isin) {
        let digits: Vec<u32> = isin
            .chars()
            .flat_map(|letter| letter.to_digit(36).unwrap().to_string().chars().collect::<Vec<_>>())
            .map(|digit| digit.to_digit(10).unwrap())
            .collect();
        let sum: u32 = (digits.iter().rev().enumerate())
            .map(|(place, digit)| if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
            .sum();
        assert!(isin.len() == 12 && sum.is_multiple_of(10), "{isin}");
        isins += 1;
    }
    assert!(isins > 8_000, "{isins}");
}

#[test]
fn a_share_has_one_line_per_isin_and_currency() {
    let mut lines: HashMap<&str, Vec<Listing<'_>>> = HashMap::new();
    for one in all().into_iter().filter(|one| one.kind == "EQUITY") {
        lines.entry(one.isin.unwrap_or_default()).or_default().push(one);
    }
    lines.remove("");
    for (isin, lines) in lines {
        let currencies: HashSet<Currency> = lines.iter().map(|one| one.unit.currency).collect();
        assert_eq!(currencies.len(), lines.len(), "{isin}: {lines:?}");
        assert_eq!(REFERENCE.listings.by_isin(isin).count(), lines.len());
    }
}

#[test]
fn names_are_tidy_countries_are_known_and_no_share_is_a_receipt() {
    for one in all() {
        assert!(!one.name.is_empty() && one.name == one.name.split_whitespace().collect::<Vec<_>>().join(" "), "{one:?}");
        assert!(!one.name.to_lowercase().contains("depositary"), "{one:?}");
        assert!(one.country.is_none_or(|country| ledger::withholding::country_code(country).is_some()), "{one:?}");
        assert!(one.kind == "ETF" || one.country.is_some(), "{one:?}");
    }
}

#[test]
fn london_tel_aviv_and_johannesburg_quote_in_hundredths() {
    for (symbol, unit) in [("DGE.L", "GBp"), ("VWRA.L", "USD"), ("TEVA.TA", "ILA"), ("NPN.JO", "ZAc"), ("ALV.DE", "EUR")] {
        assert_eq!(REFERENCE.listings.by_symbol(symbol).unwrap().unit, QuoteUnit::parse(unit).unwrap(), "{symbol}");
    }
}

#[test]
fn rates_are_exact_as_published() {
    let fx = Fx::default().with_base(&REFERENCE.rates);
    let rate = |code: &str, day| fx.per_euro(Currency::parse(code).unwrap(), day).map(|rate: Decimal| rate.to_string());
    assert_eq!(rate("USD", date(1999, 1, 4)).as_deref(), Some("1.1789"));
    assert_eq!(rate("JPY", date(2008, 7, 21)).as_deref(), Some("169.65"));
    assert_eq!(rate("USD", date(1998, 12, 31)), None);
    // A Saturday has the rate of Friday.
    assert_eq!(rate("GBP", date(2026, 9, 12)), rate("GBP", date(2026, 9, 11)));
    // Croatia joined the euro, the rouble was suspended, and Taiwan's dollar was never quoted.
    assert_eq!(rate("HRK", date(2026, 9, 14)).as_deref(), Some("7.53450"));
    assert!(rate("RUB", date(2022, 3, 1)).is_some());
    assert_eq!(rate("RUB", date(2026, 9, 14)), None);
    assert_eq!(rate("TWD", date(2026, 9, 14)), None);
    assert_eq!(REFERENCE.rates.currencies().count(), 41);
    assert_eq!(REFERENCE.rates.days().items().len(), 7_092);
    let rates: usize = REFERENCE.rates.currencies().map(|one| REFERENCE.rates.rates(one).unwrap().items().len()).sum();
    assert_eq!(rates, 220_716);
}

/// Prints how long it takes; the limits are generous, because tests are not optimised.
#[test]
fn little_time_is_spent_until_data_is_needed_and_then() {
    let started = Instant::now();
    let fx = Fx::default().with_base(&REFERENCE.rates);
    let built = started.elapsed();
    fx.per_euro(Currency::USD, date(2026, 9, 14)).unwrap();
    let rates = started.elapsed();
    REFERENCE.listings.by_symbol("KO").unwrap();
    let listings = started.elapsed() - rates;
    println!("built {built:?}, rates of a currency {rates:?}, listings {listings:?}");
    assert!(built.as_millis() < 5 && rates.as_millis() < 500 && listings.as_millis() < 2_000);
}
