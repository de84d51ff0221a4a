//! A small world with one of each kind: payers of every frequency, pence, a split, a currency without a rate, two portfolios,
//! a shared one, a watchlist. Companies and figures are made up and round. Today is 2026-11-15.

use std::fmt::Write;
use std::ops::Deref;

use app::portfolios;
use app::stocks::radar;

use crate::Service;

/// The service with the market loaded and two users in it.
pub struct World {
    pub service: Service,
    /// Token of ana@example.com: euros, resident in Spain, two portfolios ("Core", and "Élan" shared as elan-income), a watchlist.
    pub ana: String,
    /// Token of bob@example.com: dollars, resident in the United States, one portfolio with [`PLAIN`] in it.
    pub bob: String,
}

pub const ANA: &str = "ana@example.com";
pub const BOB: &str = "bob@example.com";

impl World {
    pub fn start() -> World {
        World::of(Service::start())
    }

    /// In an empty service.
    pub fn of(service: Service) -> World {
        load_market(&service);
        let ana = service.account(ANA, "EUR", Some("ES"));
        service.import(ANA, LEDGER);
        service.run(portfolios::share(&service.app, service.user_id(ANA), "Élan", Some("elan-income"))).unwrap();
        service.run(radar::add(&service.app, service.user_id(ANA), &["RAD".to_owned(), "QTR".to_owned()])).unwrap();
        let bob = service.account(BOB, "USD", Some("US"));
        service.import(BOB, PLAIN);
        World { service, ana, bob }
    }
}

impl Deref for World {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

pub fn load_market(service: &Service) {
    let dividends = dividends();
    let prices = prices();
    service.load(&[
        ("stocks.csv", STOCKS),
        ("dividends.csv", &dividends),
        ("splits.csv", "symbol,date,ratio\nSPLT,2026-06-01,4:1\n"),
        ("prices.csv", &prices),
        ("fx.csv", FX),
    ]);
}

/// QTR pays quarterly in dollars, MON monthly, SEVN an interim and a final dividend in pence, ANN yearly without a payment date
/// or a price. HALT has stopped, SHIP is in a currency without a rate, SPLT was split, RAD adds a special, BARE only has a name,
/// HIDE is not tracked.
pub const STOCKS: &str = "\
symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52,yield_avg_5y_pct,tracked
QTR,Quarry Tools,USD,NYSE,EQUITY,US000000QTR5,United States,Industrials,Tools,equity,80.00,2026-11-13T21:00:00Z,0.5,2,20,78,75,60,100,3.6,
MON,Monthly Malls Trust,EUR,XETRA,EQUITY,DE000000MON0,Germany,Real Estate,Retail REIT,equity,50.00,2026-11-13T16:35:00Z,0.8,,,,,,,,
SEVN,Severn Water,GBp,LSE,EQUITY,GB00000SEVN8,United Kingdom,Utilities,Water,equity,1250,2026-11-13T16:35:00Z,0.85,1.1,25,,,1000,1500,,
ANN,Anual Ibérica,EUR,BME,EQUITY,ES000000ANN5,Spain,Energy,Oil,equity,,,,,,,,,,,
HALT,Halted Freight,USD,NASDAQ,EQUITY,US00000HALT0,United States,Industrials,Trucking,equity,10.00,2026-11-13T21:00:00Z,0.5,,,,,,,,
SHIP,Hanbada Shipping,KRW,KRX,EQUITY,KR000000SHP3,South Korea,Industrials,Shipping,equity,20000,2026-11-13T06:30:00Z,,,,,,,,,
SPLT,Splitwell,USD,NASDAQ,EQUITY,US00000SPLT5,United States,Technology,Software,equity,100.00,2026-11-13T21:00:00Z,0.3,3,,,,,,,
RAD,Radar Robotique,EUR,PAR,EQUITY,FR000000RAD6,France,Technology,Robots,equity,32.00,2026-11-13T16:35:00Z,0.4,2,,,,,,,
BARE,,USD,,,,,,,,,,,,,,,,,,
HIDE,Hidden Harbour,USD,NYSE,EQUITY,,United States,Industrials,Ports,equity,5.00,2026-11-13T21:00:00Z,,,,,,,,,false
";

/// Units per euro. There is no rate for KRW.
pub const FX: &str = "\
date,currency,rate
2023-01-02,USD,1.10
2026-11-13,USD,1.25
2023-01-02,GBP,0.90
2026-11-13,GBP,0.80
2026-11-13,JPY,160
";

/// Ten QTR and so on: five payers, plain purchases, no dividend recorded yet.
pub const PLAIN: &str = "\
date,type,symbol,shares,price,currency
2025-01-10,buy,QTR,10,70.00,USD
2025-01-10,buy,MON,100,45.00,EUR
2025-01-10,buy,SEVN,100,12.00,GBP
2025-01-10,buy,ANN,50,20.00,EUR
2025-01-10,buy,SPLT,10,400.00,USD
";

/// Ana's ledger: fractional shares, a sale after an ex-date, a reversal, a net amount without its gross, withholding of 20% on
/// QTR.
pub const LEDGER: &str = "\
date,type,symbol,shares,price,amount,fees,tax,net,currency,portfolio,source
2023-02-01,buy,HALT,10,20.00,,,,,USD,Core,
2024-01-09,buy,QTR,4,50.00,,,,,USD,Élan,
2024-01-10,buy,QTR,10,60.00,,5.00,,,USD,Core,
2024-03-01,buy,MON,100,40.00,,,,,EUR,Core,
2024-06-03,buy,SEVN,200,1100,,,,,GBp,Core,
2025-01-15,buy,ANN,30,25.00,,,,,EUR,Core,
2025-02-03,buy,QTR,5.5,72.00,,,,,USD,Core,
2025-05-05,buy,SPLT,10,400.00,,,,,USD,Core,
2025-07-01,buy,SHIP,20,50000,,,,,KRW,Core,
2026-10-30,sell,SEVN,50,1300,,,,,GBp,Core,
2024-09-23,dividend,HALT,10,0.25,2.50,,,,USD,Core,manual
2025-11-28,dividend,SEVN,200,12,2400,,0,,GBp,Core,
2025-11-28,dividend,SEVN,200,,-2400,,,,GBp,Core,
2025-12-02,dividend,SEVN,200,12,2400,,0,,GBp,Core,
2026-01-12,dividend,ANN,30,,,,,29.16,EUR,Core,
2026-06-19,dividend,SEVN,200,28,5600,,0,,GBp,Core,
2026-09-20,dividend,QTR,15.5,0.90,13.95,,2.79,,USD,Core,
2026-09-20,dividend,QTR,4,0.90,3.60,,0.72,,USD,Élan,
2026-10-15,dividend,MON,100,0.25,25.00,,,,EUR,Core,
";

/// As paid: SPLT's 4:1 split of June 2026 comes between its 2.00 and its 0.50.
const FEW_DIVIDENDS: &str = "\
symbol,ex_date,pay_date,amount,kind
SEVN,2024-05-16,2024-06-21,24,
SEVN,2024-10-24,2024-11-29,11,
SEVN,2025-05-15,2025-06-20,26.5,
SEVN,2025-10-23,2025-11-28,12,
SEVN,2026-05-14,2026-06-19,28,
SEVN,2026-10-22,2026-11-27,12,
ANN,2023-12-20,,1.00,
ANN,2024-12-20,,1.00,
ANN,2025-12-22,,1.20,
HALT,2023-03-13,2023-03-27,0.25,
HALT,2023-06-12,2023-06-26,0.25,
HALT,2023-09-11,2023-09-25,0.25,
HALT,2023-12-11,2023-12-25,0.25,
HALT,2024-03-11,2024-03-25,0.25,
HALT,2024-06-10,2024-06-24,0.25,
HALT,2024-09-09,2024-09-23,0.25,
SHIP,2023-12-28,2024-04-15,900,
SHIP,2024-12-27,2025-04-15,950,
SHIP,2025-12-29,2026-04-15,1000,
SPLT,2025-05-12,2025-05-25,2.00,
SPLT,2025-08-11,2025-08-25,2.00,
SPLT,2025-11-10,2025-11-25,2.00,
SPLT,2026-02-10,2026-02-25,2.00,
SPLT,2026-05-11,2026-05-25,2.00,
SPLT,2026-08-10,2026-08-25,0.50,
SPLT,2026-11-10,2026-11-25,0.50,
RAD,2025-02-20,2025-03-06,0.40,
RAD,2025-05-20,2025-06-03,0.40,
RAD,2025-08-20,2025-09-03,0.40,
RAD,2025-11-20,2025-12-04,0.40,
RAD,2026-02-20,2026-03-06,0.40,
RAD,2026-05-20,2026-06-03,0.40,
RAD,2026-08-20,2026-09-03,0.40,
RAD,2026-11-20,2026-12-04,0.40,
RAD,2026-11-25,2026-12-09,1.00,special
HIDE,2026-11-18,2026-12-01,0.10,
";

fn dividends() -> String {
    let mut csv = FEW_DIVIDENDS.to_owned();
    // QTR: a tenth more every year; ex on the 10th, paid on the 20th. December 2026 is declared.
    let quarterly =
        [(2020, "0.5"), (2021, "0.55"), (2022, "0.605"), (2023, "0.6655"), (2024, "0.73205"), (2025, "0.805255"), (2026, "0.90")];
    for (year, amount) in quarterly {
        for month in ["03", "06", "09", "12"] {
            writeln!(csv, "QTR,{year}-{month}-10,{year}-{month}-20,{amount},").unwrap();
        }
    }
    // MON: from December 2023 to November 2026; ex on the 5th, paid on the 15th.
    for number in 2023 * 12 + 11..2026 * 12 + 11 {
        let (year, month) = (number / 12, number % 12 + 1);
        let amount = if year < 2025 { "0.20" } else { "0.25" };
        writeln!(csv, "MON,{year}-{month:02}-05,{year}-{month:02}-15,{amount},").unwrap();
    }
    csv
}

/// MON at 37.50 at the last 24 month-ends.
fn prices() -> String {
    let mut csv = "symbol,date,close\n".to_owned();
    for number in 2024 * 12 + 10..2026 * 12 + 10 {
        writeln!(csv, "MON,{}-{:02}-28,37.50", number / 12, number % 12 + 1).unwrap();
    }
    csv
}
