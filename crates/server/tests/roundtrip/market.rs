//! The market data of these tests: payers in four currencies, splits, declared dividends, rates.

use testkit::{Engine, Service};

const STOCKS: &str = "symbol,name,currency,exchange,type,isin,country,sector,price,price_as_of,payout_ratio\n\
    KO,Coca-Cola,USD,NYSE,EQUITY,US1912161007,US,Consumer Defensive,70,2026-11-13,0.7\n\
    PEP,PepsiCo,USD,NASDAQ,EQUITY,US7134481081,US,Consumer Defensive,160,2026-11-13,0.72\n\
    IBE.MC,Iberdrola,EUR,BME,EQUITY,ES0144580Y14,ES,Utilities,15,2026-11-13,0.6\n\
    DGE.L,Diageo,GBp,LSE,EQUITY,GB0002374006,GB,Consumer Defensive,2500,2026-11-13,0.8\n\
    7203.T,Toyota,JPY,TSE,EQUITY,JP3633400001,JP,Consumer Cyclical,2800,2026-11-13,0.3\n";
const SPLITS: &str = "symbol,date,ratio\nKO,2024-06-03,2:1\n7203.T,2021-09-29,5:1\nIBE.MC,2025-01-15,11:10\n";
const FX: &str = "date,currency,rate\n2021-01-04,USD,1.2296\n2021-01-04,GBP,0.9016\n2021-01-04,JPY,126.62\n\
    2024-01-02,USD,1.0956\n2024-01-02,GBP,0.8663\n2024-01-02,JPY,155.4\n\
    2026-11-13,USD,1.0812\n2026-11-13,GBP,0.8512\n2026-11-13,JPY,164.05\n";

pub fn service() -> Service {
    loaded(Service::start())
}

pub fn service_on(engine: Engine) -> Service {
    loaded(Service::start_on(engine))
}

fn loaded(service: Service) -> Service {
    service.load(&[("stocks.csv", STOCKS), ("splits.csv", SPLITS), ("fx.csv", FX), ("dividends.csv", &dividends())]);
    service
}

/// Seven years of each, rising a little every year, the last ones declared and still to come.
fn dividends() -> String {
    let mut text = "symbol,ex_date,pay_date,amount,kind\n".to_owned();
    for year in 2020..=2026 {
        let step = year - 2020;
        for month in [3, 6, 9, 12] {
            text += &format!("KO,{year}-{month:02}-12,{year}-{month:02}-28,0.{},regular\n", 40 + step);
            text += &format!("PEP,{year}-{month:02}-05,{year}-{month:02}-30,1.{},regular\n", 20 + 3 * step);
        }
        for month in [1, 7] {
            text += &format!("IBE.MC,{year}-{month:02}-07,{year}-{month:02}-29,0.2{step},regular\n");
        }
        text += &format!("DGE.L,{year}-02-27,{year}-04-10,4{step}.25,regular\nDGE.L,{year}-10-10,,2{step}.5,regular\n");
        text += &format!("7203.T,{year}-03-28,{year}-05-26,{},regular\n", 30 + step);
    }
    text + "KO,2026-11-20,2026-12-15,1.5,special\n"
}
