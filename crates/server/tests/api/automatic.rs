//! Dividends that the jobs record on their payment dates.

use std::time::{Duration, Instant};

use app::automatic::{self, Automatic};
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::ANA;

/// Both run the same jobs when the day comes on which the ten shares are paid 0.90 each.
#[test]
fn a_dividend_is_recorded_once_on_its_payment_date_by_the_jobs_of_two_nodes() {
    let service = Service::start_at("2026-11-15T12:00:00Z", "");
    let token = service.account(ANA, "EUR", None);
    service.load(&[
        ("stocks.csv", "symbol,currency,name\nQTR,USD,Quarry Tools\n"),
        ("dividends.csv", "symbol,ex_date,pay_date,amount,currency\nQTR,2026-11-10,2026-11-16,0.90,USD\n"),
        ("fx.csv", "date,currency,rate\n2026-11-13,USD,1.25\n"),
    ]);
    service.import(ANA, "date,type,symbol,shares,price,currency\n2026-01-05,buy,QTR,10,70,USD\n");
    service.run(automatic::set_mode(&service.app, service.user_id(ANA), "Main", Automatic::Record)).unwrap();
    let recorded = |node: &Service| node.get("/api/v1/dividends", Some(&token)).json()["dividends"].as_array().unwrap().clone();
    assert_eq!(recorded(&service), Vec::<Value>::new(), "not paid yet");
    let nodes = [service.second_node("2026-11-16T00:00:00Z"), service.second_node("2026-11-16T00:00:00Z")];
    let _jobs = nodes.each_ref().map(Service::start_jobs);
    let began = Instant::now();
    while recorded(&nodes[0]).is_empty() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let dividends = recorded(&nodes[1]);
    assert_eq!(dividends.len(), 1);
    let paid = &dividends[0];
    assert_eq!(
        (&paid["amount"]["amount"], &paid["date"], &paid["source"]),
        (&json!("9.00"), &json!("2026-11-16"), &json!("automatic"))
    );
    assert_eq!(paid["estimated"], json!(true));
}
